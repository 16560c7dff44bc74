import { describe, expect, it } from 'vitest';
import type { CallerIdRule } from '../kinds/caller-id-rule.ts';
import { CallerIdRules, type OutgoingCall } from './caller-id-rule.ts';

const rule = (more: Partial<CallerIdRule>): CallerIdRule => ({
  name: 'Rule',
  priority: 100,
  trunk: null,
  agent: null,
  department: null,
  prefix: null,
  show: '+4930',
  ...more,
});

const rulesOf = (...rules: Partial<CallerIdRule>[]): CallerIdRules =>
  new CallerIdRules(
    rules.map((more, index) => ({
      id: `r${index}`,
      version: 1,
      createdAtMs: 0,
      updatedAtMs: 0,
      data: rule(more),
    })),
    (department) => (department === 'sales' ? ['7', '8'] : []),
  );

const call: OutgoingCall = { trunkId: 't1', number: '+44201234', eid: '7', caller: '+15550100' };

describe('caller-id rules', () => {
  it('say nothing when there are none, or none fits', () => {
    expect(rulesOf().shown(call)).toBeUndefined();
    expect(rulesOf({ trunk: 'trunk||t2' }).shown(call)).toBeUndefined();
  });

  it.each<[string, Partial<CallerIdRule>, Partial<OutgoingCall>]>([
    ['the trunk', { trunk: 'trunk||t1' }, { trunkId: 't2' }],
    ['the agent', { agent: 'extension||7' }, { eid: '8' }],
    ['an agent at all', { agent: 'extension||7' }, { eid: null }],
    ['the department', { department: 'department||sales' }, { eid: '9' }],
    ['a department at all', { department: 'department||sales' }, { eid: null }],
    ['a department that exists', { department: 'department||sales' }, { eid: '9' }],
    ['the prefix', { prefix: '+44' }, { number: '+4520' }],
  ])('ask for %s', (_, condition, otherwise) => {
    const rules = rulesOf(condition);
    expect(rules.shown(call)).toBe('+4930');
    expect(rules.shown({ ...call, ...otherwise })).toBeUndefined();
  });

  it('fit only when all of their conditions do', () => {
    const rules = rulesOf({ trunk: 'trunk||t1', agent: 'extension||7', prefix: '44' });
    expect(rules.shown(call)).toBe('+4930');
    expect(rules.shown({ ...call, number: '+4520' })).toBeUndefined();
  });

  it('are asked by priority, then by age', () => {
    const rules = rulesOf(
      { priority: 20, show: '1' },
      { priority: 10, show: '2' },
      { priority: 10, show: '3' },
    );
    expect(rules.shown(call)).toBe('2');
  });

  it('show a number, nothing, or the caller', () => {
    expect(rulesOf({ show: 'withhold' }).shown(call)).toBeNull();
    expect(rulesOf({ show: 'caller' }).shown(call)).toBe('+15550100');
    expect(rulesOf({ show: 'caller' }).shown({ ...call, caller: null })).toBeNull();
  });
});
