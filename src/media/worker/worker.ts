// The thread that moves the packets of its share of the streams. It takes orders, calls the wheel, and tells what happened;
// a stream that throws is stopped alone.

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ulawToAlaw } from '../audio/g711.ts';
import type { Sound } from '../audio/player.ts';
import { toneSound } from '../audio/tones.ts';
import type { ToneName } from '../media.ts';
import { Recording } from '../mixing/recording.ts';
import { OrderRing, type Posted } from '../orders/order-ring.ts';
import {
  figuresOf,
  HEARD_TAKEN,
  type Order,
  POSTED,
  SHARED_WORDS,
  type WorkerEvent,
  type WorkerOptions,
} from '../orders/orders.ts';
import { openDgram } from '../sockets/dgram/dgram.ts';
import type { Endpoint } from '../sockets/endpoint.ts';
import { ENOUGH, PATIENCE_MS, PortPool } from '../sockets/port-pool.ts';
import { IDLE, type PacketHandler, type SocketOptions, type Sockets } from '../sockets/sockets.ts';
import { askForRealTime } from '../sockets/syscalls/priority.ts';
import { openSyscalls } from '../sockets/syscalls/syscalls.ts';
import { LiveStream, type StreamContext } from './live-stream.ts';
import { Wheel } from './wheel.ts';

/** Blocks of tapped audio that the main thread has not taken yet; more are dropped, should it be stuck. */
const MAX_HEARD_WAITING = 2_000;

class MediaWorker {
  readonly #port: MessagePort;
  readonly #words: Int32Array;
  readonly #streams = new Map<number, LiveStream>();
  /** By socket number. */
  readonly #rtp: (LiveStream | undefined)[] = [];
  readonly #rtcp: (LiveStream | undefined)[] = [];
  readonly #wheel = new Wheel<LiveStream>(performance.now());
  readonly #sounds = new Map<number, Sound>();
  readonly #tones = new Map<ToneName, Sound>();
  readonly #options: WorkerOptions;
  #sockets: Sockets | undefined;
  #pool: PortPool | undefined;
  #studio: StreamContext | undefined;
  #told: WorkerEvent[] = [];
  #toldStarted: WorkerEvent | null = null;
  /** Since when nothing is to be told but what can wait. */
  #waitsSinceMs: number | null = null;
  readonly #ring: OrderRing;
  /** Taken from the port, and not obeyed before its turn. */
  #posted: Posted | null = null;
  #postsTaken = 0;
  #heardSent = 0;
  #flushing = false;
  #hasEnded = false;

  constructor(port: MessagePort, options: WorkerOptions) {
    this.#port = port;
    this.#options = options;
    this.#words = new Int32Array(options.shared, 0, SHARED_WORDS);
    this.#ring = new OrderRing(options.ring);
  }

  async start(): Promise<void> {
    const { host, adapter, rtpTimeoutMs, realTime, shared, ports } = this.#options;
    const handle: PacketHandler = (socket, offset, length, from, nowMs) =>
      this.#receive(socket, offset, length, from, nowMs);
    const held = new Int32Array(shared, SHARED_WORDS * 4);
    const { sockets, fallback } = await openSockets(adapter, { host, handle, orders: this.#words, held });
    this.#sockets = sockets;
    this.#studio = {
      sockets,
      rtpTimeoutMs,
      cname: randomUUID(),
      tell: (event) => this.#tell(event),
    };
    this.#pool = new PortPool(sockets, ports, ({ index, port }) => this.#tell(['ready', index, port]));
    this.#toldStarted = ['started', sockets.adapter, fallback];
    const complaint = realTime ? await askForRealTime() : null;
    if (complaint !== null) this.#tell(['complaint', complaint]);
    if (sockets.adapter === 'dgram')
      this.#port.on('message', ({ orders }: Posted) => {
        const nowMs = performance.now();
        for (const order of orders) this.#obey(order, nowMs);
        sockets.wake();
      });
    sockets.run(() => this.#turn(sockets));
  }

