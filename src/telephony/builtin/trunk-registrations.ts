// Our registrations at the trunks that want one.
import type { Logger } from 'pino';
import { Registration } from '../../sip/registration.ts';
import type { Flow } from '../../sip/transports/transport.ts';
import type { Trunk } from '../telephony.ts';
import type { Stack } from './stack.ts';

export class TrunkRegistrations {
  readonly #stack: Stack;
  readonly #logger: Logger;
  readonly #running = new Map<string, { readonly registration: Registration; readonly settings: string }>();

  constructor(stack: Stack, logger: Logger) {
    this.#stack = stack;
    this.#logger = logger;
  }

  /** Those that are new or changed begin anew; those that are gone say goodbye. */
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

  flowClosed(flow: Flow): void {
    for (const { registration } of this.#running.values()) registration.flowClosed(flow);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ registration }) => registration.close()));
    this.#running.clear();
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
      credentials: { username, password },
      changed: ({ registered, problem }) =>
        this.#logger.info({ trunk: id, name, registered, problem }, 'trunk registration'),
    });
    this.#running.set(id, { registration, settings: settingsOf(trunk) });
  }
}

/** Whether a registration must begin anew; never logged, since a password is in it. */
const settingsOf = ({ host, port, protocol, username, password }: Trunk): string =>
  JSON.stringify([host, port, protocol, username, password]);
