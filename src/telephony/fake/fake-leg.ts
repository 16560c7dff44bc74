// A leg without a telephone: `remote` is the person at the other end, who does what a test says.
import type { Leg, LegEnd, LegEvents, Sound } from '../telephony.ts';

export type LegState = 'new' | 'ringing' | 'answered' | 'ended';

const NO_STATISTICS = { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitterMs: 0, oneWay: false };

export class FakeLeg implements Leg {
  readonly id: string;
  /** Everything that was asked of it, in order. */
  readonly did: string[] = [];
  readonly direction: 'incoming' | 'outgoing';
  /** Whom it calls or what it dialled. */
  readonly address: string;
  state: LegState = 'new';
  playing: { readonly playback: number; readonly sound: Sound; readonly loop: boolean } | null = null;
  other: FakeLeg | null = null;
  heldKeys = '';
  readonly #gone: (leg: FakeLeg) => void;
  #events: LegEvents | null = null;
  #untold: LegEnd | null = null;

  constructor(id: string, direction: FakeLeg['direction'], address: string, gone: (leg: FakeLeg) => void) {
    this.id = id;
    this.direction = direction;
    this.address = address;
    this.#gone = gone;
  }

  listen(events: LegEvents): void {
    this.#events = events;
    const untold = this.#untold;
    this.#untold = null;
    if (untold) queueMicrotask(() => events.ended(untold, NO_STATISTICS));
  }

  ring(): void {
    this.did.push('ring');
    if (this.state === 'new') this.state = 'ringing';
  }

  answer(): void {
    if (this.state === 'answered' || this.state === 'ended') return;
    this.did.push('answer');
    this.state = 'answered';
  }

  play(playback: number, sound: Sound, options: { readonly loop?: boolean } = {}): void {
    if (this.state === 'ended') return;
    this.did.push(`play ${nameOf(sound)}`);
    this.playing = { playback, sound, loop: options.loop ?? false };
  }

  stopPlaying(): void {
    if (this.playing) this.did.push('stop');
    this.playing = null;
  }

  connect(other: Leg): void {
    if (!(other instanceof FakeLeg)) throw new Error('Legs of two telephone worlds cannot be connected.');
    this.did.push(`connect ${other.address}`);
    this.other = other;
    other.other = this;
  }

  disconnect(): void {
    if (this.other) this.other.other = null;
    this.other = null;
  }

  sendKeys(keys: string): void {
    this.did.push(`keys ${keys}`);
  }

  hangUp(cause = 16): void {
    if (this.state === 'ended') return;
    this.did.push(`hang up ${cause}`);
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
    answer: (): void => {
      this.state = 'answered';
      this.#events?.answered();
    },
    press: (keys: string): void => {
      for (const key of keys) this.#events?.keyPressed(key, 'rfc4733');
    },
    /** Hears what plays to its end. */
    listenToEnd: (): void => {
      const playing = this.playing;
      if (!playing || playing.loop) return;
      this.playing = null;
      this.#events?.played(playing.playback);
    },
    /** What is to be played cannot be had. */
    missSound: (): void => {
      if (this.playing) this.#events?.soundMissing(this.playing.playback);
    },
    transfer: (dialled: string): boolean => {
      let result = false;
      this.#events?.transferAsked(dialled, (accepted) => {
        result = accepted;
      });
      return result;
    },
    refuse: (outcome: 'busy' | 'declined' | 'unreachable' | 'failed'): void => {
      this.#end({ by: 'peer', outcome, cause: null, status: null, text: outcome });
    },
    hangUp: (): void => {
      const outcome = this.state === 'answered' ? 'ended' : 'failed';
      this.#end({ by: 'peer', outcome, cause: 16, status: null, text: 'bye' });
    },
  };

  #end(end: LegEnd): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.playing = null;
    this.disconnect();
    this.#gone(this);
    if (this.#events) this.#events.ended(end, NO_STATISTICS);
    else this.#untold = end;
  }
}

function nameOf(sound: Sound): string {
  switch (sound.kind) {
    case 'recording':
      return sound.sha256;
    case 'system':
      return sound.prompt;
    case 'tone':
      return `${sound.tone} tone`;
    default:
      return sound satisfies never;
  }
}
