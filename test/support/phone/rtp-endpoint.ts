// The phone's ear and mouth: a UDP port, RTP out at the pace of an absolute clock, RTP in with the time of arrival.
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { Hearing } from './hearing.ts';
import { compress, expand } from './law.ts';
import type { PhoneSrtp } from './phone-srtp.ts';
import type { RemoteMedia } from './sdp-text.ts';

/**
 * Above the ports that the system gives: the service refuses media to the numbers of its own ports, also of those for TCP, which a
 * bound UDP port does not keep from being given to it.
 */
const FIRST_PORT = 61_000;

/** An RFC 4733 event as it was received. */
export interface ReceivedKey {
  readonly key: string;
  readonly atMs: number;
  durationMs: number;
  /** A packet with the end bit came. */
  ended: boolean;
}

export interface RtpPacket {
  readonly atMs: number;
  readonly payloadType: number;
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly bytes: number;
  readonly from: string;
}

interface Sending {
  /** Samples left; infinite: until something else is sent. */
  left: number;
  readonly sample: (index: number) => number;
  /** An event instead of audio. */
  readonly event?: { readonly key: number; readonly samples: number };
  done(): void;
}

const EVENT_KEYS = '0123456789*#ABCD';

export class RtpEndpoint {
  readonly hearing = new Hearing();
  readonly keys: ReceivedKey[] = [];
  /** Every packet received, without its audio. */
  readonly packets: RtpPacket[] = [];
  /** Percent of packets, sent and received, that get lost on the way. */
  lossPercent = 0;
  packetsSent = 0;
  /** Null if plain RTP. */
  srtp: PhoneSrtp | null = null;
  readonly rtcpPackets: Buffer[] = [];
  readonly #socket: Socket;
  readonly #rtcp: Socket;
  readonly #startedMs: number;
  readonly #queue: Sending[] = [];
  #background: (index: number) => number = () => 0;
  #remote: RemoteMedia | null = null;
  #sends = false;
  #timer: NodeJS.Timeout | null = null;
  #sequence = randomInt(30_000);
  #timestamp = randomInt(2 ** 31);
  #position = 0;
  #lastEvent = -1;
  readonly #ssrc = randomInt(2 ** 31);
  #baseMs = 0;
  #sentFrames = 0;
  #eventStart: number | null = null;
  #closed = false;

