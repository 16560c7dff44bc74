import { expect, test } from 'vitest';
import { NEW_CALL } from '../call-state.ts';
import type { DepartmentNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import { type Step, step } from '../step.ts';
import { aDepartment, aFlow, anAgent } from '../testing/samples.ts';

const SALES = 'extension||sales';

/** The first step of a call to the department. */
function entered(department: DepartmentNode): Step {
  return step(aFlow([department]), NEW_CALL, {
    type: 'call-started',
    atMs: 0,
    entry: department.ref,
    epochMs: 0,
    seed: 1,
    caller: null,
  });
}

test('department waits one second for the directory', () => {
  const { actions } = entered(aDepartment('d', { strategy: 'longest_idle' }));
  expect(actions).toContainEqual(
    expect.objectContaining({ type: 'start-timer', timer: 'directory', ms: 1_000 }),
  );
});

test.each(['round_robin', 'longest_idle'] as const)(
  'department with one agent rings them without asking the directory for the order: %s',
  (strategy) => {
    const { state, actions } = entered(aDepartment('d', { strategy, agents: [SALES] }));
    expect(state.phase).toMatchObject({ name: 'ringing', targets: [{ owner: SALES }] });
    expect(actions.map(({ type }) => type)).not.toContain('ask-directory');
  },
);

test.each(['simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'] as const)(
  'department without an agent to offer the call to says so, and its failover takes the call: %s',
  (strategy) => {
    const blocked = anAgent('sales', { blocked: true });
    const outcome = (agents: readonly string[], failover: string | null) =>
      simulate(aFlow([blocked, aDepartment('d', { strategy, agents, failover })]), {
        entry: 'department||d',
      }).outcome;
    expect(outcome([SALES], null).reason).toBe('agents-unavailable');
    expect(outcome([], null).reason).toBe('agents-unavailable');
    expect(outcome([SALES], 'extension||support').destination).toBe('extension||support');
  },
);
