import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { exportCallWorkbook, exportStatisticsWorkbook } from './sheets.ts';

/** Calls that never end: each page has a cursor to the next. `answer` lets the read that is under way go on. */
function endlessCalls() {
  const reads: (() => void)[] = [];
  const storage = {
    listDeleted: async () => [],
    findCalls: () =>
      new Promise((resolve) => reads.push(() => resolve({ calls: [], rest: { startedAtMs: 1, id: 'x' } }))),
  };
  return { reads, context: { storage } as unknown as ApiContext };
}

function asking(account: string) {
  const gone = new AbortController();
  const request = {
    query: {},
    account: { id: account, settings: DEFAULT_SETTINGS },
    directory: async () => ({}),
    whileConnected: (work: (signal: AbortSignal) => unknown) => work(gone.signal),
  } as unknown as ApiRequest;
  return { request, leave: () => gone.abort() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('a second workbook of an account is refused before it reads anything (T37)', async () => {
  const { reads, context } = endlessCalls();
  const { request, leave } = asking('a');
  const first = exportCallWorkbook(request, context);
  await settle();
  expect(reads).toHaveLength(1);
  expect(await exportCallWorkbook(asking('a').request, context)).toMatchObject({ problem: 'overloaded' });
  expect(await exportStatisticsWorkbook(asking('a').request, context)).toMatchObject({
    problem: 'overloaded',
  });
  expect(reads).toHaveLength(1);
  const other = asking('b');
  const second = exportCallWorkbook(other.request, context);
  await settle();
  expect(reads).toHaveLength(2);
  leave();
  other.leave();
  for (const answer of reads) answer();
  expect(await Promise.all([first, second])).toMatchObject([
    { problem: 'overloaded' },
    { problem: 'overloaded' },
  ]);
});

it('the calls of a workbook are read no further once its client is gone, and its place is free again', async () => {
  const { reads, context } = endlessCalls();
  for (const round of [1, 2]) {
    const { request, leave } = asking('c');
    const answer = exportCallWorkbook(request, context);
    await settle();
    expect(reads).toHaveLength(round);
    leave();
    reads.at(-1)?.();
    expect(await answer).toMatchObject({ problem: 'overloaded' });
    expect(reads).toHaveLength(round);
  }
});
