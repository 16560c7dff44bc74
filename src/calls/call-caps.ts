// What one agent and one account may have at once, as the operator set it (docs/threat-model.md T41). Calls are counted here, legs
// by telephony, before it opens ports. Those of other nodes count as of a second ago: a call waits for none of them.
import { NO_OTHERS, type NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Peer, Quota, Refusal } from '../telephony/telephony.ts';
import type { AccountRoutes } from './routing/routing.ts';
import { isVisitor } from './visitor-calls.ts';

export const ACCOUNT_FULL = { status: 503, retryAfterSeconds: 5 } as const satisfies Refusal;

/** The quotas of a leg of the account; `agent`: whose leg it is, as AgentStates names them. */
export function legQuotas(
  { id, limits }: Pick<AccountRoutes, 'id' | 'limits'>,
  agent: string | null,
  counts: NodeCounts = NO_OTHERS,
): Quota[] {
  const key = `account ${id}`;
  const account: Quota = { key, most: limits.max_legs - counts.others(key), status: 503 };
  if (agent === null) return [account];
  const agentKey = `agent ${agent}`;
  const most = limits.max_calls_per_agent - counts.others(agentKey);
  // 486 rather than 503, at which a phone would look for another server (RFC 3263 §4.3).
  return [{ key: agentKey, most, status: 486 }, account];
}

export type LegLimit = 'max_calls_per_agent' | 'max_legs';

/** The limit behind one of `legQuotas`. */
export const limitOf = ({ status }: Quota): LegLimit => (status === 486 ? 'max_calls_per_agent' : 'max_legs');

/** A session of a web page has one call at a time. */
const guestQuota = (id: string): Quota => ({ key: `guest ${id}`, most: 1, status: 486 });

/** Visitors by call buttons have half of the account's calls: strangers must not keep its own callers out. */
function visitorsQuota({ id, limits }: Pick<AccountRoutes, 'id' | 'limits'>, counts: NodeCounts): Quota {
  const key = `visitors ${id}`;
  return { key, most: Math.ceil(limits.max_calls / 2) - counts.others(key), status: 503 };
}

/** The quotas of a call from that peer. */
export function quotasOf(
  account: Pick<AccountRoutes, 'id' | 'limits'>,
  peer: Peer,
  counts: NodeCounts,
): Quota[] {
  const quotas = legQuotas(account, peer.kind === 'phone' ? peer.id : null, counts);
  if (peer.kind !== 'guest') return quotas;
  const own = [guestQuota(peer.id), ...quotas];
  return isVisitor(peer) ? [visitorsQuota(account, counts), ...own] : own;
}

const callsKey = (id: string): string => `calls ${id}`;

export class AccountCalls {
  readonly #counts: NodeCounts;
  /** By account; without an entry: none. */
  readonly #calls = new Map<string, number>();

  constructor(counts: NodeCounts = NO_OTHERS) {
    this.#counts = counts;
  }

  isFull({ id, limits }: Pick<AccountRoutes, 'id' | 'limits'>): boolean {
    return (this.#calls.get(id) ?? 0) + this.#counts.others(callsKey(id)) >= limits.max_calls;
  }

  /** At this node. */
  has(id: string): boolean {
    return this.#calls.has(id);
  }

  began(id: string): void {
    const calls = (this.#calls.get(id) ?? 0) + 1;
    this.#calls.set(id, calls);
    this.#counts.set(callsKey(id), calls);
  }

  ended(id: string): void {
    const left = (this.#calls.get(id) ?? 1) - 1;
    if (left > 0) this.#calls.set(id, left);
    else this.#calls.delete(id);
    this.#counts.set(callsKey(id), left);
  }
}
