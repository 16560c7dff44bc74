// What is removed by age, and how often: THE TABLE. One sweep runs at a time, each in small batches, so that a large
// backlog delays no other write for long. Of several nodes one sweeps the database, and each its own data folder.
import type { Logger } from 'pino';
import { KEEP_MS } from '../api/http/idempotency.ts';
import type { CallRecordings } from '../calls/records/call-recordings.ts';
import { forgetOldCalls } from '../calls/records/record-retention.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { KEEP_ENDED_MS } from '../domain/callback.ts';
import { KEEP_DELETED_DAYS } from '../kinds/record.ts';
import { ReportMails } from '../notifications/report-mail.ts';
import { KEEP_DEAD_MS, KEEP_DONE_MS } from '../outbox/outbox.ts';
import type { RecordingStore } from '../recordings/recording-store.ts';
import type { Storage } from '../storage/storage.ts';

const SWEEP_MS = 10 * 60 * 1000;
/** Soon: the sound was deleted, and only its node can remove it. */
const REMOVALS_MS = 2_000;
/** The lease of the node that sweeps the database. Longer than the time between two sweeps; ends early with the node. */
const LEASE = { name: 'sweeps', seconds: (3 * SWEEP_MS) / 1000 };
const REPORTS_MS = 60_000;
const SWEEP_ROWS = 1000;
const MAX_BATCHES = 1000;
const DAY_MS = 24 * 3_600_000;
/** Other nodes read within seconds that a phone was removed, and what they wrote of it before comes within minutes. */
const KEEP_REMOVED_MS = 10 * 60_000;
const KEEP_SMS_MS = 90 * DAY_MS;
const KEEP_NOTIFICATIONS_MS = 30 * DAY_MS;

export interface Sweep {
  readonly what: string;
  readonly everyMs: number;
  /** Also right after the start. */
  readonly atStart?: true;
  /** Sweeps the database, not this node: one node is enough. */
  readonly shared?: true;
  readonly run: (stopped: () => boolean) => Promise<unknown>;
}

export interface SweepParts {
  readonly storage: Storage;
  readonly recordings: Pick<RecordingStore, 'sweep'>;
  readonly callRecordings: Pick<CallRecordings, 'recover' | 'forgetOld' | 'removeLeft'>;
  readonly logger: Logger;
  /** Whether there is a mail server: without one no report is made. */
  readonly canMail?: boolean;
}

export function sweepsOf({
  storage,
  recordings,
  callRecordings,
  logger,
  canMail = false,
}: SweepParts): readonly Sweep[] {
  const reports = new ReportMails(storage);
  const limit = SWEEP_ROWS;
  const before = (ageMs: number): { beforeMs: number; limit: number } => ({
    beforeMs: Date.now() - ageMs,
    limit,
  });
  const sweep = (what: string, remove: () => Promise<{ readonly forgotten: number }>): Sweep => ({
    what,
    everyMs: SWEEP_MS,
    shared: true,
    run: (stopped) => inBatches(remove, stopped),
  });
  return [
    sweep('idempotency keys', () => storage.forgetClaims(before(KEEP_MS))),
    sweep('SMS', () => storage.forgetMessages(before(KEEP_SMS_MS))),
    sweep('call-backs', () => storage.forgetCallbacks(before(KEEP_ENDED_MS))),
    sweep('notifications', () => storage.forgetNotifications(before(KEEP_NOTIFICATIONS_MS))),
    sweep('registered phones', () =>
      storage.forgetBindings({ ...before(DAY_MS), removedForMs: KEEP_REMOVED_MS }),
    ),
    sweep('nodes', () => storage.forgetNodes({ silentMs: DAY_MS, limit })),
    sweep('leases', () => storage.forgetLeases({ expiredMs: DAY_MS, limit })),
    sweep('deleted records', () => storage.forgetDeleted(before(KEEP_DELETED_DAYS * DAY_MS))),
    sweep('sessions', () => storage.forgetSessions(before(0))),
    sweep('links of users', () => storage.forgetUserLinks(before(0))),
    sweep('outbox jobs', () => {
      const nowMs = Date.now();
      const ages = { doneBeforeMs: nowMs - KEEP_DONE_MS, deadBeforeMs: nowMs - KEEP_DEAD_MS };
      return storage.forgetJobs({ ...ages, limit });
    }),
    {
      what: 'audit entries',
      everyMs: SWEEP_MS,
      shared: true,
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
      shared: true,
      async run(stopped) {
        const records = await forgetOldCalls({ storage, nowMs: Date.now(), stopped });
        if (records > 0) logger.info({ records }, 'expired call records deleted');
      },
    },
    {
      what: 'unfinished call recordings',
      everyMs: SWEEP_MS,
      atStart: true,
      run: () => callRecordings.recover(),
    },
    {
      what: 'call recordings',
      everyMs: SWEEP_MS,
      atStart: true,
      shared: true,
      run: () => callRecordings.forgetOld(Date.now()),
    },
    {
      what: 'recordings deleted at other nodes',
      everyMs: REMOVALS_MS,
      run: () => callRecordings.removeLeft(),
    },
    {
      what: 'reports by mail',
      everyMs: REPORTS_MS,
      atStart: true,
      shared: true,
      async run(stopped) {
        const mails = canMail ? await reports.run(Date.now(), stopped) : 0;
        if (mails > 0) logger.info({ mails }, 'reports queued');
      },
    },
    { what: 'recording files', everyMs: SWEEP_MS, atStart: true, run: () => recordings.sweep(Date.now()) },
  ];
}

/** Whether this node sweeps the database. Alone it always does. */
export async function sweepsDatabase(
  storage: Pick<Storage, 'takeLease'>,
  { cluster, node }: { readonly cluster: boolean; readonly node: string },
): Promise<boolean> {
  return !cluster || (await storage.takeLease({ ...LEASE, node })).taken;
}

/** Returns the function that stops them; a sweep that is under way ends after its batch. */
export function startSweeps(
  sweeps: readonly Sweep[],
  logger: { warn(facts: object, text: string): void },
  isOwner: () => Promise<boolean> = async () => true,
): () => void {
  let isStopped = false;
  let turn = Promise.resolve();
  const waiting = new Set<Sweep>();
  const queue = (sweep: Sweep): void => {
    if (waiting.has(sweep)) return;
    waiting.add(sweep);
    turn = turn.then(async () => {
      waiting.delete(sweep);
      try {
        if (!isStopped && (!sweep.shared || (await isOwner()))) await sweep.run(() => isStopped);
      } catch (err) {
        logger.warn({ err }, `sweep of ${sweep.what} failed; retrying later`);
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
