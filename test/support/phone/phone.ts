// Our own small phone: real sockets on loopback, RFC 3261 as a phone needs it, and switches to misbehave. It shares no code with
// src/sip and src/media, so that neither can hide its own mistakes from the tests.
import { randomBytes } from 'node:crypto';
import { Dialog } from './dialog.ts';
import { CHALLENGE, digestAnswer, isRightAnswer } from './digest.ts';
import { eventually, type Wait } from './eventually.ts';
import { type CallOptions, PhoneCall } from './phone-call.ts';
import type { CallingPhone, Faults, PhoneOptions } from './phone-options.ts';
import { RtpEndpoint } from './rtp-endpoint.ts';
import { bracketed, header, parameter, type SipText } from './sip-text.ts';
import { Transactions } from './transactions.ts';
import { type Logged, type Peer, Wire } from './wire.ts';

const isStale = (response: SipText): boolean => /stale=true/i.test(header(response, 'www-authenticate'));

export class Phone implements CallingPhone {
  readonly user: string;
  readonly host: string;
  readonly options: PhoneOptions;
  readonly transactions: Transactions;
  readonly calls: PhoneCall[] = [];
  /** NOTIFYs outside calls, oldest first; each is answered with 200. */
  readonly notifies: SipText[] = [];
  readonly faults: Faults = { dropAck: false, dropBye: false, ignore: [] };
  readonly #wire: Wire;
  readonly #waiting: PhoneCall[] = [];
  /** Calls whose port is being opened, by Call-ID: what comes for them meanwhile waits. */
  readonly #opening = new Map<string, Promise<void>>();
  readonly #registration = {
    callId: randomBytes(8).toString('hex'),
    tag: randomBytes(6).toString('hex'),
    cseq: 0,
  };

  static async open(options: PhoneOptions): Promise<Phone> {
    const host = options.host ?? (options.server.host.includes(':') ? '::1' : '127.0.0.1');
    return new Phone(options, host, await Wire.open(options.transport ?? 'udp', host, options));
  }

  private constructor(options: PhoneOptions, host: string, wire: Wire) {
    this.options = options;
    this.user = options.user ?? 'phone';
    this.host = host;
    this.#wire = wire;
    this.transactions = new Transactions(wire, bracketed(host), (request, from) =>
      this.#requested(request, from),
    );
  }

  get port(): number {
    return this.#wire.port;
  }

  /** Everything that went over the wire, oldest first. */
  get log(): readonly Logged[] {
    return this.#wire.log;
  }

  /** The log as a ladder of first lines, for error messages. */
  ladder(): string {
    return this.log
      .map(
        ({ atMs, way, first }) =>
          `${Math.round(atMs)} ms ${way === 'sent' ? '→' : way === 'received' ? '←' : '✗'} ${first}`,
      )
      .join('\n');
  }

  /** That its WebSocket was closed with; null: it is open. */
  get closeCode(): number | null {
    return this.#wire.closeCode;
  }

  get contact(): string {
    if (this.#wire.isWeb) return `<sip:${this.user}@page.invalid;transport=ws>`;
    const named = this.options.contactTransport ?? (this.#wire.reliable ? this.#wire.transport : null);
    const transport = named === null ? '' : `;transport=${named}`;
    return `<sip:${this.user}@${bracketed(this.host)}:${this.port}${transport}>`;
  }

  /** Percent of SIP messages lost, each way. UDP alone. */
  set lossPercent(percent: number) {
    this.#wire.lossPercent = percent;
  }

  /** As a network does that forgets them: the phone itself lives on and takes new ones. TCP alone. */
  dropConnections(): void {
    this.#wire.dropConnections();
  }

  /** Anything, as it is. */
  sendRaw(text: string, to: { readonly host: string; readonly port: number } = this.options.server): void {
    this.#wire.send(text, to);
  }

  /** The status; 200 when the registrar took it. */
  async register(
    expiresSeconds = 300,
    server = this.options.server,
    contact = this.contact,
  ): Promise<number> {
    const uri = `sip:${bracketed(server.host)}:${server.port}`;
    const send = (credentials: readonly (readonly [string, string])[]): Promise<SipText> => {
      this.#registration.cseq += 1;
      return this.transactions.request({
        method: 'REGISTER',
        uri,
        to: server,
        headers: [
          ['Max-Forwards', '70'],
          ['From', `<${this.address}>;tag=${this.#registration.tag}`],
          ['To', `<${this.address}>`],
          ['Call-ID', this.#registration.callId],
          ['CSeq', `${this.#registration.cseq} REGISTER`],
          ['Contact', contact],
          ['Expires', String(expiresSeconds)],
          ['User-Agent', 'dialtree test phone'],
          ...credentials,
        ],
      });
    };
    let response = await send([]);
    let credentials = this.credentials(response, 'REGISTER', uri);
    if (credentials !== null) response = await send([credentials]);
    // RFC 7616 §3.3: stale asks for another answer to a new nonce, here also by another algorithm.
    credentials = isStale(response) ? this.credentials(response, 'REGISTER', uri) : null;
    return (credentials === null ? response : await send([credentials])).status ?? 0;
  }

  unregister(): Promise<number> {
    return this.register(0);
  }

  /** The phone's own URI. */
  get address(): string {
    return `sip:${this.user}@${bracketed(this.options.server.host)}`;
  }

  /** Calls by the server. The INVITE is on its way when this resolves; `answered()` of the call waits for the rest. */
  async call(number: string, options: CallOptions = {}): Promise<PhoneCall> {
    const { host, port } = this.options.server;
    const startedMs = performance.now();
    const rtp = await RtpEndpoint.open(this.host, startedMs);
    const uri = number.startsWith('sip:') ? number : `sip:${number}@${bracketed(host)}:${port}`;
    const callId = options.callId ?? randomBytes(8).toString('hex');
    const dialog = new Dialog(this, callId, this.address, uri, this.options.server);
    const call = new PhoneCall(
      { phone: this, rtp, startedMs, dialog, sdp: options.sdp ?? {} },
      options,
      null,
    );
    this.calls.push(call);
    void call.place();
    return call;
  }

  /** A SUBSCRIBE outside a dialog: its final response. NOTIFYs are in `notifies`. */
  async subscribe(
    watched: string,
    event: string,
    expiresSeconds = 300,
    callId = randomBytes(8).toString('hex'),
  ): Promise<SipText> {
    const { host, port } = this.options.server;
    const uri = `sip:${watched}@${bracketed(host)}:${port}`;
    const tag = randomBytes(6).toString('hex');
    const send = (cseq: number, credentials: readonly (readonly [string, string])[]): Promise<SipText> =>
      this.transactions.request({
        method: 'SUBSCRIBE',
        uri,
        to: this.options.server,
        headers: [
          ['Max-Forwards', '70'],
          ['From', `<${this.address}>;tag=${tag}`],
          ['To', `<${uri}>`],
          ['Call-ID', callId],
          ['CSeq', `${cseq} SUBSCRIBE`],
          ['Contact', this.contact],
          ['Event', event],
          ['Expires', String(expiresSeconds)],
          ...credentials,
        ],
      });
    const response = await send(1, []);
    const credentials = this.credentials(response, 'SUBSCRIBE', uri);
    return credentials === null ? response : send(2, [credentials]);
  }

  /** A NOTIFY of that subscription whose body matches, of those that came so far or will. */
  notified({ headers }: SipText, body: RegExp, wait: Wait = {}): Promise<SipText> {
    const callId = headers.find(([name]) => name === 'call-id')?.[1];
    const own = (): SipText[] => this.notifies.filter((each) => header(each, 'call-id') === callId);
    return eventually(
      () => own().find((each) => body.test(each.body)),
      wait,
      () =>
        `no NOTIFY to ${this.user} matches ${body}; there came:\n${own()
          .map((each) => each.body)
          .join('\n')}`,
    );
  }

  /** The next call that comes in, or that came and was not taken yet. */
  incoming(wait: Wait = {}): Promise<PhoneCall> {
    return eventually(
      () => this.#waiting.shift(),
      wait,
      () => `no call came in to ${this.user}; the wire saw:\n${this.ladder()}`,
    );
  }

  /** The header that answers a challenge; null: it was none, or there is no password. */
  credentials(response: SipText, method: string, uri: string): readonly [string, string] | null {
    const proxy = response.status === 407;
    const challenge = header(response, proxy ? 'proxy-authenticate' : 'www-authenticate');
    const { password } = this.options;
    if ((!proxy && response.status !== 401) || challenge === '' || password === undefined) return null;
    const answer = digestAnswer({ challenge, method, uri, user: this.user, password });
    return [proxy ? 'Proxy-Authorization' : 'Authorization', answer];
  }

  /** Ends all calls without a word and closes the sockets. */
  close(): void {
    for (const call of this.calls) call.abandon();
    this.transactions.close();
  }

  #requested(request: SipText, from: Peer): void {
    if (this.faults.ignore.includes(request.method)) return;
    const callId = header(request, 'call-id');
    const opening = this.#opening.get(callId);
    if (opening !== undefined) {
      void opening.then(() => this.#requested(request, from));
      return;
    }
    const call = this.calls.find((one) => one.dialog.callId === callId);
    if (call !== undefined) call.requested(request, from);
    else if (this.#isStranger(request))
      this.transactions.respond(request, from, '401 Unauthorized', [
        ['To', `${header(request, 'to')};tag=challenge`],
        ['WWW-Authenticate', CHALLENGE],
      ]);
    else if (request.method === 'INVITE' && parameter(header(request, 'to'), 'tag') === null)
      this.#opening.set(callId, this.#called(request, from));
    else if (request.method !== 'ACK') {
      if (request.method === 'NOTIFY') this.notifies.push(request);
      const known = request.method === 'OPTIONS' || request.method === 'NOTIFY';
      this.transactions.respond(request, from, known ? '200 OK' : '481 No such call', [
        ['To', header(request, 'to')],
      ]);
    }
  }

  #isStranger(request: SipText): boolean {
    const { challenges } = this.options;
    const answer = header(request, 'authorization');
    return (
      request.method === 'INVITE' && challenges !== undefined && !isRightAnswer(answer, 'INVITE', challenges)
    );
  }

  async #called(invite: SipText, from: Peer): Promise<void> {
    this.transactions.respond(invite, from, '100 Trying', [['To', header(invite, 'to')]]);
    const startedMs = performance.now();
    const dialog = Dialog.called(this, invite, from);
    const rtp = await RtpEndpoint.open(this.host, startedMs);
    const call = new PhoneCall({ phone: this, rtp, startedMs, dialog, sdp: {} }, {}, { invite, from });
    this.calls.push(call);
    this.#waiting.push(call);
    this.#opening.delete(dialog.callId);
  }
}
