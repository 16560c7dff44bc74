// Transactions that only remember: what was sent, what was replied. A test plays the network and the peer.
import { headerOf, type SipRequest, type SipResponse } from '../message.ts';
import type {
  ClientEvents,
  ClientTransaction,
  Reply,
  ServerTransaction,
  Transactions,
} from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { makeResponse } from './make-response.ts';

type Draft = Omit<SipRequest, 'via'>;

const VIA = { transport: 'UDP', host: 'us', port: 5060, branch: 'z9hG4bKours', params: new Map() };

/** A request of ours, and the peer's pen. */
export class SentRequest implements ClientTransaction {
  readonly request: SipRequest;
  readonly flow: TransportFlow;
  readonly events: ClientEvents;
  cancelled: string | null = null;
  isSilent = true;
  /** For tests: a 2xx to this INVITE was sent, so that it may be repeated. */
  accepted = false;

  constructor(draft: Draft, flow: TransportFlow, events: ClientEvents) {
    this.request = { ...draft, via: VIA };
    this.flow = flow;
    this.events = events;
  }

  cancel(reason?: string): void {
    this.cancelled = reason ?? '';
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name);
  }

  /** The peer answers; `toTag` is the peer's. */
  answer(status: number, reply: Omit<Reply, 'status'> = {}): SipResponse {
    this.isSilent = false;
    const response = makeResponse(this.request, { toTag: 'peer', ...reply, status });
    this.events.responded(response, this.flow);
    return response;
  }
}

/** A request of the peer, and what we replied. */
export class ReceivedRequest implements ServerTransaction {
  readonly request: SipRequest;
  readonly flow: TransportFlow;
  readonly replies: Reply[] = [];

  constructor(request: SipRequest, flow: TransportFlow) {
    this.request = request;
    this.flow = flow;
  }

  respond(reply: Reply): void {
    this.replies.push(reply);
  }

  get last(): Reply {
    const reply = this.replies.at(-1);
    if (reply === undefined) throw new Error('nothing was replied');
    return reply;
  }

  get statuses(): number[] {
    return this.replies.map(({ status }) => status);
  }

  header(name: string): string | undefined {
    return this.last.headers?.find(([each]) => each === name)?.[1];
  }
}

export class FakeTransactions implements Transactions {
  readonly sent: SentRequest[] = [];
  readonly acks: { readonly request: Draft; readonly flow: TransportFlow }[] = [];
  readonly stateless: Reply[] = [];
  readonly discarded: SipRequest[] = [];
  readonly failures: unknown[] = [];
  readonly count = 0;

  failed(error: unknown): void {
    this.failures.push(error);
  }

  request(request: Draft, flow: TransportFlow, events: ClientEvents): ClientTransaction {
    const sent = new SentRequest(request, flow, events);
    this.sent.push(sent);
    return sent;
  }

  sendAck(request: Draft, flow: TransportFlow): void {
    this.acks.push({ request, flow });
  }

  respondStatelessly(_request: SipRequest, _flow: TransportFlow, reply: Reply): void {
    this.stateless.push(reply);
  }

  discard(request: SipRequest): void {
    this.discarded.push(request);
  }

  get last(): SentRequest {
    const sent = this.sent.at(-1);
    if (sent === undefined) throw new Error('nothing was sent');
    return sent;
  }

  methods(): string[] {
    return this.sent.map(({ request }) => request.method);
  }
}
