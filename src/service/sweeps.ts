// What is removed by age, and how often: THE TABLE. One sweep runs at a time, each in small batches, so that a large
// backlog delays no other write for long.
import type { Logger } from 'pino';
import { KEEP_MS } from '../api/http/idempotency.ts';
import type { CallRecordings } from '../calls/records/call-recordings.ts';
import { forgetOldCalls } from '../calls/records/record-retention.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { KEEP_DEAD_MS, KEEP_DONE_MS } from '../outbox/outbox.ts';
import type { RecordingStore } from '../recordings/recording-store.ts';
import type { Storage } from '../storage/storage.ts';

const SWEEP_MS = 10 * 60 * 1000;
const SWEEP_ROWS = 1000;
const MAX_BATCHES = 1000;
const DAY_MS = 24 * 3_600_000;
const KEEP_SMS_MS = 90 * DAY_MS;

export interface Sweep {
  readonly what: string;
  readonly everyMs: number;
  /** Also right after the start. */
  readonly atStart?: true;
  readonly run: (stopped: () => boolean) => Promise<unknown>;
}

export interface SweepParts {
  readonly storage: Storage;
  readonly recordings: Pick<RecordingStore, 'sweep'>;
  readonly callRecordings: Pick<CallRecordings, 'recover' | 'forgetOld'>;
  readonly logger: Logger;
}

export function sweepsOf({ storage, recordings, callRecordings, logger }: SweepParts): readonly Sweep[] {
  const limit = SWEEP_ROWS;
  const before = (ageMs: number): { beforeMs: number; limit: number } => ({
    beforeMs: Date.now() - ageMs,
    limit,
  });
  const sweep = (what: string, remove: () => Promise<{ readonly forgotten: number }>): Sweep => ({
    what,
    everyMs: SWEEP_MS,
    run: (stopped) => inBatches(remove, stopped),
  });
  return [
    sweep('idempotency keys', () => storage.forgetClaims(before(KEEP_MS))),
    sweep('SMS', () => storage.forgetMessages(before(KEEP_SMS_MS))),
    sweep('registered phones', () => storage.forgetBindings(before(DAY_MS))),
    sweep('sessions', () => storage.forgetSessions(before(0))),
    sweep('outbox jobs', () => {
      const nowMs = Date.now();
      const ages = { doneBeforeMs: nowMs - KEEP_DONE_MS, deadBeforeMs: nowMs - KEEP_DEAD_MS };
      return storage.forgetJobs({ ...ages, limit });
    }),
    {
      what: 'audit entries',
      everyMs: SWEEP_MS,
      async run(stopped) {
        const failed: unknown[] = [];
        for (const { id: accountId, settings } of await storage.listAccounts()) {
          const days = settings.keep_audit_days ?? DEFAULT_SETTINGS.keep_audit_days;
          if (days === 0) continue;
          const remove = () => storage.forgetAudit({ accountId, ...before(days * DAY_MS) });
          // An account that fails does not keep the others from their turn.
          await inBatches(remove, stopped).catch((error: unknown) => failed.push(error));
        }
        if (failed.length > 0) throw failed[0];
      },
    },
    {
      what: 'call records',
      everyMs: SWEEP_MS,
      async run(stopped) {
        const records = await forgetOldCalls({ storage, nowMs: Date.now(), stopped });
        if (records > 0) logger.info({ records }, 'expired call records deleted');
      },
    },
    {
      what: 'call recordings',
      everyMs: SWEEP_MS,
      atStart: true,
      async run() {
        await callRecordings.recover();
        await callRecordings.forgetOld(Date.now());
      },
    },
    { what: 'recording files', everyMs: SWEEP_MS, run: () => recordings.sweep(Date.now()) },
  ];
}

/** Returns the function that stops them; a sweep that is under way ends after its batch. */
export function startSweeps(
  sweeps: readonly Sweep[],
  logger: { warn(facts: object, text: string): void },
): () => void {
  let isStopped = false;
  let turn = Promise.resolve();
  const queue = ({ what, run }: Sweep): void => {
    turn = turn.then(async () => {
      try {
        if (!isStopped) await run(() => isStopped);
      } catch (err) {
        logger.warn({ err }, `sweep of ${what} failed; retrying later`);
      }
    });
  };
  const timers = sweeps.map((sweep) => setInterval(queue, sweep.everyMs, sweep).unref());
  for (const sweep of sweeps) if (sweep.atStart) queue(sweep);
  return () => {
    isStopped = true;
    for (const timer of timers) clearInterval(timer);
  };
}

async function inBatches(
  remove: () => Promise<{ readonly forgotten: number }>,
  stopped: () => boolean,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stopped(); batch++)
    if ((await remove()).forgotten < SWEEP_ROWS) return;
}
