import { expect, test } from 'vitest';
import { readCsv } from '../../kit/csv.ts';
import {
  type Known,
  type PlannedRow,
  planOf,
  type Sheet,
  sheetOf,
  withCell,
  withoutRow,
} from './agents-import.ts';
import { type ImportSteps, passwordsCsv, runImport } from './import-run.ts';

const known: Known = {
  agents: [
    { name: 'Asha Rao', eid: '100001', intercom: '1001' },
    { name: 'Ben', eid: 'ben', intercom: '1002' },
  ],
  teams: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Support' },
    { id: 3, name: 'support' },
  ],
};

function sheet(text: string): Sheet {
  const result = readCsv(text);
  const made = 'rows' in result ? sheetOf(result.rows) : null;
  if (!made) throw new Error('No sheet.');
  return made;
}
const plan = (text: string): PlannedRow[] => planOf(sheet(text), known);
const codes = (row: PlannedRow | undefined) => row?.faults.map(({ column, code }) => `${column}: ${code}`);

test('Headings are found however they are written; unknown ones are named.', () => {
  const made = sheet('Full Name;Extension;MOBILE number;Shoe size\nCara;2001;+49 (0)30/12-34;42');
  expect(made.columns).toEqual(['name', 'intercom', 'follow_me_number']);
  expect(made.ignored).toEqual(['Shoe size']);
  expect(planOf(made, known)[0]?.body).toEqual({
    name: 'Cara',
    intercom: '2001',
    follow_me_number: '+490301234',
  });
});

test('Without a column of names there is nothing to import.', () => {
  const result = readCsv('eid,intercom\n1,2');
  expect('rows' in result && sheetOf(result.rows)).toBeNull();
});

test('Each fault is reported at its column.', () => {
  const [row] = plan('name,eid,intercom,number,team,click to call\n,a b,7,12,Nobody,perhaps');
  expect(codes(row)).toEqual([
    'name: name-missing',
    'eid: eid-malformed',
    'intercom: intercom-malformed',
    'follow_me_number: number-malformed',
    'team: team-unknown',
    'click_to_call: flag-malformed',
  ]);
  expect(row?.state).toBe('faulty');
  expect(codes(plan(`name,team\n${'x'.repeat(101)},support`)[0])).toEqual([
    'name: name-long',
    'team: team-ambiguous',
  ]);
  expect(codes(plan('name\n"a\nb"')[0])).toEqual(['name: text-control']);
});

test('What is twice in the file names the line it clashes with, and what another agent has is taken.', () => {
  const rows = plan('name,eid,intercom\nCara,c,2001\nDan,c,2002\nEve,e,2001\nFay,ben,1001');
  expect(rows[0]?.faults).toEqual([]);
  expect(rows[1]?.faults).toEqual([{ column: 'eid', code: 'eid-twice', line: 2 }]);
  expect(rows[2]?.faults).toEqual([{ column: 'intercom', code: 'intercom-twice', line: 2 }]);
  expect(codes(rows[3])).toEqual(['eid: eid-taken', 'intercom: intercom-taken']);
});

test('Whoever is there already under the same name is left alone; a namesake is only pointed out.', () => {
  const rows = plan('name,eid,team\nBen,ben,Nobody\nasha rao,,Sales');
  expect(rows[0]?.state).toBe('there');
  expect(rows[1]).toMatchObject({ state: 'new', namesake: true, body: { name: 'asha rao', team_id: 1 } });
});

test('The same content has the same key in every import, and two equal rows have two.', () => {
  const [one, other, third] = plan('name\nCara\nCara\nDan');
  expect(new Set([one?.key, other?.key, third?.key]).size).toBe(3);
  expect(plan('team,name\n,Cara')[0]?.key).toBe(one?.key);
});

test('A corrected cell corrects its row, and a row can be left out.', () => {
  const made = sheet('name,intercom\n,2001\nDan,2001');
  const corrected = withCell(withCell(made, 2, 'name', 'Cara'), 3, 'intercom', '2002');
  expect(planOf(corrected, known).map(({ state }) => state)).toEqual(['new', 'new']);
  expect(planOf(withoutRow(corrected, 2), known).map(({ body }) => body.name)).toEqual(['Dan']);
});

const steps = (more: Partial<ImportSteps>): ImportSteps => ({
  create: async (body) => ({ eid: body.eid ?? '1', intercom: '2', sip_password: 'secret' }),
  exists: async () => true,
  faultsOf: (error) => [{ pointer: '/eid', message: String(error) }],
  progress: () => {},
  ...more,
});

test('Rows are sent a few at a time, results keep their order, faults stay at their row.', async () => {
  let running = 0;
  let most = 0;
  const reported: number[] = [];
  const rows = plan(`name,eid\n${Array.from({ length: 12 }, (_, n) => `Agent ${n},e${n}`).join('\n')}`);
  const results = await runImport(
    rows,
    steps({
      async create(body) {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (body.eid === 'e5') throw new Error('taken');
        return { eid: body.eid ?? '', intercom: '2', sip_password: 'p' };
      },
      progress: (done) => reported.push(done),
    }),
    new AbortController().signal,
  );
  expect(most).toBe(4);
  expect(reported).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(results.map(({ row }) => row.body.eid)).toEqual(rows.map(({ body }) => body.eid));
  expect(results[5]).toMatchObject({
    outcome: 'failed',
    faults: [{ pointer: '/eid', message: 'Error: taken' }],
  });
  expect(results[6]?.outcome).toBe('created');
});

test('A repeated import creates no agents; deleted ones are created again.', async () => {
  const rows = plan('name\nCara');
  const keys: string[] = [];
  const create: ImportSteps['create'] = async (_, key) => {
    keys.push(key);
    return keys.length === 1 ? { eid: '7', intercom: '2' } : { eid: '8', intercom: '2', sip_password: 'p' };
  };
  const signal = new AbortController().signal;
  expect((await runImport(rows, steps({ create }), signal))[0]?.outcome).toBe('repeated');
  keys.length = 0;
  const [again] = await runImport(rows, steps({ create, exists: async () => false }), signal);
  expect(again).toMatchObject({ outcome: 'created', agent: { eid: '8' } });
  expect(keys).toEqual([rows[0]?.key, `${rows[0]?.key}-7`]);
});

test('A stopped import sends nothing more.', async () => {
  const controller = new AbortController();
  const rows = plan('name\nA\nB\nC\nD\nE\nF');
  const results = await runImport(rows, steps({ progress: () => controller.abort() }), controller.signal);
  expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(4);
  expect(results.filter(({ outcome }) => outcome === 'stopped')).toHaveLength(2);
});

test('The passwords can be opened in a spreadsheet without a formula running.', async () => {
  const rows = plan('name,eid\n"=cmd|x",c');
  const results = await runImport(rows, steps({}), new AbortController().signal);
  expect(passwordsCsv(results)).toBe("name,eid,intercom,sip_password\r\n'=cmd|x,c,2,secret\r\n");
});
