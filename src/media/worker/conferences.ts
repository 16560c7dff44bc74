// The conferences of one worker: those that mix here, and streams of this worker that take part in one of another worker.
import { type EncodedAudio, PCMU } from '../codec.ts';
import type { ConferenceCommand, WorkerEvent } from '../commands/commands.ts';
import { type FrameRing, linkDown, linkUp } from '../mixing/audio-link.ts';
import { Conference, type MixedFrame, type Seat } from '../mixing/conference.ts';
import { JitterBuffer } from '../mixing/jitter-buffer.ts';
import { Recording } from '../mixing/recording.ts';
import type { LiveStream } from './live-stream.ts';
import type { LoadedAudio } from './loaded-audio.ts';
import type { Ticked } from './stream-context.ts';

export interface ConferenceHost {
  readonly audio: LoadedAudio;
  stream(id: number): LiveStream | undefined;
  /** Called until the returned function is. */
  everyFrame(item: Ticked): () => void;
  emit(event: WorkerEvent): void;
}

interface Held {
  readonly conference: Conference;
  readonly stop: () => void;
}

export class Conferences {
  readonly #host: ConferenceHost;
  readonly #held = new Map<number, Held>();
  /** By the id of their stream: those that mix in another worker. */
  readonly #links = new Map<number, LinkedStream>();

  constructor(host: ConferenceHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  execute(command: ConferenceCommand, nowMs: number): void {
    switch (command.do) {
      case 'open': {
        const conference = new Conference(command.conference);
        this.#held.set(command.conference, { conference, stop: this.#host.everyFrame(conference) });
        return;
      }
      case 'link':
        this.#link(command.stream, command.link);
        return;
      case 'unlink':
        this.#unlink(command.stream);
        return;
      default: {
        const held = this.#held.get(command.conference);
        // One that failed is silent until it is closed.
        if (held && (command.do === 'close' || !held.conference.isBroken)) this.#change(held, command, nowMs);
      }
    }
  }

  /** A stream of this worker is closed. */
  forget(stream: LiveStream): void {
    this.#unlink(stream.id);
    stream.seat?.();
  }

  #change(
    held: Held,
    command: Exclude<ConferenceCommand, { readonly do: 'open' | 'link' | 'unlink' }>,
    nowMs: number,
  ): void {
    const { conference } = held;
    switch (command.do) {
      case 'join': {
        const stream = this.#host.stream(command.stream);
        if (stream)
          conference.join(
            stream.id,
            seatOf(stream, () => conference.leave(stream.id)),
          );
        return;
      }
      case 'join-linked':
        conference.join(command.stream, linkedSeat(command.link));
        return;
      case 'leave':
        conference.leave(command.stream);
        return;
      case 'mute':
        conference.mute(command.stream, command.isMuted);
        return;
      case 'announce':
        conference.announce(this.#audioOf(command.sound));
        return;
      case 'record':
        conference.record(this.#recording(conference, command, nowMs));
        return;
      case 'stop-recording':
        conference.record(null);
        return;
      case 'close':
        this.#held.delete(command.conference);
        held.stop();
        conference.close();
        return;
      default:
        command satisfies never;
    }
  }

  #audioOf(sound: Extract<ConferenceCommand, { readonly do: 'announce' }>['sound']): EncodedAudio {
    if (typeof sound === 'number') return this.#host.audio.sound(sound);
    return typeof sound === 'string' ? this.#host.audio.tone(sound) : sound;
  }

  #recording(
    conference: Conference,
    { conference: id, number, limits }: Extract<ConferenceCommand, { readonly do: 'record' }>,
    nowMs: number,
  ): Recording {
    const emit = (event: WorkerEvent): void => this.#host.emit(event);
    return new Recording({ stream: id, number, sides: [conference], limits, emit }, nowMs);
  }

  #link(id: number, link: SharedArrayBuffer): void {
    this.#unlink(id);
    const stream = this.#host.stream(id);
    if (!stream) return;
    const linked = new LinkedStream(stream, link);
    linked.stop = this.#host.everyFrame(linked);
    this.#links.set(id, linked);
  }

  #unlink(id: number): void {
    const linked = this.#links.get(id);
    this.#links.delete(id);
    linked?.end();
  }
}

/** A stream of this worker at a conference of this worker. */
function seatOf(stream: LiveStream, leave: () => void): Seat {
  const buffer = new JitterBuffer();
  stream.enterConference(buffer, leave);
  return {
    next: () => buffer.next(),
    hear: (frame, nowMs) => stream.hear(frame, nowMs),
    left: () => stream.leaveConference(buffer),
  };
}

/** A stream of another worker at a conference of this one. */
function linkedSeat(link: SharedArrayBuffer): Seat {
  const up = linkUp(link);
  const down = linkDown(link);
  return {
    next: () => up.next(),
    hear: (frame: MixedFrame) => down.write(frame.as(PCMU)),
    left: () => {},
  };
}

/** A stream of this worker at a conference of another one. */
class LinkedStream implements Ticked {
  isBroken = false;
  stop: () => void = () => {};
  readonly id: number;
  readonly #stream: LiveStream;
  readonly #up: FrameRing;
  readonly #down: FrameRing;
  readonly #buffer = new JitterBuffer();

  constructor(stream: LiveStream, link: SharedArrayBuffer) {
    this.id = stream.id;
    this.#stream = stream;
    this.#up = linkUp(link);
    this.#down = linkDown(link);
    stream.enterConference(this.#buffer, () => {});
  }

  tick(nowMs: number): void {
    const frame = this.#buffer.next();
    if (frame) this.#up.write(frame);
    const heard = this.#down.next();
    if (heard) this.#stream.hearUlaw(heard, nowMs);
  }

  end(): void {
    this.stop();
    this.#stream.leaveConference(this.#buffer);
  }
}
