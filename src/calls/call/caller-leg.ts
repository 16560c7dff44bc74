// The caller's side of a call: its leg, what it hears, and the agent and outbound-call slot that it occupies.
import type { RecordingId } from '../../flow/node.ts';
import type { Sound } from '../../flow/sound.ts';
import type {
  KeySource,
  Leg,
  LegEnd,
  PlayableSound,
  ReplacedLeg,
  TransferAnswer,
} from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Arrival } from './arrival.ts';
import type { CallInput } from './call-input.ts';
import type { CallTimes } from './call-times.ts';
import { type EndedLeg, MOVED, soFar } from './ended-leg.ts';
import { LegListener } from './leg-listener.ts';

/** Playback of the ringback tone and the apology; the machine numbers its own from 1, the recorder's are below 0. */
const OWN_PLAYBACK = 0;

export interface CallerLegOwner {
  legChanged(): void;
  recorderPlayed(playback: number): void;
  callerEnded(leg: EndedLeg, by: CallerLeg): void;
}

export class CallerLeg extends LegListener {
  readonly #context: AccountContext;
  readonly #arrival: Arrival;
  readonly #call: string;
  readonly #input: CallInput;
  readonly #owner: CallerLegOwner;
  readonly #times: CallTimes;
  #leg: Leg | null;
  #answeredMs: number | null;
  #hasRingback = false;
  /** It hears what is played, or whom it is connected with, before the answer. */
  #isEarly: boolean;
  /** Connected before its answer. */
  #early: Leg | null = null;
  /** What it was to hear last: one that takes its place hears it, too. */
  #playback = OWN_PLAYBACK;
  #sound: Sound | null = null;
  #isLoop = false;
  /** The flow has failed: the leg is hung up after the apology, and nothing else is done for it. */
  #apology: { readonly cause: number; readonly cancelTimeout: () => void } | null = null;

  constructor(
    context: AccountContext,
    arrival: Arrival,
    call: string,
    input: CallInput,
    owner: CallerLegOwner,
    times: CallTimes,
  ) {
    super();
    this.#context = context;
    this.#arrival = arrival;
    this.#call = call;
    this.#input = input;
    this.#owner = owner;
    this.#times = times;
    this.#leg = arrival.leg;
    this.#answeredMs = arrival.alreadyAnswered
      ? (arrival.recovered?.answeredMs ?? arrival.joinedMs ?? 0)
      : null;
    this.#isEarly = arrival.isEarly ?? false;
    if (arrival.agent !== null) context.services.agentStates.occupy(call, arrival.agent);
    context.services.dialogs.changed(arrival.agent);
    arrival.leg.listen(this);
  }

  /** Null if it has ended, or belongs to another call now. */
  get leg(): Leg | null {
    return this.#leg;
  }

  /** Its phone holds us. */
  get isHeld(): boolean {
    return this.#leg?.isHeld ?? false;
  }

  /** Since the call began; null: it has not been answered. */
  get answeredMs(): number | null {
    return this.#answeredMs;
  }

  /** It was not answered, and hears sound by 183. */
  get isEarly(): boolean {
    return this.#isEarly && this.#answeredMs === null;
  }

  answer(): void {
    this.#answeredMs ??= this.#times.nowMs();
    this.#leg?.answer();
    this.#context.services.dialogs.changed(this.#arrival.agent);
  }

  progress(): void {
    if (this.#answeredMs !== null) return;
    this.#isEarly = true;
    this.#leg?.progress();
  }

  play(playback: number, sound: Sound, loop = false): void {
    this.#hasRingback = false;
    this.#early = null;
    this.#playback = playback;
    this.#sound = sound;
    this.#isLoop = loop;
    if (sound.kind === 'system') {
      this.#leg?.play(playback, this.#context.systemSound(sound.prompt), { loop });
      return;
    }
    if (sound.kind === 'speech') this.#speak(playback, sound);
    else this.#playRecording(playback, sound.kind === 'recording' ? sound.id : null, loop);
  }

  #playRecording(playback: number, id: RecordingId | null, loop: boolean): void {
    const sha256 = id === null ? null : this.#context.soundOf(id);
    if (id !== null && sha256 === null) this.#input.soundMissing();
    // The tone in place of a missing sound is never looped: the machine waits for its end.
    if (sha256 === null) this.#leg?.play(playback, { kind: 'tone', tone: 'missing' });
    else this.#leg?.play(playback, { kind: 'recording', sha256 }, { loop });
  }

