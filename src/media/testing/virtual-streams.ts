// Live streams for tests, without sockets and without a clock.
import type { EncodedAudio } from '../codec.ts';
import type { WorkerEvent } from '../commands/commands.ts';
import type { StreamSettings } from '../media.ts';
import { emptyHeader, type RtpHeader, readRtp, writeRtp } from '../rtp/rtp.ts';
import { type Endpoint, parseEndpoint } from '../sockets/endpoint.ts';
import { INCOMING, MEMORY_BYTES, type Sockets } from '../sockets/sockets.ts';
import { Lateness } from '../worker/lateness.ts';
import { LiveStream } from '../worker/live-stream.ts';
import type { StreamContext, Ticked } from '../worker/stream-context.ts';

const RTP = 1;
const RTCP = 2;
export const TIMEOUT_MS = 30_000;

interface Sent {
  readonly header: RtpHeader;
  readonly payload: Buffer;
  readonly to: Endpoint;
  readonly atMs: number;
}

export const at = (address: string, port: number): Endpoint => {
  const endpoint = parseEndpoint(address, port);
  if (!endpoint) throw new Error(address);
  return endpoint;
};

export const SETTINGS: StreamSettings = {
  remoteAddress: '192.0.2.1',
  remotePort: 4_000,
  remoteRtcpPort: 4_001,
  codec: 'pcmu',
  payloadType: 0,
  eventPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
};
export const PEER = at('192.0.2.1', 4_000);

/** Live streams on virtual time, over sockets that record what is sent. */
export class VirtualStreams {
  readonly events: WorkerEvent[] = [];
  readonly sent: Sent[] = [];
  readonly reports: Buffer[] = [];
  /** Ports that sockets were connected to; null: disconnected. */
  readonly connections: (number | null)[] = [];
  readonly listened: boolean[] = [];
  reads = 0;
  /** Those of them that read every queued packet. */
  wholeReads = 0;
  isBusy = false;
  readonly lateness = new Lateness();
  nowMs = 1_000;
  context: StreamContext | null = null;
  /** As that of the adapters: parts of a Buffer share its memory. */
  readonly #memory = Buffer.alloc(MEMORY_BYTES);
  readonly #streams: LiveStream[] = [];
  readonly #often = new Set<Ticked>();
  #sequence = 0;

  open(): LiveStream {
    const virtual = this;
    const sockets: Sockets = {
      adapter: 'dgram',
      memory: this.#memory,
      bind() {},
      drain() {},
      connect: (_socket, peer) => {
        this.connections.push(peer?.port ?? null);
      },
      get isBusy() {
        return virtual.isBusy;
      },
      listen: (_socket, on) => {
        this.listened.push(on);
      },
      read: (_socket, _nowMs, isAll) => {
        this.reads++;
        if (isAll) this.wholeReads++;
      },
      close() {},
      run() {},
      wake() {},
      pause() {},
      stop() {},
      send: (socket, offset, length, to) => {
        const bytes = Buffer.from(this.#memory.subarray(offset, offset + length));
        const header = emptyHeader();
        if (socket === RTCP) this.reports.push(bytes);
        else if (readRtp(bytes, 0, length, header))
          this.sent.push({
            header,
            payload: bytes.subarray(header.payloadAt),
            to: { ...to },
            atMs: this.nowMs,
          });
      },
    };
    const emit = (event: WorkerEvent): void => {
      this.events.push(event);
    };
    const visitOften = (item: Ticked): (() => void) => {
      this.#often.add(item);
      return () => void this.#often.delete(item);
    };
    const { lateness } = this;
    const rtpTimeoutMs = TIMEOUT_MS;
    this.context ??= { sockets, cname: 'test', rtpTimeoutMs, lateness, bridges: 0, emit, visitOften };
    const pair = { index: 0, port: 10_000, rtp: RTP, rtcp: RTCP };
    const stream = new LiveStream(this.#streams.length + 1, pair, 0, this.context, this.nowMs);
    this.#streams.push(stream);
    return stream;
  }

  run(ms: number, each: () => void = () => {}): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs += 20;
      each();
      for (const item of this.#often) item.tick(this.nowMs);
      for (const stream of this.#streams) stream.tick(this.nowMs);
    }
  }

  /** As `run`, millisecond by millisecond. */
  runFinely(ms: number, each: () => void = () => {}): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs++;
      each();
      if (this.nowMs % 4 === 0) for (const item of this.#often) item.tick(this.nowMs);
      if (this.nowMs % 20 === 0) for (const stream of this.#streams) stream.tick(this.nowMs);
    }
  }

  arrive(stream: LiveStream, payload: Uint8Array, over: Partial<RtpHeader> = {}, from = PEER): void {
    const { payloadType = 0, sequence = this.#sequence++, timestamp = this.nowMs * 8, ssrc = 9 } = over;
    writeRtp(this.#memory, INCOMING, false, payloadType, sequence & 0xffff, timestamp, ssrc);
    this.#memory.set(payload, INCOMING + 12);
    stream.receive(INCOMING, 12 + payload.length, from, this.nowMs);
  }

  arriveRaw(stream: LiveStream, bytes: Uint8Array, from = PEER): void {
    this.#memory.set(bytes, INCOMING);
    stream.receive(INCOMING, bytes.length, from, this.nowMs);
    stream.receiveReport(INCOMING, bytes.length, from, this.nowMs);
  }
}

export const AUDIO = new Uint8Array(160).fill(0x2a);
/** A second, of another byte in each codec. */
export const SOUND: EncodedAudio = [new Uint8Array(8_000).fill(1), new Uint8Array(8_000).fill(2)];
