// The media engine of the main thread: it spreads streams over worker threads, orders by message and passes on what they tell.
// Ports are known ahead, so a stream opens without waiting.

import { ulawToAlaw } from '../audio/g711.ts';
import type {
  ListenMode,
  MediaConfig,
  MediaEngine,
  RecordingLimits,
  RecordingSink,
  SoundSource,
  Stream,
  StreamEvents,
  StreamSettings,
  StreamStatistics,
} from '../media.ts';
import { agreedOf } from '../orders/agreed.ts';
import { type Order, statisticsOf, type WorkerEvent } from '../orders/orders.ts';
import { type Place, startThread, type Thread } from './thread.ts';

const NO_STATISTICS: StreamStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  remoteLost: null,
  remoteJitterMs: null,
  roundTripMs: null,
  strangers: 0,
  oneWay: false,
};

export async function openMedia(config: MediaConfig): Promise<MediaEngine> {
  const engine = new Engine(config);
  await engine.start();
  return engine;
}

/** For the test that a dead worker is replaced. */
export function killWorker(engine: MediaEngine): void {
  if (engine instanceof Engine) engine.killWorker();
}

/** Workers know it by its number, which is new for each load. */
interface LoadedSound {
  readonly number: number;
  readonly ulaw: Uint8Array;
  readonly alaw: Uint8Array;
}

/** No sound has it. */
const MISSING = 0;
/** Numbers of streams begin again after this, so that they stay within a word. */
const MAX_ID = 0x7fff_ffff;

class Engine implements MediaEngine {
  readonly capacity: number;
  readonly #config: MediaConfig;
  readonly #threads: Thread[] = [];
  readonly #streams = new Map<number, EngineStream>();
  readonly #sounds = new Map<string, LoadedSound>();
  #loads = 0;
  #nextId = 1;
  #adapter = '';
  #fallback: string | null = null;

  constructor(config: MediaConfig) {
    this.#config = config;
    this.capacity = pairsOf(config.ports);
  }

  get adapter(): string {
    return this.#adapter;
  }

