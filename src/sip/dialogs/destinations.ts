// The destinations of a target, tried in order (RFC 3263 §4.3): the addresses of its host, then those of the hosts that stand in for it.
import type { NameAddr } from '../message.ts';
import { type Address, defaultPort, type Protocol, type TransportFlow } from '../transports/transport.ts';
import { isNumeric, unbracketed } from './addresses.ts';
import type { CallTarget } from './call-options.ts';
import type { Destination, DialogCore } from './core.ts';

/** The addresses of one host that are tried. */
const MOST_TRIED = 5;

type Core = Pick<DialogCore, 'transports' | 'resolve'>;
export type HostTarget = Exclude<CallTarget, { flow: TransportFlow }>;

/** An address of a host. */
export interface HostDestination extends Destination {
  readonly host: string;
}

export class Destinations {
  readonly #core: Core;
  readonly #target: CallTarget;
  /** Not yet looked up. */
  readonly #hosts: { readonly host: string; readonly port: number }[];
  readonly #left: HostDestination[] = [];
  /** They did not answer of late: tried when nothing else is left. */
  #down: HostDestination[] = [];
  #used = false;
  #routes: readonly NameAddr[] | null = null;

  constructor(core: Core, target: CallTarget) {
    this.#core = core;
    this.#target = target;
    this.#hosts = 'flow' in target ? [] : [target, ...(target.backups ?? [])];
  }

  /** The flow that exists already, without waiting. */
  takeFlow(): TransportFlow | null {
    if (!('flow' in this.#target) || this.#used) return null;
    this.#used = true;
    return this.#target.flow;
  }

  /** The Route headers of the destination that was taken last, by a proxy; null: none. */
  get routes(): readonly NameAddr[] | null {
    return this.#routes;
  }

  /** Whether `next` may have another one. */
  get mayHaveMore(): boolean {
    return this.#left.length + this.#hosts.length + this.#down.length > 0;
  }

  /** Null when no destination is left. */
  async next(): Promise<TransportFlow | null> {
    const target = this.#target;
    if ('flow' in target) return this.takeFlow();
    for (let each = await this.#take(target); each !== null; each = await this.#take(target)) {
      try {
        return await this.#flowTo(each, target);
      } catch {
        // This destination failed: try the next one.
      }
    }
    return null;
  }

  async #take(target: HostTarget): Promise<HostDestination | null> {
    while (this.#left.length === 0) {
      const host = this.#hosts.shift();
      if (host === undefined) {
        const late = this.#down.shift();
        return late ?? null;
      }
      for (const each of await findAll(this.#core, target, host)) {
        if (target.isDown?.(each)) this.#down.push(each);
        else this.#left.push(each);
      }
    }
    return this.#left.shift() ?? null;
  }

  async #flowTo(each: HostDestination, { via, isProxy }: HostTarget): Promise<TransportFlow> {
    const { protocol, port, host } = each;
    const named = { address: host, port: isNumeric(host) ? port : 0 };
    this.#routes = isProxy ? [routeTo(protocol, named)] : null;
    const { flow, routes } = await openFlow(this.#core.transports, each, via);
    this.#routes = routes ?? this.#routes;
    return flow;
  }
}

/** The flow to a destination, by a proxy of ours with Route headers where there is one. Rejects when it cannot be reached. */
export async function openFlow(
  transports: Core['transports'],
  { protocol, address, port, host }: HostDestination,
  via: Address | undefined,
): Promise<{ readonly flow: TransportFlow; readonly routes: readonly NameAddr[] | null }> {
  if (!via) return { flow: await transports.flowTo(protocol, { address, port }, host), routes: null };
  // Resolved here: the proxy does not know which addresses are allowed.
  const routes = [routeTo('udp', via), routeTo(protocol, { address, port })];
  return { flow: { ...(await transports.flowTo('udp', via)), peer: { address, port } }, routes };
}

/** The addresses of one host, best first. */
export async function findAll(
  core: Pick<DialogCore, 'resolve'>,
  { protocol, allows = () => true }: Pick<HostTarget, 'protocol' | 'allows'>,
  at: { readonly host: string; readonly port: number },
): Promise<HostDestination[]> {
  const host = unbracketed(at.host);
  const found = isNumeric(host)
    ? [{ protocol, address: host, port: at.port || defaultPort(protocol) }]
    : await core.resolve(protocol, host, at.port).catch(() => []);
  // Connected to by these addresses: a name that is looked up again could have others (T42).
  const allowed = found.filter(({ address, port }) => allows(address, port)).slice(0, MOST_TRIED);
  return allowed.map((each) => ({ protocol: each.protocol, address: each.address, port: each.port, host }));
}

/** Port 0: none is written, so that a name is looked up by SRV. */
function routeTo(protocol: Protocol, { address, port }: Address): NameAddr {
  const host = address.includes(':') ? `[${address}]` : address;
  const at = port === 0 ? host : `${host}:${port}`;
  const transport = protocol === 'udp' ? '' : `;transport=${protocol}`;
  return { display: '', uri: `sip:${at}${transport};lr`, params: new Map() };
}

/** Stands for the flow until the name is resolved. */
export const flowBefore = ({ host, port, protocol }: HostTarget): TransportFlow => ({
  protocol,
  local: { address: '', port: 0 },
  remote: { address: host, port },
  connection: 0,
});
