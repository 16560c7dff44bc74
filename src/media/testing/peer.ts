// A peer for tests: one socket pair on loopback that sends packets and keeps those that it receives.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeEvent } from '../dtmf/telephone-event.ts';
import type { StreamSettings } from '../media.ts';
import { emptyHeader, HEADER_BYTES, type RtpHeader, readRtp, writeRtp } from '../rtp/rtp.ts';

export interface Got {
  readonly header: RtpHeader;
  readonly payload: Buffer;
  readonly from: RemoteInfo;
  readonly atMs: number;
}

export interface Sent {
  readonly payloadType?: number;
  readonly sequence?: number;
  readonly timestamp?: number;
  readonly marker?: boolean;
  readonly ssrc?: number;
}

export class Peer {
  readonly got: Got[] = [];
  readonly reports: Buffer[] = [];
  sequence = 1_000;
  timestamp = 50_000;
  ssrc = 0x1234_5678;
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  readonly #waiting = new Set<() => void>();
  #unsent = 0;

  constructor(rtp: Socket, rtcp: Socket) {
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    rtp.on('message', (message, from) => {
      const header = emptyHeader();
      if (!readRtp(message, 0, message.length, header)) return;
      const payload = message.subarray(header.payloadAt, header.payloadAt + header.payloadLength);
      this.got.push({ header, payload, from, atMs: performance.now() });
      for (const look of this.#waiting) look();
    });
    rtcp.on('message', (message) => {
      this.reports.push(message);
      for (const look of this.#waiting) look();
    });
  }

  static async open(): Promise<Peer> {
    const rtp = createSocket('udp4').bind(0, '127.0.0.1');
    const rtcp = createSocket('udp4').bind(0, '127.0.0.1');
    await Promise.all([once(rtp, 'listening'), once(rtcp, 'listening')]);
    return new Peer(rtp, rtcp);
  }

  get port(): number {
    return this.#rtp.address().port;
  }

  get rtcpPort(): number {
    return this.#rtcp.address().port;
  }

  settings(over: Partial<StreamSettings> = {}): StreamSettings {
    return {
      remoteAddress: '127.0.0.1',
      remotePort: this.port,
      remoteRtcpPort: this.rtcpPort,
      codec: 'pcmu',
      payloadType: 0,
      eventPayloadType: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
      ...over,
    };
  }

  /** A packet of 20 ms of audio, or of another payload; sequence and timestamp advance. */
  send(port: number, payload: Uint8Array = AUDIO, over: Sent = {}): void {
    const packet = Buffer.alloc(HEADER_BYTES + payload.length);
    const sequence = over.sequence ?? this.sequence++;
    const timestamp = over.timestamp ?? this.timestamp;
    if (over.timestamp === undefined) this.timestamp += payload.length;
    const type = over.payloadType ?? 0;
    writeRtp(packet, 0, over.marker ?? false, type, sequence & 0xffff, timestamp, over.ssrc ?? this.ssrc);
    packet.set(payload, HEADER_BYTES);
    this.sendRaw(port, packet);
  }

  sendRaw(port: number, bytes: Uint8Array): void {
    this.#unsent++;
    this.#rtp.send(bytes, port, '127.0.0.1', () => {
      this.#unsent--;
    });
  }

  /** Every packet is in the queue of the receiver's socket. */
  sent(): Promise<void> {
    return this.until('packets on their way', () => this.#unsent === 0);
  }

  sendReport(port: number, bytes: Uint8Array): void {
    this.#rtcp.send(bytes, port, '127.0.0.1');
  }

  /** One press of a key: three packets and three ends. */
  press(port: number, event: number, payloadType = 101): void {
    const timestamp = this.timestamp;
    this.timestamp += 800;
    for (let step = 0; step < 6; step++) {
      const payload = new Uint8Array(4);
      writeEvent(payload, 0, event, step >= 3, Math.min(step + 1, 4) * 160);
      this.send(port, payload, { payloadType, timestamp, marker: step === 0 });
    }
  }

  /** Bounded: fails with what it waited for. */
  async until(what: string, condition: () => boolean, withinMs = 30_000): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (!condition()) return;
        clearTimeout(timer);
        clearInterval(poll);
        this.#waiting.delete(look);
        resolve();
      };
      const poll = setInterval(look, 5);
      const timer = setTimeout(() => {
        clearInterval(poll);
        this.#waiting.delete(look);
        reject(new Error(`timed out waiting for: ${what}`));
      }, withinMs);
      this.#waiting.add(look);
    });
  }

  close(): void {
    this.#rtp.close();
    this.#rtcp.close();
  }
}

export const AUDIO: Uint8Array = Uint8Array.from({ length: 160 }, (_, index) => 0x80 + (index % 64));
