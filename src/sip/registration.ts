// Our own registration at a trunk (RFC 3261 §10.2): kept refreshed, with a readable reason when it fails.
//
//   starting ──200──▶ registered ──80 % of the time──▶ (again)
//      └──refused, silent──▶ waiting (5 s to 10 min, doubling) ──▶ (again)
import type { CallCredentials } from './dialogs/call-options.ts';
import { contactUri, type HeaderList, USER_AGENT } from './dialogs/capabilities.ts';
import { ChallengeAnswers } from './dialogs/challenge.ts';
import type { Destination, DialogCore } from './dialogs/core.ts';
import { Destinations, type HostTarget } from './dialogs/destinations.ts';
import { readSeconds } from './header-tokens.ts';
import { newCallId, newTag } from './ids.ts';
import { headerOf, type NameAddr, NO_BODY, type SipResponse } from './message.ts';
import { formatNameAddr, listOf } from './name-addr.ts';
import type { Timer } from './timers.ts';
import type { Protocol, TransportFlow } from './transports/transport.ts';

export interface RegistrationOptions
  extends Pick<DialogCore, 'transactions' | 'transports' | 'timers' | 'resolve'> {
  readonly host: string;
  /** 0 = by SRV, or the protocol's default. */
  readonly port: number;
  readonly protocol: Protocol;
  /** Where to send it, instead of to the host. */
  readonly proxy?: { readonly host: string; readonly port: number };
  /** As those of a call's target. */
  readonly backups?: NonNullable<HostTarget['backups']>;
  readonly isDown?: NonNullable<HostTarget['isDown']>;
  /** Addresses that the host may have; without it all. */
  readonly allows?: (address: string) => boolean;
  /** Who registers; without it the user of the credentials. */
  readonly user?: string;
  /** A parameter of our Contact that the provider's calls have in their Request-URI (RFC 3261 §16.5). */
  readonly line?: string;
  readonly credentials: CallCredentials;
  readonly expiresS?: number;
  readonly random?: () => number;
  /** After every change; `reason` is for the log, and tells apart what the state does not. */
  readonly changed?: (state: RegistrationState, reason: string | null) => void;
}

export interface RegistrationState {
  readonly registered: boolean;
  /** Reason for operators; null: registered without problems. */
  readonly problem: string | null;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;
const MOST_REPEATS = 4;
/** For five transmissions over UDP; then the next host is tried, where there is one. */
const SILENT_MS = 8_000;
const SHORTEST_S = 30;
const LONGEST_S = 86_400;

/** The problem of a registration that we ended ourselves. */
export const CLOSED = 'Closed.';

export class Registration {
  readonly #options: RegistrationOptions;
  readonly #random: () => number;
  readonly #callId = newCallId();
  readonly #tag = newTag();
  readonly #challenges: ChallengeAnswers;
  /** The registrar: a domain without a user (RFC 3261 §10.2). */
  readonly #uri: string;
  #seq = 0;
  #expiresS: number;
  #state: RegistrationState;
  /** From the first moment, and for every way to fail: it must not tell which addresses and ports are open (T42). */
  readonly #unanswered: string;
  #timer: Timer | null = null;
  #expiry: Timer | null = null;
  #flow: TransportFlow | null = null;
  #destinations: Destinations | null = null;
  #waitMs = FIRST_WAIT_MS;
  #closing: (() => void) | null = null;
  /** From the first REGISTER of a round to its outcome. */
  #isAsking = false;
  #isClosed = false;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#expiresS = options.expiresS ?? 3600;
    this.#challenges = new ChallengeAnswers(options.credentials);
    const { host } = options;
    this.#uri = `sip:${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}`;
    this.#unanswered = `${host} has not answered.`;
    this.#state = { registered: false, problem: this.#unanswered };
    this.#register();
  }

  get state(): RegistrationState {
    return this.#state;
  }

  /** The flow of the trunk's latest response. */
  get flow(): TransportFlow | null {
    return this.#flow;
  }

