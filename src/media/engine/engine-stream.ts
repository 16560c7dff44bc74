// A stream as its owner sees it: every method is a command to the worker. The worker opens it with the first command, so that a call
// that is refused costs no message.

import { agreedOf } from '../commands/agreed.ts';
import { BOT, type Command, type WorkerEvent } from '../commands/commands.ts';
import type {
  Conference,
  ListenMode,
  RecordingLimits,
  RecordingSink,
  SoundSource,
  Stream,
  StreamEvents,
  StreamSettings,
  StreamStatistics,
} from '../media.ts';
import type { ReadyPair, Thread } from './thread.ts';
import { type RelayOwner, WorkerRelay, type WorkerStream } from './worker-relay.ts';

export const NO_STATISTICS: StreamStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  bufferMs: 0,
  packetsLate: 0,
  remoteLost: null,
  remoteJitterMs: null,
  roundTripMs: null,
  strangers: 0,
  oneWay: false,
};

export interface StreamOwner extends RelayOwner<EngineStream> {
  soundNumber(id: string): number;
  /** A stream that was never opened in the worker is closed. */
  forget(id: number): void;
}

export class EngineStream implements WorkerStream {
  readonly thread: Thread;
  readonly id: number;
  readonly #pair: ReadyPair;
  readonly #events: StreamEvents;
  readonly #owner: StreamOwner;
  #tapped: ((audio: Buffer) => void) | null = null;
  /** By the number of the recording; one that was replaced may still deliver. */
  #sinks: Map<number, RecordingSink> | null = null;
  #recordings = 0;
  #closing: Promise<StreamStatistics> | null = null;
  #close: ((statistics: StreamStatistics) => void) | null = null;
  /** What it takes part in. */
  #conference: Conference | null = null;
  /** The relay of a bridge to a stream of another worker. */
  #relay: WorkerRelay<EngineStream> | null = null;
  #settings: StreamSettings | null = null;
  #isOpen = false;
  #isOver = false;

  constructor(id: number, pair: ReadyPair, thread: Thread, events: StreamEvents, owner: StreamOwner) {
    this.id = id;
    this.#pair = pair;
    this.thread = thread;
    this.#events = events;
    this.#owner = owner;
  }

  get port(): number {
    return this.#pair.port;
  }

  get settings(): StreamSettings | null {
    return this.#settings;
  }

  configure(settings: StreamSettings): void {
    this.#settings = settings;
    this.#command(['configure', this.id, agreedOf(settings)]);
    this.#relay?.follow();
  }

  play(playback: number, source: SoundSource, loop = false): void {
    if (source.kind === 'sound')
      this.#command(['play', this.id, playback, this.#owner.soundNumber(source.id), loop]);
    else this.#command(['play-tone', this.id, playback, source.tone, loop]);
  }

