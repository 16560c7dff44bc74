// The report by mail: what it says, sent now to try it, and a mail that shows that mail works.

import { newId } from '../../domain/id.ts';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { wordsOf } from '../../domain/words/words.ts';
import { email } from '../../kinds/common-fields.ts';
import { oneOf, optional, readRecord } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { lastPeriod, REPORT_PERIODS } from '../../statistics/report.ts';
import { mailJob, reportJob, reportOf, zoneOf } from '../../statistics/report-mail.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';

const period = optional(oneOf(REPORT_PERIODS), 'day');
export const REPORT_QUERY = { period } as const;
export const SEND_REPORT_FIELDS = { period, to: email } as const;
export const TEST_MAIL_FIELDS = { to: email } as const;

const NO_MAIL = problem(
  'mail_unavailable',
  'This service has no mail server, so no mail can be sent: set SMTP_URL where it runs.',
);

const spanFor = ({ account: { settings }, nowMs }: ApiRequest, of: (typeof REPORT_PERIODS)[number]) =>
  lastPeriod(of, zoneOf(settings), settings.report_hour, nowMs);

/** The report covers the last whole day or week. */
export const getReport: Handler = async (request, { storage }) => {
  const query = readQuery(REPORT_QUERY, request);
  if (isProblem(query)) return query;
  return { status: 200, json: await reportOf(storage, request.account, spanFor(request, query.period)) };
};

export const sendReport: Handler = async (request, context) => {
  const body = readRecord(SEND_REPORT_FIELDS, request.body.value);
  if (isProblem(body)) return body;
  const { account, nowMs } = request;
  const report = await reportOf(context.storage, account, spanFor(request, body.period));
  return send(request, context, reportJob(account, newId(nowMs), body.to, report, nowMs));
};

export const sendTestMail: Handler = async (request, context) => {
  const body = readRecord(TEST_MAIL_FIELDS, request.body.value);
  if (isProblem(body)) return body;
  const { account, nowMs } = request;
  const { testMail } = wordsOf(account.settings);
  const mail = { to: body.to, subject: testMail.subject, text: `${testMail.text(account.name)}\n` };
  return send(request, context, mailJob(account.id, newId(nowMs), mail, nowMs));
};

/** Mails that are asked for by hand, per account: the address may be a stranger's (threat T48). */
const PER_MINUTE = 6;
const MINUTE_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

/** When each account last sent; of each at most as many as may be sent in a minute. */
const sentAt = new Map<string, number[]>();

function mayMailByHand(accountId: string, nowMs: number): boolean {
  const recent = (sentAt.get(accountId) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS);
  if (recent.length >= PER_MINUTE) return false;
  if (sentAt.size >= MAX_ACCOUNTS && !sentAt.has(accountId)) sentAt.clear();
  sentAt.set(accountId, [...recent, nowMs]);
  return true;
}

async function send(
  { account, nowMs }: ApiRequest,
  { storage, capabilities, mayMail }: ApiContext,
  job: OutboxJob,
): Promise<ApiResponse | Problem> {
  if (!capabilities.email) return NO_MAIL;
  if (!mayMailByHand(account.id, nowMs))
    return problem('rate_limited', `At most ${PER_MINUTE} mails can be sent by hand in a minute.`, {
      headers: { 'retry-after': '60' },
    });
  if (!(await mayMail(account.id)))
    return problem('rate_limited', 'The account has sent as many mails as it may for now.', {
      headers: { 'retry-after': '60' },
    });
  const { refused } = await storage.addJobs({ jobs: [job] });
  if (refused.length > 0) return problem('overloaded', 'Too many mails wait to be sent.');
  return done(200, 'The mail is on its way.');
}
