// Deletes call records after the retention time of their account: a few at a time, so that a large backlog delays no other write.
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import type { Storage } from '../../storage/storage.ts';

const DAY_MS = 86_400_000;
const BATCH = 200;
/** Batches of one account in one run; the next run goes on. */
const MAX_BATCHES = 5000;

export interface Retention {
  readonly storage: Pick<Storage, 'listAccounts' | 'forgetCalls'>;
  readonly nowMs: number;
  readonly stopped: () => boolean;
}

export async function forgetOldCalls({ storage, nowMs, stopped }: Retention): Promise<number> {
  let all = 0;
  for (const { id: accountId, settings } of await storage.listAccounts()) {
    const days = settings.keep_call_records_days ?? DEFAULT_SETTINGS.keep_call_records_days;
    if (days === 0) continue;
    const beforeMs = nowMs - days * DAY_MS;
    for (let batch = 0; batch < MAX_BATCHES && !stopped(); batch++) {
      const { forgotten } = await storage.forgetCalls({ accountId, beforeMs, limit: BATCH });
      all += forgotten;
      if (forgotten < BATCH) break;
    }
  }
  return all;
}