  stop(): void {
    if (this.#isOpen) this.#command(['stop', this.id]);
  }

  playBackground(source: SoundSource | null): void {
    if (source === null) {
      if (this.#isOpen) this.#command(['background', this.id, null]);
    } else if (source.kind === 'sound')
      this.#command(['background', this.id, this.#owner.soundNumber(source.id)]);
    else this.#command(['background-tone', this.id, source.tone]);
  }

  bridge(other: Stream): void {
    this.#endRelay();
    if (!(other instanceof EngineStream)) return;
    other.#endRelay();
    if (other.thread === this.thread) {
      this.joinNear(other);
      return;
    }
    const relay = WorkerRelay.open(this.#owner, this, other);
    if (!relay) this.#events.failed?.('No port is free to connect streams of two media workers.');
    this.#relay = relay;
    other.#relay = relay;
  }

  joinNear(other: EngineStream): void {
    this.#command(['bridge', this.id, this.#near(other)]);
  }

  #endRelay(): void {
    const relay = this.#relay;
    if (!relay) return;
    for (const side of relay.sides) side.#relay = null;
    relay.end();
  }

  unbridge(): void {
    this.#endRelay();
    if (this.#isOpen) this.#command(['unbridge', this.id]);
  }

  linkBot(ring: SharedArrayBuffer | null): void {
    if (ring) this.#endRelay();
    if (ring || this.#isOpen) this.#command(['bot', this.id, ring]);
  }

  sendKeys(keys: string): void {
    this.#command(['send-keys', this.id, keys]);
  }

  tap(deliver: ((audio: Buffer) => void) | null): void {
    this.#tapped = deliver;
    this.#command(['tap', this.id, deliver !== null]);
  }

  record(limits: RecordingLimits, sink: RecordingSink, other?: Stream | 'bot'): void {
    if (this.#closing || this.#isOver) {
      queueMicrotask(() => sink.ended('ended'));
      return;
    }
    const theirs = other === undefined ? null : other === 'bot' ? BOT : this.#near(other);
    const number = ++this.#recordings;
    this.#sinks ??= new Map();
    this.#sinks.set(number, sink);
    this.#command(['record', this.id, number, theirs, limits]);
  }

  stopRecording(): void {
    if (this.#sinks) this.#command(['stop-recording', this.id]);
  }

  listenIn(target: Stream | null, mode: ListenMode = 'monitor'): void {
    const near = target === null ? null : this.#standIn(target);
    if (target !== null && !near)
      this.#events.failed?.('The streams to hear are in another media worker now.');
    else this.#command(['listen-in', this.id, near && this.#near(near), mode]);
  }

  /** It takes part in the conference from now on, and in no other. False: it is closed. */
  enter(conference: Conference): boolean {
    this.#endRelay();
    this.#conference?.leave(this);
    if (this.#closing || this.#isOver) return false;
    this.#open();
    this.#conference = conference;
    return true;
  }

  left(): void {
    this.#conference = null;
  }

  /** The id of a stream of the same worker, or of what stands for it there. It is opened there now if it is not yet. */
  #near(other: Stream): number {
    const near = this.#standIn(other);
    if (!near)
      throw new Error('only streams that were opened near each other, or are bridged, can be joined');
    near.#open();
    return near.id;
  }

  #standIn(other: Stream): EngineStream | null {
    if (!(other instanceof EngineStream)) return null;
    return other.thread === this.thread ? other : (other.#relay?.standIn(other, this.thread) ?? null);
  }

  close(): Promise<StreamStatistics> {
    this.#endRelay();
    this.#conference?.leave(this);
    this.#closing ??= this.#isOpen ? this.#closeOpen() : this.#closeUnopened();
    return this.#closing;
  }

  #closeOpen(): Promise<StreamStatistics> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve(NO_STATISTICS);
      this.#close = resolve;
      this.thread.command(['close', this.id]);
    });
  }

  #closeUnopened(): Promise<StreamStatistics> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.thread.returnPair(this.#pair);
      this.#owner.forget(this.id);
    }
    return Promise.resolve(NO_STATISTICS);
  }

  #open(): void {
    if (this.#isOpen || this.#closing || this.#isOver) return;
    this.#isOpen = true;
    this.thread.command(['open', this.id, this.#pair.index]);
  }

  take(
    event: Exclude<WorkerEvent, readonly ['started' | 'warning' | 'ready' | 'closed', ...unknown[]]>,
  ): void {
    if (event[0] === 'heard') {
      this.thread.audioTaken();
      const [, , { buffer, byteOffset, byteLength }] = event;
      if (!this.#closing) this.#tapped?.(Buffer.from(buffer, byteOffset, byteLength));
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
    else if (event[0] === 'one-way') this.#events.oneWay(event[2]);
    else this.#events.failed?.(event[2]);
  }

  /** Also while the stream closes: the end of a recording belongs to it. */
  #takeRecorded(event: Extract<WorkerEvent, readonly ['recorded' | 'record-ended', ...unknown[]]>): void {
    const sink = this.#sinks?.get(event[2]);
    if (event[0] === 'record-ended') {
      this.#sinks?.delete(event[2]);
      sink?.ended(event[3]);
      return;
    }
    this.thread.audioTaken();
    const [, , , { buffer, byteOffset, byteLength }, soundMs, soundEndMs] = event;
    sink?.wrote(Buffer.from(buffer, byteOffset, byteLength), soundMs, soundEndMs);
  }

  ended(statistics: StreamStatistics): void {
    this.#endRelay();
    this.#conference?.leave(this);
    this.#isOver = true;
    for (const sink of this.#sinks?.values() ?? []) sink.ended('ended');
    this.#sinks = null;
    this.#close?.(statistics);
  }

  lost(): void {
    this.ended(NO_STATISTICS);
    if (!this.#closing) this.#events.failed?.('The media worker ended.');
  }

  #command(command: Command): void {
    if (this.#closing || this.#isOver) return;
    this.#open();
    this.thread.command(command);
  }
}
