// Symmetric RTP that cannot be hijacked: which packets are the peer's, and where ours go. The signalled address is accepted at its
// first packet. Another source (a peer behind NAT) must first pass probation, and only while the signalled address is silent; its IP
// address is the signalled one, or that of the signalling. Otherwise any host could take over the audio of a peer that is silent
// (threat T7). A source that moves, because its NAT binding changed, shows that it is the same by its SSRC and sequence numbers, which
// no other host knows.
//
//   waiting ── packet from the signalled address ──► locked ◄── packet from the signalled address ──┐
//      │                                                └── moved ──┐                               │
//      └── 4 packets in sequence from one other ────────────────► latched (again when it moved) ─────┘
import { type Endpoint, isUnspecified, NOWHERE, sameAddress, sameEndpoint } from '../sockets/endpoint.ts';
import { sequenceDistance } from './rtp.ts';

const PROBATION_PACKETS = 4;
/** A peer that sends from its signalled address arrives within this time; other sources are not accepted before. */
const PATIENCE_MS = 250;
/** After so long without a packet a peer may have moved: the stream that it goes on with has the same SSRC, and later numbers. */
export const MOVED_MS = 250;
/** RFC 3550 A.1: a larger jump is another stream. */
const MAX_DROPOUT = 3_000;
/** After so long a peer behind NAT may come back with another stream. */
const STALE_MS = 5_000;

/** Packets to a third host, one that is not the source of the signalling, before any packet has come from there (threat T45). */
const UNPROVEN_PACKETS = 250;
/** How many such hosts one peer may name by re-INVITEs; those from which a packet came do not count. */
const UNPROVEN_HOSTS = 5;
const UNLIMITED = -1;

const copy = ({ a, b, c, d, port }: Endpoint): Endpoint => ({ a, b, c, d, port });

export class SourceLock {
  strangers = 0;
  /** The source of the last of them. */
  readonly stranger: Endpoint = copy(NOWHERE);
  /** Packets that may be sent before one arrives; negative: unlimited. The sender of a packet subtracts it. */
  allowance = UNLIMITED;
  #unprovenHosts = 0;
  /** Whether the signalled host is among them. */
  #isUnproven = false;
  /** Whether a message of the signalling has proved that the peer is there; before that nothing is sent. */
  #isVerified = true;
  #signalled: Endpoint;
  /** Its port has no meaning. Null: any address may pass probation. */
  #signalling: Endpoint | null = null;
  #peer: Endpoint;
  #state: 'waiting' | 'latched' | 'locked' = 'waiting';
  #sinceMs: number;
  #heardMs: number;
  /** The last packet that was accepted. */
  #ssrc = 0;
  #sequence = 0;
  #candidate: Endpoint | null = null;
  /** It goes on with the stream that was accepted. */
  #isContinued = false;
  #candidateSsrc = 0;
  #candidateNext = 0;
  #candidateCount = 0;

  constructor(signalled: Endpoint, nowMs: number) {
    this.#signalled = signalled;
    this.#peer = signalled;
    this.#sinceMs = nowMs;
    this.#heardMs = nowMs;
  }

  get peer(): Endpoint {
    return this.#peer;
  }

  get isReachable(): boolean {
    return this.#peer.port !== 0 && !isUnspecified(this.#peer);
  }

  /** The peer sends from its signalled address: no NAT in between. */
  get isLocked(): boolean {
    return this.#state === 'locked';
  }

  /** A re-INVITE, or the ACK after early media. The same address again changes nothing. */
  resignal(signalled: Endpoint, nowMs: number, signalling: Endpoint | null = null, isVerified = true): void {
    this.#signalling = signalling;
    const isSame = sameEndpoint(signalled, this.#signalled);
    if (isSame && (this.#isVerified === isVerified || this.#state !== 'waiting')) return;
    this.#isVerified = isVerified;
    this.#signalled = signalled;
    this.#peer = signalled;
    this.#state = 'waiting';
    this.#sinceMs = nowMs;
    this.#heardMs = nowMs;
    this.#candidate = null;
    this.#isUnproven = isVerified && signalling !== null && !sameAddress(signalled, signalling);
    if (!isVerified) this.allowance = 0;
    else if (this.#isUnproven) this.allowance = this.#unprovenHosts++ < UNPROVEN_HOSTS ? UNPROVEN_PACKETS : 0;
    else this.allowance = UNLIMITED;
  }

  /** A packet came from where ours go: there is a peer. */
  prove(): void {
    this.allowance = UNLIMITED;
    // Only this host is proved: a peer that names others in between, and its own address again, has used them up.
    if (this.#isUnproven && sameAddress(this.#peer, this.#signalled)) {
      this.#isUnproven = false;
      this.#unprovenHosts--;
    }
  }

  accepts(from: Endpoint, ssrc: number, sequence: number, nowMs: number): boolean {
    if (this.#state === 'waiting' || !sameEndpoint(from, this.#peer)) {
      if (sameEndpoint(from, this.#signalled)) this.#take('locked', from);
      else if (this.#passesProbation(from, ssrc, sequence, nowMs)) this.#take('latched', from);
      else {
        this.strangers++;
        Object.assign(this.stranger, from);
        return false;
      }
    }
    this.#heardMs = nowMs;
    this.#ssrc = ssrc;
    this.#sequence = sequence;
    return true;
  }

  /** Whether the peer may have moved: it has been silent for so long. */
  mayHaveMoved(nowMs: number): boolean {
    return nowMs - this.#heardMs >= MOVED_MS;
  }

  #passesProbation(from: Endpoint, ssrc: number, sequence: number, nowMs: number): boolean {
    if (!this.#mayBe(from) || !this.#proves(from, ssrc, sequence)) return false;
    if (this.#state === 'waiting') return nowMs - this.#sinceMs >= PATIENCE_MS;
    if (this.#isContinued && this.mayHaveMoved(nowMs)) return true;
    return this.#state === 'latched' && nowMs - this.#heardMs > STALE_MS;
  }

  /** Reports need no probation, but must come from the peer's IP address. */
  acceptsReport(from: Endpoint): boolean {
    return sameAddress(from, this.#peer);
  }

  #mayBe(from: Endpoint): boolean {
    return (
      this.#signalling === null || sameAddress(from, this.#signalling) || sameAddress(from, this.#signalled)
    );
  }

  #take(state: 'latched' | 'locked', from: Endpoint): void {
    this.#state = state;
    this.#peer = copy(from);
    this.#candidate = null;
    this.prove();
  }

  #proves(from: Endpoint, ssrc: number, sequence: number): boolean {
    const goesOn =
      this.#candidate !== null &&
      sameEndpoint(from, this.#candidate) &&
      ssrc === this.#candidateSsrc &&
      sequence === this.#candidateNext;
    if (!goesOn) {
      this.#candidate = copy(from);
      this.#candidateSsrc = ssrc;
      this.#candidateCount = 0;
      const ahead = sequenceDistance(sequence, this.#sequence);
      this.#isContinued = ssrc === this.#ssrc && ahead > 0 && ahead < MAX_DROPOUT;
    }
    this.#candidateNext = (sequence + 1) & 0xffff;
    this.#candidateCount++;
    return this.#candidateCount >= PROBATION_PACKETS;
  }
}
