import { expect, it } from 'vitest';
import type { LegEnd } from '../../telephony.ts';
import { passedOn, statusOfCause } from './causes.ts';

const refused = (status: number, more: Partial<LegEnd> = {}): LegEnd => ({
  by: 'peer',
  outcome: 'failed',
  cause: null,
  status,
  text: '',
  ...more,
});

it('statuses about the callee are passed on as they are, with a cause of Q.850', () => {
  const passed = [404, 480, 486, 488, 600, 603].map((status) => passedOn(refused(status)));
  expect(passed.map((each) => [each?.status, each?.cause])).toEqual([
    [404, 1],
    [480, 18],
    [486, 17],
    [488, 65],
    [600, 17],
    [603, 21],
  ]);
});

it('statuses that concern us and not the caller become others: no challenge, no redirection, no 503', () => {
  const statuses = [302, 400, 401, 407, 408, 415, 481, 487, 491, 500, 503, 505];
  expect(statuses.map((status) => passedOn(refused(status))?.status)).toEqual([
    480, 500, 403, 403, 480, 488, 500, 480, 500, 500, 500, 500,
  ]);
});

it('the cause that the callee gave is kept, and of its Warning all but addresses', () => {
  const text = 'no codec from 10.1.2.3:4000 or fe80::1:2 at 12:30';
  expect(passedOn(refused(488, { cause: 88, warning: { code: 305, text } }))).toEqual({
    status: 488,
    cause: 88,
    warning: { code: 305, text: 'no codec from -:4000 or - at 12:30' },
  });
});

it('a side that said nothing has nothing to pass on', () => {
  expect(passedOn(refused(408, { by: 'timeout' }))).toBeNull();
  expect(passedOn({ ...refused(486), status: null })).toBeNull();
});

it('every cause of an end of ours has a status that refuses', () => {
  for (let cause = 0; cause < 128; cause++) expect(statusOfCause(cause)).toBeGreaterThanOrEqual(400);
});
