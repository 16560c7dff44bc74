// The thread that moves the packets of its share of the streams: it carries out commands, calls the wheel and reports events. A stream
// that throws an error is stopped alone.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Posted } from '../commands/command-ring.ts';
import {
  BOT,
  type Command,
  figuresOf,
  SHARED_WORDS,
  type WorkerEvent,
  type WorkerOptions,
} from '../commands/commands.ts';
import { Recording } from '../mixing/recording.ts';
import type { Endpoint } from '../sockets/endpoint.ts';
import { openSockets } from '../sockets/open-sockets.ts';
import { EVENT_DELAY_MS, PortPool } from '../sockets/port-pool.ts';
import { IDLE, type PacketHandler, type Sockets } from '../sockets/sockets.ts';
import { askForRealTime } from '../sockets/syscalls/priority.ts';
import { CommandInbox } from './command-inbox.ts';
import { Conferences } from './conferences.ts';
import { EventQueue } from './event-queue.ts';
import { Lateness } from './lateness.ts';
import { LiveStream } from './live-stream.ts';
import { LoadedAudio } from './loaded-audio.ts';
import type { StreamContext, Ticked } from './stream-context.ts';
import { Wheel } from './wheel.ts';

class MediaWorker {
  readonly #port: MessagePort;
  readonly #options: WorkerOptions;
  readonly #words: Int32Array;
  readonly #inbox: CommandInbox;
  readonly #events: EventQueue;
  readonly #audio = new LoadedAudio();
  readonly #streams = new Map<number, LiveStream>();
  /** By socket number. */
  readonly #rtp: (LiveStream | undefined)[] = [];
  readonly #rtcp: (LiveStream | undefined)[] = [];
  readonly #wheel = new Wheel<Ticked>(performance.now());
  readonly #conferences = new Conferences({
    audio: this.#audio,
    stream: (id) => this.#streams.get(id),
    everyFrame: (item) => this.#everyFrame(item),
    emit: (event) => this.#events.push(event),
  });
  readonly #lateness = new Lateness();
  /** When its next turn was due. */
  #promisedMs = Number.POSITIVE_INFINITY;
  #sockets: Sockets | undefined;
  #pool: PortPool | undefined;
  #context: StreamContext | undefined;
  /** Held back until the first ports are ready. */
  #started: WorkerEvent | null = null;
  #hasEnded = false;

  constructor(port: MessagePort, options: WorkerOptions) {
    this.#port = port;
    this.#options = options;
    this.#words = new Int32Array(options.shared, 0, SHARED_WORDS);
    this.#inbox = new CommandInbox(port, this.#words, options.ring);
    this.#events = new EventQueue(port, this.#words);
  }

  async start(): Promise<void> {
    const { host, adapter, rtpTimeoutMs, realTime, shared, ports } = this.#options;
    const handle: PacketHandler = (socket, offset, length, from, nowMs) =>
      this.#receive(socket, offset, length, from, nowMs);
    const held = new Int32Array(shared, SHARED_WORDS * 4);
    const { sockets, fallback } = await openSockets(adapter, { host, handle, commands: this.#words, held });
    const emit = (event: WorkerEvent): void => this.#events.push(event);
    this.#sockets = sockets;
    this.#events.flushesItself = sockets.adapter === 'dgram';
    const visitOften = (item: Ticked): (() => void) => this.#wheel.addOften(item);
    const lateness = this.#lateness;
    this.#context = {
      sockets,
      rtpTimeoutMs,
      lateness,
      cname: randomUUID(),
      bridges: 0,
      emit,
      visitOften,
    };
    this.#pool = new PortPool(sockets, ports, ({ index, port }) => emit(['ready', index, port]));
    this.#started = ['started', sockets.adapter, fallback];
    const warning = realTime ? await askForRealTime() : null;
    if (warning !== null) emit(['warning', warning]);
    if (sockets.adapter === 'dgram')
      this.#port.on('message', ({ commands }: Posted) => {
        const nowMs = performance.now();
        for (const command of commands) this.#execute(command, nowMs);
        sockets.wake();
      });
    const execute = (command: Command, nowMs: number): void => this.#execute(command, nowMs);
    sockets.run(() => {
      if (sockets.adapter === 'syscalls') this.#inbox.take(execute);
      return this.#turn(sockets);
    });
  }

  #turn(sockets: Sockets): number {
    if (this.#hasEnded) return IDLE;
    const nowMs = performance.now();
    this.#lateness.note(nowMs - this.#promisedMs, nowMs);
    this.#wheel.turn(nowMs, (item) => this.#tick(item, nowMs));
    const tendMs = this.#pool?.tend(nowMs) ?? IDLE;
    if (tendMs > 1 && this.#started) {
      this.#events.push(this.#started);
      this.#started = null;
    }
    this.#events.flushIfUrgent(nowMs, this.#pool?.readyCount ?? 0);
    this.#promisedMs = Number.POSITIVE_INFINITY;
    if (this.#isIdle)
      return tendMs === IDLE && this.#events.isEmpty ? IDLE : -Math.min(tendMs, EVENT_DELAY_MS);
    const nextMs = sockets.isBusy ? this.#readMs : Math.min(this.#wheel.nextVisitMs, nowMs + tendMs);
    this.#promisedMs = nextMs;
    return Math.max(0, nextMs - performance.now());
  }

  get #isIdle(): boolean {
    return this.#streams.size === 0 && this.#conferences.isEmpty;
  }

  #everyFrame(item: Ticked): () => void {
    const nowMs = performance.now();
    if (this.#isIdle) this.#wheel.restart(nowMs);
    const slot = this.#wheel.emptiest(nowMs);
    this.#wheel.add(slot, item);
    return () => this.#wheel.remove(slot, item);
  }

  /** Under load, when received packets are read next: those of a bridge wait for a millisecond, others for a group of slots. */
  get #readMs(): number {
    return this.#context?.bridges ? this.#wheel.dueMs : this.#wheel.groupDueMs;
  }

  #execute(command: Command, nowMs: number): void {
    switch (command[0]) {
      case 'load':
        this.#audio.load(command[1], command[2]);
        return;
      case 'unload':
        this.#audio.unload(command[1]);
        return;
      case 'conference':
        this.#conferences.execute(command[1], nowMs);
        return;
      case 'open':
        this.#open(command[1], command[2], nowMs);
        return;
      case 'close':
        this.#close(command[1], nowMs);
        return;
      case 'end':
        this.#end(nowMs);
        return;
      case 'die':
        throw new Error('ordered to fail by a test');
      default: {
        const stream = this.#streams.get(command[1]);
        if (!stream || stream.isBroken) return;
        try {
          this.#executeFor(stream, command, nowMs);
        } catch (error) {
          this.#break(stream, error);
        }
      }
    }
  }

  #executeFor(
    stream: LiveStream,
    command: Exclude<
      Command,
      readonly ['load' | 'unload' | 'conference' | 'open' | 'close' | 'end' | 'die', ...unknown[]]
    >,
    nowMs: number,
  ): void {
    switch (command[0]) {
      case 'configure':
        stream.configure(command[2], nowMs);
        return;
      case 'play':
        stream.play(command[2], this.#audio.sound(command[3]), command[4]);
        return;
      case 'play-tone':
        stream.play(command[2], this.#audio.tone(command[3]), command[4], command[3] === 'ringback');
        return;
      case 'stop':
        stream.stop();
        return;
      case 'background':
        stream.playBackground(command[2] === null ? null : this.#audio.sound(command[2]));
        return;
      case 'background-tone':
        stream.playBackground(this.#audio.tone(command[2]));
        return;
      case 'bridge': {
        const other = this.#streams.get(command[2]);
        if (other && other !== stream) stream.bridge(other);
        return;
      }
      case 'unbridge':
        stream.unbridge();
        return;
      case 'bot':
        if (command[2]) stream.linkBot(command[2], nowMs);
        else stream.unlinkBot();
        return;
      case 'send-keys':
        stream.sendKeys(command[2]);
        return;
      case 'tap':
        stream.tap(command[2]);
        return;
      case 'record':
        stream.record(this.#recording(stream, command, nowMs));
        return;
      case 'stop-recording':
        stream.record(null);
        return;
      case 'listen-in':
        stream.listenIn(command[2] === null ? null : (this.#streams.get(command[2]) ?? null), command[3]);
        return;
    }
  }

  #recording(
    stream: LiveStream,
    command: Extract<Command, readonly ['record', ...unknown[]]>,
    nowMs: number,
  ): Recording {
    const [, , number, otherId, limits] = command;
    const other = otherId === BOT ? stream.bot : otherId === null ? null : this.#streams.get(otherId);
    const sides = other ? [stream, other] : [stream];
    const emit = (event: WorkerEvent): void => this.#events.push(event);
    return new Recording({ stream: stream.id, number, sides, limits, emit }, nowMs);
  }

  #open(id: number, pairIndex: number, nowMs: number): void {
    if (!this.#pool || !this.#context) return;
    const pair = this.#pool.take(pairIndex);
    if (this.#isIdle) this.#wheel.restart(nowMs);
    if (this.#streams.size === 0) {
      // Without streams the worker does not read: early media of several seconds would be delivered at once.
      this.#sockets?.drain(pair.rtp);
      this.#sockets?.drain(pair.rtcp);
    }
    const slot = this.#wheel.emptiest(nowMs);
    const stream = new LiveStream(id, pair, slot, this.#context, nowMs);
    this.#streams.set(id, stream);
    this.#rtp[pair.rtp] = stream;
    this.#rtcp[pair.rtcp] = stream;
    this.#wheel.add(slot, stream);
  }

  #close(id: number, nowMs: number): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#conferences.forget(stream);
    this.#rtp[stream.pair.rtp] = undefined;
    this.#rtcp[stream.pair.rtcp] = undefined;
    this.#wheel.remove(stream.slot, stream);
    this.#pool?.giveBack(stream.pair, nowMs);
    this.#events.push(['closed', id, figuresOf(stream.close(nowMs))]);
  }

  #end(nowMs: number): void {
    this.#hasEnded = true;
    for (const id of [...this.#streams.keys()]) this.#close(id, nowMs);
    this.#events.flush();
    this.#sockets?.stop();
    this.#port.close();
  }

  /** Whether the packet was wanted, as PacketHandler says. */
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

  #tick(item: Ticked, nowMs: number): void {
    if (item.isBroken) return;
    try {
      item.tick(nowMs);
    } catch (error) {
      this.#break(item, error);
    }
  }

  #break(item: Ticked, error: unknown): void {
    item.isBroken = true;
    this.#events.push(['failed', item.id, error instanceof Error ? error.message : String(error)]);
  }
}

if (parentPort) await new MediaWorker(parentPort, workerData as WorkerOptions).start();
