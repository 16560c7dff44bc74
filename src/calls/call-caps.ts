// What one agent and one account may have at once, as the operator set it (docs/threat-model.md T41). Calls are counted here, legs
// by telephony, before it opens ports.
import type { Quota, Refusal } from '../telephony/telephony.ts';
import type { AccountRoutes } from './routing/routing.ts';

export const ACCOUNT_FULL = { status: 503, retryAfterSeconds: 5 } as const satisfies Refusal;

/** Of a leg of the account; `agent`: whose leg it is, as AgentStates names them. */
export function legQuotas(
  { id, limits }: Pick<AccountRoutes, 'id' | 'limits'>,
  agent: string | null,
): Quota[] {
  const account: Quota = { key: `account ${id}`, most: limits.max_legs, status: 503 };
  if (agent === null) return [account];
  // 486 rather than 503, at which a phone would look for another server (RFC 3263 §4.3).
  return [{ key: `agent ${agent}`, most: limits.max_calls_per_agent, status: 486 }, account];
}

export class AccountCalls {
  /** By account; without an entry: none. */
  readonly #calls = new Map<string, number>();

  isFull({ id, limits }: Pick<AccountRoutes, 'id' | 'limits'>): boolean {
    return (this.#calls.get(id) ?? 0) >= limits.max_calls;
  }

  began(id: string): void {
    this.#calls.set(id, (this.#calls.get(id) ?? 0) + 1);
  }

  ended(id: string): void {
    const left = (this.#calls.get(id) ?? 1) - 1;
    if (left > 0) this.#calls.set(id, left);
    else this.#calls.delete(id);
  }
}
