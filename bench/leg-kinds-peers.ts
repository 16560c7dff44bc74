// The far sides of bench/leg-kinds.ts: a plain RTP phone, one with SRTP and a browser. Each sends a packet every 20 ms and notes when
// packets arrive.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { HEADER_BYTES, writeRtp } from '../src/media/rtp/rtp.ts';
import { parseSdp } from '../src/media/sdp/parse.ts';
import { SrtpSender } from '../src/media/srtp/srtp.ts';
import { masterBytes, suiteNamed } from '../src/media/srtp/suites.ts';
import { BrowserStandIn, rtp } from '../src/media/webrtc/testing/browser-stand-in.ts';

const SUITE = suiteNamed('AES_CM_128_HMAC_SHA1_80');
const HOST = '127.0.0.1';
const AUDIO = Buffer.alloc(160, 0x55);
const FIRST_RTCP_TYPE = 192;

export abstract class FarSide {
  firstMs: number | null = null;
  received = 0;
  isMeasuring = false;
  readonly gaps: number[] = [];
  #lastMs = 0;

  abstract readonly offer: string;
  abstract answered(sdp: string): void;
  abstract send(frame: number): void;
  abstract close(): void;

  protected took(packet: Uint8Array): void {
    if ((packet[1] ?? 0) >= FIRST_RTCP_TYPE) return;
    const nowMs = performance.now();
    this.firstMs ??= nowMs;
    if (!this.isMeasuring) return;
    this.received++;
    if (this.#lastMs > 0) this.gaps.push(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

/** A phone; `isSecure`: by SRTP, with keys in its SDP. */
export class RtpSide extends FarSide {
  readonly offer: string;
  readonly #socket: Socket;
  readonly #sender: SrtpSender | null;
  readonly #packet = Buffer.alloc(HEADER_BYTES + AUDIO.length + 20);
  #isConnected = false;

  static async open(isSecure: boolean): Promise<RtpSide> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
    return new RtpSide(socket, isSecure);
  }

  private constructor(socket: Socket, isSecure: boolean) {
    super();
    this.#socket = socket;
    const key = isSecure ? randomBytes(masterBytes(SUITE)) : null;
    this.#sender = key && new SrtpSender(SUITE, key);
    const crypto = key ? `a=crypto:1 ${SUITE.name} inline:${key.toString('base64')}\r\n` : '';
    this.offer =
      `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n` +
      `m=audio ${socket.address().port} ${key ? 'RTP/SAVP' : 'RTP/AVP'} 0 101\r\n${crypto}` +
      'a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
    socket.on('message', (packet) => this.took(packet));
    socket.on('error', () => undefined);
  }

  answered(sdp: string): void {
    const [, port] = /^m=audio (\d+)/m.exec(sdp) ?? [];
    this.#socket.connect(Number(port), HOST, () => {
      this.#isConnected = true;
    });
  }

  send(frame: number): void {
    if (!this.#isConnected) return;
    writeRtp(this.#packet, 0, false, 0, frame & 0xffff, frame * AUDIO.length, 1);
    this.#packet.set(AUDIO, HEADER_BYTES);
    const plain = HEADER_BYTES + AUDIO.length;
    const length = this.#sender?.protect(this.#packet, 0, plain) ?? plain;
    this.#socket.send(Buffer.from(this.#packet.subarray(0, length)));
  }

  close(): void {
    this.#socket.close();
  }
}

export class BrowserSide extends FarSide {
  readonly offer: string;
  readonly #browser = new BrowserStandIn((packet) => this.took(packet));

  constructor() {
    super();
    const { ufrag, pwd, fingerprint } = this.#browser.ice;
    this.offer =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n' +
      'm=audio 9 UDP/TLS/RTP/SAVPF 0 101\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=sendrecv\r\na=rtcp-mux\r\n' +
      `a=ice-ufrag:${ufrag}\r\na=ice-pwd:${pwd}\r\na=fingerprint:${fingerprint}\r\na=setup:actpass\r\n` +
      'a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
  }

  answered(sdp: string): void {
    const parsed = parseSdp(Buffer.from(sdp));
    const line = 'fault' in parsed ? null : parsed.media[0];
    if (!line?.ice) throw new Error(`no answer to a browser: ${sdp}`);
    const { ufrag, pwd, fingerprint } = line.ice;
    const identity = { port: line.port, addresses: [], fingerprints: [fingerprint] };
    this.#browser.answered(identity, { ufrag, pwd, certificate: 0 });
  }

  send(frame: number): void {
    if (this.#browser.state === 'open') this.#browser.send(rtp(0, frame & 0xffff, 1, 'voice'));
  }

  close(): void {
    this.#browser.close();
  }
}