  get fallback(): string | null {
    return this.#fallback;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  async start(): Promise<void> {
    const shares = divide(this.#config.ports, this.#config.workers);
    const started = shares.map((ports, index) =>
      startThread({
        config: this.#config,
        ports,
        told: (event) => this.#take(event),
        started: (adapter, fallback, thread) => {
          this.#adapter = adapter;
          this.#fallback = fallback;
          for (const { number, ulaw, alaw } of this.#sounds.values())
            thread.order(['load', number, ulaw, alaw]);
        },
        died: (reason) => this.#lose(index, reason),
      }),
    );
    const outcomes = await Promise.allSettled(started);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') this.#threads.push(outcome.value);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!failure) return;
    await this.close();
    throw failure.reason;
  }

  open(events: StreamEvents, near?: Stream): Stream | null {
    const thread = near instanceof EngineStream ? near.thread : this.#leastBusy();
    const place = thread?.takePort();
    if (!thread || !place) return null;
    const id = this.#nextId;
    this.#nextId = (id % MAX_ID) + 1;
    const stream = new EngineStream(id, place, thread, events, this);
    this.#streams.set(id, stream);
    return stream;
  }

  loadSound(id: string, ulaw: Buffer): void {
    // Shared, so that a sound stands in memory once, however many workers play it.
    const second = Math.ceil(ulaw.length / 4) * 4;
    const both = new Uint8Array(new SharedArrayBuffer(second + ulaw.length));
    both.set(ulaw);
    for (let at = 0; at < ulaw.length; at++) both[second + at] = ulawToAlaw[ulaw[at] ?? 0] ?? 0;
    this.unloadSound(id);
    const sound = {
      number: ++this.#loads,
      ulaw: both.subarray(0, ulaw.length),
      alaw: both.subarray(second),
    };
    this.#sounds.set(id, sound);
    for (const thread of this.#threads) thread.order(['load', sound.number, sound.ulaw, sound.alaw]);
  }

  unloadSound(id: string): void {
    const sound = this.#sounds.get(id);
    if (!sound) return;
    this.#sounds.delete(id);
    for (const thread of this.#threads) thread.order(['unload', sound.number]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
    for (const stream of this.#streams.values()) stream.ended(NO_STATISTICS);
    this.#streams.clear();
  }

  soundNumber(id: string): number {
    return this.#sounds.get(id)?.number ?? MISSING;
  }

  /** A stream of which the worker never heard is closed. */
  forget(id: number): void {
    this.#streams.delete(id);
  }

  killWorker(): void {
    this.#threads[0]?.order(['die']);
  }

  #leastBusy(): Thread | undefined {
    let best: Thread | undefined;
    for (const thread of this.#threads)
      if (thread.readyPorts > 0 && (!best || thread.openStreams < best.openStreams)) best = thread;
    return best;
  }

  #take(event: WorkerEvent): void {
    if (event[0] === 'started' || event[0] === 'ready') return;
    if (event[0] === 'complaint') {
      this.#config.onComplaint?.(event[1]);
      return;
    }
    const stream = this.#streams.get(event[1]);
    if (!stream) return;
    if (event[0] === 'closed') {
      this.#streams.delete(event[1]);
      stream.ended(statisticsOf(event[2]));
    } else stream.take(event);
  }

  #lose(index: number, reason: string): void {
    const thread = this.#threads[index];
    this.#config.onFailure?.(`A media worker ended and is started again: ${reason}`);
    for (const [id, stream] of this.#streams) {
      if (stream.thread !== thread) continue;
      this.#streams.delete(id);
      stream.lost();
    }
  }
}

/**
 * A stream as its owner sees it: every method is an order to the worker. The worker hears of it with the first of them, since
 * nothing happens before; a call that is refused costs no message.
 */
class EngineStream implements Stream {
  readonly thread: Thread;
  readonly #id: number;
  readonly #place: Place;
  readonly #events: StreamEvents;
  readonly #engine: Engine;
  #heard: ((audio: Buffer) => void) | null = null;
  /** By the number of the recording; one that was replaced may still have something to say. */
  #tapes: Map<number, RecordingSink> | null = null;
  #recordings = 0;
  #closing: Promise<StreamStatistics> | null = null;
  #close: ((statistics: StreamStatistics) => void) | null = null;
  #isOpen = false;
  #isOver = false;

  constructor(id: number, place: Place, thread: Thread, events: StreamEvents, engine: Engine) {
    this.#id = id;
    this.#place = place;
    this.thread = thread;
    this.#events = events;
    this.#engine = engine;
  }

  get port(): number {
    return this.#place.port;
  }

  configure(settings: StreamSettings): void {
    this.#order(['configure', this.#id, agreedOf(settings)]);
  }

  play(playback: number, source: SoundSource, loop = false): void {
    if (source.kind === 'sound')
      this.#order(['play', this.#id, playback, this.#engine.soundNumber(source.id), loop]);
    else this.#order(['play-tone', this.#id, playback, source.tone, loop]);
  }

  stop(): void {
    if (this.#isOpen) this.#order(['stop', this.#id]);
  }

  bridge(other: Stream): void {
    this.#order(['bridge', this.#id, this.#near(other)]);
  }

  unbridge(): void {
    if (this.#isOpen) this.#order(['unbridge', this.#id]);
  }

  sendKeys(keys: string): void {
    this.#order(['send-keys', this.#id, keys]);
  }

  tap(heard: ((audio: Buffer) => void) | null): void {
    this.#heard = heard;
    this.#order(['tap', this.#id, heard !== null]);
  }

  record(limits: RecordingLimits, tape: RecordingSink, other?: Stream): void {
    if (this.#closing || this.#isOver) {
      queueMicrotask(() => tape.ended('ended'));
      return;
    }
    const theirs = other === undefined ? null : this.#near(other);
    const number = ++this.#recordings;
    this.#tapes ??= new Map();
    this.#tapes.set(number, tape);
    this.#order(['record', this.#id, number, theirs, limits]);
  }

  stopRecording(): void {
    if (this.#tapes) this.#order(['stop-recording', this.#id]);
  }

  listenIn(target: Stream | null, mode: ListenMode = 'monitor'): void {
    this.#order(['listen-in', this.#id, target === null ? null : this.#near(target), mode]);
  }

  /** The id of a stream of the same worker, which hears of it now if it has not yet. */
  #near(other: Stream): number {
    if (!(other instanceof EngineStream) || other.thread !== this.thread)
      throw new Error('only streams that were opened near each other can be joined');
    other.#open();
    return other.#id;
  }

  close(): Promise<StreamStatistics> {
    this.#closing ??= this.#isOpen ? this.#closeOpen() : this.#closeUnopened();
    return this.#closing;
  }

  #closeOpen(): Promise<StreamStatistics> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve(NO_STATISTICS);
      this.#close = resolve;
      this.thread.order(['close', this.#id]);
    });
  }

  #closeUnopened(): Promise<StreamStatistics> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.thread.returnPort(this.#place);
      this.#engine.forget(this.#id);
    }
    return Promise.resolve(NO_STATISTICS);
  }

  #open(): void {
    if (this.#isOpen || this.#closing || this.#isOver) return;
    this.#isOpen = true;
    this.thread.order(['open', this.#id, this.#place.pair]);
  }

  take(
    event: Exclude<WorkerEvent, readonly ['started' | 'complaint' | 'ready' | 'closed', ...unknown[]]>,
  ): void {
    if (event[0] === 'heard') {
      this.thread.heardTaken();
      const [, , { buffer, byteOffset, byteLength }] = event;
      if (!this.#closing) this.#heard?.(Buffer.from(buffer, byteOffset, byteLength));
      return;
    }
    if (event[0] === 'recorded' || event[0] === 'record-ended') {
      this.#takeRecorded(event);
      return;
    }
    if (this.#closing) return;
    if (event[0] === 'key') this.#events.keyPressed(event[2], event[3]);
    else if (event[0] === 'played') this.#events.played(event[2]);
    else if (event[0] === 'silent') this.#events.silent();
    else if (event[0] === 'one-way') this.#events.oneWay();
    else this.#events.failed?.(event[2]);
  }

  /** Also while it closes: the end of a message is part of it. */
  #takeRecorded(event: Extract<WorkerEvent, readonly ['recorded' | 'record-ended', ...unknown[]]>): void {
    const tape = this.#tapes?.get(event[2]);
    if (event[0] === 'record-ended') {
      this.#tapes?.delete(event[2]);
      tape?.ended(event[3]);
      return;
    }
    this.thread.heardTaken();
    const [, , , { buffer, byteOffset, byteLength }, soundMs, soundEndMs] = event;
    tape?.wrote(Buffer.from(buffer, byteOffset, byteLength), soundMs, soundEndMs);
  }

  ended(statistics: StreamStatistics): void {
    this.#isOver = true;
    for (const tape of this.#tapes?.values() ?? []) tape.ended('ended');
    this.#tapes = null;
    this.#close?.(statistics);
  }

  /** Its worker is dead. */
  lost(): void {
    this.ended(NO_STATISTICS);
    if (!this.#closing) this.#events.failed?.('The media worker ended.');
  }

  #order(order: Order): void {
    if (this.#closing || this.#isOver) return;
    this.#open();
    this.thread.order(order);
  }
}

const even = (port: number): number => port + (port % 2);

const pairsOf = ({ from, to }: MediaConfig['ports']): number =>
  Math.max(0, Math.floor((to - even(from) + 1) / 2));

/** The range in parts of whole pairs, one for each worker. */
function divide(ports: MediaConfig['ports'], workers: number): MediaConfig['ports'][] {
  const pairs = pairsOf(ports);
  const count = Math.max(1, Math.min(workers, pairs));
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * pairs) / count);
    const next = Math.floor(((index + 1) * pairs) / count);
    return { from: even(ports.from) + first * 2, to: even(ports.from) + next * 2 - 1 };
  });
}