  /** The connection to the trunk broke: a new one, and a new registration over it. */
  flowClosed(flow: TransportFlow): void {
    if (this.#isClosed || this.#flow === null || flow.connection === 0) return;
    if (flow.connection !== this.#flow.connection) return;
    this.#set({ registered: false, problem: null });
    this.#retry('The connection to the trunk broke.');
  }

  /** The host that it holds at does not answer: a new one at once, at the next host. */
  hostDown({ address, port }: Pick<Destination, 'address' | 'port'>): void {
    const at = this.#flow?.remote;
    if (this.#isAsking || this.#isClosed || at?.address !== address || at.port !== port) return;
    this.#timer?.stop();
    this.#register();
  }

  /** Un-registers; resolves when the trunk answered or does not. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#timer?.stop();
    this.#expiry?.stop();
    const flow = this.#flow;
    if (!this.#state.registered || flow === null) return Promise.resolve();
    this.#set({ registered: false, problem: CLOSED });
    return new Promise((resolve) => {
      this.#closing = resolve;
      this.#challenges.accepted();
      this.#send(flow, 0, 0);
    });
  }

  #register(): void {
    this.#isAsking = true;
    const { proxy, host, port } = this.#options;
    const target = { ...this.#options, uri: '', ...(proxy ?? { host, port }), isProxy: proxy !== undefined };
    this.#destinations = new Destinations(this.#options, target);
    this.#tryNext(this.#unanswered, 'The host cannot be found, reached or used.');
  }

  /** The next destination; without one it failed, as is said. */
  #tryNext(problem: string, reason: string | null): void {
    if (this.#isClosed || !this.#destinations?.mayHaveMore) {
      this.#failed(problem, reason);
      return;
    }
    this.#challenges.accepted();
    this.#sendToNext(problem, reason).catch((error: unknown) => {
      this.#options.transactions.failed(error);
      this.#failed(this.#unanswered, 'The registration could not be sent.');
    });
  }

  async #sendToNext(problem: string, reason: string | null): Promise<void> {
    const flow = await this.#destinations?.next();
    if (this.#isClosed) return;
    if (flow) this.#send(flow, this.#expiresS, 0);
    else this.#failed(problem, reason);
  }

