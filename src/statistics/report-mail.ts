// A report on its way: made with the names of what is configured now, as a mail for each recipient.
import { createHash } from 'node:crypto';
import type { Settings } from '../domain/account.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { readData } from '../domain/row.ts';
import { wordsOf } from '../domain/words/words.ts';
import type { RecordStorage } from '../storage/ports/records.ts';
import type { StatisticsStorage } from '../storage/ports/statistics.ts';
import type { Names } from './account-statistics.ts';
import type { DeletedNamesStorage } from './deleted-names.ts';
import {
  makeReport,
  type Report,
  type ReportPeriod,
  type ReportSpan,
  reportHtml,
  reportText,
} from './report.ts';

/** Records whose names a report looks up, of each kind. */
const MAX_NAMES = 10_000;
const PAGE = 500;

export type Reporting = Pick<
  Settings,
  'language' | 'timezone' | 'report_daily_to' | 'report_weekly_to' | 'report_hour' | 'service_level_seconds'
>;

export interface ReportingAccount {
  readonly id: string;
  readonly name: string;
  readonly settings: Reporting;
}

export const recipientsOf = (settings: Reporting, period: ReportPeriod): readonly string[] =>
  period === 'day' ? settings.report_daily_to : settings.report_weekly_to;

export const zoneOf = ({ timezone }: Pick<Settings, 'timezone'>): string => timezone || 'UTC';

/** The text of a report, with names of what is configured now, or was until it was deleted. */
export async function reportOf(
  storage: StatisticsStorage & DeletedNamesStorage & Pick<RecordStorage, 'listRecords'>,
  { id, name, settings }: ReportingAccount,
  span: ReportSpan,
): Promise<Report> {
  const account = {
    id,
    name,
    zone: zoneOf(settings),
    serviceLevelSeconds: settings.service_level_seconds,
    words: wordsOf(settings),
  };
  return makeReport(storage, account, await namesOf(storage, id), span);
}

/** The lane and the form of notifications/mail-delivery.ts. The id is of the name, the account and the recipient: the same mail is sent once. */
export function reportJob(
  { id: accountId, settings }: Pick<ReportingAccount, 'id' | 'settings'>,
  name: string,
  to: string,
  report: Report,
  nowMs: number,
): OutboxJob {
  const words = wordsOf(settings);
  const mail = {
    to,
    subject: report.subject,
    text: reportText(report, words),
    html: reportHtml(report, words),
  };
  return mailJob(accountId, name, mail, nowMs);
}

export function mailJob(
  accountId: string,
  name: string,
  mail: { readonly to: string; readonly subject: string; readonly text: string; readonly html?: string },
  nowMs: number,
): OutboxJob {
  const recipient = createHash('sha256').update(mail.to.toLowerCase()).digest('hex').slice(0, 16);
  return {
    id: `${name}-${accountId}-${recipient}`,
    accountId,
    lane: 'email',
    orderKey: '',
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    json: JSON.stringify(mail),
  };
}

async function namesOf(storage: Pick<RecordStorage, 'listRecords'>, accountId: string): Promise<Names> {
  const agents = new Map<string, string>();
  for await (const { json } of rowsOf(storage, accountId, 'agent')) {
    const { eid, name } = readData('agent', json);
    agents.set(eid, name);
  }
  const departments = new Map<string, string>();
  for await (const { id, json } of rowsOf(storage, accountId, 'department'))
    departments.set(id, readData('department', json).name);
  return {
    agent: (eid) => agents.get(eid) ?? null,
    department: (id) => departments.get(id) ?? null,
    // Reports do not show steps.
    step: () => null,
  };
}

async function* rowsOf(
  storage: Pick<RecordStorage, 'listRecords'>,
  accountId: string,
  kind: 'agent' | 'department',
): AsyncGenerator<{ readonly id: string; readonly json: string }> {
  let afterId = '';
  for (let read = 0; read < MAX_NAMES; read += PAGE) {
    const rows = await storage.listRecords({ accountId, kind, afterId, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    afterId = last.id;
  }
}
