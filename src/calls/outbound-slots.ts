// Counts the legs that each account has on its trunks, against the account's limit (docs/threat-model.md T1).
import type { AccountRoutes } from './routing/routing.ts';

export const NO_SLOT = (): void => undefined;

export class OutboundSlots {
  /** By account; without an entry: none. */
  readonly #used = new Map<string, number>();

  /** The account's own setting, below the operator's limit. */
  isFull({ id, settings, limits }: AccountRoutes): boolean {
    return (this.#used.get(id) ?? 0) >= Math.min(settings.max_outbound_calls, limits.max_outbound_calls);
  }

  /** The function that releases the slot, idempotent; null: the account has no slot left. */
  acquire(account: AccountRoutes): (() => void) | null {
    if (this.isFull(account)) return null;
    const { id } = account;
    this.#used.set(id, (this.#used.get(id) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#used.get(id) ?? 1) - 1;
      if (left > 0) this.#used.set(id, left);
      else this.#used.delete(id);
    };
  }
}
