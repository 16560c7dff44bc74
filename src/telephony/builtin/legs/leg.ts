// Common to incoming and outgoing legs: everything but how they are set up. A leg is a SIP session and a stream.
import type { CodecName } from '../../../media/codec.ts';
import type { Stream, StreamEvents, StreamSettings } from '../../../media/media.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import { headerOf, type SipRequest } from '../../../sip/message.ts';
import type { Replaces } from '../../../sip/replaces.ts';
import type { Session } from '../../../sip/session.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type {
  Conference,
  KeySource,
  Leg,
  LegEnd,
  LegEvents,
  LegLadder,
  LegStatistics,
  ListenMode,
  PlayableSound,
  RecordingSink,
  RecordOptions,
} from '../../telephony.ts';
import { BuiltinConference } from './conference.ts';
import { keyOfInfo } from './info-keys.ts';
import { lastMessages } from './last-messages.ts';
import { type MediaSide, NO_STATISTICS } from './media-side.ts';
import { type EstablishedDialog, WIDEBAND_AFTER_MS, Wideband, widen } from './wideband.ts';

/** RFC 3261 §8.1.1.6 */
export const MAX_HOPS = 70;

/** On every INVITE of ours: a provider that makes new calls of ours, and sets Max-Forwards anew, often passes it on (T41). */
export const PASSES_HEADER = 'x-dialtree-passes';
/** A call that passed us so often is in a loop. */
export const MAX_PASSES = 5;

/** A caller that invents it can only end its own call. */
export function passesOf(invite: Pick<SipRequest, 'headers'>): number {
  const text = headerOf(invite, PASSES_HEADER);
  return text !== undefined && /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
}

/** For a minute at most. */
const HOLD_BACK_MS = 2000;
const HOLD_BACK_TIMES = 30;

export abstract class BuiltinLeg implements Leg, StreamEvents {
  callId: string;
  protected media: MediaSide | null = null;
  protected events: LegEvents | null = null;
  protected over = false;
  /** Max-Forwards of calls that follow from this leg: it ends loops through us and a trunk. */
  hops = MAX_HOPS;
  /** How often the call passed a Dialtree before this leg, as PASSES_HEADER says. */
  passes = 0;
  /** Whether the other nodes have seen a heartbeat of this one of late. */
  isKnownAlive: () => boolean = () => true;
  /** The credentials of the phone that it is with; null: of none. */
  phone: string | null = null;
  /** The leg whose dialog a Replaces names. */
  namedLeg: (replaces: Replaces) => BuiltinLeg | null = () => null;
  #heldBack = 0;
  #connected: BuiltinLeg | null = null;
  /** What it hears while the connected leg holds. */
  #onHold: PlayableSound = SILENCE;
  /** Made with the first conversation. */
  #wideband: Wideband | null = null;
  #alone: NodeJS.Timeout | null = null;
  /** It is recorded, listened to or mixed, or was in this conversation. */
  #isSoundNeeded = false;
  /** The end, as long as no listener is set. */
  #unreported: { readonly end: LegEnd; readonly statistics: LegStatistics | Promise<LegStatistics> } | null =
    null;
  readonly #gone: (end: LegEnd) => void;

  constructor(callId: string, gone: (end: LegEnd) => void) {
    this.callId = callId;
    this.#gone = gone;
  }

  /** The peer is gone without BYE, or the service itself failed. */
  abstract lost(text: string, isFault?: boolean): void;
  abstract ring(): void;
  abstract progress(): void;
  abstract answer(): void;
  abstract hangUp(cause?: number, refusal?: LegEnd): void;
  abstract stored(): string | null;
  abstract abandon(): void;
  /** Whether its dialog, or one of those that ring, is that session's. */
  abstract has(session: Session): boolean;
  protected abstract readonly ladders: readonly Ladder[];
  /** The source of the peer's signalling. */
  abstract readonly peerAddress: string;
  /** Its peer is a web page, by a WebSocket of ours. */
  abstract readonly isPage: boolean;

  /** Whether its peer is reached by this connection. */
  abstract isBy(connection: number): boolean;

  /** Its peer is reached by this flow from now on. */
  abstract follow(flow: TransportFlow): void;

  /** Null if it is not answered, or cannot be offered anything. */
  protected abstract established(): EstablishedDialog | null;

  /** It rings phones, and none has answered. */
  get isRinging(): boolean {
    return false;
  }

  get isHeld(): boolean {
    return this.media?.isHeld ?? false;
  }

  listen(events: LegEvents): void {
    this.events = events;
    const unreported = this.#unreported;
    this.#unreported = null;
    // A caller may hang up while the call is being routed.
    if (unreported) queueMicrotask(() => events.ended(unreported.end, unreported.statistics));
  }

