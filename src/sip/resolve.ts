// From a SIP URI to addresses to try, in order (RFC 3263): numbers as they are, names by SRV and then A and AAAA.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressesBy } from '../names/names.ts';
import type { SipUri } from './message.ts';
import { defaultPort, type Protocol } from './transports/transport.ts';

export interface Target {
  readonly protocol: Protocol;
  readonly address: string;
  readonly port: number;
  /** The name that was asked for: what a certificate must be for (RFC 5922 §4). */
  readonly serverName: string;
}

export interface SrvRecord {
  readonly name: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

/** The part of node:dns that is used. Each rejects when there is nothing. */
export interface NameServer {
  resolveSrv(name: string): Promise<readonly SrvRecord[]>;
  resolve4(name: string, options: { ttl: true }): Promise<readonly AddressRecord[]>;
  resolve6(name: string, options: { ttl: true }): Promise<readonly AddressRecord[]>;
  /** With the hosts file and the search list; asked when DNS does not know the name as it is. */
  lookup?(name: string): Promise<readonly string[]>;
}

export interface AddressRecord {
  readonly address: string;
  /** In seconds. */
  readonly ttl: number;
}

export interface ResolverOptions {
  readonly names?: NameServer;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Whether there is a route for IPv6 at all. */
  readonly ipv6?: boolean;
  readonly timeoutMs?: number;
}

const MOST_SRV = 8;
const MOST_TARGETS = 16;
const MOST_CACHED = 1_000;
const LEAST_TTL_S = 5;
const MOST_TTL_S = 300;
/** A name that is not there is asked for again after so long. */
const NOTHING_TTL_S = 10;

type AskedUri = Pick<SipUri, 'scheme' | 'host' | 'port' | 'params'>;

export class TargetResolver {
  readonly #names: NameServer;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #ipv6: boolean;
  readonly #timeoutMs: number;
  readonly #cache = new Map<string, { readonly value: Promise<Answer>; until: number }>();

  constructor(options: ResolverOptions = {}) {
    this.#names = options.names ?? systemNames();
    this.#now = options.now ?? (() => performance.now());
    this.#random = options.random ?? Math.random;
    this.#ipv6 = options.ipv6 ?? true;
    this.#timeoutMs = options.timeoutMs ?? 5_000;
  }

  get cached(): number {
    return this.#cache.size;
  }

