// The sound of a page that is a phone: its voice is a tone, and it tells by frequency what it hears.
import type { Page } from 'playwright-core';

export const AUDIO_FLAGS = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  // A page that the test itself answers has no address: for Chromium it is a public one, which may not connect to this machine unasked.
  '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
];

/** What runs in the page: `sound`. */
export const SOUND_SCRIPT = `
  window.sound = (() => {
    const audio = new AudioContext();
    const voice = audio.createOscillator();
    const gain = audio.createGain();
    gain.gain.value = 0;
    const microphone = audio.createMediaStreamDestination();
    voice.connect(gain).connect(microphone);
    voice.start();
    const ear = audio.createAnalyser();
    ear.fftSize = 4096;
    return {
      microphone: microphone.stream,
      listen(stream) {
        const element = new Audio();
        element.srcObject = stream;
        element.muted = true;
        void element.play();
        audio.createMediaStreamSource(stream).connect(ear);
      },
      tone(hz) { voice.frequency.value = hz; gain.gain.value = hz ? 0.5 : 0; },
      heard() {
        const bins = new Float32Array(ear.frequencyBinCount);
        ear.getFloatFrequencyData(bins);
        let best = 0;
        for (let i = 1; i < bins.length; i++) if (bins[i] > bins[best]) best = i;
        return { hz: best * audio.sampleRate / ear.fftSize, db: bins[best] };
      },
    };
  })();
`;

/** For a page that has a phone of its own: what it plays is measured. The microphone is the browser's. */
export const HEARING_HOOKS = `${SOUND_SCRIPT}
  window.connections = [];
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
      this.addEventListener('track', ({ streams: [stream] }) => sound.listen(stream));
    }
  };
`;

/** Also: its microphone is ours, and its WebSockets can be cut. */
export const PHONE_HOOKS = `${HEARING_HOOKS}
  if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => sound.microphone.clone();
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...all) { super(...all); sockets.push(this); }
  };
`;

/** An FFT of 4096 at 48 kHz has bins of 12 Hz. */
const SAME_TONE_HZ = 25;
export const AUDIBLE_DB = -60;

/** What the measuring needs of a page of Chromium (Playwright) or Firefox (Puppeteer). */
export interface Evaluating {
  evaluate<R>(text: string): Promise<R>;
}

export class SoundingPage<P extends Evaluating = Page> {
  readonly page: P;

  constructor(page: P) {
    this.page = page;
  }

  async tone(hz: number): Promise<void> {
    await this.page.evaluate(`sound.tone(${hz})`);
  }

  heard(): Promise<{ readonly hz: number; readonly db: number }> {
    return this.page.evaluate('sound.heard()');
  }

  /** Waits until the loudest frequency is this one. */
  async hears(hz: number, withinMs = 30_000): Promise<void> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      const heard = await this.heard();
      if (heard.db > AUDIBLE_DB && Math.abs(heard.hz - hz) < SAME_TONE_HZ) return;
      if (performance.now() > untilMs)
        throw new Error(
          `the page heard ${heard.hz.toFixed(0)} Hz at ${heard.db.toFixed(0)} dB instead of ${hz} Hz; its connection is ${await this.state()}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** The state of its connection, for the text of a failure. */
  state(): Promise<string> {
    return Promise.resolve('not known');
  }
}
