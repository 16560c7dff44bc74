// The trunks of all accounts as telephony takes them: with their passwords unsealed, and with the addresses that each may have.
import type { Logger } from 'pino';
import { sealedPlace } from '../../domain/sealed.ts';
import type { Sealer } from '../../domain/sealer.ts';
import { usedAddresses } from '../../domain/trunk-addresses.ts';
import { parseHostPort } from '../../kinds/host-port.ts';
import type { Trunk, TrunkLine } from '../../telephony/ports/trunk.ts';
import type { TrunkState } from '../live/live-view.ts';
import { globalId } from './dialling.ts';
import type { AccountRoutes } from './routing.ts';

type StoredTrunk = AccountRoutes['trunks'][number];

type Unused = Map<string, readonly string[]>;

export class TrunkSettings {
  readonly #sealer: Sealer;
  readonly #logger: Logger;
  /** Trunks whose password cannot be unsealed: logged once. */
  readonly #locked = new Set<string>();
  /** By trunk: addresses that no call is taken from. */
  #unused: Unused = new Map();

  constructor(sealer: Sealer, logger: Logger) {
    this.#sealer = sealer;
    this.#logger = logger;
  }

  /** The enabled ones. */
  of(accounts: readonly AccountRoutes[]): Trunk[] {
    const enabled = accounts.flatMap((account) =>
      account.trunks.filter(({ data }) => data.enabled).map((trunk) => ({ account, trunk })),
    );
    // Older trunks first: they keep an address that data of before T38 gave to two accounts.
    enabled.sort((one, other) => one.trunk.createdAtMs - other.trunk.createdAtMs);
    const used = usedAddresses(
      enabled.map(({ account: { id: accountId, limits }, trunk: { data } }) => ({
        accountId,
        limits,
        addresses: data.addresses,
      })),
    );
    const before = this.#unused;
    this.#unused = new Map();
    return enabled.map(({ account, trunk }, index) => {
      const addresses = used[index] ?? [];
      this.#note(globalId(account.id, trunk.id), trunk, addresses, before);
      return this.#trunkOf(account, trunk, addresses);
    });
  }

  unusedAddresses(id: string): readonly string[] {
    return this.#unused.get(id) ?? [];
  }

  #note(id: string, { data }: StoredTrunk, used: readonly string[], before: Unused): void {
    const unused = data.addresses.filter((address) => !used.includes(address));
    if (unused.length === 0) return;
    this.#unused.set(id, unused);
    if (before.get(id)?.join() === unused.join()) return;
    this.#logger.warn(
      { trunk: id, addresses: unused },
      'trunk addresses not used: not allowed for this account, or in use by another',
    );
  }

  #trunkOf(account: AccountRoutes, { id, data }: StoredTrunk, addresses: string[]): Trunk {
    const { id: accountId, limits, numbering } = account;
    const password = this.#passwordOf(accountId, id, data.sealed_password);
    return {
      id: globalId(accountId, id),
      account: accountId,
      name: data.name,
      host: data.host,
      port: data.port,
      ...optionalOf(data),
      protocol: data.transport,
      privateHost: limits.private_networks,
      addresses,
      username: data.username ?? '',
      password: password ?? '',
      // Registrations without the right password only make the provider ban us.
      register: data.register && password !== null,
      maxCalls: Math.min(data.max_calls, limits.max_trunk_calls),
      callerId: data.caller_id === null ? null : numbering.written(data.caller_id, data.outbound_format),
    };
  }

  /** Null if it was sealed with another key. */
  #passwordOf(accountId: string, id: string, sealed: string | null): string | null {
    const password = sealed === null ? '' : this.#sealer.open(sealed, sealedPlace('trunk', accountId, id));
    const trunk = globalId(accountId, id);
    if (password !== null) this.#locked.delete(trunk);
    else if (!this.#locked.has(trunk)) {
      this.#locked.add(trunk);
      this.#logger.error({ trunk }, 'trunk password cannot be decrypted with this SECRET_KEY: set it again');
    }
    return password;
  }
}

/** What most trunks do without. */
function optionalOf(data: StoredTrunk['data']): Partial<Trunk> {
  const proxy = data.outbound_proxy === null ? null : parseHostPort(data.outbound_proxy);
  const backups = data.backup_hosts.map(parseHostPort).filter((each) => each !== null);
  return {
    ...(proxy ? { proxy } : {}),
    ...(backups.length > 0 ? { backups } : {}),
    ...(data.srtp === 'off' ? {} : { srtp: data.srtp }),
    ...(data.keepalive_seconds > 0 ? { keepAliveS: data.keepalive_seconds } : {}),
    ...(data.auth_username === null ? {} : { authUsername: data.auth_username }),
    ...(data.inbound_by_registration ? { callsByRegistration: true } : {}),
    ...(data.from_domain === null ? {} : { fromDomain: data.from_domain }),
    ...(data.from_user === 'username' && data.username !== null ? { fromUsername: true } : {}),
    ...(data.identity_header === 'none' ? {} : { identityHeader: data.identity_header }),
  };
}

/** As the API shows it. */
export function trunkView({
  hosts,
  ...line
}: TrunkLine): Omit<TrunkState, 'registered_by' | 'unused_addresses'> {
  return { ...line, hosts: hosts.map(({ latencyMs, ...host }) => ({ ...host, latency_ms: latencyMs })) };
}
