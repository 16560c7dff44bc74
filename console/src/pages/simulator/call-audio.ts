// Plays what the caller hears: prompts by an <audio> element, tones by oscillators.

import type { Sound } from '../../../../src/flow/sound.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import type { PacedCall } from './paced-call.ts';

/** The service's built-in prompts, as assets of the console. */
const BUILT_IN = import.meta.glob<string>('../../../../assets/prompts/*.wav', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** A prompt starts at the virtual clock's position; smaller offsets are ignored. */
const LATE_MS = 250;
const VOLUME = 0.12;
const RING_HZ = [425];
const RING_MS = { on: 1_000, off: 4_000 };
const TONE = { hz: [425], ms: 400 };
const BEEP = { hz: [1_000], ms: 250 };
const KEY_MS = 140;

/** ITU-T Q.23: a row and a column each. */
const ROWS_HZ = [697, 770, 852, 941];
const COLUMNS_HZ = [1_209, 1_336, 1_477];
const KEYS = '123456789*0#';

export function soundUrl(sound: Sound): string | null {
  switch (sound.kind) {
    case 'recording':
      return recordingAudioUrl(sound.id);
    case 'system':
      return BUILT_IN[`../../../../assets/prompts/${sound.prompt}.wav`] ?? null;
    case 'tone':
      return null;
    default:
      return sound satisfies never;
  }
}

export class CallAudio {
  readonly #audio: HTMLAudioElement;
  #context: AudioContext | null = null;
  #muted = false;
  #playback: number | null = null;
  #ringing: { readonly attempt: number; readonly timer: ReturnType<typeof setInterval> } | null = null;
  #recording = false;
  readonly #onFault: () => void;

  constructor(audio: HTMLAudioElement, onFault: () => void) {
    this.#audio = audio;
    this.#onFault = onFault;
  }

  setMuted(muted: boolean): void {
    this.#muted = muted;
    this.#audio.muted = muted;
  }

  /** Plays what the call is at; called after every change. */
  follow(paced: PacedCall): void {
    const { call, speed, paused } = paced;
    if (speed === 'instant') return this.stop();
    this.#audio.playbackRate = speed;
    this.#prompt(paced);
    const { phase } = call.state;
    if (phase.name === 'ringing' && !paused) this.#ring(phase.attempt);
    else this.#stopRinging();
    if (phase.name === 'recording' && !this.#recording) this.#tone(BEEP.hz, BEEP.ms);
    this.#recording = phase.name === 'recording';
  }

  key(key: string): void {
    const at = KEYS.indexOf(key);
    const row = ROWS_HZ[Math.floor(at / 3)];
    const column = COLUMNS_HZ[at % 3];
    if (row !== undefined && column !== undefined) this.#tone([row, column], KEY_MS);
  }

  stop(): void {
    this.#playback = null;
    this.#audio.pause();
    this.#stopRinging();
  }

  close(): void {
    this.stop();
    this.#audio.removeAttribute('src');
    void this.#context?.close();
    this.#context = null;
  }

  #prompt({ call, nowMs, paused }: PacedCall): void {
    const { playing } = call;
    // A built-in prompt may be longer than the virtual clock assumes: it plays to its end unless interrupted.
    if (!playing) return this.#betweenPrompts(call.state.phase.name, paused);
    if (paused) return this.#audio.pause();
    if (playing.playback !== this.#playback) {
      this.#playback = playing.playback;
      const url = soundUrl(playing.sound);
      if (url === null) return this.#tone(TONE.hz, TONE.ms);
      this.#audio.src = url;
      this.#audio.loop = call.state.phase.name === 'queued';
      const lateMs = nowMs - playing.atMs;
      if (lateMs > LATE_MS) this.#audio.currentTime = lateMs / 1_000;
      this.#start();
    } else if (this.#audio.paused && !this.#audio.ended && this.#audio.src !== '') this.#start();
  }

  #betweenPrompts(phase: string, paused: boolean): void {
    this.#playback = null;
    const cut = phase === 'collecting' || phase === 'ringing' || phase === 'connected';
    if (cut || paused || this.#audio.loop) this.#audio.pause();
  }

  #start(): void {
    this.#audio.muted = this.#muted;
    this.#audio.play().catch((error: unknown) => {
      // AbortError: another prompt replaced this one before it began.
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.#onFault();
    });
  }

  #ring(attempt: number): void {
    if (this.#ringing?.attempt === attempt) return;
    this.#stopRinging();
    const once = (): void => this.#tone(RING_HZ, RING_MS.on);
    once();
    this.#ringing = { attempt, timer: setInterval(once, RING_MS.on + RING_MS.off) };
  }

  #stopRinging(): void {
    clearInterval(this.#ringing?.timer);
    this.#ringing = null;
  }

  #tone(frequencies: readonly number[], ms: number): void {
    if (this.#muted) return;
    this.#context ??= new AudioContext();
    const { currentTime, destination } = this.#context;
    const gain = new GainNode(this.#context, { gain: VOLUME / frequencies.length });
    gain.connect(destination);
    for (const frequency of frequencies) {
      const oscillator = new OscillatorNode(this.#context, { frequency });
      oscillator.connect(gain);
      oscillator.start(currentTime);
      oscillator.stop(currentTime + ms / 1_000);
    }
  }
}
