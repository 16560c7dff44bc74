// A SIP phone for `dialtree call` and `doctor`: it registers, makes and takes calls, and sends keys, with the same stack as the service.
import type { MediaConfig, MediaEngine } from '../../media/media.ts';
import { Negotiation } from '../../media/sdp/negotiation.ts';
import type { HeaderList } from '../../sip/dialogs/capabilities.ts';
import { ChallengeAnswers } from '../../sip/dialogs/challenge.ts';
import { resolveBy } from '../../sip/dialogs/core.ts';
import type { SipMessage, SipResponse } from '../../sip/message.ts';
import { Registration } from '../../sip/registration.ts';
import { TargetResolver } from '../../sip/resolve.ts';
import type { IncomingSession } from '../../sip/session.ts';
import { TimerWheel } from '../../sip/timers.ts';
import { TransactionLayer } from '../../sip/transactions/layer.ts';
import type { Address, TransportFlow } from '../../sip/transports/transport.ts';
import { bracketed, openTransports, type SipTransports } from '../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../sip/uri.ts';
import { ALLOWED, DROPPED, UserAgent } from '../../sip/user-agent.ts';
import { ask } from './question.ts';
import { SoftphoneCall, type SoftphoneEvents } from './softphone-call.ts';
import { addressOf, hostTowards, openSound, SoftphoneError } from './softphone-ports.ts';
import { loadSilence } from './softphone-sounds.ts';

export interface SoftphoneOptions {
  readonly server: { readonly host: string; readonly port: number };
  readonly protocol: 'udp' | 'tcp';
  readonly user: string;
  /** For any challenge of the server. */
  readonly password?: string;
  readonly mediaSockets: MediaConfig['adapter'];
  readonly failed: (error: unknown) => void;
}

const CLOSE_WAITS = 50;
const CLOSE_WAIT_MS = 20;
const REGISTER_MS = 6_000;
const CHALLENGE_MS = 3_000;

export class Softphone {
  readonly engine: MediaEngine;
  readonly #options: SoftphoneOptions;
  readonly #server: Address;
  readonly #transports: SipTransports;
  readonly #timers: TimerWheel;
  readonly #transactions: TransactionLayer;
  readonly #agent: UserAgent;
  readonly #resolve = resolveBy(new TargetResolver());
  readonly #calls = new Map<string, SoftphoneCall>();
  readonly #authorizations = new Map<string, HeaderList>();
  #registration: Registration | null = null;
  #incoming: ((call: SoftphoneCall) => SoftphoneEvents) | null = null;

  static async open(options: SoftphoneOptions): Promise<Softphone> {
    const server = await addressOf(options.server);
    const host = hostTowards(server.address);
    const timers = new TimerWheel(options.failed);
    const engine = await openSound(host, options.mediaSockets);
    try {
      const at = { host, port: 0, hostVariable: '--server', portVariable: '--server' };
      const listen = [{ protocol: options.protocol, ...at }];
      const transports = await openTransports({ listen, timers, failed: options.failed });
      return new Softphone(options, server, transports, timers, engine);
    } catch (error) {
      await engine.close();
      timers.close();
      throw error;
    }
  }

