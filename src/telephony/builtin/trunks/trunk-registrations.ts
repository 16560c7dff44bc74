// Our registrations at trunks that require one.
import type { Logger } from 'pino';
import { CLOSED, Registration, type RegistrationOptions } from '../../../sip/registration.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { Trunk } from '../../telephony.ts';

type Parts = Pick<RegistrationOptions, 'transactions' | 'transports' | 'timers' | 'resolve'> & {
  /** Which addresses a trunk's host may have. */
  readonly allowsOf: (trunk: Trunk) => (address: string) => boolean;
};

/** For un-registering. A trunk that does not respond times out after 32 s, and call records are written after this. */
const CLOSE_MS = 1000;

export class TrunkRegistrations {
  readonly #stack: Parts;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #running = new Map<string, { readonly registration: Registration; readonly settings: string }>();

  constructor(stack: Parts, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#stack = stack;
    this.#logger = logger;
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

  /** Trunks that require a registration: those that have one, and those that do not. */
  get counts(): { readonly registered: number; readonly failing: number } {
    let registered = 0;
    for (const { registration } of this.#running.values()) if (registration.state.registered) registered += 1;
    return { registered, failing: this.#running.size - registered };
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
    const { id, name, host, port, protocol, username, password } = trunk;
    const { transactions, transports, timers, resolve } = this.#stack;
    const registration = new Registration({
      transactions,
      transports,
      timers,
      resolve,
      host,
      port,
      protocol,
      allows: this.#stack.allowsOf(trunk),
      credentials: { username, password },
      changed: ({ registered, problem }, reason) => {
        const facts = { trunk: id, name, registered, problem, ...(reason === null ? {} : { reason }) };
        // Un-registered by us, or registered: no news for anyone who is on call.
        if (problem === null || problem === CLOSED) this.#logger.info(facts, 'trunk registration');
        else this.#logger.warn(facts, 'trunk registration failed');
      },
    });
    this.#running.set(id, { registration, settings: settingsOf(trunk) });
  }
}

/** Compared to see whether to register again; contains a password, so never log it. */
const settingsOf = ({ host, port, protocol, username, password, privateHost }: Trunk): string =>
  JSON.stringify([host, port, protocol, username, password, privateHost]);
