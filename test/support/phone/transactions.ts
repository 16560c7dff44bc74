// Requests that are repeated until they are answered, and answers that are repeated when the request is. RFC 3261 §17, as much of
// it as an honest phone needs.
import { randomBytes } from 'node:crypto';
import { type Headers, header, parameter, readSip, type SipText, values, writeSip } from './sip-text.ts';
import type { Peer, Wire } from './wire.ts';

const T1_MS = 500;
const T2_MS = 4_000;
const GIVE_UP_MS = 32_000;

export interface Outgoing {
  readonly method: string;
  readonly uri: string;
  readonly to: Peer;
  /** Without Via. */
  readonly headers: Headers;
  readonly body?: string;
  /** Another one's branch, for CANCEL. */
  readonly branch?: string;
  /** Provisional responses, and repeated 2xx of an INVITE. */
  onResponse?(response: SipText): void;
}

interface Pending {
  readonly request: Outgoing;
  readonly branch: string;
  readonly stop: () => void;
  readonly resolve: (response: SipText) => void;
  done: boolean;
  provisional: boolean;
}

export type RequestHandler = (request: SipText, from: Peer) => void;

export class Transactions {
  readonly #wire: Wire;
  readonly #via: string;
  readonly #pending = new Map<string, Pending>();
  readonly #answered = new Map<string, { readonly to: Peer; text: string | null }>();
  readonly #handler: RequestHandler;
  #closed = false;

  constructor(wire: Wire, host: string, handler: RequestHandler) {
    this.#wire = wire;
    this.#via = wire.isWeb
      ? `SIP/2.0/WS ${randomBytes(6).toString('hex')}.invalid`
      : `SIP/2.0/${wire.transport.toUpperCase()} ${host}:${wire.port}`;
    this.#handler = handler;
    wire.listen((text, from) => this.#received(text, from));
  }

  newBranch(): string {
    return `z9hG4bK${randomBytes(8).toString('hex')}`;
  }

  /** The final response. When none comes within 32 s it is a 408 of our own, with no headers. */
  request(request: Outgoing): Promise<SipText> {
    const branch = request.branch ?? this.newBranch();
    const text = this.#render(request, branch);
    return new Promise((resolve) => {
      let delayMs = T1_MS;
      let timer: NodeJS.Timeout | null = null;
      const giveUp = setTimeout(() => pending.resolve(noAnswer(request.method)), GIVE_UP_MS);
      const stop = (): void => {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        if (pending.done) clearTimeout(giveUp);
      };
      const pending: Pending = {
        request,
        branch,
        stop,
        done: false,
        provisional: false,
        resolve: (response) => {
          pending.done = true;
          stop();
          resolve(response);
        },
      };
      const again = (): void => {
        timer = setTimeout(() => {
          this.#wire.send(text, request.to);
          delayMs = request.method === 'INVITE' ? delayMs * 2 : Math.min(delayMs * 2, T2_MS);
          again();
        }, delayMs);
      };
      this.#pending.set(`${branch} ${request.method}`, pending);
      this.#wire.send(text, request.to);
      if (!this.#wire.reliable) again();
    });
  }

  /** ACK of a 2xx, and other requests without a response. */
  sendOnce(request: Outgoing): void {
    this.#wire.send(this.#render(request, request.branch ?? this.newBranch()), request.to);
  }

  respond(request: SipText, from: Peer, first: string, headers: Headers, body = ''): string {
    const copied = request.headers.filter(([name]) =>
      ['via', 'from', 'call-id', 'cseq', 'record-route'].includes(name),
    );
    const text = writeSip(`SIP/2.0 ${first}`, [...copied, ...headers], body);
    this.#answered.set(keyOf(request), { to: from, text });
    if (!this.#closed) this.#wire.send(text, from);
    return text;
  }

  close(): void {
    this.#closed = true;
    for (const pending of this.#pending.values()) {
      pending.resolve(noAnswer(pending.request.method));
    }
    this.#wire.close();
  }

  #render(request: Outgoing, branch: string): string {
    const via = `${this.#via};branch=${branch};rport`;
    return writeSip(
      `${request.method} ${request.uri} SIP/2.0`,
      [['Via', via], ...request.headers],
      request.body,
    );
  }

  #received(text: string, from: Peer): void {
    const message = readSip(text);
    if (message === null) return;
    if (message.status !== null) {
      this.#receivedResponse(message);
      return;
    }
    if (message.method === 'ACK') {
      this.#handler(message, from);
      return;
    }
    const key = keyOf(message);
    const before = this.#answered.get(key);
    if (before !== undefined) {
      if (before.text !== null) this.#wire.send(before.text, before.to);
      return;
    }
    this.#answered.set(key, { to: from, text: null });
    this.#handler(message, from);
  }

  #receivedResponse(response: SipText): void {
    const branch = parameter(values(response, 'via')[0] ?? '', 'branch') ?? '';
    const pending = this.#pending.get(`${branch} ${response.method}`);
    if (pending === undefined) return;
    const status = response.status ?? 0;
    if (response.method === 'INVITE' && status >= 300) this.#acknowledge(pending, response);
    if (status < 200) {
      pending.provisional = true;
      if (response.method === 'INVITE') pending.stop();
      pending.request.onResponse?.(response);
    } else if (!pending.done) pending.resolve(response);
    else if (status < 300) pending.request.onResponse?.(response);
  }

  /** RFC 3261 §17.1.1.3: with the INVITE's own branch. */
  #acknowledge({ request, branch }: Pending, response: SipText): void {
    const kept = request.headers.filter(([name]) =>
      ['From', 'Call-ID', 'Route', 'Max-Forwards'].includes(name),
    );
    const cseq = header(response, 'cseq').split(' ')[0] ?? '';
    const headers: Headers = [...kept, ['To', header(response, 'to')], ['CSeq', `${cseq} ACK`]];
    this.sendOnce({ method: 'ACK', uri: request.uri, to: request.to, headers, branch });
  }
}

function keyOf(request: SipText): string {
  return `${parameter(values(request, 'via')[0] ?? '', 'branch')} ${request.method} ${header(request, 'cseq')}`;
}

function noAnswer(method: string): SipText {
  return { first: 'SIP/2.0 408 No answer came', method, uri: '', status: 408, headers: [], body: '' };
}
