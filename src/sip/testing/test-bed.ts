// A user agent between fake transactions and a test that writes the peer's messages as text.
import type { CallOptions } from '../dialogs/call-options.ts';
import type { Destination } from '../dialogs/core.ts';
import type { NameAddr, SipRequest } from '../message.ts';
import { parseMessage } from '../parse.ts';
import type {
  IncomingSession,
  OutgoingSession,
  SessionEnd,
  SessionEvents,
  TransferProgress,
} from '../session.ts';
import type { Reply } from '../transactions/transactions.ts';
import type { Address, Protocol, TransportFlow, Transports } from '../transports/transport.ts';
import { type Admission, ALLOWED, UserAgent, type UserAgentOptions } from '../user-agent.ts';
import { FakeTransactions, ReceivedRequest } from './fake-transactions.ts';
import { VirtualTimers } from './virtual-timers.ts';

export const PEER_FLOW: TransportFlow = {
  protocol: 'udp',
  local: { address: '192.0.2.1', port: 5060 },
  remote: { address: '192.0.2.9', port: 5060 },
  connection: 0,
};

export class FakeTransports implements Transports {
  readonly listening = [];
  readonly asked: string[] = [];

  async flowTo(protocol: Protocol, remote: Address): Promise<TransportFlow> {
    this.asked.push(`${protocol}:${remote.address}:${remote.port}`);
    return { protocol, local: PEER_FLOW.local, remote, connection: protocol === 'udp' ? 0 : 99 };
  }

  send(): boolean {
    return true;
  }

  sentBy(): { host: string; port: number } {
    return { host: '192.0.2.1', port: 5060 };
  }

  async close(): Promise<void> {}
}

/** Records its events, as short lines. */
export class Listener implements SessionEvents {
  readonly log: string[] = [];
  readonly ends: SessionEnd[] = [];
  answer: Parameters<SessionEvents['offered']>[1] | null = null;
  accept: ((result: true | number) => TransferProgress | null) | null = null;
  referredTo: NameAddr | null = null;

  progressed(status: number, sdp: Buffer | null): void {
    this.log.push(`progressed ${status}${text(sdp)}`);
  }
  answered(sdp: Buffer | null): void {
    this.log.push(`answered${text(sdp)}`);
  }
  confirmed(sdp: Buffer | null): void {
    this.log.push(`confirmed${text(sdp)}`);
  }
  pracked(sdp: Buffer | null): void {
    this.log.push(`pracked${text(sdp)}`);
  }
  offered(...[offer, answer]: Parameters<SessionEvents['offered']>): void {
    this.log.push(`offered${text(offer)}`);
    this.answer = answer;
  }
  informed(contentType: string, body: Buffer): void {
    this.log.push(`informed ${contentType} ${body}`);
  }
  referred(
    to: NameAddr,
    replaces: string | null,
    accept: (result: true | number) => TransferProgress | null,
  ): void {
    this.log.push(`referred ${to.uri} ${replaces}`);
    this.referredTo = to;
    this.accept = accept;
  }
  ended(end: SessionEnd): void {
    this.log.push(`ended by ${end.by} ${end.status} ${end.cause}`);
    this.ends.push(end);
  }
}

const text = (sdp: Buffer | null): string => (sdp === null ? '' : ` ${sdp}`);

export interface Writing {
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly type?: string;
  readonly toTag?: string;
  readonly seq?: number;
  readonly uri?: string;
  readonly fromTag?: string;
  readonly callId?: string;
  readonly via?: string;
}

let branches = 0;

