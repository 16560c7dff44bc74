// The media engine of the main thread: it distributes streams over worker threads, sends them commands and dispatches their events.
// Ports are bound ahead of need, so a stream opens without waiting.

import { type EncodedAudio, encodeForAll } from '../codec.ts';
import { statisticsOf, type WorkerEvent } from '../commands/commands.ts';
import type { Conference, MediaConfig, MediaEngine, Stream, StreamEvents } from '../media.ts';
import { EngineConference } from './engine-conference.ts';
import { EngineStream, NO_STATISTICS, type StreamOwner } from './engine-stream.ts';
import { divide } from './port-range.ts';
import { startThread, type Thread } from './thread.ts';

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
  readonly audio: EncodedAudio;
}

/** The number of no sound. */
const MISSING = 0;
/** Stream ids start again after this: they fit into a 32-bit word of the command ring. */
const MAX_ID = 0x7fff_ffff;

class Engine implements MediaEngine, StreamOwner {
  readonly #config: MediaConfig;
  readonly #threads: Thread[] = [];
  readonly #streams = new Map<number, EngineStream>();
  readonly #conferences = new Map<number, EngineConference>();
  readonly #sounds = new Map<string, LoadedSound>();
  /** RTP ports that a worker has bound. */
  readonly #ports = new Set<number>();
  #loads = 0;
  #nextId = 1;
  #adapter = '';
  #fallback: string | null = null;

  constructor(config: MediaConfig) {
    this.#config = config;
  }

  get adapter(): string {
    return this.#adapter;
  }

  get fallback(): string | null {
    return this.#fallback;
  }

  get readyPairs(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.readyPairs, 0);
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  ownsPort(port: number): boolean {
    return this.#ports.has(port & ~1);
  }

  async start(): Promise<void> {
    const shares = divide(this.#config.ports, this.#config.workers);
    const started = shares.map((ports, index) =>
      startThread({
        config: this.#config,
        ports,
        received: (event) => this.#dispatch(event),
        started: (adapter, fallback, thread) => {
          this.#adapter = adapter;
          this.#fallback = fallback;
          for (const { number, audio } of this.#sounds.values()) thread.command(['load', number, audio]);
        },
        bound: (port) => this.#ports.add(port),
        died: (reason) => this.#lose(index, reason),
        failed: (error) => this.#config.onFailure?.(`Handling a media event failed: ${String(error)}`),
      }),
    );
    const outcomes = await Promise.allSettled(started);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') this.#threads.push(outcome.value);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!failure) return;
    await this.close();
    throw failure.reason;
  }

  open(events: StreamEvents, near?: Stream): EngineStream | null {
    const thread = near instanceof EngineStream ? near.thread : this.#leastBusy();
    const pair = thread?.takePair();
    if (!thread || !pair) return null;
    const id = this.#newId();
    const stream = new EngineStream(id, pair, thread, events, this);
    this.#streams.set(id, stream);
    return stream;
  }

  openConference(near: Stream, failed: (reason: string) => void): Conference {
    if (!(near instanceof EngineStream)) throw new Error('The stream is of another engine.');
    const id = this.#newId();
    const conference = new EngineConference(id, near.thread, this, failed);
    this.#conferences.set(id, conference);
    return conference;
  }

  #newId(): number {
    const id = this.#nextId;
    this.#nextId = (id % MAX_ID) + 1;
    return id;
  }

  loadSound(id: string, ulaw: Buffer): void {
    this.unloadSound(id);
    const sound = { number: ++this.#loads, audio: encodeForAll(ulaw) };
    this.#sounds.set(id, sound);
    for (const thread of this.#threads) thread.command(['load', sound.number, sound.audio]);
  }

  unloadSound(id: string): void {
    const sound = this.#sounds.get(id);
    if (!sound) return;
    this.#sounds.delete(id);
    for (const thread of this.#threads) thread.command(['unload', sound.number]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
    for (const stream of this.#streams.values()) stream.ended(NO_STATISTICS);
    this.#streams.clear();
  }

  get loopback(): string {
    const { host } = this.#config;
    return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  }

  soundNumber(id: string): number {
    return this.#sounds.get(id)?.number ?? MISSING;
  }

  forget(id: number): void {
    this.#streams.delete(id);
    this.#conferences.delete(id);
  }

  killWorker(): void {
    this.#threads[0]?.command(['die']);
  }

  #leastBusy(): Thread | undefined {
    let best: Thread | undefined;
    for (const thread of this.#threads)
      if (thread.readyPairs > 0 && (!best || thread.openStreams < best.openStreams)) best = thread;
    return best;
  }

  #dispatch(event: WorkerEvent): void {
    if (event[0] === 'started' || event[0] === 'ready') return;
    if (event[0] === 'warning') {
      this.#config.onWarning?.(event[1]);
      return;
    }
    const stream = this.#streams.get(event[1]);
    if (!stream) this.#conferences.get(event[1])?.take(event);
    if (!stream) return;
    if (event[0] === 'closed') {
      this.#streams.delete(event[1]);
      stream.ended(statisticsOf(event[2]));
    } else stream.take(event);
  }

  #lose(index: number, reason: string): void {
    const thread = this.#threads[index];
    this.#config.onFailure?.(`A media worker ended and is restarted: ${reason}`);
    for (const [id, stream] of this.#streams) {
      if (stream.thread !== thread) continue;
      this.#streams.delete(id);
      stream.lost();
    }
    for (const [id, conference] of this.#conferences) {
      if (conference.thread !== thread) continue;
      this.#conferences.delete(id);
      conference.lost();
    }
  }
}