  private constructor(
    options: SoftphoneOptions,
    server: Address,
    transports: SipTransports,
    timers: TimerWheel,
    engine: MediaEngine,
  ) {
    this.#options = options;
    this.#server = server;
    this.#transports = transports;
    this.#timers = timers;
    this.engine = engine;
    loadSilence(engine);
    this.#transactions = new TransactionLayer({ timers, transports, failed: options.failed });
    this.#agent = new UserAgent<null>({
      transactions: this.#transactions,
      transports,
      timers,
      resolve: this.#resolve,
      callbacks: {
        // Requests of other hosts are dropped.
        admit: (_request, flow) => (flow.remote.address === server.address ? ALLOWED : DROPPED),
        incoming: (session) => this.#called(session),
        registering: () => null,
      },
    });
    this.#transactions.deliverTo(this.#agent);
    transports.deliverTo({
      received: (message, flow) => {
        this.#calls.get(message.callId)?.signalled(describe(message));
        this.#transactions.received(message, flow);
      },
      flowClosed: (flow) => {
        this.#transactions.flowClosed(flow);
        this.#registration?.flowClosed(flow);
      },
    });
  }

  get address(): string {
    const { host } = this.#transports.sentBy(this.#towardsServer());
    return host.startsWith('[') ? host.slice(1, -1) : host;
  }

  /** Null when it was accepted, else a message for the user. */
  register(): Promise<string | null> {
    const { user: username, password = '', protocol } = this.#options;
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve('The registration is not answered.'), REGISTER_MS);
      this.#registration = new Registration({
        transactions: this.#transactions,
        transports: this.#transports,
        timers: this.#timers,
        resolve: this.#resolve,
        host: this.#server.address,
        port: this.#server.port,
        protocol,
        credentials: { username, password },
        expiresS: 120,
        changed: ({ registered, problem }) => {
          if (!registered && problem === null) return;
          clearTimeout(late);
          resolve(registered ? null : problem);
        },
      });
    });
  }

  call(number: string, events: SoftphoneEvents): SoftphoneCall {
    const { user, password, protocol } = this.#options;
    const { address: host, port } = this.#server;
    const call = this.#newCall(events);
    const uri = this.#uriOf(number);
    const authorization = this.#authorizations.get(uri) ?? [];
    this.#authorizations.delete(uri);
    const session = this.#agent.call({
      target: { uri, host, port, protocol },
      from: formatUri(sipUri(user, bracketed(host))),
      callerName: '',
      headers: authorization,
      sdp: call.offer(),
      events: call.sessionEvents(),
      ...(password === undefined ? {} : { credentials: { username: user, password } }),
    });
    this.#calls.set(session.callId, call);
    call.placed(session);
    return call;
  }

  /** Handles incoming calls; without a handler they are refused as busy. */
  onCall(incoming: (call: SoftphoneCall) => SoftphoneEvents): void {
    this.#incoming = incoming;
  }

  /**
   * Gets a challenge before the call, so that the INVITE is authenticated: on loopback the service does not send one, and the call
   * would be anonymous.
   */
  async authenticate(number: string): Promise<void> {
    const { user: username, password } = this.#options;
    const response = password === undefined ? null : await this.#ask('REGISTER', CHALLENGE_MS);
    if (!response || password === undefined) return;
    const answers = new ChallengeAnswers({ username, password });
    const uri = this.#uriOf(number);
    if (answers.take(response, 'INVITE', uri)) this.#authorizations.set(uri, answers.headers('INVITE', uri));
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.hangUp();
    await Promise.race([this.#registration?.close(), wait(CLOSE_WAITS * CLOSE_WAIT_MS)]);
    // Waits for the response to a BYE that was just sent, for a bounded time.
    for (let waits = 0; waits < CLOSE_WAITS && this.#agent.sessions > 0; waits++) await wait(CLOSE_WAIT_MS);
    this.#transactions.close();
    await this.#transports.close();
    this.#timers.close();
    await this.engine.close();
  }

  #called(session: IncomingSession): void {
    const incoming = this.#incoming;
    if (!incoming) {
      session.reject(486);
      return;
    }
    const call = this.#newCall(null);
    this.#calls.set(session.callId, call);
    call.called(session);
    call.listen(incoming(call));
  }

  #newCall(events: SoftphoneEvents | null): SoftphoneCall {
    const call: SoftphoneCall = new SoftphoneCall(this.engine, events, () => {
      for (const [callId, each] of this.#calls) if (each === call) this.#calls.delete(callId);
    });
    const port = call.open();
    if (port === null) throw new SoftphoneError('No UDP port for sound is free on this machine.');
    call.negotiate(new Negotiation({ address: this.address, port }));
    return call;
  }

  #ask(method: 'REGISTER', withinMs: number): Promise<SipResponse | null> {
    const { user, protocol } = this.#options;
    const { transactions, transports } = { transactions: this.#transactions, transports: this.#transports };
    return ask({ method, user, transactions, transports, server: this.#server, protocol, withinMs });
  }

  #uriOf(number: string): string {
    return formatUri(sipUri(number, bracketed(this.#server.address), this.#server.port));
  }

  #towardsServer(): TransportFlow {
    const local = this.#transports.listening[0]?.local ?? { address: '127.0.0.1', port: 0 };
    return { protocol: this.#options.protocol, local, remote: this.#server, connection: 0 };
  }
}

function describe(message: SipMessage): string {
  if (message.kind === 'request') return message.method;
  const of = message.cseq.method === 'INVITE' ? '' : ` (to ${message.cseq.method})`;
  return `${message.status} ${message.reason}${of}`;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
