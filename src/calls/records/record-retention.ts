// Forgets call records that an account no longer wants to keep: a few at a time, so that a large backlog delays nobody's write.
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import type { Storage } from '../../storage/storage.ts';

const DAY_MS = 86_400_000;
const BITE = 200;
/** Of one account in one round; the next round goes on. */
const MAX_BITES = 5000;

export interface Retention {
  readonly storage: Pick<Storage, 'listAccounts' | 'forgetCalls'>;
  readonly nowMs: number;
  /** Whether to stop before the next bite. */
  readonly stopped: () => boolean;
}

export async function forgetOldCalls({ storage, nowMs, stopped }: Retention): Promise<number> {
  let all = 0;
  for (const { id: accountId, settings } of await storage.listAccounts()) {
    const days = settings.keep_call_records_days ?? DEFAULT_SETTINGS.keep_call_records_days;
    if (days === 0) continue;
    const beforeMs = nowMs - days * DAY_MS;
    for (let bite = 0; bite < MAX_BITES && !stopped(); bite++) {
      const { forgotten } = await storage.forgetCalls({ accountId, beforeMs, limit: BITE });
      all += forgotten;
      if (forgotten < BITE) break;
    }
  }
  return all;
}
