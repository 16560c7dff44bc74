// A browser's side of WebRTC for the contract: libdatachannel again, as the one that offers. Real browsers are in test/pages.
import nodeDataChannel, { type PeerConnection, type Track } from 'node-datachannel';
import { parseSdp } from '../../sdp/parse.ts';
import type { OwnIce, PeerIce, WebrtcIdentity } from '../webrtc.ts';

export const FORMATS = [
  [0, 'PCMU/8000'],
  [101, 'telephone-event/8000'],
] as const;

export class BrowserStandIn {
  readonly received: Buffer[] = [];
  state = 'new';
  readonly #connection: PeerConnection;
  readonly #track: Track;

  constructor(take?: (packet: Buffer) => void) {
    this.#connection = new nodeDataChannel.PeerConnection('', {
      iceServers: [],
      disableAutoNegotiation: true,
    });
    const audio = new nodeDataChannel.Audio('0', 'SendRecv');
    for (const [payloadType, codec] of FORMATS) audio.addAudioCodec(payloadType, codec);
    this.#track = this.#connection.addTrack(audio);
    this.#track.onMessage(take ?? ((packet) => this.received.push(packet)));
    this.#track.onOpen(() => {
      this.state = 'open';
    });
    this.#connection.onStateChange((state) => {
      if (state === 'failed') this.state = state;
    });
    this.#connection.setLocalDescription('offer');
  }

  /** What its offer says. */
  get ice(): PeerIce {
    const sdp = parseSdp(Buffer.from(this.#connection.localDescription()?.sdp ?? ''));
    const ice = 'fault' in sdp ? null : sdp.media[0]?.ice;
    if (!ice) throw new Error('the stand-in has no description');
    return ice;
  }

  answered(identity: WebrtcIdentity, own: OwnIce, address = '127.0.0.1'): void {
    const lines = [
      'v=0',
      `o=- 1 1 IN IP4 ${address}`,
      's=-',
      `c=IN IP4 ${address}`,
      't=0 0',
      'a=group:BUNDLE 0',
      `m=audio ${identity.port} UDP/TLS/RTP/SAVPF ${FORMATS.map(([type]) => type).join(' ')}`,
      'a=mid:0',
      'a=sendrecv',
      'a=rtcp-mux',
      `a=ice-ufrag:${own.ufrag}`,
      `a=ice-pwd:${own.pwd}`,
      `a=fingerprint:${identity.fingerprints[own.certificate]}`,
      'a=setup:passive',
      ...FORMATS.map(([type, codec]) => `a=rtpmap:${type} ${codec}`),
      `a=candidate:1 1 UDP 2130706431 ${address} ${identity.port} typ host`,
      'a=end-of-candidates',
      '',
    ];
    this.#connection.setRemoteDescription(lines.join('\r\n'), 'answer');
  }

  send(packet: Buffer): void {
    this.#track.sendMessageBinary(packet);
  }

  /** False: its own SRTP refuses to encrypt it, as its header goes beyond its end. */
  trySend(packet: Buffer): boolean {
    try {
      this.send(packet);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#connection.close();
  }
}

export function rtp(payloadType: number, sequence: number, ssrc: number, text: string): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  header[1] = payloadType;
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(sequence * 160, 4);
  header.writeUInt32BE(ssrc, 8);
  return Buffer.concat([header, Buffer.from(text.padEnd(160, '.'))]);
}

/** RFC 3550 §6.4.2: a receiver report without blocks. */
export function rtcp(ssrc: number): Buffer {
  const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]);
  report.writeUInt32BE(ssrc, 4);
  return report;
}
