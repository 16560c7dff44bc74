// One live call: event → step → actions. Its events wait in one queue and are handled one at a time, so nothing that a leg
// tells while an action is carried out can overtake it. What it throws ends this call, and no other.

import type { Clock } from '../../clock.ts';
import { type Action, type CallEvent, type CallState, NEW_CALL } from '../../flow/call-state.ts';
import type { Flow } from '../../flow/flow.ts';
import { HIDDEN_KEY, hidesKeys } from '../../flow/hidden-keys.ts';
import type { Ref } from '../../flow/node.ts';
import { step } from '../../flow/step.ts';
import { type EndCode, endReason, type TrailEntry } from '../../flow/trail.ts';
import type { Leg, ListenMode } from '../../telephony/telephony.ts';
import type { Place, QueueOrder } from '../queues/queue.ts';
import {
  type CallEnd,
  type CallFacts,
  type CallResult,
  type KeyRecord,
  MAX_KEYS,
  MAX_TRAIL,
  ownEnd,
} from '../records/call-record.ts';
import type { ActiveRecording, CallRecordingFacts } from '../records/call-recordings.ts';
import { NOT_RECORDED, type Recorded, recordedIn } from '../records/recorded.ts';
import { callLadder } from './call-ladder.ts';
import { CallLegs, type CallLegsParts, type Released, type Report } from './call-legs.ts';
import { type EndedLeg, isWhole, type LegRecord, wholeLegs } from './ended-leg.ts';
import { type Effects, perform } from './perform.ts';
import type { Recorder } from './recorder.ts';

type QueueSms = Extract<Action, { type: 'queue-sms' }>;

const APOLOGY_MS = 10_000;

export interface CallParts extends CallLegsParts, Pick<Effects, 'directory' | 'rang'> {
  readonly joinQueue: (order: QueueOrder, report: (event: Report) => void) => Place;
  readonly facts: CallFacts;
  readonly flow: Flow;
  readonly clock: Clock;
  readonly seed: number;
  /** Begins a recording; its facts are the call's own. */
  readonly callRecording: (
    facts: Pick<CallRecordingFacts, 'kind' | 'box' | 'eid'>,
    call: CallFacts,
    channels: 1 | 2,
  ) => ActiveRecording;
  /** How a conversation with that owner of a phone is recorded; null: it is not. */
  readonly recording: (
    owner: Ref,
    trail: readonly TrailEntry[],
  ) => { readonly notice: boolean; readonly eid: string | null } | null;
  /** Whether the leg was answered by a former call, which transferred it here. */
  readonly alreadyAnswered: boolean;
  /** Queues a text message, and tells its id; null: it is not sent. */
  readonly text: (flow: Flow, facts: CallFacts, action: QueueSms) => string | null;
  /** A blind transfer: true when the other side goes on elsewhere. */
  readonly transfer: (call: Call, by: 'caller' | 'called', dialled: string) => boolean;
  /** Each line of the trail, as it is written. */
  readonly noted: (facts: CallFacts, entry: TrailEntry) => void;
  readonly failed: (error: unknown, facts: CallFacts, trail: readonly TrailEntry[]) => void;
  /** Everything is over: the legs are cleared, the record is whole. */
  readonly over: (call: Call, result: CallResult) => void;
}

