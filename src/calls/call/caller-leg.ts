// The caller's side of a call: its leg, what it hears, and the agent and outbound-call slot that it occupies.
import type { Sound } from '../../flow/call-state.ts';
import type { KeySource, Leg, LegEnd } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Arrival } from './arrival.ts';
import type { CallInput } from './call-input.ts';
import type { CallTimes } from './call-times.ts';
import { type EndedLeg, MOVED, soFar } from './ended-leg.ts';
import { LegListener } from './leg-listener.ts';

/** Playback of the ringback tone and the apology; the machine numbers its own from 1, the recorder's are below 0. */
const OWN_PLAYBACK = 0;

export interface CallerLegOwner {
  recorderPlayed(playback: number): void;
  callerEnded(leg: EndedLeg): void;
}

export class CallerLeg extends LegListener {
  readonly #context: AccountContext;
  readonly #arrival: Arrival;
  readonly #input: CallInput;
  readonly #owner: CallerLegOwner;
  readonly #times: CallTimes;
  #leg: Leg | null;
  #answeredMs: number | null;
  #isOccupied: boolean;
  #hasRingback = false;
  /** The flow has failed: the leg is hung up after the apology, and nothing else is done for it. */
  #apology: { readonly cause: number; readonly cancelTimeout: () => void } | null = null;

  constructor(
    context: AccountContext,
    arrival: Arrival,
    input: CallInput,
    owner: CallerLegOwner,
    times: CallTimes,
  ) {
    super();
    this.#context = context;
    this.#arrival = arrival;
    this.#input = input;
    this.#owner = owner;
    this.#times = times;
    this.#leg = arrival.leg;
    this.#answeredMs = arrival.alreadyAnswered ? 0 : null;
    this.#isOccupied = arrival.agent !== null;
    if (arrival.agent !== null) context.services.agentStates.occupy(arrival.agent);
    arrival.leg.listen(this);
  }

  /** Null: it has ended, or belongs to another call now. */
  get leg(): Leg | null {
    return this.#leg;
  }

  /** Since the call began; null: it has not been answered. */
  get answeredMs(): number | null {
    return this.#answeredMs;
  }

  answer(): void {
    this.#answeredMs ??= this.#times.nowMs();
    this.#leg?.answer();
  }

  play(playback: number, sound: Sound, loop = false): void {
    this.#hasRingback = false;
    if (sound.kind === 'system') {
      this.#leg?.play(playback, { kind: 'system', prompt: sound.prompt }, { loop });
      return;
    }
    const sha256 = sound.kind === 'recording' ? this.#context.soundOf(sound.id) : null;
    if (sound.kind === 'recording' && sha256 === null) this.#input.soundMissing();
    // The tone in place of a missing sound is never looped: the machine waits for its end.
    if (sha256 === null) this.#leg?.play(playback, { kind: 'tone', tone: 'missing' });
    else this.#leg?.play(playback, { kind: 'recording', sha256 }, { loop });
  }

  stopPlaying(): void {
    this.#leg?.stopPlaying();
  }

  /** Before the answer by 180, afterwards as a tone of ours. */
  playRingback(): void {
    if (this.#answeredMs === null) {
      this.#leg?.ring();
      return;
    }
    if (this.#hasRingback) return;
    this.#hasRingback = true;
    this.#leg?.play(OWN_PLAYBACK, { kind: 'tone', tone: 'ringback' }, { loop: true });
  }

  connect(other: Leg): void {
    this.#hasRingback = false;
    this.#leg?.stopPlaying();
    this.#leg?.connect(other);
  }

  hangUp(cause?: number): void {
    this.#leg?.hangUp(cause);
  }

  /** Plays an apology, then hangs up, after `maxMs` at the latest. A leg that was not answered is hung up at once. */
  apologise(cause: number, maxMs: number): void {
    const leg = this.#leg;
    if (!leg) return;
    if (this.#answeredMs === null) {
      leg.hangUp(cause);
      return;
    }
    const cancelTimeout = this.#context.services.clock.after(maxMs, () => leg.hangUp(cause));
    this.#apology = { cause, cancelTimeout };
    leg.play(OWN_PLAYBACK, { kind: 'system', prompt: 'apology' });
  }

  /** The leg goes to another call, with its slot: this call hears no more of it. What the record has of it. */
  release(): EndedLeg {
    const { leg } = this.#arrival;
    leg.stopPlaying();
    this.free();
    this.#leg = null;
    return this.#record(soFar(leg), MOVED, null);
  }

  /** The calling agent is no longer busy with this leg. Idempotent. */
  free(): void {
    const { agentStates, clock } = this.#context.services;
    const { agent } = this.#arrival;
    if (this.#isOccupied && agent !== null) agentStates.free(agent, clock.epochMs());
    this.#isOccupied = false;
  }

  override keyPressed(key: string, source: KeySource): void {
    if (this.#apology) return;
    this.#input.keyHeard(key, source);
    this.#input.report({ type: 'key-pressed', key });
  }

  override played(playback: number): void {
    if (this.#apology) this.#leg?.hangUp(this.#apology.cause);
    else if (playback < 0) this.#owner.recorderPlayed(playback);
    else this.#input.report({ type: 'playback-finished', playback });
  }

  override soundMissing(): void {
    this.#input.soundMissing();
  }

  override transferAsked(dialled: string, answer: (accepted: boolean) => void): void {
    answer(this.#input.transferAsked('caller', dialled));
  }

  override ended(end: LegEnd, statistics: EndedLeg['statistics']): void {
    this.#apology?.cancelTimeout();
    if (!this.#leg) return;
    this.#leg = null;
    const { leg, releaseOutboundSlot } = this.#arrival;
    releaseOutboundSlot();
    this.free();
    this.#owner.callerEnded(this.#record(leg, end, statistics));
  }

  #record(leg: EndedLeg['leg'], end: EndedLeg['end'], statistics: EndedLeg['statistics']): EndedLeg {
    const { caller, agent, dialledAt } = this.#arrival;
    const { nowMs } = this.#times;
    const endedMs = nowMs();
    // The same moment on both clocks.
    const startMs = dialledAt ? this.#context.services.clock.nowMs() - endedMs : 0;
    const since = (atMs: number): number => Math.round(atMs - startMs);
    return {
      role: 'caller',
      number: caller ?? '',
      agent: this.#context.agentName(agent),
      beganMs: dialledAt ? since(dialledAt.beganMs) : 0,
      rangMs: dialledAt && dialledAt.rangMs !== null ? since(dialledAt.rangMs) : null,
      answeredMs: this.#answeredMs,
      endedMs,
      end,
      statistics,
      leg,
    };
  }
}