  /** The caller hears nothing until the text is spoken, which takes a bounded time. */
  #speak(playback: number, sound: Extract<Sound, { kind: 'speech' }>): void {
    const { account, services } = this.#context;
    const { text, instead, sensitive: secret = false } = sound;
    this.#leg?.stopPlaying();
    services.speech
      .speak({ accountId: account.id, text, language: account.settings.language, secret })
      .then((spoken) => {
        // Meanwhile something else is to be heard.
        if (this.#sound !== sound || this.#playback !== playback) return;
        if ('sound' in spoken) {
          this.#leg?.play(playback, spoken.sound);
          return;
        }
        this.#input.speechFailed(spoken.failure);
        this.#playRecording(playback, instead, false);
      })
      .catch((error: unknown) => this.#input.failed(error));
  }

  stopPlaying(): void {
    this.#sound = null;
    this.#leg?.stopPlaying();
  }

  /** Before the answer by 180, afterwards, and after early media, as a tone of ours. */
  playRingback(): void {
    this.#early = null;
    if (this.#answeredMs === null && !this.#isEarly) {
      this.#leg?.ring();
      return;
    }
    if (this.#hasRingback) return;
    this.#hasRingback = true;
    this.#leg?.play(OWN_PLAYBACK, { kind: 'tone', tone: 'ringback' }, { loop: true });
  }

  /** Ringback goes on until the other side, which has not answered, sends something: some announce sound that never comes. */
  connectEarly(other: Leg): void {
    this.progress();
    this.connect(other);
    this.playRingback();
    this.#hasRingback = false;
    this.#early = other;
  }

  /** In place of `former`, while phones ring: what the one that it heard sends, or ringback. */
  ringAsBefore(former: CallerLeg): void {
    if (former.#early) this.connectEarly(former.#early);
    else this.playRingback();
  }

  /** In place of `former`, from the beginning of the sound. */
  playAsBefore(former: CallerLeg): void {
    if (former.#sound) this.play(former.#playback, former.#sound, former.#isLoop);
  }

  connect(other: Leg, onHold?: PlayableSound): void {
    this.#hasRingback = false;
    this.#early = null;
    this.#sound = null;
    this.#leg?.stopPlaying();
    this.#leg?.connect(other, onHold);
    this.#context.services.dialogs.changed(this.#arrival.agent);
  }

  disconnect(): void {
    this.#leg?.disconnect();
    this.#leg?.stopPlaying();
  }

  /** `refusal`: of the leg that was called. */
  hangUp(cause?: number, refusal?: LegEnd): void {
    this.#leg?.hangUp(cause, refusal);
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
    leg.play(OWN_PLAYBACK, this.#context.systemSound('apology'));
  }

  /** The leg goes to another call, with its slot: this call hears no more of it. What the record has of it. */
  release(): EndedLeg {
    const { leg } = this.#arrival;
    leg.stopPlaying();
    this.#free();
    this.#leg = null;
    return this.#record(soFar(leg), MOVED, null);
  }

  /** Another node has it. */
  abandon(): void {
    const leg = this.#leg;
    if (!leg) return;
    this.#leg = null;
    this.#apology?.cancelTimeout();
    leg.abandon?.();
    this.#arrival.releaseOutboundSlot();
    this.#free();
  }

  /** The calling agent is no longer busy with this leg. */
  #free(): void {
    const { agent } = this.#arrival;
    const { agentStates, dialogs } = this.#context.services;
    if (agent !== null) agentStates.free(this.#call, agent);
    dialogs.changed(agent);
  }

  override keyPressed(key: string, source: KeySource): void {
    if (this.#apology) return;
    this.#input.keyHeard(key, source);
    this.#input.report({ type: 'key-pressed', key });
  }

  override played(playback: number): void {
    if (this.#apology) this.#leg?.hangUp(this.#apology.cause);
    else if (playback < 0) this.#owner.recorderPlayed(playback);
    else {
      if (playback === this.#playback) this.#sound = null;
      this.#input.report({ type: 'playback-finished', playback });
    }
  }

  override oneWay(from: string | null): void {
    this.#input.oneWay('caller', from);
  }

  override held(): void {
    this.#input.callerHeld(true);
  }

  override resumed(): void {
    this.#input.callerHeld(false);
  }

  override changed(): void {
    this.#owner.legChanged();
  }

  override soundMissing(): void {
    this.#input.soundMissing();
  }

  override transferAsked(
    dialled: string,
    replaces: ReplacedLeg | null,
    answer: (answer: TransferAnswer) => void,
  ): void {
    answer(this.#input.transferAsked('caller', dialled, replaces));
  }

  override ended(end: LegEnd, statistics: EndedLeg['statistics']): void {
    this.#apology?.cancelTimeout();
    if (!this.#leg) return;
    this.#leg = null;
    const { leg, releaseOutboundSlot } = this.#arrival;
    releaseOutboundSlot();
    this.#free();
    this.#owner.callerEnded(this.#record(leg, end, statistics), this);
  }

  #record(leg: EndedLeg['leg'], end: EndedLeg['end'], statistics: EndedLeg['statistics']): EndedLeg {
    const { caller, agent, dialledAt, joinedMs = 0 } = this.#arrival;
    const { nowMs } = this.#times;
    const endedMs = nowMs();
    // The same moment on both clocks.
    const startMs = dialledAt ? this.#context.services.clock.nowMs() - endedMs : 0;
    const since = (atMs: number): number => Math.round(atMs - startMs);
    return {
      role: 'caller',
      number: caller ?? '',
      agent: this.#context.agentName(agent),
      beganMs: dialledAt ? since(dialledAt.beganMs) : joinedMs,
      rangMs: dialledAt && dialledAt.rangMs !== null ? since(dialledAt.rangMs) : null,
      answeredMs: this.#answeredMs,
      endedMs,
      end,
      statistics,
      leg,
    };
  }
}
