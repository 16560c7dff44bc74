// A conference as the main thread holds it: commands to the worker that mixes, and links to the workers of its other streams.
import { type EncodedAudio, encodeForAll } from '../codec.ts';
import type { ConferenceCommand, WorkerEvent } from '../commands/commands.ts';
import type { Conference, RecordingLimits, RecordingSink, Stream, ToneName } from '../media.ts';
import { allocateLink } from '../mixing/audio-link.ts';
import { EngineStream, type StreamOwner } from './engine-stream.ts';
import type { Thread } from './thread.ts';

export class EngineConference implements Conference {
  readonly thread: Thread;
  readonly #id: number;
  readonly #owner: StreamOwner;
  readonly #failed: (reason: string) => void;
  readonly #streams = new Set<EngineStream>();
  /** By the number of the recording; one that was replaced may still deliver. */
  readonly #sinks = new Map<number, RecordingSink>();
  #recordings = 0;
  #isOver = false;

  constructor(id: number, thread: Thread, owner: StreamOwner, failed: (reason: string) => void) {
    this.#id = id;
    this.thread = thread;
    this.#owner = owner;
    this.#failed = failed;
    this.#command({ do: 'open', conference: id });
  }

  join(stream: Stream): void {
    if (!(stream instanceof EngineStream)) throw new Error('Streams of two engines cannot be joined.');
    if (this.#isOver || this.#streams.has(stream) || !stream.enter(this)) return;
    this.#streams.add(stream);
    if (stream.thread === this.thread) {
      this.#command({ do: 'join', conference: this.#id, stream: stream.id });
      return;
    }
    const link = allocateLink();
    stream.thread.command(['conference', { do: 'link', stream: stream.id, link }]);
    this.#command({ do: 'join-linked', conference: this.#id, stream: stream.id, link });
  }

  leave(stream: Stream): void {
    if (!(stream instanceof EngineStream) || !this.#streams.delete(stream)) return;
    stream.left();
    if (stream.thread !== this.thread)
      stream.thread.command(['conference', { do: 'unlink', stream: stream.id }]);
    this.#command({ do: 'leave', conference: this.#id, stream: stream.id });
  }

  mute(stream: Stream, isMuted: boolean): void {
    if (stream instanceof EngineStream && this.#streams.has(stream))
      this.#command({ do: 'mute', conference: this.#id, stream: stream.id, isMuted });
  }

  announce(source: Parameters<Conference['announce']>[0]): void {
    this.#command({ do: 'announce', conference: this.#id, sound: this.#soundOf(source) });
  }

  #soundOf(source: Parameters<Conference['announce']>[0]): number | ToneName | EncodedAudio {
    if (source.kind === 'audio') return encodeForAll(source.audio);
    return source.kind === 'tone' ? source.tone : this.#owner.soundNumber(source.id);
  }

  record(limits: RecordingLimits, sink: RecordingSink): void {
    if (this.#isOver) {
      queueMicrotask(() => sink.ended('ended'));
      return;
    }
    const number = ++this.#recordings;
    this.#sinks.set(number, sink);
    this.#command({ do: 'record', conference: this.#id, number, limits });
  }

  stopRecording(): void {
    this.#command({ do: 'stop-recording', conference: this.#id });
  }

  close(): void {
    if (this.#isOver) return;
    for (const stream of [...this.#streams]) this.leave(stream);
    this.#command({ do: 'close', conference: this.#id });
    this.#isOver = true;
    // The end of a recording follows; without one nothing does.
    if (this.#sinks.size === 0) this.#owner.forget(this.#id);
  }

  take(event: WorkerEvent): void {
    if (event[0] === 'failed') this.#fail(event[2]);
    if (event[0] === 'record-ended') {
      const sink = this.#sinks.get(event[2]);
      this.#sinks.delete(event[2]);
      sink?.ended(event[3]);
      if (this.#isOver && this.#sinks.size === 0) this.#owner.forget(this.#id);
    }
    if (event[0] !== 'recorded') return;
    this.thread.audioTaken();
    const [, , number, { buffer, byteOffset, byteLength }, soundMs, soundEndMs] = event;
    this.#sinks.get(number)?.wrote(Buffer.from(buffer, byteOffset, byteLength), soundMs, soundEndMs);
  }

  /** Its worker ended: so have its streams there. */
  lost(): void {
    this.#isOver = true;
    for (const stream of [...this.#streams]) this.leave(stream);
    for (const sink of this.#sinks.values()) sink.ended('ended');
    this.#sinks.clear();
    this.#failed('The media worker ended.');
  }

  #fail(reason: string): void {
    if (!this.#isOver) this.#failed(reason);
  }

  #command(command: ConferenceCommand): void {
    if (!this.#isOver) this.thread.command(['conference', command]);
  }
}