  play(playback: number, sound: PlayableSound, options: { readonly loop?: boolean } = {}): void {
    if (this.over) return;
    this.#endWideband();
    this.media?.play(playback, sound, options.loop ?? false);
  }

  stopPlaying(): void {
    if (!this.over) this.media?.stop();
  }

  /** Its peer is reached by another connection than before. */
  moved(): void {
    this.#wideband?.returned();
  }

  /** Media as agreed, at first and after every offer and answer. */
  protected configure(settings: StreamSettings, flow: TransportFlow): void {
    const { media } = this;
    if (!media) return;
    const wasHeld = media.isHeld;
    media.configure(settings, flow);
    this.#wideband?.agreed();
    const { isHeld } = media;
    if (isHeld !== wasHeld) {
      this.#connected?.hearHold(isHeld);
      if (isHeld) this.events?.held();
      else this.events?.resumed();
      if (!isHeld) this.#widenSoon();
    }
    const other = this.#connected;
    if (other && media.passedThrough === null && !this.#wideband?.isAsking) other.#wideband?.end();
    this.events?.changed?.();
  }

  protected hearHold(isHeld: boolean): void {
    if (this.over) return;
    if (isHeld) this.#endWideband();
    this.media?.playBackground(isHeld ? this.#onHold : null);
  }

  connect(other: Leg, onHold: PlayableSound = SILENCE): void {
    const theirs = builtin(other);
    const ours = this.#stream;
    const stream = theirs.#stream;
    if (!ours || !stream) return;
    this.#connected = theirs;
    theirs.#connected = this;
    ours.bridge(stream);
    this.#onHold = onHold;
    theirs.#onHold = onHold;
    this.hearHold(theirs.media?.isHeld ?? false);
    theirs.hearHold(this.media?.isHeld ?? false);
    if (this.media?.passedThrough !== theirs.media?.passedThrough) this.#endWideband();
    this.#widenSoon();
  }

  /** Two phones or browsers that talk with each other, and with nothing of ours (wideband.ts). */
  #widenSoon(): void {
    const other = this.#connected;
    if (!other || !this.#isWidened || !other.#isWidened) return;
    const isAlone = (): boolean =>
      this.#connected === other && !this.#isSoundNeeded && !other.#isSoundNeeded && !this.over;
    const alone = setTimeout(() => {
      if (isAlone()) widen(this.#wideBy(), other.#wideBy(), isAlone);
    }, WIDEBAND_AFTER_MS).unref();
    for (const leg of [this, other]) {
      if (leg.#alone) clearTimeout(leg.#alone);
      leg.#alone = alone;
    }
  }

  /** Not a trunk, nor a caller on this machine. */
  get #isWidened(): boolean {
    return this.phone !== null || this.media?.settings?.ice !== undefined;
  }

  #wideBy(): Wideband {
    this.#wideband ??= new Wideband({
      leg: this,
      isOver: () => this.over,
      settings: () => this.media?.settings ?? null,
      established: () => this.established(),
      configure: (settings, flow) => this.configure(settings, flow),
    });
    return this.#wideband;
  }

  /** What an offer of the peer need not change; null: the codec is one of ours. */
  protected get keptCodec(): CodecName | null {
    return this.#wideband?.kept ?? null;
  }

