// The report by mail: the figures of the API, once for each recipient, whatever restarts and whichever nodes run; seen by a mail server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReportMails } from '../../src/notifications/report-mail.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { startMailServer } from '../support/mail-server.ts';
import { callRow } from '../support/payload.ts';
import { call, type Json, type Service, sharedService, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const at = (time: string): number => Date.parse(time);
const line = (atMs: number, node: string, code: string) => ({ atMs, node, code, text: '' });
const ANSWERED = JSON.stringify({
  trail: [
    line(0, 'department||d', 'arrived'),
    line(100, 'extension||ann', 'ring-progressed'),
    line(12_000, 'extension||ann', 'connected'),
  ],
});
const answered = (accountId: string, id: string, startedAtMs: number) =>
  callRow({
    accountId,
    id,
    startedAtMs,
    endedAtMs: startedAtMs + 72_000,
    answeredBy: 'ann',
    talkMs: 60_000,
    endCode: 'agent-hung-up',
    json: ANSWERED,
  });

/** The job of each mail, by whom it goes to. */
async function mailsOf(storage: Storage, accountId: string): Promise<string[]> {
  const jobs = await storage.listJobs({ accountId, lane: 'email', limit: 100 });
  return jobs.map(({ json }) => {
    const { to, subject } = JSON.parse(json) as Json;
    return `${to} ${subject.replace(/^Calls of .*, /, '')}`;
  });
}

test('a report is added when it is due, once, also by another node, after a restart, and for a recipient who comes later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const service = await startService({ env: { DATA_DIR: folder } });
  const patch = (body: object) => call(service.url, 'PATCH', '/v1/settings', { body });
  await patch({
    timezone: 'Asia/Kolkata',
    report_hour: 8,
    report_daily_to: ['a@example.com'],
    report_weekly_to: ['b@example.com'],
  });
  const storage = await openSqlite(folder);
  try {
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    const run = (mails: ReportMails, time: string) => mails.run(at(time), () => false);
    const [one, other] = [new ReportMails(storage), new ReportMails(storage)];
    // Tuesday, 07:59 and 08:00 in Kolkata.
    expect(await run(one, '2026-11-17T02:29:00Z')).toBe(1);
    expect(await mailsOf(storage, accountId)).toEqual(['b@example.com 2026-11-09 to 2026-11-15']);
    expect(await run(one, '2026-11-17T02:30:00Z')).toBe(1);
    await run(one, '2026-11-17T02:31:00Z');
    await run(other, '2026-11-17T02:31:00Z');
    const sent = ['a@example.com 2026-11-16', 'b@example.com 2026-11-09 to 2026-11-15'];
    expect((await mailsOf(storage, accountId)).sort()).toEqual(sent);
    await patch({ report_daily_to: ['a@example.com', 'c@example.com'] });
    await run(one, '2026-11-17T12:00:00Z');
    expect((await mailsOf(storage, accountId)).sort()).toEqual([...sent, 'c@example.com 2026-11-16']);
    // A week's report is left out when it is two days late.
    await patch({ report_daily_to: [], report_weekly_to: ['d@example.com'] });
    expect(await run(one, '2026-11-18T02:31:00Z')).toBe(0);
  } finally {
    await storage.close();
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});

let mail: Awaited<ReturnType<typeof startMailServer>>;
let service: Service;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'dialtree@example.com' } });
  await call(service.url, 'POST', '/v1/agent', { body: { name: 'Ann', eid: 'ann' } });
  await call(service.url, 'POST', '/v1/department', { body: { name: 'Sales', id: 'd', agents: ['ann'] } });
  const storage = await openSqlite(service.dataDir);
  const accountId = (await storage.listAccounts())[0]?.id ?? '';
  const noon = new Date(Date.now() - 86_400_000).setUTCHours(12, 0, 0, 0);
  await storage.saveCalls({ calls: [answered(accountId, 'one', noon), answered(accountId, 'two', noon)] });
  await storage.close();
});
afterAll(async () => {
  await service?.remove();
  await mail?.close();
});

const rowOf = (report: Json, section: string, name: string): string[] =>
  report.sections
    .find(({ title }: Json) => title === section)
    .rows.find(([first]: string[]) => first === name);

test('the preview has the figures of the statistics, with names', async () => {
  const { json } = await call(service.url, 'GET', '/v1/report');
  expect(json).toMatchObject({ period: 'day', timezone: 'UTC' });
  expect(rowOf(json, 'All calls', 'Calls')).toEqual(['Calls', '2', '0']);
  expect(rowOf(json, 'All calls', 'Service level')).toEqual(['Service level', '100%', '–']);
  expect(rowOf(json, 'Departments', 'Sales').slice(0, 6)).toEqual([
    'Sales',
    '2',
    '2',
    '2',
    '100%',
    '0:00:12',
  ]);
  expect(rowOf(json, 'Agents', 'Ann').slice(0, 5)).toEqual(['Ann', '2', '2', '0', '0:02:00']);
  expectFailure(await call(service.url, 'GET', '/v1/report?period=month'), 'query_invalid');
});

test('a report that is sent by hand arrives as text and HTML, and so does a test mail', async () => {
  const sent = await call(service.url, 'POST', '/v1/report/send', { body: { to: 'boss@example.com' } });
  expect(sent.status).toBe(200);
  const report = await mail.received((text) => text.includes('Subject: Calls of'));
  expect(report).toContain('To: boss@example.com');
  expect(report).toContain('Content-Type: text/html');
  expect(report).toContain('Sales');
  await call(service.url, 'POST', '/v1/mail/test', { body: { to: 'ops@example.com' } });
  expect(await mail.received((text) => text.includes('Mail from Dialtree works'))).toContain(
    'To: ops@example.com',
  );
});

test('mails by hand are limited, go to one address, and need a mail server', async () => {
  const test = (body: object) => call(service.url, 'POST', '/v1/mail/test', { body });
  expectFailure(await test({ to: 'a@example.com, b@example.com' }), 'fields_invalid');
  const statuses: number[] = [];
  for (let times = 0; times < 8; times++) statuses.push((await test({ to: 'ops@example.com' })).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
  const without = await sharedService();
  const body = { to: 'ops@example.com' };
  expectFailure(await call(without.url, 'POST', '/v1/mail/test', { body }), 'mail_unavailable');
});
