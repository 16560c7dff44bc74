// Reports by mail: once a day or week and recipient, at an hour of the account's time zone. The id of a job names the report and its recipient,
// and the outbox keeps ids longer than a report is due: so of several nodes and after a restart one is sent.
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { lastPeriod, REPORT_PERIODS, type ReportPeriod } from '../statistics/report.ts';
import {
  type ReportingAccount,
  recipientsOf,
  reportJob,
  reportOf,
  zoneOf,
} from '../statistics/report-mail.ts';
import type { Storage } from '../storage/storage.ts';
import { isAddress } from './mail.ts';

/** A report that is later than this is left out; the outbox keeps what was sent for longer (KEEP_DONE_MS). */
const LATEST_MS = 48 * 3_600_000;

export type ReportStorage = Pick<
  Storage,
  'addCounts' | 'addJobs' | 'compareCounts' | 'listAccounts' | 'listDeleted' | 'listRecords' | 'sumCounts'
>;

/** Adds the jobs of all reports that are due. Called about every minute by the one node that sweeps the database. */
export class ReportMails {
  readonly #storage: ReportStorage;
  /** By account and period: the last report that was added, so that it is made once. */
  readonly #added = new Map<string, string>();

  constructor(storage: ReportStorage) {
    this.#storage = storage;
  }

  /** Returns how many mails were added. An account that fails does not keep the others from theirs. */
  async run(nowMs: number, stopped: () => boolean): Promise<number> {
    let mails = 0;
    const failed: unknown[] = [];
    for (const { id, name, settings } of await this.#storage.listAccounts()) {
      const account = { id, name, settings: { ...DEFAULT_SETTINGS, ...settings } };
      for (const period of REPORT_PERIODS) {
        if (stopped()) return mails;
        await this.#add(account, period, nowMs).then(
          (count) => {
            mails += count;
          },
          (error: unknown) => failed.push(error),
        );
      }
    }
    if (failed.length > 0) throw failed[0];
    return mails;
  }

  async #add(account: ReportingAccount, period: ReportPeriod, nowMs: number): Promise<number> {
    const { settings } = account;
    const to = recipientsOf(settings, period).filter(isAddress);
    if (to.length === 0) return 0;
    const span = lastPeriod(period, zoneOf(settings), settings.report_hour, nowMs);
    const key = `${account.id} ${period}`;
    const name = `${span.firstDay} ${to.join(' ')}`;
    if (nowMs < span.dueAtMs || nowMs > span.dueAtMs + LATEST_MS || this.#added.get(key) === name) return 0;
    const report = await reportOf(this.#storage, account, span);
    const jobs = to.map((each) =>
      reportJob(account, `report-${period}-${span.firstDay}`, each, report, nowMs),
    );
    const { refused } = await this.#storage.addJobs({ jobs });
    this.#added.set(key, name);
    return jobs.length - refused.length;
  }
}
