// OPTIONS to the hosts of trunks, where the trunk asks for it: whether they answer, and how soon. Those that do not are called last.
import type { Logger } from 'pino';
import { contactUri, type HeaderList, USER_AGENT } from '../../../sip/dialogs/capabilities.ts';
import type { Destination, DialogCore } from '../../../sip/dialogs/core.ts';
import { findAll, type HostDestination, openFlow } from '../../../sip/dialogs/destinations.ts';
import { newCallId, newTag } from '../../../sip/ids.ts';
import { type NameAddr, NO_BODY } from '../../../sip/message.ts';
import { formatNameAddr } from '../../../sip/name-addr.ts';
import type { Timer } from '../../../sip/timers.ts';
import type { ClientEvents } from '../../../sip/transactions/transactions.ts';
import type { Address } from '../../../sip/transports/transport.ts';
import type { Trunk, TrunkHostState } from '../../ports/trunk.ts';
import { hostsOf } from './trunk-hosts.ts';

type Parts = Pick<DialogCore, 'transactions' | 'transports' | 'timers' | 'resolve'> & {
  readonly allowsOf: (trunk: Trunk) => (address: string) => boolean;
  /** The proxy of ours by which the trunk is called; undefined: none. */
  readonly edgeOf: (trunk: Trunk) => Address | undefined;
  readonly random?: () => number;
  /** A host of a trunk has ceased to answer. */
  readonly hostDown?: (id: string, destination: Destination) => void;
};

/** Addresses of one trunk. */
const MOST_HOSTS = 8;
/** For five transmissions over UDP. */
const ANSWER_MS = 8_000;
/** Until the first round: a thousand trunks are not asked at once. */
const FIRST_MS = 2_000;
/** Between OPTIONS to an address that has never answered: it may be that of a stranger. */
const LONGEST_WAIT_S = 600;
const KEPT_MS = 60_000;

interface Host {
  readonly key: string;
  readonly state: TrunkHostState;
  readonly hasAnswered: boolean;
  /** Rounds without an answer since the last one. */
  readonly misses: number;
  /** Rounds until it is asked again. */
  skips: number;
}

/** Shared by trunks with one host: many trunks must not make a flood of it. */
interface Answer {
  readonly atMs: number;
  readonly latencyMs: Promise<number | null>;
}

interface Watched {
  readonly trunk: Trunk;
  readonly settings: string;
  timer: Timer | null;
  hosts: readonly Host[];
}

export class TrunkMonitor {
  readonly #parts: Parts;
  readonly #random: () => number;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #watched = new Map<string, Watched>();
  /** By address, oldest first. */
  readonly #answers = new Map<string, Answer>();

  constructor(parts: Parts, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#parts = parts;
    this.#random = parts.random ?? Math.random;
    this.#logger = logger;
  }

  set(trunks: readonly Trunk[]): void {
    const wanted = new Map(
      trunks.filter(({ keepAliveS = 0 }) => keepAliveS > 0).map((each) => [each.id, each]),
    );
    for (const [id, watched] of this.#watched) {
      const trunk = wanted.get(id);
      if (trunk && settingsOf(trunk) === watched.settings) continue;
      watched.timer?.stop();
      this.#watched.delete(id);
    }
    for (const [id, trunk] of wanted) {
      if (this.#watched.has(id)) continue;
      const watched: Watched = { trunk, settings: settingsOf(trunk), timer: null, hosts: [] };
      this.#watched.set(id, watched);
      this.#schedule(watched, this.#random() * FIRST_MS);
    }
  }

  isDown(id: string, destination: Destination): boolean {
    const key = keyOf(destination);
    return this.#watched.get(id)?.hosts.some((host) => host.key === key && !host.state.reachable) ?? false;
  }

  stateOf(id: string): { readonly reachable: boolean | null; readonly hosts: readonly TrunkHostState[] } {
    const hosts = this.#watched.get(id)?.hosts ?? [];
    if (hosts.length === 0) return { reachable: null, hosts: [] };
    return { reachable: hosts.some(({ state }) => state.reachable), hosts: hosts.map(({ state }) => state) };
  }

  /** Trunks of which no host answers. */
  get unreachable(): number {
    let count = 0;
    for (const id of this.#watched.keys()) if (this.stateOf(id).reachable === false) count += 1;
    return count;
  }

  close(): void {
    for (const { timer } of this.#watched.values()) timer?.stop();
    this.#watched.clear();
    this.#answers.clear();
  }

  #schedule(watched: Watched, waitMs: number): void {
    watched.timer = this.#parts.timers.start(waitMs, () => {
      this.#schedule(watched, (watched.trunk.keepAliveS ?? 0) * 1000 * (0.9 + this.#random() * 0.2));
      this.#round(watched).catch((error: unknown) => this.#parts.transactions.failed(error));
    });
  }

