// Tones that the browser makes: of a phone that rings here, and of one that rings at the other side.

interface Cadence {
  readonly tonesHz: readonly number[];
  readonly everyMs: number;
  readonly soundSeconds: number;
  readonly loudness: number;
}

const RINGING: Cadence = { tonesHz: [440, 480], everyMs: 3_000, soundSeconds: 1, loudness: 0.15 };
/** The ringing tone of callers (ITU-T E.180): quieter, since it is at the ear. */
export const RINGBACK: Cadence = { tonesHz: [425], everyMs: 5_000, soundSeconds: 1, loudness: 0.08 };

export class RingTone {
  readonly #cadence: Cadence;
  #context: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(cadence: Cadence = RINGING) {
    this.#cadence = cadence;
  }

  /** Silent until the page was used once: browsers let no page make a sound before. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#context ??= new AudioContext();
    this.#ring();
    this.#timer = setInterval(() => this.#ring(), this.#cadence.everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  #ring(): void {
    const context = this.#context;
    const { tonesHz, soundSeconds, loudness } = this.#cadence;
    if (!context) return;
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
    const gain = context.createGain();
    gain.gain.value = loudness;
    gain.connect(context.destination);
    for (const hz of tonesHz) {
      const tone = context.createOscillator();
      tone.frequency.value = hz;
      tone.connect(gain);
      tone.start();
      tone.stop(context.currentTime + soundSeconds);
    }
  }
}
