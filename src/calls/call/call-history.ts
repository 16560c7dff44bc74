// What a running call keeps for its record: trail, events, keys and times. Times are milliseconds since the call began.
import type { CallEvent, CallState } from '../../flow/call-state.ts';
import { isTalking } from '../../flow/conversation.ts';
import { withoutSecrets } from '../../flow/filling.ts';
import type { Flow } from '../../flow/flow.ts';
import { HIDDEN_KEY, hidesKeys } from '../../flow/hidden-keys.ts';
import type { Ref } from '../../flow/node.ts';
import { type EndCode, endReason, type TrailEntry } from '../../flow/trail.ts';
import { TrailQuota } from '../../flow/trail-quota.ts';
import type { KeySource } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import {
  type CallEnd,
  type CallFacts,
  type CallResult,
  type KeyRecord,
  MAX_EVENT_BYTES,
  MAX_KEYS,
  MAX_TRAIL,
  ownEnd,
  type Transfer,
} from '../records/call-record.ts';
import type { Recorded } from '../records/recorded.ts';
import { callLadder } from './call-ladder.ts';
import type { CallLegs } from './call-legs.ts';
import { CallTimes } from './call-times.ts';
import type { LegRecord } from './ended-leg.ts';

type OwnCode =
  | 'sharing-lost'
  | 'audio-one-way'
  | 'party-joined'
  | 'party-left'
  | 'recording-missing'
  | 'speech-failed'
  | 'recording-started'
  | 'recording-skipped'
  | 'recovered'
  | 'consultation-started'
  | 'consultation-ended'
  | 'ended';

type Services = Pick<AccountContext['services'], 'clock' | 'callEvents'>;

export class CallHistory {
  readonly trail: TrailEntry[] = [];
  readonly #quota = new TrailQuota();
  /** The nodes where the caller arrived, the last one last. Decisions go by them: the trail has bounds. */
  readonly #arrivals = new Set<Ref>();
  #lastArrival: Ref | null = null;
  readonly #events: CallEvent[] = [];
  #eventBytes = 0;
  #eventsLeftOut = 0;
  readonly #keys: KeyRecord[] = [];
  readonly #services: Services;
  readonly #facts: CallFacts;
  readonly #flow: Flow;
  /** On the monotonic clock. */
  readonly #startedMs: number;
  readonly times = new CallTimes(() => this.nowMs());
  #answeredBy: Ref | null = null;
  transferredTo: Transfer | null = null;
  #endedMs = 0;

  /** `ageMs`: of a call that began at another node. */
  constructor(services: Services, facts: CallFacts, flow: Flow, ageMs = 0) {
    this.#services = services;
    this.#facts = facts;
    this.#flow = flow;
    this.#startedMs = services.clock.nowMs() - ageMs;
  }

  nowMs(): number {
    return Math.round(this.#services.clock.nowMs() - this.#startedMs);
  }

  /** The nodes that the caller came to, each once. */
  get arrivals(): Iterable<Ref> {
    return this.#arrivals;
  }

  get lastArrival(): Ref | null {
    return this.#lastArrival;
  }

  /** Each entry is published, those beyond the bounds are neither kept nor published. */
  add(given: TrailEntry): void {
    const entry = given.code === 'ended' ? this.#onlyEnd(given) : given;
    this.#noteArrival(entry);
    if (this.trail.length >= MAX_TRAIL && entry.code !== 'ended') return;
    if (!this.#quota.take(entry.code)) return;
    this.trail.push(entry);
    this.#services.callEvents.trailEntryAdded(this.#facts, entry);
  }

  /** In place of a former end: to the state machine a lost side is a hang-up, and its last actions may fail. */
  #onlyEnd(entry: TrailEntry): TrailEntry {
    const at = this.trail.findLastIndex(({ code }) => code === 'ended');
    const [former] = at < 0 ? [] : this.trail.splice(at, 1);
    return { ...entry, node: entry.node ?? former?.node ?? null };
  }

  /** One that waited for other nodes: later ones, and the end, may be there already. */
  addLate(entry: TrailEntry): void {
    if (this.trail.length >= MAX_TRAIL) return;
    const before = this.trail.findLastIndex(({ atMs, code }) => atMs <= entry.atMs && code !== 'ended');
    this.trail.splice(before + 1, 0, entry);
    this.#services.callEvents.trailEntryAdded(this.#facts, entry);
  }

  /** An entry that the state machine does not make. */
  note(code: OwnCode, text: string): void {
    this.add({ atMs: this.nowMs(), node: null, code, text });
  }

  noteOnce(code: OwnCode, text: string): void {
    if (!this.trail.some((entry) => entry.code === code)) this.note(code, text);
  }

  #noteArrival({ code, node }: TrailEntry): void {
    if (code !== 'arrived' || node === null) return;
    this.#arrivals.delete(node);
    this.#arrivals.add(node);
    this.#lastArrival = node;
  }

