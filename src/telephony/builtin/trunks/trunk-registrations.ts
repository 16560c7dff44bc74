// Our registrations at trunks that require one, and the calls that they prove to be the provider's (docs/threat-model.md T52).
import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Destination } from '../../../sip/dialogs/core.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { CLOSED, Registration, type RegistrationOptions } from '../../../sip/registration.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { Trunk } from '../../ports/trunk.ts';

type Parts = Pick<RegistrationOptions, 'transactions' | 'transports' | 'timers' | 'resolve'> & {
  /** Which addresses a trunk's host may have. */
  readonly allowsOf: (trunk: Trunk) => (address: string) => boolean;
  readonly isDown?: (id: string, destination: Destination) => boolean;
  /** The key of the parameters in our Contacts; without it a random one. */
  readonly lineKey?: Uint8Array;
};

interface Running {
  readonly trunk: Trunk;
  readonly registration: Registration;
  readonly settings: string;
  /** In our Contact; undefined: none. */
  readonly line: string | undefined;
}

/** For un-registering. A trunk that does not respond times out after 32 s, and call records are written after this. */
const CLOSE_MS = 1000;

export class TrunkRegistrations {
  readonly #stack: Parts;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #running = new Map<string, Running>();
  readonly #lineKey: Uint8Array;

  constructor(stack: Parts, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#stack = stack;
    this.#logger = logger;
    this.#lineKey = stack.lineKey ?? randomBytes(32);
  }

  set(trunks: readonly Trunk[]): void {
    const wanted = new Map(trunks.filter(({ register }) => register).map((trunk) => [trunk.id, trunk]));
    for (const [id, { registration, settings }] of this.#running) {
      const trunk = wanted.get(id);
      if (trunk && settingsOf(trunk) === settings) continue;
      this.#running.delete(id);
      void registration.close();
    }
    for (const [id, trunk] of wanted) if (!this.#running.has(id)) this.#begin(trunk);
  }

  stateOf(id: string): { registered: boolean | null; problem: string | null } {
    return this.#running.get(id)?.registration.state ?? { registered: null, problem: null };
  }

  /** The trunk whose unguessable line, of our Contact, the request has: its provider alone knows it. Null: none. */
  lineOf({ uri }: Pick<SipRequest, 'uri'>): string | null {
    const line = uri.includes(';line=') ? parseUri(uri)?.params.get('line')?.toLowerCase() : undefined;
    if (line === undefined) return null;
    for (const [id, running] of this.#running)
      if (running.line === line && running.registration.state.registered) return id;
    return null;
  }

  /**
   * The one trunk that is registered under this user name at this very address or by this connection, or alone by the connection.
   * Trunks of several accounts share connections, and may have one name at two domains of a registrar: what may be another's is no one's.
   */
  registeredAs(user: string, flow: TransportFlow): string | null {
    const named: Running[] = [];
    const connected: Running[] = [];
    for (const running of this.#running.values()) {
      const { registration, trunk } = running;
      if (!registration.state.registered) continue;
      const isConnected = isBy(flow, registration);
      if (isConnected) connected.push(running);
      const isThere = isConnected || registration.flow?.remote.address === peerOf(flow).address;
      if (isThere && trunk.username === user) named.push(running);
    }
    const [only, other] = named.length > 0 ? named : connected;
    return only?.trunk.callsByRegistration && other === undefined ? only.trunk.id : null;
  }

  /** Whether a trunk is registered by this connection. */
  isRegisteredBy(flow: TransportFlow): boolean {
    if (flow.connection === 0) return false;
    for (const { registration } of this.#running.values())
      if (registration.state.registered && isBy(flow, registration)) return true;
    return false;
  }

  /** Trunks that require a registration: those that have one, and those that do not. */
  get counts(): { readonly registered: number; readonly failing: number } {
    let registered = 0;
    for (const { registration } of this.#running.values()) if (registration.state.registered) registered += 1;
    return { registered, failing: this.#running.size - registered };
  }

  hostDown(id: string, destination: Destination): void {
    this.#running.get(id)?.registration.hostDown(destination);
  }

  flowClosed(flow: TransportFlow): void {
    for (const { registration } of this.#running.values()) registration.flowClosed(flow);
  }

  /** Un-registers, and waits a bounded time for the responses. */
  async close(): Promise<void> {
    const closing = [...this.#running.values()].map(({ registration }) => registration.close());
    this.#running.clear();
    await new Promise<void>((resolve) => {
      const late = this.#stack.timers.start(CLOSE_MS, resolve);
      void Promise.all(closing).then(() => {
        late.stop();
        resolve();
      });
    });
  }

  #begin(trunk: Trunk): void {
    const { id, name, host, port, username, password } = trunk;
    const { transactions, transports, timers, resolve, allowsOf, isDown = () => false } = this.#stack;
    const { proxy, backups = [], authUsername = username } = trunk;
    const line = trunk.callsByRegistration ? this.#line(trunk) : undefined;
    const registration = new Registration({
      transactions,
      transports,
      timers,
      resolve,
      host,
      port,
      protocol: trunk.protocol,
      ...(proxy ? { proxy } : {}),
      backups,
      isDown: (destination) => isDown(id, destination),
      allows: allowsOf(trunk),
      user: username,
      ...(line === undefined ? {} : { line }),
      credentials: { username: authUsername, password },
      changed: ({ registered, problem }, reason) => {
        const facts = { trunk: id, name, registered, problem, ...(reason === null ? {} : { reason }) };
        // Un-registered by us, or registered: no news for anyone who is on call.
        if (problem === null || problem === CLOSED) this.#logger.info(facts, 'trunk registration');
        else this.#logger.warn(facts, 'trunk registration failed');
      },
    });
    this.#running.set(id, { trunk, registration, settings: settingsOf(trunk), line });
  }

  /** 128 bits; the same after a restart, so that the provider replaces our Contact instead of adding one. */
  #line({ id, host, username, password }: Trunk): string {
    const text = JSON.stringify(['trunk line', id, host, username, password]);
    return createHmac('sha256', this.#lineKey).update(text).digest('hex').slice(0, 32);
  }
}

/** An edge speaks for others on its connection. */
const isBy = ({ connection, peer }: TransportFlow, { flow }: Registration): boolean =>
  connection !== 0 && peer === undefined && flow?.connection === connection;

/** Compared to see whether to register again; contains a password, so never log it. */
const settingsOf = (trunk: Trunk): string => {
  const { host, port, protocol, username, authUsername, password, privateHost, proxy, backups } = trunk;
  const ours = [username, authUsername, password, privateHost, trunk.callsByRegistration];
  return JSON.stringify([host, port, protocol, proxy, backups, ...ours]);
};
