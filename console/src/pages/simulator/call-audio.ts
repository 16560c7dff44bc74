// Plays what the caller hears: prompts by an <audio> element, tones by oscillators.

import { promptRecordingId, shippedFor } from '../../../../src/domain/prompt-language.ts';
import type { Sound, SystemPrompt } from '../../../../src/flow/sound.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import type { PacedCall } from './paced-call.ts';

/** The service's built-in prompts, as assets of the console. */
const PROMPTS = '../../../../assets/prompts/';
const BUILT_IN = import.meta.glob<string>('../../../../assets/prompts/{*,hi/*}.wav', {
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

/** Which built-in prompts the account's callers hear. */
export interface Prompts {
  readonly language: string;
  readonly recordings: { has(id: string): boolean };
}

/** The account's own recording of a built-in prompt, in its language; null: it has none. */
export function ownPrompt(prompt: SystemPrompt, { language, recordings }: Prompts): string | null {
  const id = promptRecordingId(language, prompt);
  return prompt !== 'music-on-hold' && recordings.has(id) ? id : null;
}

/** Built-in prompts are in the account's language, or else in English, the one without a folder; music has none. */
export function soundUrl(sound: Sound, prompts: Prompts): string | null {
  switch (sound.kind) {
    case 'recording':
      return recordingAudioUrl(sound.id);
    case 'system': {
      const own = ownPrompt(sound.prompt, prompts);
      if (own !== null) return recordingAudioUrl(own);
      return (
        BUILT_IN[`${PROMPTS}${shippedFor(prompts.language)}/${sound.prompt}.wav`] ??
        BUILT_IN[`${PROMPTS}${sound.prompt}.wav`] ??
        null
      );
    }
    case 'tone':
    // Spoken by the service alone.
    case 'speech':
      return null;
    default:
      return sound satisfies never;
  }
}

export class CallAudio {
  readonly #audio: HTMLAudioElement;
  #context: AudioContext | null = null;
  #prompts: Prompts = { language: 'en', recordings: new Set<string>() };
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

  /** Sets the built-in prompts of the account, which are played. */
  setPrompts(prompts: Prompts): void {
    this.#prompts = prompts;
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
      const url = soundUrl(playing.sound, this.#prompts);
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
