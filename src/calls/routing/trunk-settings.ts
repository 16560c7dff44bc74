// The trunks of an account as telephony takes them, with their passwords unsealed.
import type { Logger } from 'pino';
import { type Sealer, trunkPlace } from '../../domain/sealer.ts';
import type { Trunk } from '../../telephony/telephony.ts';
import { globalId } from './dialling.ts';
import type { AccountRoutes } from './routing.ts';

export class TrunkSettings {
  readonly #sealer: Sealer;
  readonly #logger: Logger;
  /** Trunks whose password cannot be unsealed: logged once. */
  readonly #locked = new Set<string>();

  constructor(sealer: Sealer, logger: Logger) {
    this.#sealer = sealer;
    this.#logger = logger;
  }

  /** The enabled ones. */
  of({ id: accountId, trunks }: AccountRoutes): Trunk[] {
    const enabled = trunks.filter(({ data }) => data.enabled);
    return enabled.map(({ id, data }) => {
      const password = this.#passwordOf(accountId, id, data.sealed_password);
      return {
        id: globalId(accountId, id),
        name: data.name,
        host: data.host,
        port: data.port,
        protocol: data.transport,
        addresses: data.addresses,
        username: data.username ?? '',
        password: password ?? '',
        // Registrations with an empty password only make the provider ban us.
        register: data.register && password !== null,
        maxCalls: data.max_calls,
        callerId: data.caller_id,
      };
    });
  }

  /** Null: it was sealed with another key. */
  #passwordOf(accountId: string, id: string, sealed: string | null): string | null {
    const password = sealed === null ? '' : this.#sealer.open(sealed, trunkPlace(accountId, id));
    if (password !== null) this.#locked.delete(id);
    else if (!this.#locked.has(id)) {
      this.#locked.add(id);
      this.#logger.error(
        { trunk: id },
        'trunk password cannot be decrypted with this SECRET_KEY: set it again',
      );
    }
    return password;
  }
}
