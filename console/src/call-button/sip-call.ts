// The SIP of one call that a page makes: INVITE, ACK, CANCEL and BYE as a user agent client, and answers to what comes within the dialog
// (RFC 3261). Over a WebSocket nothing is lost or repeated by the transport, so there are no retransmissions.
//
//   idle ─ start ─▶ calling ─ 2xx ─▶ talking ─ BYE ─▶ over
//                      └── CANCEL, 4xx to 6xx ─────────▲
import {
  type Credentials,
  cseqOf,
  digest,
  header,
  listOf,
  parseSip,
  random,
  responseTo,
  type SipMessage,
  tagIn,
  uriIn,
  written,
} from './sip-message.ts';

export interface SipTarget extends Credentials {
  /** The address of the WebSocket, with the session in it. */
  readonly url: string;
  readonly host: string;
  /** What is called. */
  readonly dial: string;
}

export interface SipCallUser {
  rang(): void;
  /** The far side's SDP for our offer; `isEarly`: before it answered. */
  answered(sdp: string, isEarly: boolean): void;
  /** A re-INVITE: its SDP, or empty where we are to offer. Gives ours; rejects where it cannot. */
  offered(sdp: string): Promise<string>;
  /** Our own re-INVITE was refused: the former agreement holds. */
  refused(): void;
  /** Another WebSocket in place of one that broke: the network may have changed. */
  reconnected(): void;
  /** `status`: of the refusal; 200: hung up; 0: the connection is lost. */
  ended(status: number): void;
}

/** RFC 3261 timer B; and how long the session may be opened anew. */
const ANSWER_MS = 32_000;
const RECONNECT_MS = 45_000;
const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;
const BYE_MS = 2_000;
const ALLOW = 'INVITE, ACK, CANCEL, BYE, UPDATE, OPTIONS, INFO, NOTIFY';
const POLICY = 1008;

type HeaderLine = readonly [string, string];

/** An INVITE under way. */
interface Invite {
  readonly cseq: number;
  readonly branch: string;
  readonly uri: string;
  readonly sdp: string;
  readonly isAuthorized: boolean;
  hasProvisional: boolean;
}