  #needSound(): void {
    this.#isSoundNeeded = true;
    this.#endWideband();
  }

  /** Both sides end it: neither could hear the other otherwise. */
  #endWideband(): void {
    this.#wideband?.end();
    const other = this.#connected;
    if (other) other.#wideband?.end();
  }

  disconnect(): void {
    const other = this.#connected;
    if (!other) return;
    this.#connected = null;
    other.#connected = null;
    this.#isSoundNeeded = false;
    other.#isSoundNeeded = false;
    this.media?.stream.unbridge();
    this.hearHold(false);
    other.hearHold(false);
  }

  record({ maxMs, silenceMs, with: other }: RecordOptions, sink: RecordingSink): void {
    const stream = this.#stream;
    this.#needSound();
    if (other && other !== 'bot') builtin(other).#needSound();
    const theirs = other === undefined || other === 'bot' ? other : builtin(other).#stream;
    if (stream) stream.record({ maxMs, silenceMs }, sink, theirs ?? undefined);
    else queueMicrotask(() => sink.ended('ended'));
  }

  linkBot(ring: SharedArrayBuffer | null): void {
    if (ring) this.#endWideband();
    this.#stream?.linkBot(ring);
  }

  stopRecording(): void {
    this.#stream?.stopRecording();
  }

  listenIn(target: Leg, mode: ListenMode): void {
    this.#needSound();
    builtin(target).#needSound();
    const theirs = builtin(target).#stream;
    if (theirs) this.#stream?.listenIn(theirs, mode);
  }

  openConference(failed: (reason: string) => void): Conference | null {
    const mixed = this.over ? null : (this.media?.openConference(failed) ?? null);
    return mixed && new BuiltinConference(mixed, (leg) => builtin(leg).#mixable());
  }

  #mixable(): Stream | null {
    this.#needSound();
    return this.#stream;
  }

  /** Null before it is opened, and after the end. */
  get #stream(): Stream | null {
    return this.over ? null : (this.media?.stream ?? null);
  }

  sendKeys(keys: string): void {
    if (!this.over) this.media?.stream.sendKeys(keys);
  }

  keyPressed(key: string, source: KeySource): void {
    this.events?.keyPressed(key, source);
  }

  played(playback: number): void {
    this.events?.played(playback);
  }

  soundMissing(playback: number): void {
    this.events?.soundMissing(playback);
  }

  oneWay(from: string | null): void {
    this.events?.oneWay(from);
  }

  /** A node that was stopped, or cut off, does not end what others may have taken over: it learns it with its next heartbeat. */
  silent(): void {
    if (this.over) return;
    if (this.#heldBack >= HOLD_BACK_TIMES || this.isKnownAlive() || this.stored() === null) {
      this.lost('No audio came for too long.');
      return;
    }
    this.#heldBack += 1;
    setTimeout(() => this.silent(), HOLD_BACK_MS).unref();
  }

  failed(reason: string): void {
    this.lost(reason, true);
  }

  unreachable(reason: string): void {
    this.lost(reason);
  }

  ladder(): LegLadder {
    const [first, ...others] = this.ladders;
    if (!first || others.length === 0) return first ?? NO_LADDER;
    const lines = this.ladders.flatMap((each, index) =>
      each.lines.map((line) => ({ ...line, phone: this.phoneOf(index) })),
    );
    const leftOut = this.ladders.reduce((sum, each) => sum + each.leftOut, 0);
    return { lines: lines.sort((one, other) => one.atMs - other.atMs), leftOut };
  }

  /** The number of the phone, from 1, that the ladder at `index` is of. */
  protected phoneOf(index: number): number {
    return index + 1;
  }

  get mediaSide(): MediaSide | null {
    return this.media;
  }

  informed(contentType: string, body: Buffer): void {
    const key = keyOfInfo(contentType, body);
    if (key === null || this.over) return;
    this.events?.keyPressed(key, 'info');
    this.#connected?.sendKeys(key);
  }

  /** Calls `ended` once. */
  protected finish(end: LegEnd): void {
    if (this.over) return;
    this.over = true;
    this.disconnect();
    this.#gone(end);
    // Not awaited: the other side of the call must learn of the end at once.
    const figures = this.media?.close() ?? NO_STATISTICS;
    const statistics = end.by === 'us' || end.by === 'peer' ? this.#complete(figures) : figures;
    if (this.events) this.events.ended(end, statistics);
    else this.#unreported = { end, statistics };
  }

  /** Releases the media; `ended` is not called. */
  protected leave(): void {
    if (this.over) return;
    this.over = true;
    this.disconnect();
    this.#gone({ by: 'us', outcome: 'ended', cause: null, status: null, text: '' });
    void this.media?.close();
  }

  /** The statistics, once the last message that is due has arrived. */
  async #complete(figures: LegStatistics | Promise<LegStatistics>): Promise<LegStatistics> {
    const statistics = await figures;
    const waiting = this.ladders.filter(({ isQuiet }) => !isQuiet);
    if (waiting.length > 0) await lastMessages(waiting);
    return statistics;
  }
}

/** How a leg ends without a hang-up. Causes: temporary failure, recovery on timer expiry (Q.850). */
export function lostEnd(
  outcome: LegEnd['outcome'],
  text: string,
  isFault: boolean,
): LegEnd & { cause: number } {
  return isFault
    ? { by: 'us', outcome, cause: 41, status: null, text, isFault }
    : { by: 'timeout', outcome, cause: 102, status: null, text };
}

const SILENCE: PlayableSound = { kind: 'tone', tone: 'silence' };
const NO_LADDER: LegLadder = { lines: [], leftOut: 0 };

function builtin(leg: Leg): BuiltinLeg {
  if (!(leg instanceof BuiltinLeg)) throw new Error('Legs of two adapters cannot be connected.');
  return leg;
}