  #send(flow: TransportFlow, expiresS: number, repeats: number): void {
    const { credentials, transactions, transports, timers } = this.#options;
    const uri = this.#uri;
    const user = encodeURIComponent(this.#options.user ?? credentials.username);
    const aor = `sip:${user}@${uri.slice(4)}`;
    const from: NameAddr = { display: '', uri: aor, params: new Map([['tag', this.#tag]]) };
    const to: NameAddr = { display: '', uri: aor, params: new Map() };
    const cseq = { number: ++this.#seq, method: 'REGISTER' };
    const { line } = this.#options;
    const contact = `${contactUri(transports, flow, user)}${line === undefined ? '' : `;line=${line}`}`;
    const headers: HeaderList = [
      ['max-forwards', '70'],
      ...(this.#destinations?.routes ?? []).map((route) => ['route', formatNameAddr(route)] as const),
      ['from', formatNameAddr(from)],
      ['to', formatNameAddr(to)],
      ['call-id', this.#callId],
      ['cseq', `${cseq.number} REGISTER`],
      ['contact', `<${contact}>;expires=${expiresS}`],
      ['expires', `${expiresS}`],
      ['supported', 'path'],
      USER_AGENT,
      ...this.#challenges.headers('REGISTER', uri),
    ];
    const draft = {
      kind: 'request',
      method: 'REGISTER',
      uri,
      headers,
      body: NO_BODY,
      from,
      to,
      cseq,
    } as const;
    let isOver = false;
    /** Once: what comes late from a host that was passed over is ignored. */
    const once = (act: () => void): void => {
      if (isOver) return;
      isOver = true;
      late?.stop();
      act();
    };
    const silent = (reason: string): void => once(() => this.#tryNext(this.#unanswered, reason));
    const late =
      expiresS > 0 && this.#destinations?.mayHaveMore
        ? timers.start(SILENT_MS, () => silent('No answer in time.'))
        : null;
    transactions.request({ ...draft, callId: this.#callId }, flow, {
      responded: (response) => {
        if (response.status < 200) return;
        once(() => this.#responded(response, flow, contact, expiresS, repeats));
      },
      failed: (why) => silent(why === 'timeout' ? 'No answer in time.' : 'The connection failed.'),
    });
  }

  #responded(
    response: SipResponse,
    flow: TransportFlow,
    contact: string,
    expiresS: number,
    repeats: number,
  ): void {
    const { status } = response;
    if (repeats < MOST_REPEATS && this.#triesAgain(response)) {
      this.#send(flow, expiresS === 0 ? 0 : this.#expiresS, repeats + 1);
    } else if (status < 300) this.#accepted(response, flow, contact);
    else if (status === 401 || status === 407) {
      this.#failed(`${this.#options.host} refuses the user name or password.`);
    } else {
      const problem = `${this.#options.host} refuses the registration: ${status} ${response.reason}.`;
      if (status === 503) this.#tryNext(problem, null);
      else this.#failed(problem);
    }
  }

  #triesAgain(response: SipResponse): boolean {
    if (response.status === 401 || response.status === 407) {
      return this.#challenges.take(response, 'REGISTER', this.#uri);
    }
    const least = readSeconds(headerOf(response, 'min-expires'));
    if (response.status !== 423 || least === undefined || least <= this.#expiresS || least > LONGEST_S)
      return false;
    this.#expiresS = least;
    return true;
  }

  #accepted(response: SipResponse, flow: TransportFlow, contact: string): void {
    this.#challenges.accepted();
    this.#closed();
    if (this.#isClosed) return;
    this.#isAsking = false;
    this.#flow = flow;
    this.#waitMs = FIRST_WAIT_MS;
    this.#set({ registered: true, problem: null });
    const grantedS = Math.max(SHORTEST_S, grantedTo(contact, response) ?? this.#expiresS);
    this.#timer?.stop();
    this.#timer = this.#options.timers.start(grantedS * 800, () => this.#register());
    this.#expiry?.stop();
    this.#expiry = this.#options.timers.start(grantedS * 1000, () => {
      this.#set({ registered: false, problem: this.#state.problem ?? 'The registration ran out.' });
    });
  }

  #failed(problem: string, reason: string | null = null): void {
    this.#closed();
    this.#isAsking = false;
    if (!this.#isClosed) this.#retry(problem, reason);
  }

  #closed(): void {
    this.#closing?.();
    this.#closing = null;
  }

  /** A registration that still holds stays valid while we try again. */
  #retry(problem: string, reason: string | null = null): void {
    this.#challenges.accepted();
    this.#set({ registered: this.#state.registered, problem }, reason);
    // RFC 5626 §4.5: doubling, bounded, with jitter, so that a recovering trunk is not flooded.
    const waitMs = this.#waitMs * (0.75 + this.#random() * 0.5);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#timer?.stop();
    this.#timer = this.#options.timers.start(waitMs, () => this.#register());
  }

  #set(state: RegistrationState, reason: string | null = null): void {
    this.#state = state;
    this.#options.changed?.(state, reason);
  }
}

/** The expires of our own Contact among those listed, or the Expires header (RFC 3261 §10.2.4). */
function grantedTo(contact: string, response: SipResponse): number | undefined {
  for (const { uri, params } of listOf(response, 'contact') ?? []) {
    if (uri !== contact) continue;
    const seconds = readSeconds(params.get('expires'));
    if (seconds !== undefined) return Math.min(seconds, LONGEST_S);
  }
  const seconds = readSeconds(headerOf(response, 'expires'));
  return seconds === undefined ? undefined : Math.min(seconds, LONGEST_S);
}
