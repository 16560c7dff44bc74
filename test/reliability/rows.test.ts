import { expect, test } from 'vitest';
import { type Result, readRows, rowLine, suiteOf } from './rows.ts';

const MODEL = `| # | threat | what holds | shown by |
|---|---|---|---|
| T1 | Toll fraud | Nothing is dialled | \`src/domain/trunk.test.ts\`, \`test/hostile/strangers.test.ts\` |
| R1b | Sync | The response leaves after fdatasync | by review |
`;
const rows = readRows(MODEL, (name) => [name]);
const [fraud, sync] = rows;
const result = (test: string, status = 'passed'): Result => ({
  file: 'test/hostile/strangers.test.ts',
  test,
  status,
});

test('a row of the threat model names its test files', () => {
  expect(rows.map(({ number }) => number)).toEqual(['T1', 'R1b']);
  expect(fraud?.files).toEqual(['src/domain/trunk.test.ts', 'test/hostile/strangers.test.ts']);
  expect(fraud?.files.map(suiteOf)).toEqual(['test', 'test:hostile']);
  expect(suiteOf('test/nodes/sign-ins.test.ts')).toBe('test:nodes');
});

test('a row counts the tests that name it, or all of its files where none does', () => {
  if (!fraud) throw new Error('no row');
  const both = [result('T1: dials'), result('T2: scans')];
  expect(rowLine(fraud, both, [], '2026-01-02')).toContain('| 1 passed | 2026-01-02 |');
  expect(rowLine(fraud, [result('scans'), result('rings')], [], 'd')).toContain('| 2 passed | d |');
});

test('a failed, a skipped and a missing test are said, and figures follow', () => {
  if (!fraud || !sync) throw new Error('no row');
  const mixed = [result('a'), result('b', 'failed'), result('c', 'skipped')];
  expect(rowLine(fraud, mixed, [{ row: 'T1', text: 'a|b 3 ms' }], 'd')).toContain(
    '| 1 passed, 1 skipped, FAILED: b. a\\|b 3 ms | d |',
  );
  expect(rowLine(fraud, [], [], 'd')).toContain('NOT RUN');
  expect(rowLine(sync, [], [], 'd')).toContain('no test');
});