  #turn(sockets: Sockets): number {
    if (sockets.adapter === 'syscalls') this.#takeOrders();
    if (this.#hasEnded) return IDLE;
    const nowMs = performance.now();
    this.#wheel.turn(nowMs, (stream) => this.#tick(stream, nowMs));
    const tendMs = this.#pool?.tend(nowMs) ?? IDLE;
    if (tendMs > 1 && this.#toldStarted) {
      this.#told.push(this.#toldStarted);
      this.#toldStarted = null;
    }
    if (this.#isWorthTelling(nowMs)) this.#flush();
    if (this.#streams.size === 0)
      return tendMs === IDLE && this.#told.length === 0 ? IDLE : -Math.min(tendMs, PATIENCE_MS);
    return Math.max(0, this.#nextTurnMs(sockets, nowMs, tendMs) - performance.now());
  }

  #nextTurnMs(sockets: Sockets, nowMs: number, tendMs: number): number {
    return sockets.isBusy ? this.#wheel.groupDueMs : Math.min(this.#wheel.nextVisitMs, nowMs + tendMs);
  }

  #takeOrders(): void {
    for (;;) {
      // In this order: whoever wrote into the ring after a message had counted the message before.
      const { written } = this.#ring;
      this.#posted ??= this.#takePosted();
      const until = this.#posted?.after ?? written;
      if (!this.#posted && this.#ring.taken === until) return;
      const nowMs = performance.now();
      while (this.#ring.taken !== until) this.#obey(this.#ring.take(), nowMs);
      for (const order of this.#posted?.orders ?? []) this.#obey(order, nowMs);
      this.#posted = null;
    }
  }

  #takePosted(): Posted | null {
    if (Atomics.load(this.#words, POSTED) === this.#postsTaken) return null;
    this.#postsTaken = (this.#postsTaken + 1) | 0;
    return receiveMessageOnPort(this.#port)?.message as Posted;
  }

  #obey(order: Order, nowMs: number): void {
    switch (order[0]) {
      case 'load':
        this.#sounds.set(order[1], { ulaw: order[2], alaw: order[3] });
        return;
      case 'unload':
        this.#sounds.delete(order[1]);
        return;
      case 'open':
        this.#open(order[1], order[2], nowMs);
        return;
      case 'close':
        this.#close(order[1], nowMs);
        return;
      case 'end':
        this.#end(nowMs);
        return;
      case 'die':
        throw new Error('told to die');
      default: {
        const stream = this.#streams.get(order[1]);
        if (!stream || stream.isBroken) return;
        try {
          this.#command(stream, order, nowMs);
        } catch (error) {
          this.#break(stream, error);
        }
      }
    }
  }

  #command(
    stream: LiveStream,
    order: Exclude<Order, readonly ['load' | 'unload' | 'open' | 'close' | 'end' | 'die', ...unknown[]]>,
    nowMs: number,
  ): void {
    switch (order[0]) {
      case 'configure':
        stream.configure(order[2], nowMs);
        return;
      case 'play': {
        const sound = this.#sounds.get(order[3]);
        // A sound that is not there must still be heard to be missing.
        stream.play(order[2], sound ?? this.#tone('missing'), order[4]);
        return;
      }
      case 'play-tone':
        stream.play(order[2], this.#tone(order[3]), order[4]);
        return;
      case 'stop':
        stream.stop();
        return;
      case 'bridge': {
        const other = this.#streams.get(order[2]);
        if (other && other !== stream) stream.bridge(other);
        return;
      }
      case 'unbridge':
        stream.unbridge();
        return;
      case 'send-keys':
        stream.sendKeys(order[2]);
        return;
      case 'tap':
        stream.tap(order[2]);
        return;
      case 'record':
        stream.record(this.#recording(stream, order, nowMs));
        return;
      case 'stop-recording':
        stream.record(null);
        return;
      case 'listen-in':
        stream.listenIn(order[2] === null ? null : (this.#streams.get(order[2]) ?? null), order[3]);
        return;
    }
  }

  #recording(
    stream: LiveStream,
    order: Extract<Order, readonly ['record', ...unknown[]]>,
    nowMs: number,
  ): Recording {
    const [, , number, otherId, limits] = order;
    const other = otherId === null ? undefined : this.#streams.get(otherId);
    const sides = other ? [stream, other] : [stream];
    const tell = (event: WorkerEvent): void => this.#tell(event);
    return new Recording({ stream: stream.id, number, sides, limits, tell }, nowMs);
  }

  #open(id: number, pairIndex: number, nowMs: number): void {
    if (!this.#pool || !this.#studio) return;
    const pair = this.#pool.take(pairIndex);
    if (this.#streams.size === 0) {
      this.#wheel.restart(nowMs);
      // While nobody was served nobody read: early media of seconds would be handed over in one go.
      this.#sockets?.drain(pair.rtp);
      this.#sockets?.drain(pair.rtcp);
    }
    const slot = this.#wheel.emptiest(nowMs);
    const stream = new LiveStream(id, pair, slot, this.#studio, nowMs);
    this.#streams.set(id, stream);
    this.#rtp[pair.rtp] = stream;
    this.#rtcp[pair.rtcp] = stream;
    this.#wheel.add(slot, stream);
  }

  #close(id: number, nowMs: number): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#rtp[stream.pair.rtp] = undefined;
    this.#rtcp[stream.pair.rtcp] = undefined;
    this.#wheel.remove(stream.slot, stream);
    this.#pool?.giveBack(stream.pair, nowMs);
    this.#tell(['closed', id, figuresOf(stream.close(nowMs))]);
  }

  #end(nowMs: number): void {
    this.#hasEnded = true;
    for (const id of [...this.#streams.keys()]) this.#close(id, nowMs);
    this.#flush();
    this.#sockets?.stop();
    this.#port.close();
  }

  #receive(socket: number, offset: number, length: number, from: Endpoint, nowMs: number): boolean {
    const stream = this.#rtp[socket] ?? this.#rtcp[socket];
    if (!stream || stream.isBroken) return true;
    const before = stream.received;
    try {
      if (stream.pair.rtp === socket) stream.receive(offset, length, from, nowMs);
      else stream.receiveReport(offset, length, from, nowMs);
    } catch (error) {
      this.#break(stream, error);
    }
    return stream.received !== before;
  }

  #tick(stream: LiveStream, nowMs: number): void {
    if (stream.isBroken) return;
    try {
      stream.tick(nowMs);
    } catch (error) {
      this.#break(stream, error);
    }
  }

  #break(stream: LiveStream, error: unknown): void {
    stream.isBroken = true;
    this.#tell(['failed', stream.id, error instanceof Error ? error.message : String(error)]);
  }

  #tone(name: ToneName): Sound {
    let sound = this.#tones.get(name);
    if (!sound) {
      const ulaw = toneSound(name);
      sound = { ulaw, alaw: ulaw.map((sample) => ulawToAlaw[sample] ?? 0) };
      this.#tones.set(name, sound);
    }
    return sound;
  }

  #tell(event: WorkerEvent): void {
    if (event[0] === 'heard' || event[0] === 'recorded') {
      const waiting = (this.#heardSent - Atomics.load(this.#words, HEARD_TAKEN)) | 0;
      if (waiting > MAX_HEARD_WAITING) return;
      this.#heardSent = (this.#heardSent + 1) | 0;
    }
    this.#told.push(event);
    // With dgram no turn follows at once.
    if (this.#sockets?.adapter !== 'dgram' || this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  /** Nobody waits for figures, nor for ports as long as there are others: they wake the main thread only together. */
  #isWorthTelling(nowMs: number): boolean {
    if (this.#told.length === 0) return false;
    const canWait = this.#told.every(([what]) => what === 'ready' || what === 'closed');
    if (!canWait || (this.#pool?.readyCount ?? 0) - this.#told.length < ENOUGH) return true;
    this.#waitsSinceMs ??= nowMs;
    return nowMs - this.#waitsSinceMs >= PATIENCE_MS;
  }

  #flush(): void {
    this.#waitsSinceMs = null;
    if (this.#told.length === 0) return;
    this.#port.postMessage(this.#told);
    this.#told = [];
  }
}

async function openSockets(
  adapter: WorkerOptions['adapter'],
  options: SocketOptions,
): Promise<{ sockets: Sockets; fallback: string | null }> {
  if (adapter === 'dgram') return { sockets: await openDgram(options), fallback: null };
  try {
    return { sockets: await openSyscalls(options), fallback: null };
  } catch (error) {
    if (adapter === 'syscalls') throw error;
    const fallback = error instanceof Error ? error.message : String(error);
    return { sockets: await openDgram(options), fallback };
  }
}

if (parentPort) await new MediaWorker(parentPort, workerData as WorkerOptions).start();
