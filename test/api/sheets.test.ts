// Statistics and call records as files for people: the workbook and the CSV say what the API says, with names and local times.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRow } from '../../src/storage/ports/calls.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { callRow, menu } from '../support/payload.ts';
import { call, type Service, startService, TOKEN } from '../support/service.ts';
import { unzip } from '../support/zip.ts';
import { expectFailure } from './support/failure.ts';

const line = (atMs: number, node: string, code: string) => ({ atMs, node, code, text: '' });
const ANSWERED = [
  line(0, 'department||d', 'arrived'),
  line(100, 'extension||ann', 'ring-progressed'),
  line(65_000, 'extension||ann', 'connected'),
];

const GONE_AT = Date.parse('2026-11-05T10:00:00Z');
/** An agent's hour and a half, and the night. */
const STATES = {
  talking: 1_800_000,
  ringing: 300_000,
  wrap_up: 600_000,
  free: 2_700_000,
  paused: 1_200_000,
  unreachable: 36_000_000,
};

/** Past calls of an agent, a department and a menu that are deleted later, and of a parking spot; yesterday, too. */
function pastOf(accountId: string, menuId: string) {
  const trail = [
    line(0, 'department||old', 'arrived'),
    line(100, 'extension||olga', 'ring-progressed'),
    line(9_000, 'extension||olga', 'connected'),
  ];
  const answered = { accountId, answeredBy: 'olga', talkMs: 60_000, endCode: 'agent-hung-up' };
  const parked = [line(0, 'department||parking 701', 'arrived'), line(5_000, 'extension||olga', 'connected')];
  const at = (id: string, startedAtMs: number, entry: CallRow['entry'], of = trail) =>
    callRow({
      ...answered,
      id,
      entry,
      startedAtMs,
      endedAtMs: startedAtMs + 70_000,
      json: JSON.stringify({ trail: of }),
    });
  return [
    at('gone', GONE_AT, 'department||old'),
    at('menu', GONE_AT + 1_000, `ivr||${menuId}`),
    at('parked', GONE_AT + 2_000, 'department||parking 701', parked),
    at('yesterday', Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3_600_000, 'department||old'),
  ];
}

let service: Service;
beforeAll(async () => {
  service = await startService();
  const storage = await openSqlite(service.dataDir);
  const accountId = (await storage.listAccounts())[0]?.id ?? '';
  await call(service.url, 'POST', '/v1/agent', { body: { name: '=Ann, "A"', eid: 'ann' } });
  await call(service.url, 'POST', '/v1/department', { body: { name: 'Sales', id: 'd', agents: ['ann'] } });
  await call(service.url, 'POST', '/v1/agent', { body: { name: 'Olga', eid: 'olga' } });
  await call(service.url, 'POST', '/v1/department', { body: { name: 'Old team', id: 'old', agents: [] } });
  const made = await call(service.url, 'POST', '/v1/ivr', { body: menu({ name: 'Old menu' }) });
  const menuPath = made.headers.get('location') ?? '';
  const startedAtMs = Date.parse('2026-11-10T23:30:00Z');
  const row = {
    accountId,
    id: 'one',
    startedAtMs,
    endedAtMs: startedAtMs + 3_665_000,
    caller: '+4930111',
    entry: 'department||d' as const,
    answeredBy: 'ann',
    waitMs: 61_000,
    ringMs: 4_000,
    talkMs: 3_600_000,
    endCode: 'agent-hung-up',
    json: JSON.stringify({ trail: ANSWERED, caller_name: 'Bo <&>' }),
  };
  await storage.saveCalls({ calls: [callRow(row), ...pastOf(accountId, menuPath.split('/').at(-1) ?? '')] });
  // As earlier versions counted parked calls, and a call-back that was asked for on the day before.
  const counts = [
    { subject: 'department||parking 702', measure: 'calls', value: 3 },
    { subject: 'department||d', measure: 'callbacks_done', value: 1 },
    ...Object.entries(STATES).map(([state, ms]) => ({
      subject: 'extension||ann',
      measure: `state ${state}`,
      value: ms,
    })),
  ];
  await storage.addCounts({ added: [{ accountId, atMs: GONE_AT, counts }] });
  await storage.close();
  for (const path of ['/v1/agent/olga', '/v1/department/old', menuPath])
    expect((await call(service.url, 'DELETE', path)).status).toBeLessThan(300);
});
afterAll(() => service?.remove());

