// The microphone: acquired when recording starts, released when it stops.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AudioSamples } from './audio-file.ts';
import { meterOf } from './samples.ts';

/** Why there is no microphone, as keys of the catalogue. */
export type MicrophoneFault = 'insecure' | 'unsupported' | 'refused' | 'absent' | 'busy' | 'empty';

export type MicrophoneState =
  | { readonly is: 'idle' }
  | { readonly is: 'asking' }
  | { readonly is: 'recording' }
  | { readonly is: 'reading' }
  | { readonly is: 'done'; readonly samples: AudioSamples }
  | { readonly is: 'failed'; readonly fault: MicrophoneFault };

export interface Microphone {
  readonly state: MicrophoneState;
  /** From 0 to 1, while it records. */
  readonly level: number;
  readonly seconds: number;
  start(): void;
  stop(): void;
  discard(): void;
}

/** The service's limit. */
const MAX_SECONDS = 600;
const LOOK_MS = 100;
/** No echo cancellation: there is no far end, and it would remove a part of the voice. */
const WANTED = {
  audio: { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true },
};

export function faultOf(error: unknown): MicrophoneFault {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'absent';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unsupported';
}

/** Without a secure context navigator.mediaDevices is missing. */
function missing(): MicrophoneFault | null {
  if (!globalThis.isSecureContext) return 'insecure';
  return 'mediaDevices' in navigator && 'MediaRecorder' in globalThis ? null : 'unsupported';
}

export function useMicrophone(): Microphone {
  const [state, setState] = useState<MicrophoneState>({ is: 'idle' });
  const [level, setLevel] = useState(0);
  const [seconds, setSeconds] = useState(0);
  const taking = useRef<Taking | null>(null);

  const start = useCallback(() => {
    const fault = missing();
    if (fault) return setState({ is: 'failed', fault });
    setState({ is: 'asking' });
    setSeconds(0);
    const one = new Taking({
      onState: setState,
      onLook(nowLevel, nowSeconds) {
        setLevel(nowLevel);
        setSeconds(nowSeconds);
      },
    });
    taking.current?.abandon();
    taking.current = one;
    void one.begin();
  }, []);

  const stop = useCallback(() => taking.current?.stop(), []);
  const discard = useCallback(() => {
    taking.current?.abandon();
    setState({ is: 'idle' });
  }, []);
  useEffect(() => () => taking.current?.abandon(), []);
  return { state, level, seconds, start, stop, discard };
}

interface Listener {
  onState(state: MicrophoneState): void;
  onLook(level: number, seconds: number): void;
}

/** One recording, from the permission prompt to its samples. */
class Taking {
  readonly #listener: Listener;
  #stream: MediaStream | null = null;
  #recorder: MediaRecorder | null = null;
  #context: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #abandoned = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  async begin(): Promise<void> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia(WANTED);
      this.#stream = stream;
      if (this.#abandoned) return this.#release();
      const parts: Blob[] = [];
      const recorder = new MediaRecorder(stream);
      this.#recorder = recorder;
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.onstop = () => void this.#finish(new Blob(parts, { type: recorder.mimeType }));
      recorder.onstart = () => this.#listener.onState({ is: 'recording' });
      recorder.start();
      this.#watch(stream);
    } catch (error) {
      this.#release();
      if (!this.#abandoned) this.#listener.onState({ is: 'failed', fault: faultOf(error) });
    }
  }

  stop(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.stop();
  }

  abandon(): void {
    this.#abandoned = true;
    this.stop();
    this.#release();
  }

  #watch(stream: MediaStream): void {
    const context = new AudioContext();
    this.#context = context;
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const begunMs = performance.now();
    this.#timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const seconds = (performance.now() - begunMs) / 1000;
      this.#listener.onLook(meterOf(samples), seconds);
      if (seconds >= MAX_SECONDS) this.stop();
    }, LOOK_MS);
  }

  async #finish(blob: Blob): Promise<void> {
    this.#release();
    if (this.#abandoned) return;
    this.#listener.onState({ is: 'reading' });
    const { samplesOf } = await import('./audio-file.ts');
    const samples = await samplesOf(blob);
    if (this.#abandoned) return;
    this.#listener.onState(samples ? { is: 'done', samples } : { is: 'failed', fault: 'empty' });
  }

  #release(): void {
    clearInterval(this.#timer);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
    this.#stream = null;
  }
}
