// From bytes to the user: guard, parser, the real source written into the Via, and an answer to what is malformed.

import { newTag } from '../ids.ts';
import type { SipMessage, SipRequest } from '../message.ts';
import { headerOf } from '../message.ts';
import { type Malformed, parseMessage } from '../parse.ts';
import { writeResponse } from '../response.ts';
import { edgePeer } from './edge-peer.ts';
import { defaultPort, type FlowUser, type TransportFlow, type TransportUser } from './transport.ts';

/** Decides which sources are processed; guard.ts implements it. */
export interface TransportGuard {
  /** Called for each request before it is parsed; of one that an edge passed on (`isRelayed`), after. False: drop it silently. */
  accept(address: string, isRelayed: boolean): boolean;
  /** As `accept`, of a WebSocket whose digest is still to come: what has its own limits is not counted, but a ban holds. */
  acceptWeb(address: string): boolean;
  acceptAgent(address: string, userAgent: string): boolean;
  isBanned(address: string): boolean;
}

export interface InboundCounts {
  requests: number;
  responses: number;
  malformed: number;
  dropped: number;
}

/** `dropped`: the connection that it came by is not worth having. */
export type Verdict = 'delivered' | 'malformed' | 'dropped';

/** Sends the answer to a malformed or refused message to where that came from; `port`: over UDP. */
export interface Replier {
  reply(flow: TransportFlow, bytes: Buffer, port: number): void;
}

/** Not 503: a proxy would try it at the next node. The edge bans whom we have banned, and not who is only over a rate. */
const BANNED = { status: 403, reason: 'Banned' };
const REFUSED = { status: 403, reason: 'Forbidden' };

/** Sees copies of messages; see ../capture. */
export interface MessageTap {
  received(bytes: Buffer, flow: TransportFlow): void;
  sent(bytes: Buffer, flow: TransportFlow): void;
}

export class Inbound {
  readonly counts: InboundCounts = { requests: 0, responses: 0, malformed: 0, dropped: 0 };
  readonly #guard: TransportGuard | null;
  readonly #failed: (error: unknown) => void;
  readonly #isEdge: ((address: string) => boolean) | null;
  readonly #tap: MessageTap | null;
  user: Pick<TransportUser, 'received'> | null = null;
  flows: FlowUser | null = null;

  constructor(
    guard: TransportGuard | null,
    failed: (error: unknown) => void,
    isEdge: ((address: string) => boolean) | null = null,
    tap: MessageTap | null = null,
  ) {
    this.#guard = guard;
    this.#failed = failed;
    this.#isEdge = isEdge;
    this.#tap = tap;
  }

  receive(bytes: Buffer, flow: TransportFlow, replier: Replier): Verdict {
    // A WebSocket is a browser's, also where the proxy before HTTP and an edge are one machine.
    const isEdge = flow.protocol !== 'ws' && (this.#isEdge?.(flow.remote.address) ?? false);
    try {
      return isEdge ? this.#fromEdge(bytes, flow, replier) : this.#receive(bytes, flow, replier);
    } catch (error) {
      // One message that our own code fails on does not end the process.
      this.#failed(error);
      const verdict = this.#drop();
      return isEdge ? 'delivered' : verdict;
    }
  }

  /** A connection carries the messages of many peers: that of one of them does not end it. */
  #fromEdge(bytes: Buffer, flow: TransportFlow, replier: Replier): Verdict {
    const message = parseMessage(bytes, flow.remote);
    if (message.kind !== 'request') this.#tap?.received(bytes, flow);
    if (message.kind === 'malformed') this.refuse(message, flow, replier);
    else if (message.kind === 'response') this.#deliver(message, flow);
    else {
      const peer = edgePeer(message, flow.remote);
      const { protocol, local, remote, connection } = flow;
      if (this.#admits(message, peer.address, peer === remote)) {
        this.#tap?.received(bytes, flow);
        this.#deliver(message, { protocol, local, remote, connection, peer });
      } else {
        this.counts.dropped++;
        // What a proxy has no answer to it repeats, and tries at other nodes.
        const refusal = this.#guard?.isBanned(peer.address) ? BANNED : REFUSED;
        if (message.method !== 'ACK') this.#answer(message, flow, replier, refusal);
      }
    }
    return 'delivered';
  }

