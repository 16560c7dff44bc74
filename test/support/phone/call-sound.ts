// What can be heard and said in a call. PhoneCall adds the signalling.

import { eventually, type Wait } from './eventually.ts';
import { describeSegments, SAME_TONE_HZ, type Segment } from './hearing.ts';
import type { ReceivedKey, RtpEndpoint } from './rtp-endpoint.ts';

export interface KeyOptions {
  readonly durationMs?: number;
  readonly gapMs?: number;
  readonly how?: 'rfc4733' | 'info' | 'in-band';
}

export interface HearOptions extends Wait {
  /** How long the sound has to last. */
  readonly forMs?: number;
}

const KEY_TONES: Readonly<Record<string, readonly [number, number]>> = Object.fromEntries(
  [...'123A456B789C*0#D'].map((key, at) => [
    key,
    [[697, 770, 852, 941][at >> 2] ?? 0, [1_209, 1_336, 1_477, 1_633][at & 3] ?? 0],
  ]),
);

export abstract class CallSound {
  readonly rtp: RtpEndpoint;
  readonly #startedMs: number;
  /** Where the sound that was waited for last began: the next one begins later. */
  #lastBeganMs = Number.NEGATIVE_INFINITY;
  /** What sounded before it is past. */
  #forgottenMs = 0;

  constructor(rtp: RtpEndpoint, startedMs: number) {
    this.rtp = rtp;
    this.#startedMs = startedMs;
  }

  /** SIP INFO with a key. */
  abstract info(key: string, durationMs?: number): Promise<number>;

  /** Since the call began: the clock of all segments and keys. */
  nowMs(): number {
    return performance.now() - this.#startedMs;
  }

  async pressKeys(keys: string, options: KeyOptions = {}): Promise<void> {
    const { durationMs = 100, gapMs = 100, how = 'rfc4733' } = options;
    for (const key of keys) {
      if (how === 'rfc4733') await this.rtp.sendEvent(key, durationMs);
      else if (how === 'info') await this.info(key, durationMs);
      else {
        const [low, high] = KEY_TONES[key.toUpperCase()] ?? [0, 0];
        const turn = (2 * Math.PI) / 8_000;
        await this.rtp.send(
          durationMs,
          (i) => 7_000 * (Math.sin(turn * low * i) + Math.sin(turn * high * i)),
        );
      }
      await this.rtp.send(gapMs, () => 0);
    }
  }

  /** With a time: that long, resolving when it is sent. Without: from now on, until sendSilence. */
  async sendTone(hz: number, durationMs?: number): Promise<void> {
    if (durationMs === undefined) this.rtp.setBackground(hz);
    else await this.rtp.send(durationMs, (i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / 8_000));
  }

  async sendSilence(durationMs?: number): Promise<void> {
    if (durationMs === undefined) this.rtp.setBackground(0);
    else await this.rtp.send(durationMs, () => 0);
  }

  heard(): Segment[] {
    return this.rtp.hearing.segments();
  }

  /** Everything heard, as a sentence for error messages. */
  heardText(): string {
    return describeSegments(this.heard());
  }

  /**
   * Waits for a tone that began after the sound that was waited for last, so that one wait after the other proves an order.
   * 'dual': ringback, busy or a key.
   */
  hears(hz: number | 'dual', options: HearOptions = {}): Promise<Segment> {
    const { forMs = 100 } = options;
    const matches = (segment: Segment): boolean =>
      typeof hz === 'number' && typeof segment.hz === 'number'
        ? Math.abs(segment.hz - hz) < SAME_TONE_HZ
        : segment.hz === hz;
    return this.#find(matches, forMs, options, hz === 'dual' ? 'two tones' : `${hz} Hz`);
  }

  /** Waits for silence of that length, be it silent packets or none at all. */
  hearsSilence(forMs: number, options: HearOptions = {}): Promise<Segment> {
    const quiet = (segment: Segment): boolean => segment.hz === 'silence' || segment.hz === 'nothing';
    return this.#find(quiet, forMs, { withinMs: forMs + 30_000, ...options }, 'silence');
  }

  /** Everything heard up to now is past. A sound that goes on may be waited for again. */
  forget(): void {
    this.#forgottenMs = this.nowMs();
    this.#lastBeganMs = Number.NEGATIVE_INFINITY;
  }

  receivedKeys(): readonly ReceivedKey[] {
    return this.rtp.keys;
  }

  /** Waits until exactly these RFC 4733 keys came since the call began. */
  async receivesKeys(keys: string, wait: Wait = {}): Promise<void> {
    const got = (): string => this.rtp.keys.map(({ key }) => key).join('');
    await eventually(
      () => got() === keys,
      wait,
      () => `the keys ${keys} were expected and came as “${got()}”`,
    );
  }

  #find(
    matches: (segment: Segment) => boolean,
    forMs: number,
    options: HearOptions,
    what: string,
  ): Promise<Segment> {
    const look = (): Segment | undefined =>
      this.#withEnd().find((segment) => {
        const length = segment.toMs - Math.max(segment.fromMs, this.#forgottenMs);
        return segment.fromMs > this.#lastBeganMs + 20 && length >= forMs && matches(segment);
      });
    return eventually(
      look,
      options,
      () => `${what} for ${forMs} ms was not heard, but ${this.heardText()}`,
    ).then((segment) => {
      this.#lastBeganMs = segment.fromMs;
      return segment;
    });
  }

  /** The segments, and the time since the last packet if that is long ago. */
  #withEnd(): Segment[] {
    const segments = this.heard();
    const fromMs = segments.at(-1)?.toMs ?? 0;
    const toMs = this.nowMs();
    return toMs - fromMs > 100 ? [...segments, { fromMs, toMs, hz: 'nothing' }] : segments;
  }
}
