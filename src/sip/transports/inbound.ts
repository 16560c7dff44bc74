// From bytes to the user: guard, parser, the real source written into the Via, and an answer to what is malformed.

import { newTag } from '../ids.ts';
import type { SipMessage } from '../message.ts';
import { headerOf } from '../message.ts';
import { type Malformed, parseMessage } from '../parse.ts';
import { writeResponse } from '../response.ts';
import { defaultPort, type TransportFlow, type TransportUser } from './transport.ts';

/** Decides which sources are processed; guard.ts implements it. */
export interface TransportGuard {
  /** Called for each request before it is parsed. False: drop it silently. */
  accept(address: string): boolean;
  acceptAgent(address: string, userAgent: string): boolean;
}

export interface InboundCounts {
  requests: number;
  responses: number;
  malformed: number;
  dropped: number;
}

export type Verdict = 'delivered' | 'malformed' | 'dropped';

export class Inbound {
  readonly counts: InboundCounts = { requests: 0, responses: 0, malformed: 0, dropped: 0 };
  readonly #guard: TransportGuard | null;
  readonly #failed: (error: unknown) => void;
  user: TransportUser | null = null;

  constructor(guard: TransportGuard | null, failed: (error: unknown) => void) {
    this.#guard = guard;
    this.#failed = failed;
  }

  /** `reply` sends to where the message came from. */
  receive(bytes: Buffer, flow: TransportFlow, reply: (bytes: Buffer, port: number) => void): Verdict {
    try {
      return this.#receive(bytes, flow, reply);
    } catch (error) {
      // One message that our own code fails on ends neither the process nor the connection.
      this.#failed(error);
      return this.#drop();
    }
  }

  #receive(bytes: Buffer, flow: TransportFlow, reply: (bytes: Buffer, port: number) => void): Verdict {
    const { address } = flow.remote;
    if (!isResponse(bytes) && this.#guard !== null && !this.#guard.accept(address)) return this.#drop();
    // RFC 3261 §18.2.1, RFC 3581 §4: a request says where it really came from.
    const message = parseMessage(bytes, flow.remote);
    if (message.kind === 'malformed') {
      this.refuse(message, flow, reply);
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

  /** For a transport whose own code failed on what a peer sent. */
  failed(error: unknown): void {
    this.#failed(error);
  }

  closed(flow: TransportFlow): void {
    try {
      this.user?.flowClosed(flow);
    } catch (error) {
      this.#failed(error);
    }
  }

  refuse(malformed: Malformed, flow: TransportFlow, reply: (bytes: Buffer, port: number) => void): void {
    this.counts.malformed++;
    if (malformed.request === null) return;
    const { request, status, reason } = malformed;
    const { port } = flow.remote;
    const toSource = flow.protocol !== 'udp' || request.via.params.has('rport');
    const back = toSource ? port : request.via.port || defaultPort('udp');
    reply(writeResponse(request, { status, reason, toTag: newTag() }), back);
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
