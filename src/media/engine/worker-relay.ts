// Connects streams of two workers. Beside each of the two a stream is opened in its worker, and these send to each other over the
// loopback: so each stands for the far one where it is, also for recordings and for listening in.
import { PCMU } from '../codec.ts';
import type { Stream, StreamEvents, StreamSettings } from '../media.ts';
import type { Thread } from './thread.ts';

/** What happens to it, its stream reports. */
const IGNORED: StreamEvents = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };
/** Events between the two have the second where the audio has the first: one payload type means one thing (RFC 3551 §3). */
const EVENT_PAYLOAD_TYPES = [101, 102] as const;

/** A stream of a worker, as far as a relay needs it. */
export interface WorkerStream extends Stream {
  readonly thread: Thread;
  /** Null if not configured yet. */
  readonly settings: StreamSettings | null;
  /** A bridge within the worker. */
  joinNear(other: WorkerStream): void;
}

export interface RelayOwner<S extends WorkerStream> {
  open(events: StreamEvents, near: S): S | null;
  /** Our own address as streams of two workers reach each other. */
  readonly loopback: string;
}

export class WorkerRelay<S extends WorkerStream> {
  readonly #sides: readonly [S, S];
  readonly #beside: readonly [S, S];
  readonly #loopback: string;

  private constructor(sides: readonly [S, S], beside: readonly [S, S], loopback: string) {
    this.#sides = sides;
    this.#beside = beside;
    this.#loopback = loopback;
  }

  /** Null when no port is free. */
  static open<S extends WorkerStream>(owner: RelayOwner<S>, one: S, other: S): WorkerRelay<S> | null {
    const besideOne = owner.open(IGNORED, one);
    const besideOther = besideOne && owner.open(IGNORED, other);
    if (!besideOne || !besideOther) {
      void besideOne?.close();
      return null;
    }
    const relay = new WorkerRelay<S>([one, other], [besideOne, besideOther], owner.loopback);
    relay.follow();
    one.joinNear(besideOne);
    other.joinNear(besideOther);
    return relay;
  }

  /** In the codec of the far side, so that its worker need not transcode; what both pass through is passed through between them, too. */
  follow(): void {
    const settings = relayed(this.#loopback, this.#sides[1].settings);
    const [one, other] = this.#beside;
    if (one.settings?.codec === settings.codec && one.settings.payloadType === settings.payloadType) return;
    one.configure({ ...settings, remotePort: other.port });
    other.configure({ ...settings, remotePort: one.port });
  }

  get sides(): readonly [S, S] {
    return this.#sides;
  }

  /** What stands for `stream` in that worker; null: nothing does. */
  standIn(stream: S, thread: Thread): S | null {
    const beside = this.#beside[stream === this.#sides[0] ? 1 : 0];
    return beside.thread === thread ? beside : null;
  }

  end(): void {
    for (const stream of this.#beside) void stream.close();
  }
}

function relayed(loopback: string, agreed: StreamSettings | null): StreamSettings {
  const payloadType = agreed?.payloadType ?? 0;
  const [usual, other] = EVENT_PAYLOAD_TYPES;
  return {
    remoteAddress: loopback,
    remotePort: 0,
    remoteRtcpPort: 0,
    signallingAddress: loopback,
    codec: agreed?.codec ?? PCMU.name,
    payloadType,
    eventPayloadType: payloadType === usual ? other : usual,
    ptimeMs: 20,
    direction: 'sendrecv',
  };
}
