import { expect, it } from 'vitest';
import type { CallSummary } from '../../../../client/operations.ts';
import { type CallPages, notCalledBack, readOpenCalls } from './open-calls.ts';

const DAY = '2026-11-17';
const call = (caller: string | null, at: string, more: Partial<CallSummary> = {}) =>
  ({
    id: `${caller}@${at}`,
    caller,
    caller_name: '',
    dialled: '100',
    direction: 'inbound',
    outcome: 'missed',
    started_at: `${DAY}T${at}:00.000Z`,
    answered_by: null,
    talk_ms: 0,
    ...more,
  }) as CallSummary;
const talk = (caller: string, at: string, more: Partial<CallSummary> = {}) =>
  call(caller, at, { outcome: 'answered', talk_ms: 5_000, ...more });
const callersOf = (found: { readonly callers: readonly { readonly caller: string }[] }) =>
  found.callers.map(({ caller }) => caller);

it('names each caller whom nobody answered once, with the last try', () => {
  const { callers } = notCalledBack([call('+49301', '09:00'), call('+49301', '10:00')], []);
  expect(callers).toMatchObject([{ caller: '+49301', at: `${DAY}T10:00:00.000Z`, tries: 2 }]);
});

it('leaves out who was called back, or called again and was answered, but not who was talked to before', () => {
  const lost = [call('+49301234567', '09:00'), call('+4940222', '09:00'), call('+4989333', '12:00')];
  const talked = [
    talk('1001', '09:30', { direction: 'outbound', dialled: '0301234567' }),
    talk('+4940222', '09:40', { outcome: 'transferred' }),
    talk('+4989333', '11:00'),
  ];
  expect(callersOf(notCalledBack(lost, talked))).toEqual(['+4989333']);
});

it('a call back that nobody took counts for nothing', () => {
  const tried = call('1001', '09:30', { direction: 'outbound', dialled: '+49301' });
  expect(notCalledBack([call('+49301', '09:00')], [tried]).callers).toHaveLength(1);
});

it('only calls that were lost count: no blocked or refused ones, no closed announcement, no message', () => {
  const outcomes = ['blocked', 'refused', 'completed', 'voicemail', 'answered', 'transferred', null] as const;
  const others = outcomes.map((outcome, index) => call(`+4930${index}`, '09:00', { outcome }));
  expect(notCalledBack(others, [])).toEqual({ callers: [], withheld: 0, calls: [] });
  const lost = (['missed', 'unreachable', 'abandoned', 'interrupted'] as const).map((outcome, index) =>
    call(`+4940${index}`, '09:00', { outcome }),
  );
  expect(notCalledBack(lost, []).callers).toHaveLength(4);
  const interrupted = call('+49301', '09:00', { outcome: 'interrupted', talk_ms: 9_000, answered_by: '1' });
  expect(notCalledBack([interrupted], []).callers).toEqual([]);
});

it('who waits for a call-back is not called back by hand', () => {
  const lost = [call('+49301234567', '09:00'), call('+4940222', '09:00')];
  expect(callersOf(notCalledBack(lost, [], ['030 1234567']))).toEqual(['+4940222']);
});

it('withheld callers are counted, and callers without digits are told apart', () => {
  const lost = [call(null, '09:00'), call('', '09:10'), call('asha', '09:20'), call('ben', '09:30')];
  const { callers, withheld, calls } = notCalledBack(lost, []);
  expect(callers.map(({ caller }) => caller)).toEqual(['ben', 'asha']);
  expect(withheld).toBe(2);
  expect(calls).toHaveLength(4);
});

it('the calls are those behind the number: every try of who is open, the latest first', () => {
  const lost = [
    call('+49301', '09:00'),
    call('+49302', '09:10'),
    call('+49301', '10:00'),
    call(null, '11:00'),
  ];
  const { calls } = notCalledBack(lost, [talk('+49302', '09:20')]);
  expect(calls.map(({ id }) => id)).toEqual(['null@11:00', '+49301@10:00', '+49301@09:00']);
});

/** Pages of one call each, newest first, as the service gives them. */
function pagesOf(lost: readonly CallSummary[], talked: readonly CallSummary[], callbacks: string[] = []) {
  const asked: string[] = [];
  const page = <Row>(rows: readonly Row[], cursor: string | null) => {
    const at = Number(cursor ?? 0);
    return Promise.resolve({
      data: rows.slice(at, at + 1),
      next_cursor: at + 1 < rows.length ? String(at + 1) : null,
    });
  };
  const pages: CallPages = {
    lost: (cursor) => page(lost, cursor),
    talked: (from, cursor) => {
      asked.push(from);
      return page(
        talked.filter(({ started_at }) => started_at >= from),
        cursor,
      );
    },
    callbacks: (cursor) =>
      page(
        callbacks.map((number) => ({ number })),
        cursor,
      ),
  };
  return { pages, asked };
}

it('answered calls are read back to the oldest call that is open, and no further', async () => {
  const lost = [call('+49302', '11:00'), call('+49301', '09:00')];
  const talked = [talk('+49309', '12:00'), talk('+49301', '09:30'), talk('+49308', '08:00')];
  const { pages, asked } = pagesOf(lost, talked);
  const found = await readOpenCalls(pages);
  expect(callersOf(found)).toEqual(['+49302']);
  expect(found.isCut).toBe(false);
  expect(asked).toEqual([`${DAY}T09:00:00.000Z`, `${DAY}T09:00:00.000Z`]);
});

it('without a lost call no answered one is asked for', async () => {
  const { pages, asked } = pagesOf([call('+49301', '09:00', { outcome: 'blocked' })], []);
  expect(await readOpenCalls(pages)).toEqual({ callers: [], withheld: 0, calls: [], isCut: false });
  expect(asked).toEqual([]);
});

it('what is too much to read is said, of lost calls, answered ones and call-backs', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => call(`+4930${index}`, '09:00'));
  const talks = Array.from({ length: 100 }, (_, index) => talk(`+4940${index}`, '10:00'));
  const numbers = Array.from({ length: 100 }, (_, index) => `+4950${index}`);
  expect((await readOpenCalls(pagesOf(many(100), []).pages)).isCut).toBe(true);
  expect((await readOpenCalls(pagesOf(many(1), talks).pages)).isCut).toBe(true);
  expect((await readOpenCalls(pagesOf(many(1), [], numbers).pages)).isCut).toBe(true);
  expect((await readOpenCalls(pagesOf(many(2), talks.slice(0, 2), numbers.slice(0, 2)).pages)).isCut).toBe(
    false,
  );
});
