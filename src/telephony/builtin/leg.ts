// What incoming and outgoing legs have in common: everything but how they come about. A leg is a SIP session and a stream.
import type { Stream, StreamEvents } from '../../media/media.ts';
import type {
  Leg,
  LegEnd,
  LegEvents,
  LegStatistics,
  ListenMode,
  RecordOptions,
  Sound,
  Tape,
} from '../telephony.ts';
import { keyOfInfo } from './info-keys.ts';
import { type MediaSide, NO_STATISTICS } from './media-side.ts';

/** RFC 3261 §8.1.1.6 */
export const MAX_HOPS = 70;

export abstract class BuiltinLeg implements Leg {
  readonly id: string;
  protected media: MediaSide | null = null;
  protected events: LegEvents | null = null;
  protected over = false;
  /** How many more exchanges the call may pass through (Max-Forwards): a loop through us and a trunk ends some day. */
  hops = MAX_HOPS;
  #connected: BuiltinLeg | null = null;
  /** How it ended, while nobody has heard of it. */
  #untold: { readonly end: LegEnd; readonly statistics: LegStatistics | Promise<LegStatistics> } | null =
    null;
  readonly #gone: () => void;

  constructor(id: string, gone: () => void) {
    this.id = id;
    this.#gone = gone;
  }

  /** The peer is gone without a word. */
  abstract lost(text: string): void;
  abstract ring(): void;
  abstract answer(): void;
  abstract hangUp(cause?: number): void;

  listen(events: LegEvents): void {
    this.events = events;
    const untold = this.#untold;
    this.#untold = null;
    // A caller may give up while it is still being decided where the call goes.
    if (untold) queueMicrotask(() => events.ended(untold.end, untold.statistics));
  }

  play(playback: number, sound: Sound, options: { readonly loop?: boolean } = {}): void {
    if (!this.over) this.media?.play(playback, sound, options.loop ?? false);
  }

  stopPlaying(): void {
    if (!this.over) this.media?.stop();
  }

  connect(other: Leg): void {
    const theirs = builtin(other);
    const ours = this.#stream;
    const stream = theirs.#stream;
    if (!ours || !stream) return;
    this.#connected = theirs;
    theirs.#connected = this;
    ours.bridge(stream);
  }

  disconnect(): void {
    const other = this.#connected;
    if (!other) return;
    this.#connected = null;
    other.#connected = null;
    this.media?.stream.unbridge();
  }

  record({ maxMs, silenceMs, with: other }: RecordOptions, tape: Tape): void {
    const stream = this.#stream;
    const theirs = other === undefined ? undefined : builtin(other).#stream;
    if (stream) stream.record({ maxMs, silenceMs }, tape, theirs ?? undefined);
    else queueMicrotask(() => tape.ended('ended'));
  }

  stopRecording(): void {
    this.#stream?.stopRecording();
  }

  listenIn(target: Leg, mode: ListenMode): void {
    const theirs = builtin(target).#stream;
    if (theirs) this.#stream?.listenIn(theirs, mode);
  }

  stopListening(): void {
    this.#stream?.listenIn(null);
  }

  /** Null before there is one, and after the end. */
  get #stream(): Stream | null {
    return this.over ? null : (this.media?.stream ?? null);
  }

  sendKeys(keys: string): void {
    if (!this.over) this.media?.stream.sendKeys(keys);
  }

  /** What the stream of this leg tells, passed on. */
  streamEvents(): StreamEvents & { soundMissing(playback: number): void } {
    return {
      keyPressed: (key, source) => this.events?.keyPressed(key, source),
      played: (playback) => this.events?.played(playback),
      soundMissing: (playback) => this.events?.soundMissing(playback),
      oneWay: () => this.events?.oneWay(),
      silent: () => this.lost('No audio came for too long.'),
      failed: (reason) => this.lost(reason),
    };
  }

  get mediaSide(): MediaSide | null {
    return this.media;
  }

  protected informed(contentType: string, body: Buffer): void {
    const key = keyOfInfo(contentType, body);
    if (key === null || this.over) return;
    this.events?.keyPressed(key, 'info');
    this.#connected?.sendKeys(key);
  }

  /** Tells `ended` once, with the statistics, which are the last thing that is known of a stream. */
  protected finish(end: LegEnd): void {
    if (this.over) return;
    this.over = true;
    this.disconnect();
    this.#gone();
    // Nobody waits for figures: the other side of the call is to hear of the end at once.
    const statistics = this.media ? this.media.close().catch(() => NO_STATISTICS) : NO_STATISTICS;
    if (this.events) this.events.ended(end, statistics);
    else this.#untold = { end, statistics };
  }
}

function builtin(leg: Leg): BuiltinLeg {
  if (!(leg instanceof BuiltinLeg)) throw new Error('Legs of two telephone worlds cannot be connected.');
  return leg;
}