  async #round(watched: Watched): Promise<void> {
    const { trunk } = watched;
    const target = { protocol: trunk.protocol, allows: this.#parts.allowsOf(trunk) };
    const found = await Promise.all(hostsOf(trunk).map((host) => findAll(this.#parts, target, host)));
    const named = new Map(found.flat().map((each) => [keyOf(each), each]));
    const asked = [...named].slice(0, MOST_HOSTS);
    // A name that leads nowhere is a host that does not answer.
    for (const [at, host] of hostsOf(trunk).entries())
      if (found[at]?.length === 0)
        this.#note(watched, { ...host, protocol: trunk.protocol, address: '' }, null);
    watched.hosts = watched.hosts.filter(({ key, state }) => state.address === '' || named.has(key));
    await Promise.all(
      asked.map(async ([key, each]) => {
        const host = watched.hosts.find((known) => known.key === key);
        if (host && host.skips > 0) host.skips -= 1;
        else this.#note(watched, each, await this.#latencyOf(watched.trunk, key, each));
      }),
    );
  }

  /** As it was found for another trunk within half of this one's interval, or now. */
  #latencyOf(trunk: Trunk, key: string, destination: HostDestination): Promise<number | null> {
    const via = this.#parts.edgeOf(trunk);
    const by = via ? `${key} ${via.address} ${via.port}` : key;
    const atMs = this.#parts.timers.now();
    for (const [old, answer] of this.#answers) {
      if (atMs - answer.atMs < KEPT_MS) break;
      this.#answers.delete(old);
    }
    const known = this.#answers.get(by);
    if (known && atMs - known.atMs < (trunk.keepAliveS ?? 0) * 500) return known.latencyMs;
    const latencyMs = this.#ask(destination, via);
    this.#answers.delete(by);
    this.#answers.set(by, { atMs, latencyMs });
    return latencyMs;
  }

  /** Null if there is no answer. */
  async #ask(destination: HostDestination, via: Address | undefined): Promise<number | null> {
    const { transports, timers } = this.#parts;
    const way = await openFlow(transports, destination, via).catch(() => null);
    if (way === null) return null;
    const startedMs = timers.now();
    return new Promise((resolve) => {
      const noted = (latencyMs: number | null): void => {
        late.stop();
        resolve(latencyMs);
      };
      const late = timers.start(ANSWER_MS, () => noted(null));
      this.#send(destination, way, {
        // Any answer is one, a refusal too; 503 says that there is no service.
        responded: ({ status }) => {
          if (status >= 200) noted(status === 503 ? null : timers.now() - startedMs);
        },
        failed: () => noted(null),
      });
    });
  }

  #send(
    { host }: HostDestination,
    { flow, routes }: Awaited<ReturnType<typeof openFlow>>,
    events: ClientEvents,
  ): void {
    const { transports, transactions } = this.#parts;
    const contact = contactUri(transports, flow);
    const uri = `sip:${host.includes(':') ? `[${host}]` : host}`;
    const from: NameAddr = { display: '', uri: contact, params: new Map([['tag', newTag()]]) };
    const to: NameAddr = { display: '', uri, params: new Map() };
    const callId = newCallId();
    const headers: HeaderList = [
      ['max-forwards', '70'],
      ...(routes ?? []).map((route) => ['route', formatNameAddr(route)] as const),
      ['from', formatNameAddr(from)],
      ['to', formatNameAddr(to)],
      ['call-id', callId],
      ['cseq', '1 OPTIONS'],
      ['contact', `<${contact}>`],
      USER_AGENT,
    ];
    const request = {
      kind: 'request',
      method: 'OPTIONS',
      uri,
      headers,
      body: NO_BODY,
      from,
      to,
      callId,
    } as const;
    transactions.request({ ...request, cseq: { number: 1, method: 'OPTIONS' } }, flow, events);
  }

  /** Null if it did not answer. */
  #note(watched: Watched, destination: HostDestination, latencyMs: number | null): void {
    const { trunk } = watched;
    if (this.#watched.get(trunk.id) !== watched) return;
    const key = keyOf(destination);
    const { host, address, port } = destination;
    const before = watched.hosts.find((each) => each.key === key);
    const reachable = latencyMs !== null;
    const misses = reachable ? 0 : (before?.misses ?? 0) + 1;
    const hasAnswered = reachable || (before?.hasAnswered ?? false);
    const found = {
      key,
      state: { host, address, port, reachable, latencyMs: reachable ? Math.round(latencyMs) : null },
      hasAnswered,
      misses,
      skips: hasAnswered ? 0 : skipsAfter(misses, trunk.keepAliveS ?? 0),
    };
    watched.hosts = before
      ? watched.hosts.map((each) => (each.key === key ? found : each))
      : [...watched.hosts, found].slice(0, MOST_HOSTS);
    if (before ? before.state.reachable === reachable : reachable) return;
    const facts = { trunk: trunk.id, name: trunk.name, host };
    if (reachable) this.#logger.info(facts, 'trunk host answers again');
    else {
      this.#logger.warn(facts, 'trunk host does not answer OPTIONS');
      this.#parts.hostDown?.(trunk.id, destination);
    }
  }
}

/** 1, 3, 7 … rounds, up to LONGEST_WAIT_S. */
const skipsAfter = (misses: number, intervalS: number): number =>
  Math.min(2 ** Math.min(misses, 10) - 1, Math.floor(LONGEST_WAIT_S / Math.max(1, intervalS)));

const keyOf = ({ protocol, address, port }: Destination): string => `${protocol} ${address} ${port}`;

const settingsOf = (trunk: Trunk): string =>
  JSON.stringify([hostsOf(trunk), trunk.protocol, trunk.keepAliveS, trunk.privateHost, trunk.register]);