  #admits(request: SipRequest, address: string, isEdge: boolean): boolean {
    const guard = this.#guard;
    if (guard === null) return true;
    const agent = headerOf(request, 'user-agent');
    return (
      (isEdge || guard.accept(address, true)) && (agent === undefined || guard.acceptAgent(address, agent))
    );
  }

  #receive(bytes: Buffer, flow: TransportFlow, replier: Replier): Verdict {
    const { address } = flow.remote;
    // Those of WebSockets are counted by connection: many browsers have one address, and with a right digest it must not free them all.
    const isCounted = flow.protocol !== 'ws' && !isResponse(bytes);
    if (isCounted && this.#guard !== null && !this.#guard.accept(address, false)) return this.#drop();
    // After the guard: a flood is not doubled.
    if (this.#tap !== null) this.#tap.received(bytes, flow);
    // RFC 3261 §18.2.1, RFC 3581 §4: a request says where it really came from.
    const message = parseMessage(bytes, flow.remote);
    if (message.kind === 'malformed') {
      this.refuse(message, flow, replier);
      return 'malformed';
    }
    if (message.kind === 'request' && this.#guard !== null) {
      const agent = headerOf(message, 'user-agent');
      if (agent !== undefined && !this.#guard.acceptAgent(address, agent)) return this.#drop();
    }
    this.#deliver(message, flow);
    return 'delivered';
  }

  #drop(): Verdict {
    this.counts.dropped++;
    return 'dropped';
  }

  #deliver(message: SipMessage, flow: TransportFlow): void {
    // Two call sites: each sees one shape of message.
    if (message.kind === 'response') {
      this.counts.responses++;
      this.user?.received(message, flow);
    } else {
      this.counts.requests++;
      this.user?.received(message, flow);
    }
  }

  /** Whether a WebSocket is worth having whose digest is still to come. */
  acceptsWeb({ remote }: TransportFlow): boolean {
    const isAccepted = this.#guard?.acceptWeb(remote.address) ?? true;
    if (!isAccepted) this.#drop();
    return isAccepted;
  }

  /** For a transport whose own code failed on what a peer sent. */
  failed(error: unknown): void {
    this.#failed(error);
  }

  opened(flow: TransportFlow, grant: unknown): void {
    try {
      this.flows?.flowOpened?.(flow, grant);
    } catch (error) {
      this.#failed(error);
    }
  }

  isNeeded(flow: TransportFlow): boolean {
    return this.flows?.flowNeeded?.(flow) ?? true;
  }

  closed(flow: TransportFlow, isOver = false): void {
    try {
      this.flows?.flowClosed(flow, isOver);
    } catch (error) {
      this.#failed(error);
    }
  }

  refuse(malformed: Malformed, flow: TransportFlow, replier: Replier): void {
    this.counts.malformed++;
    if (malformed.request !== null) this.#answer(malformed.request, flow, replier, malformed);
  }

  #answer(
    request: SipRequest,
    flow: TransportFlow,
    replier: Replier,
    { status, reason }: { readonly status: number; readonly reason: string },
  ): void {
    const { port } = flow.remote;
    const toSource = flow.protocol !== 'udp' || request.via.params.has('rport');
    const back = toSource ? port : request.via.port || defaultPort('udp');
    const response = writeResponse(request, { status, reason, toTag: newTag() });
    this.#tap?.sent(response, flow);
    replier.reply(flow, response, back);
  }
}

const RESPONSE = Buffer.from('SIP/');

function isResponse(bytes: Buffer): boolean {
  return (
    bytes[0] === RESPONSE[0] &&
    bytes[1] === RESPONSE[1] &&
    bytes[2] === RESPONSE[2] &&
    bytes[3] === RESPONSE[3]
  );
}