const SPAN = 'from=2026-11-11&to=2026-11-12&timezone=Europe/Berlin';

async function sheetOf(path: string, index = 1): Promise<string> {
  const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { status, headers } = answer;
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('spreadsheetml.sheet');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.xlsx"$/);
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  const text = (name: string) => files.get(name) ?? '';
  const strings = [...text('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(
    ([, one = '']) => one,
  );
  // A cell of text names its text by number.
  return text(`xl/worksheets/sheet${index}.xml`).replaceAll(
    /t="s"([^>]*)><v>(\d+)<\/v>/g,
    (_, rest, at) => `t="s"${rest}><v>${strings[Number(at)]}</v>`,
  );
}

test('the CSV of departments and agents has names, percent and durations, and no formula (T24)', async () => {
  const departments = await call(service.url, 'GET', `/v1/statistics.csv?${SPAN}&table=departments`);
  expect(departments.headers.get('content-disposition')).toContain('statistics-departments.csv');
  const [head, row] = departments.text.split('\r\n');
  expect(head).toMatch(/^Department,Calls,Answered,Answered in time,Service level,Speed of answer,Hung up,/);
  // Nothing is said of call-backs where none was asked for.
  expect(row).toMatch(/^Sales,1,1,0,0%,0:01:05,0,0%,,0,,,1:00:00$/);
  const agents = await call(service.url, 'GET', `/v1/statistics.csv?${SPAN}&table=agents`);
  expect(agents.text.split('\r\n')[1]).toBe(`"'=Ann, ""A""",1,1,0,1:00:00,1:00:00,0:00:00,0:00:00,0:00:00,`);
  const days = await call(service.url, 'GET', `/v1/statistics.csv?${SPAN}`);
  expect(days.text.split('\r\n')[1]).toMatch(/^2026-11-11 00:00,1,1,0,0,1,100%,/);
  expectFailure(await call(service.url, 'GET', '/v1/statistics.csv?table=menus'), 'query_invalid');
});

test('the workbook has a sheet for each table, with the same figures as numbers', async () => {
  const totals = await sheetOf(`/v1/statistics.xlsx?${SPAN}`);
  expect(totals).toContain('<v>Service level</v>');
  const departments = await sheetOf(`/v1/statistics.xlsx?${SPAN}`, 3);
  expect(departments).toContain('<v>Sales</v>');
  expect(departments).toContain(`<v>${65_000 / 86_400_000}</v>`);
});

test('call records for people have local times, names and the wait; for programs they stay as they were', async () => {
  const people = await call(service.url, 'GET', '/v1/call/records.csv?timezone=Asia/Kolkata&to=2026-11-12');
  const [head, row] = people.text.split('\r\n');
  expect(head).toBe(
    'Started,Direction,Caller,Caller name,Dialled,Led to,Outcome,Ended because,Answered by,Waited,Rang,Talked,Duration,Call id',
  );
  expect(row).toBe(
    `2026-11-11 05:00:00,inbound,'+4930111,Bo <&>,100,Sales,answered,agent-hung-up,"'=Ann, ""A""",0:01:01,0:00:04,1:00:00,1:01:05,one`,
  );
  const programs = await call(service.url, 'GET', '/v1/call/records.csv?to=2026-11-12');
  expect(programs.text.split('\r\n')[1]).toMatch(/^one,2026-11-10T23:30:00\.000Z,/);
  const workbook = await sheetOf('/v1/call/records.xlsx?timezone=Asia/Kolkata&queue=answered');
  expect(workbook).toContain('<v>+4930111</v>');
  expect(workbook).not.toContain('<f>');
  expect(await sheetOf('/v1/call/records.xlsx?queue=abandoned')).not.toContain('+4930111');
});

test('headings of sheets and of the report follow the language of the account; what programs read does not', async () => {
  const patch = (language: string) => call(service.url, 'PATCH', '/v1/settings', { body: { language } });
  const headOf = async (path: string): Promise<string> =>
    (await call(service.url, 'GET', path)).text.split('\r\n')[0] ?? '';
  const forPrograms = await headOf('/v1/call/records.csv');
  await patch('hi');
  try {
    expect(await headOf(`/v1/statistics.csv?${SPAN}&table=departments`)).toMatch(/^विभाग,कॉल,उठाई गई,/);
    expect(await headOf('/v1/call/records.csv?timezone=Asia/Kolkata')).toMatch(/^शुरू हुई,दिशा,कॉलर,/);
    expect(await headOf('/v1/call/records.csv')).toBe(forPrograms);
    expect(await sheetOf(`/v1/statistics.xlsx?${SPAN}`)).toContain('<v>सेवा स्तर</v>');
    const { json } = await call(service.url, 'GET', '/v1/report');
    expect(json.subject).toMatch(/^default की कॉल, /);
    expect(json.sections.map(({ title }: { title: string }) => title)).toEqual(['सभी कॉल', 'विभाग', 'एजेंट']);
  } finally {
    await patch('en');
  }
});

test('what was deleted keeps its name in sheets and in the report, and a parking spot is none of the departments', async () => {
  const span = 'from=2026-11-05&to=2026-11-06';
  const firsts = async (path: string, column = 0): Promise<string[]> => {
    const { text } = await call(service.url, 'GET', path);
    return text
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[column] ?? '');
  };
  expect(await firsts(`/v1/statistics.csv?${span}&table=departments`)).toEqual([
    'Sales',
    'Old team (deleted)',
  ]);
  expect(await firsts(`/v1/statistics.csv?${span}&table=agents`)).toEqual([`"'=Ann`, 'Olga (deleted)']);
  expect(await sheetOf(`/v1/statistics.xlsx?${span}`, 3)).toContain('<v>Old team (deleted)</v>');
  const calls = `/v1/call/records.csv?timezone=UTC&${span}`;
  expect(await firsts(calls, 5)).toEqual(['Parking spot 701', 'Old menu (deleted)', 'Old team (deleted)']);
  expect(await firsts(calls, 8)).toEqual(['Olga (deleted)', 'Olga (deleted)', 'Olga (deleted)']);
  const { json } = await call(service.url, 'GET', '/v1/report?period=day');
  const [, departments, agents] = json.sections.map(({ rows }: { rows: string[][] }) =>
    rows.map(([name]) => name),
  );
  expect([departments, agents]).toEqual([['Old team (deleted)'], ['Olga (deleted)']]);
  const { json: statistics } = await call(service.url, 'GET', `/v1/statistics?${span}`);
  expect(statistics.departments.map(({ id }: { id: string }) => id)).toEqual(['d', 'old']);
});

test('a call-back that was done is shown, whenever it was asked for', async () => {
  const span = 'from=2026-11-05&to=2026-11-06&table=departments';
  const { text } = await call(service.url, 'GET', `/v1/statistics.csv?${span}`);
  const [head = '', sales = '', old = ''] = text.split('\r\n');
  const at = head.split(',').indexOf('Call-backs asked for');
  expect([sales, old].map((row) => row.split(',').slice(at, at + 2))).toEqual([
    ['0', '1'],
    ['', ''],
  ]);
});

test('signed in, paused and occupied are told in time and percent, without the time away', async () => {
  const span = 'from=2026-11-05&to=2026-11-06';
  const { json } = await call(service.url, 'GET', `/v1/statistics?${span}`);
  expect(json.agents[0]).toMatchObject({
    eid: 'ann',
    signed_in_ms: 6_600_000,
    paused_ms: 1_200_000,
    occupancy: 0.5,
    state_ms: { ...STATES, blocked: 0, off_duty: 0 },
  });
  const { text } = await call(service.url, 'GET', `/v1/statistics.csv?${span}&table=agents`);
  expect(text.split('\r\n')[1]).toMatch(/,1:50:00,0:20:00,0:10:00,50%$/);
});
