// What happens in calls, told as it happens to whoever listens: webhooks, the list of live calls. A listener takes what it is told
// and returns at once; one that throws harms no call.
import { newId } from '../../domain/id.ts';
import type { Ref } from '../../flow/node.ts';
import type { TrailCode, TrailEntry } from '../../flow/trail.ts';
import type { CallFacts, CallResult } from '../records/call-record.ts';

export const CALL_EVENT_TYPES = [
  'call.received',
  'call.menu_entered',
  /** Each key, as it is pressed. */
  'call.key',
  /** A sequence of keys that matched an option. */
  'call.option',
  'call.ringing',
  'call.answered',
  /** Agents were rung, and none of them answered. */
  'call.missed',
  'call.ended',
  'voicemail.received',
  'call.recorded',
] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

export interface CallEvent {
  /** The same wherever this piece of news is seen, however often it is sent. */
  readonly id: string;
  readonly type: CallEventType;
  readonly accountId: string;
  /** Our id of the call: its record will have it too. */
  readonly callId: string;
  readonly atMs: number;
  /** Plain JSON in the API's own words. */
  readonly data: { readonly call: object; readonly [member: string]: unknown };
}

export type CallEventListener = (callEvents: CallEvent) => void;
/** Whether news of this account, and of this type, are wanted. */
export type EventFilter = (accountId: string, type: CallEventType) => boolean;

export class CallEvents {
  /** Each listener with whose news it wants. */
  readonly #listeners = new Map<CallEventListener, EventFilter>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Until the returned function is called. An event that nobody wants is not even put into words. */
  listen(listener: CallEventListener, wants: EventFilter = () => true): () => void {
    this.#listeners.set(listener, wants);
    return () => void this.#listeners.delete(listener);
  }

  /** A line of a call's trail. Asked for every line of every call, so it costs next to nothing while nobody listens. */
  readonly noted = (facts: CallFacts, entry: TrailEntry): void => {
    const type = typeOf(entry.code, entry.node);
    if (type && this.#isWanted(facts, type))
      this.tell(type, facts, facts.startedAtMs + entry.atMs, detailsOf(entry));
  };

  readonly ended = (facts: CallFacts, result: CallResult): void => {
    if (!this.#isWanted(facts, 'call.ended') && !this.#isWanted(facts, 'call.missed')) return;
    const { end, durationMs, answeredBy, ringMs, talkMs } = result;
    const atMs = Math.round(facts.startedAtMs + durationMs);
    const details = {
      end,
      duration_ms: Math.round(durationMs),
      answered_by: answeredBy,
      ring_ms: ringMs,
      talk_ms: talkMs,
    };
    const rang = result.trail.some(({ code }) => code === 'ringing');
    const connected = result.trail.some(({ code }) => code === 'connected');
    if (rang && !connected) this.tell('call.missed', facts, atMs, details);
    this.tell('call.ended', facts, atMs, details);
  };

  tell(type: CallEventType, facts: CallFacts, atMs: number, details: object): void {
    if (!this.#isWanted(facts, type)) return;
    const { id: callId, accountId } = facts;
    const data = { call: describeFacts(facts), ...details };
    const callEvents = { id: newId(atMs), type, accountId, callId, atMs, data };
    for (const [listener, wants] of this.#listeners) {
      try {
        if (wants(accountId, type)) listener(callEvents);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  #isWanted({ accountId }: CallFacts, type: CallEventType): boolean {
    for (const wants of this.#listeners.values()) if (wants(accountId, type)) return true;
    return false;
  }
}

export function describeFacts(facts: CallFacts): object {
  return {
    id: facts.id,
    call_id: facts.callId,
    direction: facts.direction,
    caller: facts.caller,
    caller_name: facts.callerName,
    dialled: facts.dialled,
    entry: facts.entry,
    started_at: new Date(facts.startedAtMs).toISOString(),
  };
}

function typeOf(code: TrailCode, node: Ref | null): CallEventType | null {
  switch (code) {
    case 'call-started':
      return 'call.received';
    case 'arrived':
      return node?.startsWith('ivr||') ? 'call.menu_entered' : null;
    case 'key-pressed':
      return 'call.key';
    case 'option-matched':
      return 'call.option';
    case 'ringing':
      return 'call.ringing';
    case 'connected':
      return 'call.answered';
    default:
      return null;
  }
}

function detailsOf({ node, text, keys, destination, webhook }: TrailEntry): object {
  return {
    node,
    text,
    ...(keys === undefined ? {} : { keys }),
    ...(destination === undefined ? {} : { destination }),
    ...(webhook === undefined ? {} : { webhook }),
  };
}
