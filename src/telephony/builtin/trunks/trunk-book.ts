// The current trunks: their source addresses, and how many calls each carries.
import { BlockList, isIP } from 'node:net';
import type { Trunk } from '../../ports/trunk.ts';

/** Cached addresses, so that a datagram costs one look-up. */
const MAX_CACHED = 10_000;

const NONE: readonly string[] = [];

interface Entry {
  readonly trunk: Trunk;
  readonly from: BlockList;
}

export class TrunkBook {
  #entries = new Map<string, Entry>();
  /** Also of removed trunks: one may be disabled and enabled again during a call. */
  readonly #calls = new Map<string, number>();
  readonly #byAddress = new Map<string, readonly string[]>();

  set(trunks: readonly Trunk[]): void {
    this.#entries = new Map();
    this.#byAddress.clear();
    for (const trunk of trunks) {
      this.#entries.set(trunk.id, { trunk, from: blockList(trunk.addresses) });
    }
  }

  get(id: string): Trunk | undefined {
    return this.#entries.get(id)?.trunk;
  }

  get count(): number {
    return this.#entries.size;
  }

  callsOf(id: string): number {
    return this.#calls.get(id) ?? 0;
  }

  /** The trunks with this source address, all of one account: setTrunks is given no address of two. */
  from(address: string): readonly string[] {
    if (this.#entries.size === 0) return NONE;
    let ids = this.#byAddress.get(address);
    if (ids === undefined) {
      ids = this.#find(address);
      if (this.#byAddress.size >= MAX_CACHED) this.#byAddress.clear();
      this.#byAddress.set(address, ids);
    }
    return ids;
  }

  /** The first of them. */
  firstFrom(address: string): Trunk | undefined {
    const [id] = this.from(address);
    return id === undefined ? undefined : this.get(id);
  }

  /** Counts one more call; the returned function ends it. Null: the trunk has reached its limit. */
  begin(id: string): (() => void) | null {
    const entry = this.#entries.get(id);
    const calls = this.callsOf(id);
    if (!entry || calls >= entry.trunk.maxCalls) return null;
    this.#calls.set(id, calls + 1);
    let running = true;
    return () => {
      if (!running) return;
      running = false;
      const left = this.callsOf(id) - 1;
      if (left > 0) this.#calls.set(id, left);
      else this.#calls.delete(id);
    };
  }

  #find(address: string): readonly string[] {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const found = [...this.#entries].filter(([, { from }]) => from.check(address, family));
    return found.length === 0 ? NONE : found.map(([id]) => id);
  }
}

function blockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of addresses) {
    const [address = '', bits] = text.split('/');
    const version = isIP(address);
    if (version === 0) continue;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    const most = version === 6 ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    if (Number.isInteger(length) && length >= 0 && length <= most) list.addSubnet(address, length, family);
  }
  return list;
}
