// The SRTP of one stream, over its whole life. A re-INVITE with keys that were used before goes on with their counters and replay windows, also
// after other keys or plain RTP: a key stream is used once (RFC 3711 §9.1), and a packet is taken once. New keys of the peer replace the old
// ones with its first packet by them, as packets by the old ones are still under way.
import { REFUSED, SrtpReceiver, SrtpSender } from '../srtp/srtp.ts';
import { type SrtpKeys, type Suite, suiteNamed } from '../srtp/suites.ts';

/** Keys of one direction that are remembered: ours are never taken up again once they are given up (sdp/negotiation.ts). */
const MAX_KEYS = 16;

export class StreamSecurity {
  readonly #senders = new Sides(SrtpSender);
  readonly #receivers = new Sides(SrtpReceiver);
  #sender: SrtpSender;
  #receiver: SrtpReceiver;
  #former: SrtpReceiver | null = null;
  #isPlain = false;

  constructor({ suite, local, remote, rollovers = 0 }: SrtpKeys) {
    this.#sender = this.#senders.by(suiteNamed(suite), local);
    this.#receiver = this.#receivers.by(suiteNamed(suite), remote);
    this.#receiver.seek(rollovers);
  }

  /** `keys` is null where plain RTP was agreed. Null: there were no keys yet. */
  static next(now: StreamSecurity | null, keys: SrtpKeys | null): StreamSecurity | null {
    if (now === null) return keys && new StreamSecurity(keys);
    now.#isPlain = keys === null;
    if (keys) now.#rekey(keys);
    return now;
  }

  protect(bytes: Uint8Array, at: number, length: number): number {
    if (this.#isPlain) return length;
    return this.#sender.protect(bytes, at, length);
  }

  protectReport(bytes: Uint8Array, at: number, length: number): number {
    if (this.#isPlain) return length;
    return this.#sender.protectReport(bytes, at, length);
  }

  unprotect(bytes: Uint8Array, at: number, length: number): number {
    if (this.#isPlain) return length;
    const plain = this.#receiver.unprotect(bytes, at, length);
    if (this.#former === null) return plain;
    if (plain !== REFUSED) this.#former = null;
    return this.#former === null ? plain : this.#former.unprotect(bytes, at, length);
  }

  unprotectReport(bytes: Uint8Array, at: number, length: number): number {
    if (this.#isPlain) return length;
    const plain = this.#receiver.unprotectReport(bytes, at, length);
    return plain === REFUSED && this.#former ? this.#former.unprotectReport(bytes, at, length) : plain;
  }

  #rekey({ suite, local, remote }: SrtpKeys): void {
    this.#sender = this.#senders.by(suiteNamed(suite), local);
    const receiver = this.#receivers.by(suiteNamed(suite), remote);
    if (receiver === this.#receiver) return;
    this.#former = this.#receiver;
    this.#receiver = receiver;
  }
}

/** One for each key, of one direction; the newest are kept. */
class Sides<Side> {
  readonly #make: new (
    suite: Suite,
    master: Uint8Array,
  ) => Side;
  readonly #known = new Map<string, Side>();

  constructor(make: new (suite: Suite, master: Uint8Array) => Side) {
    this.#make = make;
  }

  by(suite: Suite, master: Uint8Array): Side {
    const name = `${suite.name} ${Buffer.from(master).toString('base64')}`;
    const side = this.#known.get(name) ?? new this.#make(suite, master);
    // Again at the end: the one that was used least lately goes first.
    this.#known.delete(name);
    this.#known.set(name, side);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
    return side;
  }
}