  /**
   * Keys of a conversation may be a PIN and do not change the call: they are not kept (docs/threat-model.md T35). From the first event
   * beyond the bounds on none is kept: those that are give the call up to there.
   */
  keepEvent(event: CallEvent, state: CallState): void {
    const isKey = event.type === 'key-pressed';
    if (isKey && isTalking(state.phase)) return;
    const kept = isKey ? this.#masked(event, state) : withoutSecrets(event, state);
    this.#eventBytes += bytesOfOthers(kept);
    const isFull = this.#events.length >= MAX_TRAIL || this.#eventBytes > MAX_EVENT_BYTES;
    if (isFull || this.#eventsLeftOut > 0) this.#eventsLeftOut++;
    else this.#events.push(kept);
  }

  keepKey(key: string, source: KeySource, state: CallState): void {
    if (this.#keys.length >= MAX_KEYS || isTalking(state.phase)) return;
    this.#keys.push(this.#masked({ at_ms: this.nowMs(), key, source }, state));
  }

  /** What is known of the time at another node. It was published there. */
  restore(trail: readonly TrailEntry[], answeredBy: Ref | null): void {
    for (const entry of trail) this.#noteArrival(entry);
    this.trail.push(...trail);
    this.#answeredBy = answeredBy;
  }

  connected(owner: Ref): void {
    this.times.connected();
    this.#answeredBy = owner;
  }

  ended(): void {
    this.times.ended();
    this.#endedMs = this.nowMs();
  }

  /** A message that was recorded when the call was ended by something else, such as a stop of the service. */
  noteMessage(): void {
    if (this.trail.some(({ code }) => code === 'voicemail-saved')) return;
    const node = this.trail.findLast(({ code }) => code === 'voicemail-started')?.node ?? null;
    const text = 'The call ended; what was said until then is kept.';
    this.trail.splice(-1, 0, { atMs: this.#endedMs, node, code: 'voicemail-saved', text });
  }

  /**
   * The state machine counts a hang-up during the recording as a message. When the recorder kept none, the trail and the
   * returned end are corrected.
   */
  withoutMessage(hasFailed: boolean, lost: CallLegs['lost']): CallEnd {
    const left = lostEnd('caller-hung-up', lost) ?? endReason('caller-hung-up');
    const end = hasFailed ? endReason('voicemail-failed') : left;
    const text = hasFailed ? end.text : 'The caller left without a message.';
    for (const [index, entry] of this.trail.entries()) {
      if (entry.code === 'voicemail-saved')
        this.trail[index] = { ...entry, code: hasFailed ? 'voicemail-failed' : 'voicemail-empty', text };
      else if (entry.code === 'ended')
        this.trail[index] = { ...entry, text: `${end.text} (${end.word}, cause ${end.cause})` };
    }
    return end;
  }

  result(
    end: CallEnd,
    legs: readonly LegRecord[],
    endedLegs: CallLegs['endedLegs'],
    { recording, voicemail }: Recorded,
  ): CallResult {
    const { waitMs, ringMs, talkMs, queueMs } = this.times;
    const owner = this.#answeredBy;
    const ladders = endedLegs.map(({ leg }) => leg.ladder?.());
    return {
      end,
      durationMs: this.#endedMs,
      answeredBy: owner?.startsWith('extension||') ? owner.slice('extension||'.length) : null,
      transferredTo: this.transferredTo,
      waitMs,
      ringMs,
      talkMs,
      queueMs,
      trail: this.trail,
      events: this.#events,
      eventsLeftOut: this.#eventsLeftOut,
      keys: this.#keys,
      legs,
      ladder: callLadder(ladders, this.#startedMs),
      recording,
      voicemail,
    };
  }

  /** Keys of sensitive menus are hidden. */
  #masked<Pressed extends { readonly key: string }>(pressed: Pressed, state: CallState): Pressed {
    return hidesKeys(this.#flow, state) ? { ...pressed, key: HIDDEN_KEY } : pressed;
  }
}

/** The size of an event that holds texts of other systems: the rest is small. */
function bytesOfOthers(event: CallEvent): number {
  const isOfOthers = event.type === 'stream-variables' || event.type === 'request-answered';
  return isOfOthers ? Buffer.byteLength(JSON.stringify(event)) : 0;
}

/** A timeout, the network or a failure of ours ended the leg: to the state machine that is a hang-up. */
export function lostEnd(code: EndCode, lost: CallLegs['lost']): CallEnd | null {
  if (lost === 'service' && (code === 'caller-hung-up' || code === 'agent-hung-up'))
    return ownEnd('internal-error');
  if (code === 'caller-hung-up' && lost === 'caller') return ownEnd('caller-lost');
  return code === 'agent-hung-up' && lost === 'called' ? ownEnd('agent-lost') : null;
}
