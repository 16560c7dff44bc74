// A browser's WebRTC without a browser: libdatachannel, whose microphone is a tone, and which tells by frequency what it hears. The test phone
// carries its SDP. Real browsers are in test/pages.
import nodeDataChannel, { type PeerConnection, type Track } from 'node-datachannel';
import { eventually } from './phone/eventually.ts';
import { describeSegments, Hearing, SAME_TONE_HZ } from './phone/hearing.ts';
import { compress, expand, type Law } from './phone/law.ts';
import { type RemoteMedia, readSdp, type SdpOptions } from './phone/sdp-text.ts';

/** As browsers prefer them; G.722 is that of law.ts. */
const LAWS: readonly Law[] = ['g722', 'pcmu', 'pcma'];
const NUMBERS: Readonly<Record<Law, number>> = { pcmu: 0, pcma: 8, g722: 9 };
const [OPUS, EVENTS] = [111, 101];
const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const SSRC = 0x1234_5678;
const LOUD = 8_000;

export class BrowserPeer {
  state = 'new';
  readonly #connection: PeerConnection;
  readonly #laws: readonly Law[];
  readonly #hearing = new Hearing();
  readonly #startedMs = performance.now();
  #forgottenMs = 0;
  #track: Track | null = null;
  #timer: NodeJS.Timeout | null = null;
  #frames = 0;
  #hz = 0;
  /** What the service described last. */
  #remote: RemoteMedia | null = null;
  /** The offer that the local description answers. */
  #answered = '';

  constructor(laws = LAWS) {
    this.#laws = laws;
    this.#connection = new nodeDataChannel.PeerConnection('browser', {
      iceServers: [],
      disableAutoNegotiation: true,
    });
    this.#connection.onStateChange((state) => {
      this.state = state;
    });
  }

  /** The law of the codec that it sends. */
  get law(): Law | undefined {
    return this.#remote?.law;
  }

  /** An offer with all candidates, and Opus in front as browsers have it. */
  async offer(): Promise<string> {
    this.#addTrack('0');
    const gathered = this.#gathered();
    this.#connection.setLocalDescription('offer');
    await gathered;
    return this.#local();
  }

  /** The answer to its offer. */
  answered(sdp = ''): void {
    this.#remote = readSdp(sdp, this.#laws);
    this.#connection.setRemoteDescription(sdp, 'answer');
  }

  /** The answer to that offer, with all candidates. */
  async answer(offer: string): Promise<string> {
    const gathered = this.#gathered();
    this.#addTrack(/^a=mid:(\S+)/m.exec(offer)?.[1] ?? '0');
    this.answers(offer);
    await gathered;
    return this.answers(offer);
  }

  /** The same for a later offer: its candidates are there. */
  readonly answers = (offer: string): string => {
    if (offer !== this.#answered) {
      this.#answered = offer;
      this.#remote = readSdp(offer, this.#laws);
      this.#connection.setRemoteDescription(offer, 'offer');
      this.#connection.setLocalDescription('answer');
    }
    return commonFormats(this.#local(), offer);
  };

  /** For a test phone that carries this description, answers later offers by it, and sends no RTP itself. */
  carried(raw: string): SdpOptions {
    return { raw, answers: this.answers, direction: 'inactive' };
  }

  /** From now on; 0: silence. */
  sendTone(hz: number): void {
    this.#hz = hz;
    if (this.#timer) return;
    const beganMs = performance.now();
    this.#timer = setInterval(() => {
      const due = Math.floor((performance.now() - beganMs) / FRAME_MS);
      for (; this.#frames < due; this.#frames += 1) this.#send(this.#frames);
    }, FRAME_MS);
  }

  hears(hz: number, forMs = 200): Promise<unknown> {
    return eventually(
      () =>
        this.#hearing.segments().find(({ hz: heard, fromMs, toMs }) => {
          const lastedMs = toMs - Math.max(fromMs, this.#forgottenMs);
          return typeof heard === 'number' && Math.abs(heard - hz) < SAME_TONE_HZ && lastedMs >= forMs;
        }),
      {},
      () => `the peer did not hear ${hz} Hz, but ${this.heardText()}; its connection is ${this.state}`,
    );
  }

  heardText(): string {
    return describeSegments(this.#hearing.segments());
  }

  /** Everything heard up to now is past. */
  forget(): void {
    this.#forgottenMs = performance.now() - this.#startedMs;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#connection.close();
  }

  #addTrack(mid: string): void {
    const audio = new nodeDataChannel.Audio(mid, 'SendRecv');
    audio.addOpusCodec(OPUS);
    for (const law of this.#laws) audio.addAudioCodec(NUMBERS[law], `${law.toUpperCase()}/8000`);
    audio.addAudioCodec(EVENTS, 'telephone-event/8000');
    const track = this.#connection.addTrack(audio);
    this.#track = track;
    track.onMessage((packet) => {
      const atMs = performance.now() - this.#startedMs;
      const remote = this.#remote;
      if (!remote || ((packet[1] ?? 0) & 0x7f) !== remote.payloadType) return;
      const samples = Float64Array.from(packet.subarray(12), (byte) => expand(remote.law, byte));
      this.#hearing.add({ atMs, durationMs: FRAME_MS, samples });
    });
  }

  #send(frame: number): void {
    if (!this.#remote || !this.#track?.isOpen()) return;
    const { law, payloadType } = this.#remote;
    const packet = Buffer.alloc(12 + FRAME_SAMPLES);
    packet[0] = 0x80;
    packet[1] = payloadType;
    packet.writeUInt16BE(frame % 65_536, 2);
    packet.writeUInt32BE(frame * FRAME_SAMPLES, 4);
    packet.writeUInt32BE(SSRC, 8);
    for (let at = 0; at < FRAME_SAMPLES; at++) {
      const turns = (this.#hz * (frame * FRAME_SAMPLES + at)) / 8_000;
      packet[12 + at] = compress(law, LOUD * Math.sin(2 * Math.PI * turns));
    }
    this.#track.sendMessageBinary(packet);
  }

  #gathered(): Promise<void> {
    return new Promise((resolve) => {
      this.#connection.onGatheringStateChange((state) => {
        if (state === 'complete') resolve();
      });
    });
  }

  #local(): string {
    return this.#connection.localDescription()?.sdp ?? '';
  }
}

const formatsOf = (sdp: string): readonly string[] =>
  /^m=audio \d+ \S+ ([\d ]+)/m.exec(sdp)?.[1]?.trim().split(' ') ?? [];

/** RFC 9429 §5.3.1: an answer has what both have, in the order of the offer; libdatachannel's has all that the track has. */
function commonFormats(answer: string, offer: string): string {
  const own = formatsOf(answer);
  const common = formatsOf(offer).filter((format) => own.includes(format));
  return answer
    .replace(/^(m=audio \d+ \S+) [\d ]+/m, `$1 ${common.join(' ')}`)
    .replace(/^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) .*\r?\n/gm, (line, format) =>
      common.includes(format) ? line : '',
    );
}