export class Call {
  readonly facts: CallFacts;
  readonly #parts: CallParts;
  readonly #line: CallLegs;
  readonly #hands: Effects;
  readonly #startedMs: number;
  readonly #queue: CallEvent[] = [];
  readonly #trail: TrailEntry[] = [];
  readonly #events: CallEvent[] = [];
  readonly #keys: KeyRecord[] = [];
  #state: CallState = NEW_CALL;
  #busy = false;
  #end: CallEnd | null = null;
  #endedMs = 0;
  #rangMs: number | null = null;
  #connectedMs: number | null = null;
  #owner: Ref | null = null;
  #told = false;
  /** What is or was recorded of it. */
  #callRecordings: { readonly kind: 'recording' | 'voicemail'; readonly callRecording: ActiveRecording }[] =
    [];
  #place: Place | null = null;
  #joinedMs: number | null = null;
  #queueMs = 0;
  /** Of the text message that was queued last; null: it was not. */
  #messageId: string | null = null;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.facts = parts.facts;
    this.#startedMs = parts.clock.nowMs();
    const report = (event: Report): void => this.#report(event);
    this.#line = new CallLegs(
      parts,
      {
        report,
        keyHeard: (key, source) => {
          const isKept = this.#keys.length < MAX_KEYS && this.phase.name !== 'connected';
          if (isKept) this.#keys.push(this.#shown({ at_ms: this.#nowMs(), key, source }));
        },
        soundMissing: () =>
          this.#note('recording-missing', 'Its sound cannot be read: a short tone is played instead.'),
        transferAsked: (by, dialled, answer) => answer(this.#transfer(by, dialled)),
        cleared: () => this.#over(),
      },
      parts.alreadyAnswered,
    );
    this.#hands = {
      line: this.#line,
      report,
      note: (entry) => this.#keep(entry.code === 'sms-queued' ? this.#withMessage(entry) : entry),
      directory: parts.directory,
      rang: (node, agent) => {
        this.#rangMs ??= this.#nowMs();
        parts.rang(node, agent);
      },
      queue: {
        join: (order) => {
          this.#joinedMs = this.#nowMs();
          this.#place = parts.joinQueue(order, report);
        },
        resume: () => this.#place?.resume(),
        askPosition: () => this.#place?.askPosition(),
        leave: (servedBy) => this.#leaveQueue(servedBy),
      },
      connected: (owner) => {
        this.#connectedMs = this.#nowMs();
        this.#owner = owner;
        this.#recordTalk(owner);
      },
      recordMessage: ({ request, mailbox, maxMs, silenceMs }) => {
        const callRecording = parts.callRecording(
          { kind: 'voicemail', box: mailbox, eid: null },
          this.facts,
          1,
        );
        this.#callRecordings.push({ kind: 'voicemail', callRecording });
        this.#line.recorder.recordMessage({ maxMs, silenceMs }, callRecording, callRecording.hasRoom);
        void callRecording.outcome.then((outcome) => {
          const saved = outcome === 'saved' || outcome === 'kept';
          const [empty, full] = [outcome === 'empty', outcome === 'full'];
          this.#report({ type: 'voicemail-recorded', request, saved, empty, full });
        });
      },
      text: (action) => {
        this.#messageId = parts.text(parts.flow, parts.facts, action);
      },
      ended: (end) => this.#endsWith(this.#lostEnd(end.code) ?? end),
    };
  }

  start(): void {
    const { entry, startedAtMs, caller } = this.facts;
    this.#report({ type: 'call-started', entry, epochMs: startedAtMs, seed: this.#parts.seed, caller });
  }

  /** What it is doing now, for lists of live calls. */
  get phase(): CallState['phase'] {
    return this.#state.phase;
  }

  get trail(): readonly TrailEntry[] {
    return this.#trail;
  }

  /** Whether the caller's phone was picked up by us: before that it only rings. */
  get answered(): boolean {
    return this.#line.answered;
  }

  get isOver(): boolean {
    return this.#end !== null;
  }

  hangUp(code: 'service-stopped' | 'operator-hung-up'): void {
    if (this.#end) return;
    const end = ownEnd(code);
    this.#note('ended', end.text);
    this.#endsWith(end);
    this.#line.hangUp(end.cause);
  }

  /** Gives one side to another call; whoever else is there is hung up and this call ends as transferred. */
  release(leaving: 'caller' | 'called'): Released | null {
    if (this.#end || (leaving === 'caller' && this.#state.phase.name !== 'connected')) return null;
    const end = ownEnd('transferred');
    this.#note('ended', end.text);
    this.#endsWith(end);
    return this.#line.release(leaving);
  }

  /**
   * A third phone joins the conversation: it hears both sides; whispering it is heard by the agent, barging in by both. It must have
   * been dialled near `leg`, and is hung up when the call ends. Again with another mode: changes it. False: nobody is connected.
   */
  listenIn(leg: Leg, mode: ListenMode): boolean {
    const { phase } = this.#state;
    if (phase.name !== 'connected' || this.#end) return false;
    // A whisper is for one of us: where a call from outside was sent on outside, it is not for who called.
    const isAgentCalled = phase.target.owner.startsWith('extension||');
    const isOurs = isAgentCalled || this.#parts.callingAgent === null;
    return this.#line.recorder.listenIn(leg, mode, isOurs ? 'called' : 'caller');
  }

  /** Whoever is to listen in is dialled near it. */
  get leg(): Leg | null {
    return this.#line.caller;
  }

  /** Who listens in, or is rung for it. */
  get listeners(): Pick<Recorder, 'hasRoom' | 'expect' | 'forget'> {
    return this.#line.recorder;
  }

  #recordTalk(owner: Ref): void {
    const wanted = this.#parts.recording(owner, this.#trail);
    if (!wanted) return;
    const callRecording = this.#parts.callRecording(
      { kind: 'call', box: null, eid: wanted.eid },
      this.facts,
      2,
    );
    this.#callRecordings.push({ kind: 'recording', callRecording });
    this.#line.recorder.recordTalk(this.#parts.flow.settings.callLimitMs, callRecording, wanted.notice);
    this.#note('recording-started', 'The conversation is recorded.');
  }

  #nowMs(): number {
    return Math.round(this.#parts.clock.nowMs() - this.#startedMs);
  }

  #report(event: Report): void {
    if (this.#end) return;
    const first = timed(event, this.#nowMs());
    if (this.#busy) {
      this.#queue.push(first);
      return;
    }
    this.#busy = true;
    try {
      for (let next: CallEvent | undefined = first; next; next = this.#queue.shift()) this.#handle(next);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#busy = false;
    }
  }

  #handle(event: CallEvent): void {
    // Keys of a conversation may be somebody's PIN, and change nothing of the call: they are not kept (T35).
    const isKey = event.type === 'key-pressed';
    const isKept = !isKey || this.phase.name !== 'connected';
    if (isKept && this.#events.length < MAX_TRAIL) this.#events.push(isKey ? this.#shown(event) : event);
    const { state, actions } = step(this.#parts.flow, this.#state, event);
    this.#state = state;
    for (const action of actions) perform(action, this.#hands);
  }

  /** As it may be kept: a key that nobody may read is hidden. */
  #shown<Pressed extends { readonly key: string }>(pressed: Pressed): Pressed {
    return hidesKeys(this.#parts.flow, this.#state) ? { ...pressed, key: HIDDEN_KEY } : pressed;
  }

  #fail(error: unknown): void {
    this.#queue.length = 0;
    if (this.#end) {
      this.#parts.failed(error, this.facts, this.#trail);
      return;
    }
    const end = ownEnd('internal-error');
    this.#note('ended', end.text);
    this.#endsWith(end);
    this.#parts.failed(error, this.facts, this.#trail);
    this.#line.apologise(end.cause, APOLOGY_MS);
  }

  #transfer(by: 'caller' | 'called', dialled: string): boolean {
    try {
      return this.#state.phase.name === 'connected' && this.#parts.transfer(this, by, dialled);
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #note(code: 'recording-missing' | 'recording-started' | 'ended', text: string): void {
    this.#keep({ atMs: this.#nowMs(), node: null, code, text });
  }

  /** The machine says that a text is to be sent; which one it became, only we know. */
  #withMessage(entry: TrailEntry): TrailEntry {
    const id = this.#messageId;
    if (id !== null) return { ...entry, text: `${entry.text} It is message ${id}.` };
    return { ...entry, code: 'sms-skipped', text: 'No SMS: the account may send no more in this minute.' };
  }

  #keep(entry: TrailEntry): void {
    if (this.#trail.length >= MAX_TRAIL && entry.code !== 'ended') return;
    this.#trail.push(entry);
    this.#parts.noted(this.facts, entry);
  }

  /** To the machine a phone that went without a word has hung up; the record says what it was. */
  #lostEnd(code: EndCode): CallEnd | null {
    const lost =
      code === 'caller-hung-up' && this.#line.lost === 'caller'
        ? ownEnd('caller-lost')
        : code === 'agent-hung-up' && this.#line.lost === 'called'
          ? ownEnd('agent-lost')
          : null;
    if (lost) this.#note('ended', lost.text);
    return lost;
  }

  #leaveQueue(servedBy: Ref | null): void {
    if (this.#joinedMs !== null) this.#queueMs += this.#nowMs() - this.#joinedMs;
    this.#joinedMs = null;
    this.#place?.leave(servedBy);
    this.#place = null;
  }

  #endsWith(end: CallEnd): void {
    // The machine leaves by itself; this is for calls that the service ends.
    this.#leaveQueue(null);
    this.#end = end;
    this.#endedMs = this.#nowMs();
    if (this.#line.liveLegs === 0) this.#over();
  }

  #over(): void {
    if (!this.#end || this.#told) return;
    this.#told = true;
    const legs = this.#line.endedLegs;
    const end = this.#end;
    if (this.#callRecordings.length > 0) void this.#overWithCallRecordings(legs);
    else if (legs.every(isWhole)) this.#tellResult(end, legs, NOT_RECORDED);
    else void wholeLegs(legs).then((whole) => this.#tellResult(end, whole, NOT_RECORDED));
  }

  async #overWithCallRecordings(legs: readonly EndedLeg[]): Promise<void> {
    const [whole, recorded] = await Promise.all([wholeLegs(legs), recordedIn(this.#callRecordings)]);
    const end = this.#end ?? ownEnd('internal-error');
    if (recorded.voicemail !== null) this.#noteMessage();
    const isNone = end.code === 'voicemail-left' && recorded.voicemail === null;
    this.#tellResult(isNone ? this.#withoutMessage(recorded.messageFailed) : end, whole, recorded);
  }

  /** Also when somebody else ended the call over it, what was said until then is a message. */
  #noteMessage(): void {
    if (this.#trail.some(({ code }) => code === 'voicemail-saved')) return;
    const node = this.#trail.findLast(({ code }) => code === 'voicemail-started')?.node ?? null;
    const text = 'The call ended; what was said until then is kept.';
    this.#trail.splice(-1, 0, { atMs: this.#endedMs, node, code: 'voicemail-saved', text });
  }

  /** To the machine whoever hangs up while we record has left a message; the recorder may have found none. */
  #withoutMessage(failed: boolean): CallEnd {
    const left = this.#line.lost === 'caller' ? ownEnd('caller-lost') : endReason('caller-hung-up');
    const end = failed ? endReason('voicemail-failed') : left;
    const text = failed ? end.text : 'The caller left without a message.';
    for (const [index, entry] of this.#trail.entries()) {
      if (entry.code === 'voicemail-saved')
        this.#trail[index] = { ...entry, code: failed ? 'voicemail-failed' : 'voicemail-empty', text };
      else if (entry.code === 'ended')
        this.#trail[index] = { ...entry, text: `${end.text} (${end.word}, cause ${end.cause})` };
    }
    return end;
  }

  #tellResult(end: CallEnd, legs: readonly LegRecord[], recorded: Recorded): void {
    const rangMs = this.#rangMs;
    const connectedMs = this.#connectedMs;
    const eid = this.#owner?.startsWith('extension||') ? this.#owner.slice('extension||'.length) : null;
    this.#parts.over(this, {
      end,
      durationMs: this.#endedMs,
      answeredBy: eid,
      ringMs: rangMs === null ? 0 : (connectedMs ?? this.#endedMs) - rangMs,
      talkMs: connectedMs === null ? 0 : this.#endedMs - connectedMs,
      queueMs: this.#queueMs,
      trail: this.#trail,
      events: this.#events,
      keys: this.#keys,
      legs,
      ladder: this.#ladder(),
      recording: recorded.recording,
      voicemail: recorded.voicemail,
    });
  }

  #ladder(): CallResult['ladder'] {
    const { endedLegs, moved } = this.#line;
    return callLadder(
      endedLegs.map(({ leg }) => leg.ladder?.()),
      moved,
      this.#startedMs,
    );
  }
}

/** The reporter made the event for us alone: the time is added to it, not to a copy. */
function timed(event: Report, atMs: number): CallEvent {
  const whole = event as Report & { atMs?: number };
  whole.atMs = atMs;
  return whole as CallEvent;
}