  /** At most MOST_TARGETS; none when the name leads nowhere or the answer took too long. Never rejects. */
  async resolve(uri: AskedUri): Promise<Target[]> {
    const given = protocolOf(uri);
    const host = uri.host.startsWith('[') ? uri.host.slice(1, -1) : uri.host;
    // RFC 3263 §4.1 and §4.2: a number needs no look-up.
    if (isIP(host) !== 0) return [target(given ?? 'udp', host, uri.port, host)];
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<Target[]>((resolve) => {
      late = setTimeout(() => resolve([]), this.#timeoutMs).unref();
    });
    try {
      return (await Promise.race([this.#byName(host, uri.port, given), tooLate])).slice(0, MOST_TARGETS);
    } finally {
      clearTimeout(late);
    }
  }

  async #byName(host: string, port: number, given: Protocol | null): Promise<Target[]> {
    if (port !== 0) return this.#byAddress(given ?? 'udp', host, port, host);
    // RFC 3263 §4.1: without a transport in the URI, those we speak in our order of preference.
    const wanted: readonly Protocol[] = given === null ? ['udp', 'tcp', 'tls'] : [given];
    const found = await Promise.all(wanted.map((protocol) => this.#bySrv(protocol, host)));
    const targets = found.flat();
    return targets.length > 0 ? targets : this.#byAddress(given ?? 'udp', host, 0, host);
  }

  async #bySrv(protocol: Protocol, host: string): Promise<Target[]> {
    const service = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp', ws: '_sip._ws' }[protocol];
    const { services } = await this.#ask('srv', `${service}.${host}`);
    // RFC 2782: a lone dot means that the service is not available.
    const usable = services.filter(({ name }) => name !== '' && name !== '.').slice(0, MOST_SRV);
    const ordered = inOrder(usable, this.#random);
    // RFC 5922 §4: the certificate is for the domain asked for, not for where SRV led.
    const found = await Promise.all(
      ordered.map(({ name, port }) => this.#byAddress(protocol, name, port, host)),
    );
    return found.flat();
  }

  async #byAddress(protocol: Protocol, name: string, port: number, serverName: string): Promise<Target[]> {
    if (isIP(name) !== 0) return [target(protocol, name, port, serverName)];
    const [four, six] = await Promise.all([
      this.#ask('a', name),
      this.#ipv6 ? this.#ask('aaaa', name) : NOTHING,
    ]);
    const found = [...four.addresses, ...six.addresses];
    if (found.length === 0) found.push(...(await this.#ask('hosts', name)).addresses);
    return found.map((address) => target(protocol, address, port, serverName));
  }

  #ask(kind: Kind, name: string): Promise<Answer> {
    const key = `${kind} ${name.toLowerCase()}`;
    const known = this.#cache.get(key);
    if (known !== undefined && known.until > this.#now()) return known.value;
    this.#cache.delete(key);
    if (this.#cache.size >= MOST_CACHED) {
      for (const oldest of this.#cache.keys()) {
        this.#cache.delete(oldest);
        break;
      }
    }
    // Until the answer is there, others wait for the same one.
    const entry = { value: this.#look(kind, name), until: Number.POSITIVE_INFINITY };
    this.#cache.set(key, entry);
    return entry.value.then((answer) => {
      entry.until = this.#now() + answer.ttlS * 1_000;
      return answer;
    });
  }

  async #look(kind: Kind, name: string): Promise<Answer> {
    try {
      if (kind === 'srv') {
        return { services: await this.#names.resolveSrv(name), addresses: [], ttlS: MOST_TTL_S };
      }
      if (kind === 'hosts') {
        const addresses = (await this.#names.lookup?.(name)) ?? [];
        return { services: [], addresses: addresses.slice(0, MOST_TARGETS), ttlS: NOTHING_TTL_S };
      }
      const records = await (kind === 'a' ? this.#names.resolve4 : this.#names.resolve6).call(
        this.#names,
        name,
        {
          ttl: true,
        },
      );
      const addresses = records.slice(0, MOST_TARGETS).map(({ address }) => address);
      const ttl = Math.min(...records.map((record) => record.ttl), MOST_TTL_S);
      return { services: [], addresses, ttlS: Math.max(ttl, LEAST_TTL_S) };
    } catch {
      return NOTHING;
    }
  }
}

type Kind = 'srv' | 'a' | 'aaaa' | 'hosts';

interface Answer {
  readonly services: readonly SrvRecord[];
  readonly addresses: readonly string[];
  readonly ttlS: number;
}

const NOTHING: Answer = { services: [], addresses: [], ttlS: NOTHING_TTL_S };

function systemNames(): NameServer {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return {
    resolveSrv: (name) => resolver.resolveSrv(name),
    resolve4: (name, options) => resolver.resolve4(name, options),
    resolve6: (name, options) => resolver.resolve6(name, options),
    lookup: (name) => addressesBy(resolver, name),
  };
}

/** RFC 3261 §26.2.2: sips is TLS, whatever the parameter says. Null: it is not said. */
function protocolOf(uri: AskedUri): Protocol | null {
  if (uri.scheme === 'sips') return 'tls';
  const transport = uri.params.get('transport')?.toLowerCase();
  return transport === 'udp' || transport === 'tcp' || transport === 'tls' ? transport : null;
}

function target(protocol: Protocol, address: string, port: number, serverName: string): Target {
  return { protocol, address, port: port || defaultPort(protocol), serverName };
}

/** RFC 2782: the lowest priority first; among equals by chance, as their weights say. */
export function inOrder(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const left = records.toSorted((a, b) => a.priority - b.priority || a.weight - b.weight);
  const ordered: SrvRecord[] = [];
  while (left.length > 0) {
    const equals = left.filter(({ priority }) => priority === left[0]?.priority);
    const sum = equals.reduce((total, { weight }) => total + weight, 0);
    const point = random() * (sum + 1);
    let reached = 0;
    let chosen = 0;
    for (const [index, { weight }] of equals.entries()) {
      reached += weight;
      chosen = index;
      if (reached >= point) break;
    }
    ordered.push(...left.splice(chosen, 1));
  }
  return ordered;
}