  static async open(host: string, startedMs: number): Promise<RtpEndpoint> {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const port = 2 * randomInt(FIRST_PORT / 2, 65_536 / 2);
      const rtp = await bind(host, port);
      // RTCP comes to the port after it; if that were free, another socket could take it.
      const rtcp = rtp && (await bind(host, port + 1));
      if (rtp !== null && rtcp !== null) return new RtpEndpoint(rtp, rtcp, startedMs);
      rtp?.close();
    }
    throw new Error(`no two ports in a row are free on ${host}`);
  }

  private constructor(socket: Socket, rtcp: Socket, startedMs: number) {
    this.#socket = socket;
    this.#rtcp = rtcp;
    this.#startedMs = startedMs;
    socket.on('message', (packet, from) => this.#received(packet, `${from.address}:${from.port}`));
    rtcp.on('message', (packet) => this.rtcpPackets.push(packet));
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** The number of its next packet, before any was sent. */
  startAt(sequence: number): void {
    this.#sequence = sequence;
  }

  /** The number of its next packet. */
  get nextSequence(): number {
    return this.#sequence;
  }

  /** Where to send from now on, and whether to. */
  configure(remote: RemoteMedia | null, sends: boolean): void {
    this.#remote = remote;
    this.#sends = sends;
    if (this.#timer === null && !this.#closed) {
      this.#baseMs = performance.now();
      this.#sentFrames = 0;
      this.#tick();
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const sending of this.#queue.splice(0)) sending.done();
    this.#socket.close();
    this.#rtcp.close();
  }

  /** What is sent while nothing else is: a tone, or silence (0). */
  setBackground(hz: number, amplitude = 8_000): void {
    this.#background = hz === 0 ? () => 0 : (i) => amplitude * Math.sin((2 * Math.PI * hz * i) / 8_000);
  }

  /** Audio of that length, after what is queued already. Resolves when it is sent. */
  send(durationMs: number, sample: (index: number) => number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((done) => {
      this.#queue.push({ left: durationMs * 8, sample, done });
    });
  }

  /** An RFC 4733 event. Resolves when its last packet is sent. */
  sendEvent(key: string, durationMs: number): Promise<void> {
    const event = { key: EVENT_KEYS.indexOf(key.toUpperCase()), samples: durationMs * 8 };
    if (event.key < 0) throw new Error(`there is no key ${key}`);
    if (this.#closed) return Promise.resolve();
    return new Promise((done) => {
      this.#queue.push({ left: durationMs * 8, sample: () => 0, event, done });
    });
  }

  /** Anything, as it is, from the phone's own port. */
  sendRaw(packet: Buffer, port: number, address: string): void {
    if (!this.#closed) this.#socket.send(packet, port, address, () => undefined);
  }

  #tick(): void {
    const remote = this.#remote;
    const ptimeMs = remote?.ptimeMs ?? 20;
    // A machine that slept is not caught up with by a burst.
    const now = performance.now();
    if (now - this.#baseMs - this.#sentFrames * ptimeMs > 200) {
      this.#baseMs = now;
      this.#sentFrames = 0;
    }
    if (remote !== null) this.#sendFrame(remote, ptimeMs * 8);
    this.#sentFrames += 1;
    const dueMs = this.#baseMs + this.#sentFrames * ptimeMs;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, dueMs - performance.now()));
  }

  #sendFrame(remote: RemoteMedia, samples: number): void {
    const current = this.#queue[0];
    if (current?.event !== undefined && remote.eventPayloadType !== null) {
      this.#sendEventFrame(remote, current, current.event, samples);
    } else {
      const sample = current?.sample ?? this.#background;
      const payload = Buffer.alloc(samples);
      for (let i = 0; i < samples; i += 1) payload[i] = compress(remote.law, sample(this.#position + i));
      if (this.#sends) this.#transmit(remote, remote.payloadType, this.#timestamp, false, payload);
    }
    this.#timestamp = (this.#timestamp + samples) >>> 0;
    this.#position += samples;
    if (current === undefined) return;
    current.left -= samples;
    if (current.left > 0) return;
    this.#queue.shift();
    this.#position = 0;
    current.done();
  }

  #sendEventFrame(
    remote: RemoteMedia,
    sending: Sending,
    event: { key: number; samples: number },
    samples: number,
  ) {
    const first = this.#eventStart === null;
    this.#eventStart ??= this.#timestamp;
    const start = this.#eventStart;
    const last = sending.left <= samples;
    const payload = Buffer.from([event.key, last ? 0x8a : 0x0a, 0, 0]);
    payload.writeUInt16BE(Math.min(event.samples - sending.left + samples, 65_535), 2);
    // RFC 4733 §2.5.1.4: the end is sent three times.
    for (let copy = 0; copy < (last ? 3 : 1); copy += 1) {
      if (this.#sends)
        this.#transmit(remote, remote.eventPayloadType ?? 0, start, first && copy === 0, payload);
    }
    if (last) this.#eventStart = null;
  }

  #transmit(
    remote: RemoteMedia,
    payloadType: number,
    timestamp: number,
    marker: boolean,
    payload: Buffer,
  ): void {
    const head = Buffer.alloc(12);
    head[0] = 0x80;
    head[1] = payloadType | (marker ? 0x80 : 0);
    head.writeUInt16BE(this.#sequence, 2);
    head.writeUInt32BE(timestamp >>> 0, 4);
    head.writeUInt32BE(this.#ssrc, 8);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    if (this.#closed || Math.random() * 100 < this.lossPercent) return;
    this.packetsSent += 1;
    const packet = Buffer.concat([head, payload]);
    const sealed = this.srtp?.protect(packet) ?? packet;
    this.#socket.send(sealed, remote.port, remote.address, () => undefined);
  }

  #received(wire: Buffer, from: string): void {
    const packet = this.srtp && wire.length >= 16 ? this.srtp.open(wire) : wire;
    if (
      packet === null ||
      packet.length < 12 ||
      (packet[0] ?? 0) >> 6 !== 2 ||
      Math.random() * 100 < this.lossPercent
    )
      return;
    const atMs = performance.now() - this.#startedMs;
    const payloadType = (packet[1] ?? 0) & 0x7f;
    const timestamp = packet.readUInt32BE(4);
    this.packets.push({
      atMs,
      payloadType,
      marker: (packet[1] ?? 0) > 0x7f,
      sequence: packet.readUInt16BE(2),
      timestamp,
      ssrc: packet.readUInt32BE(8),
      bytes: packet.length,
      from,
    });
    const payload = packet.subarray(12 + 4 * ((packet[0] ?? 0) & 15));
    const remote = this.#remote;
    if (remote === null) return;
    if (payloadType === remote.eventPayloadType && payload.length >= 4)
      this.#heardEvent(payload, timestamp, atMs);
    if (payloadType !== remote.payloadType) return;
    const samples = Float64Array.from(payload, (byte) => expand(remote.law, byte));
    this.hearing.add({ atMs, durationMs: payload.length / 8, samples });
  }

  #heardEvent(payload: Buffer, timestamp: number, atMs: number): void {
    const durationMs = payload.readUInt16BE(2) / 8;
    const ended = (payload[1] ?? 0) > 0x7f;
    const last = this.keys.at(-1);
    if (timestamp === this.#lastEvent && last !== undefined) {
      last.durationMs = Math.max(last.durationMs, durationMs);
      last.ended ||= ended;
      return;
    }
    this.#lastEvent = timestamp;
    this.keys.push({ key: EVENT_KEYS.charAt(payload[0] ?? 0), atMs, durationMs, ended });
  }
}

/** Null if the port is taken. */
function bind(host: string, port: number): Promise<Socket | null> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    socket.on('error', () => resolve(null));
    socket.bind(port, host, () => resolve(socket));
  });
}
