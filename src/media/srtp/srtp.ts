// SRTP and SRTCP (RFC 3711) of one direction: packets are protected and read in place.
//
//   RTP:  header │ payload, encrypted │ tag                      authenticated: header, payload, roll-over counter
//   RTCP: first 8 octets │ the rest, encrypted │ E, index │ tag  authenticated: all before the tag
import { read16, read32, write32 } from '../rtp/rtp.ts';
import { DIGEST_BYTES } from './hmac-sha1.ts';
import { PacketIndex, PacketIndexes } from './packet-index.ts';
import { rtcpKeys, rtpKeys, type SessionKeys } from './session-keys.ts';
import { REPORT_TAG_BYTES, type Suite } from './suites.ts';

const FIXED_HEADER = 12;
const REPORT_HEADER = 8;
const INDEX_BYTES = 4;
const ENCRYPTED = 0x8000_0000;
/** RFC 3711 §9.2: no key is used for more. */
const MAX_REPORTS = 0x8000_0000;
const MAX_INDEX = 2 ** 48;
/** What a protected packet is longer by, at most. */
export const MAX_OVERHEAD = INDEX_BYTES + REPORT_TAG_BYTES;

export const REFUSED = -1;

const digest = new Uint8Array(DIGEST_BYTES);

/** Returns the new length, or REFUSED: there is no room, or the packet's number was used before, which would reveal the key stream. */
export class SrtpSender {
  readonly #suite: Suite;
  readonly #rtp: SessionKeys;
  readonly #rtcp: SessionKeys;
  #index: PacketIndex | null = null;
  #reports = 0;

  constructor(suite: Suite, master: Uint8Array) {
    this.#suite = suite;
    this.#rtp = rtpKeys(suite, master);
    this.#rtcp = rtcpKeys(suite, master);
  }

  /** A packet with a header of 12 octets, as all of ours have. */
  protect(bytes: Uint8Array, at: number, length: number): number {
    const { tagBytes } = this.#suite;
    const end = at + length;
    if (end + tagBytes > bytes.length) return REFUSED;
    const ssrc = read32(bytes, at + 8);
    if (this.#index?.ssrc !== ssrc) this.#index = new PacketIndex(ssrc);
    const index = this.#index.estimate(read16(bytes, at + 2));
    if (index >= MAX_INDEX || !this.#index.isNew(index)) return REFUSED;
    this.#index.note(index);
    this.#rtp.stream.apply(bytes, at + FIXED_HEADER, end, ssrc, index);
    this.#rtp.hmac.digest(bytes, at, end, rolloverOf(index), digest);
    for (let octet = 0; octet < tagBytes; octet++) bytes[end + octet] = digest[octet] as number;
    return length + tagBytes;
  }

  protectReport(bytes: Uint8Array, at: number, length: number): number {
    const end = at + length;
    if (end + MAX_OVERHEAD > bytes.length || length < REPORT_HEADER) return REFUSED;
    if (this.#reports >= MAX_REPORTS) return REFUSED;
    const index = this.#reports++;
    this.#rtcp.stream.apply(bytes, at + REPORT_HEADER, end, read32(bytes, at + 4), index);
    write32(bytes, end, (ENCRYPTED | index) >>> 0);
    this.#rtcp.hmac.digest(bytes, at, end + INDEX_BYTES, null, digest);
    for (let octet = 0; octet < REPORT_TAG_BYTES; octet++)
      bytes[end + INDEX_BYTES + octet] = digest[octet] as number;
    return length + MAX_OVERHEAD;
  }
}

/** Returns the length of the plain packet, or REFUSED: not the peer's, a repetition, or malformed. Nothing is changed then. */
export class SrtpReceiver {
  readonly #suite: Suite;
  readonly #rtp: SessionKeys;
  readonly #rtcp: SessionKeys;
  readonly #sources = new PacketIndexes();
  readonly #reporters = new PacketIndexes();
  #rollovers = 0;

  constructor(suite: Suite, master: Uint8Array) {
    this.#suite = suite;
    this.#rtp = rtpKeys(suite, master);
    this.#rtcp = rtcpKeys(suite, master);
  }

  /**
   * RFC 3711 §3.3.1: who joins later has to be told the roll-over counter. SDES does not tell it, so the first packet is tried with each
   * that there may be.
   */
  seek(rollovers: number): void {
    this.#rollovers = rollovers;
  }

  unprotect(bytes: Uint8Array, at: number, length: number): number {
    const { tagBytes } = this.#suite;
    const end = at + length - tagBytes;
    const payloadAt = payloadOf(bytes, at, end);
    if (payloadAt === REFUSED) return REFUSED;
    const ssrc = read32(bytes, at + 8);
    const source = this.#sources.of(ssrc);
    const estimated = source.estimate(read16(bytes, at + 2));
    if (estimated >= MAX_INDEX || !source.isNew(estimated)) return REFUSED;
    const index = this.#authentic(bytes, at, end, estimated);
    if (index === REFUSED) return REFUSED;
    this.#rollovers = 0;
    source.note(index);
    this.#sources.keep(source);
    this.#rtp.stream.apply(bytes, payloadAt, end, ssrc, index);
    return length - tagBytes;
  }

  /** The index that the packet's tag is of; REFUSED: of none. */
  #authentic(bytes: Uint8Array, at: number, end: number, estimated: number): number {
    for (let turns = 0; turns <= this.#rollovers; turns++) {
      const index = estimated + turns * ROUND;
      this.#rtp.hmac.digest(bytes, at, end, rolloverOf(index), digest);
      if (isTag(bytes, end, this.#suite.tagBytes)) return index;
    }
    return REFUSED;
  }

  unprotectReport(bytes: Uint8Array, at: number, length: number): number {
    const plain = length - MAX_OVERHEAD;
    if (plain < REPORT_HEADER) return REFUSED;
    const end = at + plain;
    const word = read32(bytes, end);
    const index = word % ENCRYPTED;
    const ssrc = read32(bytes, at + 4);
    const reporter = this.#reporters.of(ssrc);
    if (!reporter.isNew(index)) return REFUSED;
    this.#rtcp.hmac.digest(bytes, at, end + INDEX_BYTES, null, digest);
    if (!isTag(bytes, end + INDEX_BYTES, REPORT_TAG_BYTES)) return REFUSED;
    reporter.note(index);
    this.#reporters.keep(reporter);
    if (word >= ENCRYPTED) this.#rtcp.stream.apply(bytes, at + REPORT_HEADER, end, ssrc, index);
    return plain;
  }
}

const ROUND = 0x1_0000;
const rolloverOf = (index: number): number => Math.floor(index / ROUND);

/** Where the payload begins, behind contributing sources and extension; REFUSED: the packet is too short for them. */
function payloadOf(bytes: Uint8Array, at: number, end: number): number {
  if (at + FIXED_HEADER > end) return REFUSED;
  const head = bytes[at] ?? 0;
  if (head >> 6 !== 2) return REFUSED;
  let payloadAt = at + FIXED_HEADER + (head & 0x0f) * 4;
  if ((head & 0x10) !== 0) {
    if (payloadAt + 4 > end) return REFUSED;
    payloadAt += 4 + read16(bytes, payloadAt + 2) * 4;
  }
  return payloadAt > end ? REFUSED : payloadAt;
}

/** In constant time. */
function isTag(bytes: Uint8Array, at: number, length: number): boolean {
  let difference = 0;
  for (let octet = 0; octet < length; octet++)
    difference |= (bytes[at + octet] as number) ^ (digest[octet] as number);
  return difference === 0;
}