/** A request of the peer at 192.0.2.9. Contact stands there unless `headers` bring another one. */
export function write(method: string, writing: Writing = {}): SipRequest {
  const { headers = [], body = '', seq = 1, fromTag = 'peer', callId = 'call-1', toTag } = writing;
  const lines = [
    `${method} ${writing.uri ?? 'sip:100@192.0.2.1'} SIP/2.0`,
    `Via: SIP/2.0/UDP ${writing.via ?? '192.0.2.9:5060'};branch=z9hG4bK${++branches}`,
    'Max-Forwards: 70',
    `From: "Peer" <sip:peer@192.0.2.9>;tag=${fromTag}`,
    `To: <sip:100@192.0.2.1>${toTag === undefined ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${seq} ${method}`,
    ...headers,
  ];
  if (!headers.some((line) => line.toLowerCase().startsWith('contact:'))) {
    lines.push('Contact: <sip:peer@192.0.2.9:5060>');
  }
  if (body !== '') lines.push(`Content-Type: ${writing.type ?? 'application/sdp'}`);
  const message = parseMessage(
    Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  if (message.kind !== 'request') throw new Error(`the test wrote a message that does not parse: ${method}`);
  return message;
}

export class TestBed {
  readonly timers = new VirtualTimers();
  readonly transactions = new FakeTransactions();
  readonly transports = new FakeTransports();
  readonly incoming: IncomingSession[] = [];
  readonly agent: UserAgent;
  admitted: Admission<null> = ALLOWED;
  registered: Reply | null = null;
  destinations: readonly Destination[] = [];

  constructor(options: Partial<UserAgentOptions> = {}) {
    this.agent = new UserAgent({
      transactions: this.transactions,
      transports: this.transports,
      timers: this.timers,
      resolve: async () => this.destinations,
      random: () => 0.5,
      callbacks: {
        admit: () => this.admitted,
        incoming: (session) => void this.incoming.push(session),
        registering: () => this.registered,
      },
      ...options,
    });
  }

  receive(request: SipRequest, flow: TransportFlow = PEER_FLOW): ReceivedRequest {
    const received = new ReceivedRequest(request, flow);
    this.agent.received(request, received);
    return received;
  }

  /** An INVITE that became a session with listeners. */
  invited(writing: Writing = { body: 'offer' }, flow: TransportFlow = PEER_FLOW): Invited {
    const invite = this.receive(write('INVITE', writing), flow);
    const session = this.incoming.at(-1);
    if (session === undefined) throw new Error('no call came in');
    const listener = new Listener();
    session.listen(listener);
    return new Invited(this, invite, session, listener, writing, flow);
  }

  /** An answered and acknowledged call to us. */
  established(writing: Writing = { body: 'offer' }, flow: TransportFlow = PEER_FLOW): Invited {
    const invited = this.invited(writing, flow);
    invited.session.answer(Buffer.from('answer'));
    invited.ack();
    return invited;
  }

  call(options: Partial<CallOptions> = {}): { session: OutgoingSession; listener: Listener } {
    const listener = new Listener();
    const session = this.agent.call({
      target: { uri: 'sip:1001@192.0.2.9', flow: PEER_FLOW },
      from: 'sip:200@example.com',
      callerName: 'Two Hundred',
      sdp: Buffer.from('our offer'),
      events: listener,
      ...options,
    });
    return { session, listener };
  }
}

export class Invited {
  readonly invite: ReceivedRequest;
  readonly session: IncomingSession;
  readonly listener: Listener;
  readonly #bed: TestBed;
  readonly #writing: Writing;
  readonly #flow: TransportFlow;
  #seq: number;

  constructor(
    bed: TestBed,
    invite: ReceivedRequest,
    session: IncomingSession,
    listener: Listener,
    writing: Writing,
    flow: TransportFlow,
  ) {
    this.#bed = bed;
    this.invite = invite;
    this.session = session;
    this.listener = listener;
    this.#writing = writing;
    this.#flow = flow;
    this.#seq = writing.seq ?? 1;
  }

  get tag(): string {
    const tag = this.invite.replies.find(({ toTag }) => toTag !== undefined)?.toTag;
    if (tag === undefined) throw new Error('no tag of ours was sent');
    return tag;
  }

  ack(seq = 1, body = ''): void {
    this.#bed.agent.acknowledged(write('ACK', { ...this.#names, toTag: this.tag, seq, body }), this.#flow);
  }

  cancel(...headers: string[]): void {
    this.#bed.agent.cancelled(this.invite, write('CANCEL', { headers }));
  }

  /** The peer's next request in the dialog. */
  request(method: string, writing: Writing = {}): ReceivedRequest {
    this.#seq = writing.seq ?? this.#seq + 1;
    return this.#bed.receive(
      write(method, { ...this.#names, toTag: this.tag, ...writing, seq: this.#seq }),
      this.#flow,
    );
  }

  get #names(): Writing {
    const { fromTag = 'peer', callId = 'call-1' } = this.#writing;
    return { fromTag, callId };
  }
}

/** Lets the handlers of settled promises run. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