export class SipCall {
  readonly #target: SipTarget;
  readonly #user: SipCallUser;
  readonly #callId = random() + random();
  readonly #from: string;
  readonly #name = `${random()}.invalid`;
  readonly #contact: string;
  #socket: WebSocket | null = null;
  #phase: 'idle' | 'calling' | 'talking' | 'over' = 'idle';
  #invite: Invite | null = null;
  #isCancelled = false;
  #isByeRepeated = false;
  #cseq = 0;
  #acknowledged: { readonly cseq: number; readonly text: string } | null = null;
  #to: string;
  #remoteTarget: string;
  #routes: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(target: SipTarget, user: SipCallUser) {
    this.#target = target;
    this.#user = user;
    this.#remoteTarget = `sip:${target.dial}@${target.host}`;
    this.#to = `<${this.#remoteTarget}>`;
    this.#from = `<sip:${target.username}@${target.host}>;tag=${random()}`;
    this.#contact = `<sip:${target.username}@${this.#name};transport=ws>`;
  }

  start(sdp: string): void {
    this.#phase = 'calling';
    this.#timer = setTimeout(() => this.#over(408), ANSWER_MS);
    this.#open(() => this.#sendInvite(sdp));
  }

  /** A re-INVITE with another offer. False: not now. */
  reoffer(sdp: string): boolean {
    if (this.#phase !== 'talking' || this.#invite || this.#socket?.readyState !== WebSocket.OPEN)
      return false;
    this.#sendInvite(sdp);
    return true;
  }

  hangUp(): void {
    if (this.#phase === 'calling') this.#cancel();
    else if (this.#phase === 'talking') {
      this.#request('BYE', this.#nextCseq(), random());
      this.#over(200);
    }
  }

  /** RFC 3261 §9.1: not before a provisional response has come. */
  #cancel(): void {
    this.#isCancelled = true;
    if (!this.#invite) return this.#over(200);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#over(200), BYE_MS);
    const { cseq, branch, hasProvisional } = this.#invite;
    if (hasProvisional) this.#request('CANCEL', cseq, branch);
  }

  #open(then: () => void, unopened: (code: number) => void = (code) => this.#lost(code)): void {
    const socket = new WebSocket(this.#target.url, 'sip');
    this.#socket = socket;
    socket.onclose = ({ code }) => unopened(code);
    socket.onopen = () => {
      socket.onclose = ({ code }) => this.#lost(code);
      then();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') void this.#received(data);
    };
  }

  #lost(code: number): void {
    if (this.#phase === 'over') return;
    if (this.#phase !== 'talking' || code === POLICY) return this.#over(0);
    this.#invite = null;
    this.#reopen(Date.now() + RECONNECT_MS, FIRST_WAIT_MS);
  }

  #reopen(untilMs: number, waitMs: number): void {
    setTimeout(() => {
      if (this.#phase !== 'talking') return;
      if (Date.now() > untilMs) return this.#over(0);
      this.#open(
        () => this.#user.reconnected(),
        () => this.#reopen(untilMs, Math.min(waitMs * 2, LAST_WAIT_MS)),
      );
    }, waitMs);
  }

  #over(status: number): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // What was sent last has a moment to be answered, with a challenge perhaps.
    setTimeout(() => socket?.close(), status === 200 ? BYE_MS : 0);
    this.#user.ended(status);
  }

  #nextCseq(): number {
    this.#cseq += 1;
    return this.#cseq;
  }

  #send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  #via(branch: string): string {
    const transport = this.#target.url.startsWith('wss') ? 'WSS' : 'WS';
    return `SIP/2.0/${transport} ${this.#name};branch=z9hG4bK${branch}`;
  }

  #requestText(
    method: string,
    cseq: number,
    branch: string,
    more: readonly HeaderLine[] = [],
    body = '',
  ): string {
    const lines: HeaderLine[] = [
      ['Via', this.#via(branch)],
      ['Max-Forwards', '70'],
      ...this.#routes.map((route) => ['Route', route] as const),
      ['From', this.#from],
      ['To', this.#to],
      ['Call-ID', this.#callId],
      ['CSeq', `${cseq} ${method}`],
      ...more,
    ];
    return written(`${method} ${this.#remoteTarget} SIP/2.0`, lines, body);
  }

  #request(method: string, cseq: number, branch: string, more: readonly HeaderLine[] = [], body = ''): void {
    this.#send(this.#requestText(method, cseq, branch, more, body));
  }

  #sendInvite(sdp: string, authorization: readonly HeaderLine[] = []): void {
    const cseq = this.#nextCseq();
    const branch = random();
    const isAuthorized = authorization.length > 0;
    this.#invite = { cseq, branch, uri: this.#remoteTarget, sdp, isAuthorized, hasProvisional: false };
    const lines: HeaderLine[] = [
      ['Contact', this.#contact],
      ['Allow', ALLOW],
      ['Supported', 'outbound'],
      ...authorization,
      ['Content-Type', 'application/sdp'],
    ];
    this.#request('INVITE', cseq, branch, lines, sdp);
  }

  async #received(text: string): Promise<void> {
    const message = parseSip(text);
    if (!message) return;
    if (message.method) return this.#asked(message);
    const { number, method } = cseqOf(message);
    if (header(message, 'call-id') !== this.#callId) return;
    if (method === 'INVITE') this.#inviteAnswered(message, number);
    else if (method === 'BYE') this.#byeAnswered(message);
  }

  #inviteAnswered(response: SipMessage, number: number): void {
    const { status } = response;
    if (status >= 200 && status < 300 && number === this.#acknowledged?.cseq)
      return this.#send(this.#acknowledged.text);
    const invite = this.#invite;
    if (!invite || number !== invite.cseq) return;
    if (status < 200) this.#provisional(response, invite);
    else if (status < 300) this.#accepted(response, invite);
    else this.#rejected(response, invite);
  }

  #provisional(response: SipMessage, invite: Invite): void {
    invite.hasProvisional = true;
    if (this.#isCancelled) return this.#request('CANCEL', invite.cseq, invite.branch);
    if (this.#phase !== 'calling') return;
    clearTimeout(this.#timer);
    if (response.status > 100) this.#user.rang();
    if (response.body) this.#user.answered(response.body, true);
  }

  #accepted(response: SipMessage, { cseq }: Invite): void {
    clearTimeout(this.#timer);
    this.#invite = null;
    const isFirst = this.#phase !== 'talking';
    if (isFirst) {
      // RFC 3261 §12.1.2: the route set is that of the response, reversed, and stays.
      this.#to = header(response, 'to');
      this.#routes = listOf(response, 'record-route').reverse();
    }
    this.#remoteTarget = uriIn(header(response, 'contact')) || this.#remoteTarget;
    const text = this.#requestText('ACK', cseq, random());
    this.#acknowledged = { cseq, text };
    this.#send(text);
    if (this.#phase === 'over') return this.#request('BYE', this.#nextCseq(), random());
    this.#phase = 'talking';
    // RFC 3261 §9.1: the answer crossed our CANCEL.
    if (this.#isCancelled) return this.hangUp();
    this.#user.answered(response.body, false);
  }

  #rejected(response: SipMessage, invite: Invite): void {
    const { status } = response;
    this.#acknowledgeRefusal(response, invite);
    this.#invite = null;
    const lines = invite.isAuthorized ? null : this.#authorization(response, 'INVITE');
    if (lines && !this.#isCancelled && this.#phase !== 'over') return this.#sendInvite(invite.sdp, lines);
    if (this.#phase === 'calling') return this.#over(this.#isCancelled ? 200 : status);
    // RFC 3261 §12.2.1.2: the dialog is gone.
    if (status === 481 || status === 408) this.#over(0);
    else this.#user.refused();
  }

  /** RFC 3261 §17.1.1.3: in the transaction of the INVITE. */
  #acknowledgeRefusal(response: SipMessage, { cseq, branch, uri }: Invite): void {
    const lines: HeaderLine[] = [
      ['Via', this.#via(branch)],
      ['Max-Forwards', '70'],
      ...this.#routes.map((route) => ['Route', route] as const),
      ['From', this.#from],
      ['To', header(response, 'to')],
      ['Call-ID', this.#callId],
      ['CSeq', `${cseq} ACK`],
    ];
    this.#send(written(`ACK ${uri} SIP/2.0`, lines));
  }

  #byeAnswered(response: SipMessage): void {
    const lines = this.#authorization(response, 'BYE');
    // Once: what follows is closed, whatever is said.
    if (lines && this.#phase === 'over' && !this.#isByeRepeated) {
      this.#isByeRepeated = true;
      this.#request('BYE', this.#nextCseq(), random(), lines);
    }
  }
  #authorization(response: SipMessage, method: string): readonly HeaderLine[] | null {
    const [challenge, name] =
      response.status === 401
        ? (['www-authenticate', 'Authorization'] as const)
        : (['proxy-authenticate', 'Proxy-Authorization'] as const);
    if (response.status !== 401 && response.status !== 407) return null;
    const request = { method, uri: this.#remoteTarget };
    const value = digest(header(response, challenge), request, this.#target, random());
    return value === null ? null : [[name, value]];
  }

  async #asked(request: SipMessage): Promise<void> {
    const { method } = request;
    if (method === 'ACK') {
      if (request.body) this.#user.answered(request.body, false);
      return;
    }
    const isOurs =
      header(request, 'call-id') === this.#callId && tagIn(header(request, 'to')) === tagIn(this.#from);
    if (method === 'OPTIONS') return this.#send(responseTo(request, '200 OK', [['Allow', ALLOW]]));
    if (!isOurs || this.#phase !== 'talking')
      return this.#send(responseTo(request, '481 Call/Transaction Does Not Exist'));
    if (method === 'INVITE' || (method === 'UPDATE' && request.body)) return this.#reinvited(request);
    const isKnown = ['BYE', 'UPDATE', 'INFO', 'NOTIFY', 'CANCEL'].includes(method);
    this.#send(responseTo(request, isKnown ? '200 OK' : '405 Method Not Allowed', [['Allow', ALLOW]]));
    if (method === 'BYE') this.#over(200);
  }

  async #reinvited(request: SipMessage): Promise<void> {
    // RFC 3261 §14.2: ours is under way.
    if (this.#invite) return this.#send(responseTo(request, '491 Request Pending'));
    this.#remoteTarget = uriIn(header(request, 'contact')) || this.#remoteTarget;
    const lines: HeaderLine[] = [
      ['Contact', this.#contact],
      ['Allow', ALLOW],
      ['Content-Type', 'application/sdp'],
    ];
    try {
      this.#send(responseTo(request, '200 OK', lines, await this.#user.offered(request.body)));
    } catch {
      this.#send(responseTo(request, '488 Not Acceptable Here'));
    }
  }
}
