import { describe, expect, it } from 'vitest';
import { NEW_CALL } from './call-state.ts';
import type { Forwards } from './node.ts';
import { simulate } from './simulate.ts';
import type { Scenario } from './simulation/scenario.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, anAgent } from './testing/samples.ts';

const forwards = (some: Partial<Forwards>): { forwards: Forwards } => ({
  forwards: { always: null, busy: null, noAnswer: null, ...some },
});
const does = (deed: 'busy' | 'no-answer' | 'unreachable' | 'blocked'): Partial<Scenario> => ({
  agents: { 'extension||sales': { do: deed } },
});

function called(sales: Parameters<typeof anAgent>[1], scenario: Partial<Scenario> = {}) {
  const flow = aFlow([anAgent('sales', { failover: 'hangup||', ...sales }), anAgent('support')]);
  const { outcome, steps } = simulate(flow, { entry: 'extension||sales', ...scenario });
  return { to: outcome.destination, codes: steps.map(({ code }) => code) };
}

describe('forwarding', () => {
  it('of all calls rings no phone of the agent', () => {
    const { to, codes } = called(forwards({ always: 'extension||support' }));
    expect(to).toBe('extension||support');
    expect(codes.filter((code) => code === 'ringing')).toHaveLength(1);
    expect(codes).toContain('forwarded');
  });

  it('while busy and without an answer goes before the failover, each by its own member', () => {
    const both = forwards({ busy: 'extension||support', noAnswer: 'ivr||gone' });
    expect(called(both, does('busy')).to).toBe('extension||support');
    expect(called(forwards({ noAnswer: 'extension||support' }), does('no-answer')).to).toBe(
      'extension||support',
    );
    expect(called(forwards({ noAnswer: 'extension||support' }), does('unreachable')).to).toBe(
      'extension||support',
    );
    expect(called(forwards({ noAnswer: 'extension||support' }), does('busy')).to).not.toBe(
      'extension||support',
    );
    expect(called(forwards({ busy: 'extension||support' }), does('no-answer')).codes).not.toContain(
      'forwarded',
    );
  });

  it('of a blocked agent does not happen', () => {
    const { codes } = called({ blocked: true, ...forwards({ always: 'extension||support' }) });
    expect(codes).not.toContain('forwarded');
  });

  it('in a circle is cut like any other', () => {
    const flow = aFlow([
      anAgent('sales', forwards({ always: 'extension||support' })),
      anAgent('support', forwards({ always: 'extension||sales' })),
    ]);
    const { outcome } = simulate(flow, { entry: 'extension||sales' });
    expect(outcome.reason).toBe('hop-limit');
  });

  it('to a number outside rings it by trunks that agents may call by, then goes to the failover', () => {
    const flow = aFlow([
      anAgent('sales', { failover: 'extension||support', ...forwards({ always: 'number||4930555' }) }),
    ]);
    const start = { type: 'call-started', atMs: 0, epochMs: 0, seed: 1, caller: null } as const;
    const { state, actions } = step(flow, NEW_CALL, { ...start, entry: 'extension||sales' });
    const ring = actions.find((action) => action.type === 'ring');
    expect(ring).toMatchObject({
      targets: [{ via: 'number', number: '4930555', owner: 'number||4930555', byAgent: true }],
    });
    const failure = {
      type: 'agent-busy',
      atMs: 9,
      attempt: ring?.attempt ?? 0,
      target: 'number||4930555',
    } as const;
    const after = step(flow, state, failure);
    expect(after.state.phase).toMatchObject({ name: 'ringing', node: 'extension||support' });
  });

  it('is not for calls of departments', () => {
    const flow = aFlow([
      aDepartment('desk', { agents: ['extension||sales'], failover: null }),
      anAgent('sales', forwards({ always: 'extension||support', noAnswer: 'extension||support' })),
    ]);
    const { steps } = simulate(flow, { entry: 'department||desk', ...does('no-answer') });
    expect(steps.map(({ code }) => code)).not.toContain('forwarded');
  });
});

describe('do not disturb', () => {
  it('sends a direct call where one to a busy agent goes', () => {
    expect(called({ doNotDisturb: true, failover: 'extension||support' }).to).toBe('extension||support');
    expect(called({ doNotDisturb: true, ...forwards({ busy: 'extension||support' }) })).toMatchObject({
      to: 'extension||support',
      codes: expect.arrayContaining(['do-not-disturb', 'forwarded']),
    });
    const flow = aFlow([anAgent('sales', { doNotDisturb: true })]);
    expect(simulate(flow, { entry: 'extension||sales' }).outcome.reason).toBe('agent-busy');
  });

  it('keeps calls of departments away', () => {
    const flow = aFlow([
      aDepartment('desk', { agents: ['extension||sales', 'extension||support'], strategy: 'in_order' }),
      anAgent('sales', { doNotDisturb: true }),
      anAgent('support'),
    ]);
    const { outcome, steps } = simulate(flow, { entry: 'department||desk' });
    expect(outcome.destination).toBe('extension||support');
    expect(steps.map(({ code }) => code)).toContain('do-not-disturb');
  });
});
