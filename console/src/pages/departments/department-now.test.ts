import { expect, it } from 'vitest';
import type { LiveAgent } from '../../data/live-state.ts';
import { departmentNow } from './department-now.ts';

const agents = (states: Readonly<Record<string, LiveAgent['state']>>, signedOut: string[] = []) =>
  new Map(
    Object.entries(states).map(([eid, state]) => [
      eid,
      { eid, state, signed_out: signedOut } as unknown as LiveAgent,
    ]),
  );

it('counts who could answer, and never calls a department well that nobody answers', () => {
  const sales = { id: 'sales', agents: ['1', '2', '3'] };
  expect(departmentNow(sales, agents({ 1: 'free', 2: 'talking', 3: 'unreachable' }))).toEqual({
    free: 1,
    atWork: 2,
    look: 'free',
  });
  expect(departmentNow(sales, agents({ 1: 'talking', 2: 'wrap_up' })).look).toBe('busy');
  expect(departmentNow(sales, agents({ 1: 'unreachable', 2: 'paused', 3: 'off_duty' })).look).toBe('none');
  expect(departmentNow(sales, agents({ 1: 'free' }, ['sales'])).look).toBe('none');
  expect(departmentNow({ id: 'sales', agents: [] }, agents({})).look).toBe('empty');
  // A node does not answer: who is not in a call at the others may be in one there.
  expect(departmentNow(sales, agents({ 1: 'unknown', 2: 'talking' }))).toEqual({
    free: 0,
    atWork: 2,
    look: 'unknown',
  });
});
