// A leg without a telephone: `remote` is the person at the other end, controlled by a test.
import { SAMPLES_PER_MS } from '../../media/audio/frame.ts';
import { ULAW_SILENCE } from '../../media/audio/g711.ts';
import type {
  Leg,
  LegEnd,
  LegEvents,
  LegLadder,
  ListenMode,
  PlayableSound,
  RecordingEnd,
  RecordingSink,
  RecordOptions,
} from '../telephony.ts';
import { FakeConference } from './fake-conference.ts';

export type LegState = 'new' | 'ringing' | 'answered' | 'ended';

const STATUSES = { busy: 486, declined: 603, unreachable: 404, failed: 488 } as const;

const NO_STATISTICS = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  bufferMs: 0,
  packetsLate: 0,
  roundTripMs: null,
  oneWay: false,
  encryption: null,
};

export class FakeLeg implements Leg {
  readonly callId: string;
  readonly did: string[] = [];
  readonly direction: 'incoming' | 'outgoing';
  readonly address: string;
  state: LegState = 'new';
  hasProgressed = false;
  playing: { readonly playback: number; readonly sound: PlayableSound; readonly loop: boolean } | null = null;
  other: FakeLeg | null = null;
  isHeld = false;
  /** What the peer was told of the last transfer that it asked for. */
  referred: 'forbidden' | 'no-call' | 'done' | 'failed' | null = null;
  #onHold: PlayableSound = { kind: 'tone', tone: 'silence' };
  listening: { readonly target: FakeLeg; readonly mode: ListenMode } | null = null;
  /** The ring of the voice bot that it talks with. */
  bot: SharedArrayBuffer | null = null;
  /** The last one that it opened. */
  conference: FakeConference | null = null;
  readonly #gone: (leg: FakeLeg) => void;
  #events: LegEvents | null = null;
  #unreportedEnd: LegEnd | null = null;
  #recording: {
    readonly options: RecordOptions;
    readonly sink: RecordingSink;
    soundMs: number;
    ms: number;
  } | null = null;

  constructor(
    callId: string,
    direction: FakeLeg['direction'],
    address: string,
    gone: (leg: FakeLeg) => void,
  ) {
    this.callId = callId;
    this.direction = direction;
    this.address = address;
    this.#gone = gone;
  }

  listen(events: LegEvents): void {
    this.#events = events;
    const unreportedEnd = this.#unreportedEnd;
    this.#unreportedEnd = null;
    if (unreportedEnd) queueMicrotask(() => events.ended(unreportedEnd, NO_STATISTICS));
  }

  ring(): void {
    this.did.push('ring');
    if (this.state === 'new') this.state = 'ringing';
  }

  progress(): void {
    if (this.hasProgressed || this.state === 'answered' || this.state === 'ended') return;
    this.did.push('progress');
    this.hasProgressed = true;
    this.state = 'ringing';
  }

  answer(): void {
    if (this.state === 'answered' || this.state === 'ended') return;
    this.did.push('answer');
    this.state = 'answered';
  }

  play(playback: number, sound: PlayableSound, options: { readonly loop?: boolean } = {}): void {
    if (this.state === 'ended') return;
    this.did.push(`play ${nameOf(sound)}`);
    this.playing = { playback, sound, loop: options.loop ?? false };
  }

  stopPlaying(): void {
    if (this.playing) this.did.push('stop');
    this.playing = null;
  }

  connect(other: Leg, onHold: PlayableSound = this.#onHold): void {
    if (!(other instanceof FakeLeg)) throw new Error('Legs of two adapters cannot be connected.');
    this.did.push(`connect ${other.address}`);
    this.other = other;
    other.other = this;
    this.#onHold = onHold;
    other.#onHold = onHold;
  }

  /** What it hears because the other side holds; null: that side. */
  get hearsOnHold(): PlayableSound | null {
    return this.other?.isHeld ? this.#onHold : null;
  }

  disconnect(): void {
    if (this.other) this.other.other = null;
    this.other = null;
  }

  linkBot(ring: SharedArrayBuffer | null): void {
    this.did.push(ring ? 'link bot' : 'unlink bot');
    this.bot = ring;
  }

  record(options: RecordOptions, sink: RecordingSink): void {
    this.#endRecording('stopped');
    this.did.push(options.with instanceof FakeLeg ? `record with ${options.with.address}` : 'record');
    if (this.state === 'ended') queueMicrotask(() => sink.ended('ended'));
    else this.#recording = { options, sink, soundMs: 0, ms: 0 };
  }

  stopRecording(): void {
    if (this.#recording) this.did.push('stop recording');
    this.#endRecording('stopped');
  }

  get isRecorded(): boolean {
    return this.#recording !== null;
  }

  listenIn(target: Leg, mode: ListenMode): void {
    if (!(target instanceof FakeLeg)) throw new Error('Legs of two adapters cannot be connected.');
    this.did.push(`${mode} ${target.address}`);
    this.listening = { target, mode };
  }

  openConference(failed: (reason: string) => void): FakeConference | null {
    if (this.state === 'ended') return null;
    this.conference = new FakeConference(failed);
    return this.conference;
  }

  sendKeys(keys: string): void {
    this.did.push(`keys ${keys}`);
  }

  ladder(): LegLadder {
    return { lines: [], leftOut: 0 };
  }

  stored(): string | null {
    return this.state === 'answered' ? `${this.callId} ${this.address}` : null;
  }

  abandon(): void {
    this.did.push('abandon');
    this.state = 'ended';
    this.disconnect();
    this.#gone(this);
  }

  hangUp(cause = 16, refusal?: LegEnd): void {
    if (this.state === 'ended') return;
    this.did.push(`hang up ${cause}${refusal ? ` after ${refusal.status}` : ''}`);
    this.#end({
      by: 'us',
      outcome: this.state === 'answered' ? 'ended' : this.direction === 'outgoing' ? 'no-answer' : 'failed',
      cause,
      status: null,
      text: '',
    });
  }

  /** The person at the other end. */
  readonly remote = {
    ring: (): void => {
      this.state = 'ringing';
      this.#events?.ringing();
    },
    sendEarlyMedia: (): void => {
      if (this.state === 'new') this.remote.ring();
      this.#events?.earlyMedia();
    },
    answer: (): void => {
      this.state = 'answered';
      this.#events?.answered();
    },
    press: (keys: string): void => {
      for (const key of keys) this.#events?.keyPressed(key, 'rfc4733');
    },
    hold: (): void => {
      this.isHeld = true;
      this.#events?.held();
    },
    resume: (): void => {
      this.isHeld = false;
      this.#events?.resumed();
    },
    listenToEnd: (): void => {
      const playing = this.playing;
      if (!playing || playing.loop) return;
      this.playing = null;
      this.#events?.played(playing.playback);
    },
    speak: (ms: number): void => this.#say(ms, true),
    sayNothing: (ms: number): void => this.#say(ms, false),
    missSound: (): void => {
      if (this.playing) this.#events?.soundMissing(this.playing.playback);
    },
    /** `replaces`: the leg that the Refer-To names. `meanwhile`: happens after the 202. Whether it was reported as done. */
    transfer: (
      dialled: string,
      replaces: FakeLeg | 'unknown' | null = null,
      meanwhile: () => void = () => {},
    ): boolean => {
      this.referred = null;
      this.#events?.transferAsked(dialled, replaces, (answer) => {
        if (typeof answer === 'string') {
          this.referred = answer;
          return;
        }
        meanwhile();
        answer(() => {
          // The NOTIFY of the result goes out before the BYE.
          if (this.state !== 'ended') this.referred = 'done';
        });
        this.referred ??= 'failed';
      });
      return this.referred === 'done';
    },
    refuse: (outcome: keyof typeof STATUSES): void => {
      this.#end({ by: 'peer', outcome, cause: null, status: STATUSES[outcome], text: outcome });
    },
    /** Neither RTP nor SIP arrives any more. */
    vanish: (): void => {
      this.#end({
        by: 'timeout',
        outcome: 'ended',
        cause: 102,
        status: null,
        text: 'No audio came for too long.',
      });
    },
    hangUp: (): void => {
      const outcome = this.state === 'answered' ? 'ended' : 'failed';
      this.#end({ by: 'peer', outcome, cause: 16, status: null, text: 'bye' });
    },
  };

  #say(ms: number, isSound: boolean): void {
    const recording = this.#recording;
    if (!recording) return;
    const { options, sink } = recording;
    const takenMs = Math.min(ms, options.maxMs - recording.ms, isSound ? ms : (options.silenceMs ?? ms));
    recording.ms += takenMs;
    if (isSound) recording.soundMs += takenMs;
    const channels = options.with ? 2 : 1;
    const soundEndMs = isSound ? recording.ms : recording.soundMs;
    sink.wrote(
      Buffer.alloc(takenMs * SAMPLES_PER_MS * channels, isSound ? 0x00 : ULAW_SILENCE),
      recording.soundMs,
      soundEndMs,
    );
    if (recording.ms >= options.maxMs) this.#endRecording('length');
    else if (!isSound && options.silenceMs !== null && ms >= options.silenceMs) this.#endRecording('silence');
  }

  #endRecording(why: RecordingEnd): void {
    const recording = this.#recording;
    this.#recording = null;
    recording?.sink.ended(why);
  }

  #end(end: LegEnd): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.playing = null;
    this.listening = null;
    this.#endRecording('ended');
    this.disconnect();
    this.#gone(this);
    if (this.#events) this.#events.ended(end, NO_STATISTICS);
    else this.#unreportedEnd = end;
  }
}

function nameOf(sound: PlayableSound): string {
  switch (sound.kind) {
    case 'recording':
      return sound.sha256;
    case 'system':
      return sound.prompt;
    case 'tone':
      return `${sound.tone} tone`;
    case 'speech':
      return sound.id;
    default:
      return sound satisfies never;
  }
}
