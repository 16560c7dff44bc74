// Publishes what happens in calls to subscribers: webhooks, the event stream. A subscriber must return at once; an exception
// that it throws does not reach the call.

import { newId } from '../../domain/id.ts';
import { outcomeOf } from '../../domain/past-call.ts';
import type { Ref } from '../../flow/node.ts';
import type { TrailCode, TrailEntry } from '../../flow/trail.ts';
import type { CallEventType } from '../../kinds/webhook.ts';
import type { CallFacts, CallResult, Transfer } from '../records/call-record.ts';

/** Within the service only: followers ask for the live view again (live/live-changes.ts). No subscriber or client gets it. */
export const LIVE_CHANGED = 'live.changed';

/** Not flow/call-state.ts's CallEvent, which is an input of the state machine. */
export interface PublishedEvent {
  /** The same for every subscriber and every retry. */
  readonly id: string;
  readonly type: CallEventType | typeof LIVE_CHANGED;
  readonly accountId: string;
  /** Our id of the call, as in its record; of an agent's event `agent` and the eid. Deliveries of one keep their order. */
  readonly callId: string;
  readonly atMs: number;
  /** JSON as the API shows it. */
  readonly data: { readonly call?: object; readonly [member: string]: unknown };
}

export type Subscriber = (event: PublishedEvent) => void;
export type EventFilter = (accountId: string, type: CallEventType) => boolean;

export class CallEvents {
  readonly #subscribers = new Map<Subscriber, EventFilter>();
  readonly #failed: (error: unknown) => void;
  readonly #changed: ((callId: string) => void) | null;
  /** A call of this account has changed. */
  touched: (accountId: string) => void = () => undefined;

  /** `changed`: something was added to the trail of this call. */
  constructor(failed: (error: unknown) => void, changed: ((callId: string) => void) | null = null) {
    this.#failed = failed;
    this.#changed = changed;
  }

  /** Returns the function that unsubscribes. An event that every filter rejects is not built. */
  subscribe(subscriber: Subscriber, wants: EventFilter = () => true): () => void {
    this.#subscribers.set(subscriber, wants);
    return () => void this.#subscribers.delete(subscriber);
  }

  /** Runs for every trail entry of every call, so it must cost almost nothing without subscribers. */
  trailEntryAdded(facts: CallFacts, entry: TrailEntry): void {
    this.#changed?.(facts.id);
    this.touched(facts.accountId);
    const type = typeOf(entry.code, entry.node);
    if (type && this.#isWanted(facts, type))
      this.publish(type, facts, facts.startedAtMs + entry.atMs, detailsOf(entry));
  }

  callEnded(facts: CallFacts, result: CallResult): void {
    this.touched(facts.accountId);
    if (!this.#isWanted(facts, 'call.ended') && !this.#isWanted(facts, 'call.missed')) return;
    const { end, durationMs, answeredBy, waitMs, ringMs, talkMs, transferredTo } = result;
    const outcome = outcomeOf({ ...result, endCode: end.code });
    const atMs = Math.round(facts.startedAtMs + durationMs);
    const details = {
      outcome,
      end,
      duration_ms: Math.round(durationMs),
      answered_by: answeredBy,
      wait_ms: waitMs,
      ring_ms: ringMs,
      talk_ms: talkMs,
      transferred_to: transferredTo && describeTransfer(transferredTo),
      ...(result.variables ? { variables: result.variables } : {}),
    };
    if (outcome === 'missed') this.publish('call.missed', facts, atMs, details);
    this.publish('call.ended', facts, atMs, details);
  }

  publish(type: CallEventType, facts: CallFacts, atMs: number, details: object): void {
    if (!this.#isWanted(facts, type)) return;
    const { id: callId, accountId } = facts;
    const call = { ...describeFacts(facts), ...(facts.web ? { web: facts.web } : {}) };
    const data = { call, ...details };
    this.#send({ id: newId(atMs), type, accountId, callId, atMs, data });
  }

  /** Publishes the state of one agent; `details` as the API shows it. */
  publishAgent(accountId: string, eid: string, atMs: number, details: object): void {
    const type = 'agent.state';
    if (!this.#isWanted({ accountId }, type)) return;
    this.#send({ id: newId(atMs), type, accountId, callId: `agent ${eid}`, atMs, data: { ...details } });
  }

  /** `id`: the same as webhooks get. */
  publishNotification(
    accountId: string,
    { id, type, atMs }: Pick<PublishedEvent, 'id' | 'atMs'> & { readonly type: CallEventType },
    about: string,
    details: object,
  ): void {
    if (!this.#isWanted({ accountId }, type)) return;
    this.#send({ id, type, accountId, callId: `notification ${about}`, atMs, data: { ...details } });
  }

  #send(event: PublishedEvent): void {
    const { accountId, type } = event;
    for (const [subscriber, wants] of this.#subscribers) {
      try {
        if (type !== LIVE_CHANGED && wants(accountId, type)) subscriber(event);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  #isWanted({ accountId }: Pick<CallFacts, 'accountId'>, type: CallEventType): boolean {
    for (const wants of this.#subscribers.values()) if (wants(accountId, type)) return true;
    return false;
  }
}

function describeTransfer({ callId, by, attended }: Transfer): object {
  return { call_id: callId, by, attended: attended === true };
}

export function describeFacts(facts: CallFacts): object {
  return {
    id: facts.id,
    call_id: facts.id,
    sip_call_id: facts.callId,
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
    case 'audio-one-way':
      return 'call.one_way_audio';
    case 'party-replaced':
      return 'call.party_replaced';
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
