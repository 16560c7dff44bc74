import { expect, it } from 'vitest';
import type { LiveState } from '../../../../client/operations.ts';
import { DEFAULT_THRESHOLDS } from '../../../../src/domain/wallboard.ts';
import { afterSnapshot, type LiveAgent, type LiveCall, NOTHING_YET } from '../../data/live-state.ts';
import { ALL_CALLS, agentsByState, callGroups, levelsOf, queueCards } from './figures.ts';

const NOW = Date.parse('2026-11-17T10:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const department = (id: string, agents: readonly string[] = [], queue = true) => ({
  id,
  name: id,
  agents,
  queue,
});
const agent = (
  eid: string,
  state: LiveAgent['state'],
  seconds = 0,
  signed_out: string[] = [],
): LiveAgent => ({
  eid,
  state,
  since: ago(seconds),
  paused: null,
  signed_out,
  phones: { registered: 1, reachable: 1, none_since: null },
});
const byEid = (...agents: LiveAgent[]) => new Map(agents.map((each) => [each.eid, each]));
const call = (id: string, state: LiveCall['state'], node: string | null, caller = '555'): LiveCall =>
  ({ id, state, department: node, caller, caller_name: '', dialled: '100' }) as LiveCall;

it('cards have the queues, the figures of the day and the agents who are signed in', () => {
  const [card, ...others] = queueCards(
    [department('sales', ['1', '2', '3']), department('direct', [], false)],
    {
      queues: new Map([['sales', { department: 'sales', waiting: 4, longest_since: ago(70) }]]),
      agents: byEid(agent('1', 'free'), agent('2', 'talking'), agent('3', 'free', 0, ['sales'])),
    },
    new Map([['sales', { calls: 20, answered: 17, abandoned: 3, service_level: 0.5 }]]),
  );
  expect(others).toEqual([]);
  if (!card) throw new Error('no card');
  expect(card).toMatchObject({ waiting: 4, abandonedPercent: 15 });
  expect([...card.states]).toEqual([
    ['free', 1],
    ['talking', 1],
  ]);
  expect(levelsOf(card, DEFAULT_THRESHOLDS, NOW)).toEqual({
    waiting: 'warning',
    wait: 'warning',
    serviceLevel: 'critical',
    abandoned: 'critical',
  });
});

it('a card without callers has no colour', () => {
  const [card] = queueCards([department('sales')], NOTHING_YET, new Map());
  if (!card) throw new Error('no card');
  expect(new Set(Object.values(levelsOf(card, DEFAULT_THRESHOLDS, NOW)))).toEqual(new Set(['normal']));
});

it('the abandoned rate is compared as it is, not rounded', () => {
  const levelOf = (abandoned: number, calls: number) => {
    const day = new Map([['sales', { calls, answered: 0, abandoned, service_level: null }]]);
    const [card] = queueCards([department('sales')], NOTHING_YET, day);
    if (!card) throw new Error('no card');
    return levelsOf(card, { ...DEFAULT_THRESHOLDS, abandoned_warning: 5, abandoned_critical: 10 }, NOW)
      .abandoned;
  };
  // 4.9 %, 5 %, 9.6 % and 10 %.
  expect([levelOf(49, 1000), levelOf(1, 20), levelOf(96, 1000), levelOf(1, 10)]).toEqual([
    'normal',
    'warning',
    'warning',
    'critical',
  ]);
});

it('figures of a day that was not read are not 0, and have no colour', () => {
  const [card] = queueCards([department('sales')], NOTHING_YET, null);
  if (!card) throw new Error('no card');
  expect(card).toMatchObject({ day: null, abandonedPercent: null });
  expect(new Set(Object.values(levelsOf(card, DEFAULT_THRESHOLDS, NOW)))).toEqual(new Set(['normal']));
});

it('while a node does not answer, nobody is known to be free', () => {
  const agents = [agent('1', 'free'), agent('2', 'talking'), agent('3', 'paused')] as LiveState['agents'];
  const state = { at: '', telephones: true, calls: [], agents, trunks: [], queues: [] };
  const live = afterSnapshot(NOTHING_YET, { ...state, unanswered_nodes: ['node-2'] }, 0);
  const [card] = queueCards([department('sales', ['1', '2', '3'])], live, new Map());
  expect([...(card?.states ?? [])]).toEqual([
    ['unknown', 1],
    ['talking', 1],
    ['paused', 1],
  ]);
  const groups = agentsByState(live.agents, new Set(['1', '2', '3']));
  expect(groups.map(({ state }) => state)).toEqual(['unknown', 'talking', 'paused']);
});

it('calls are grouped by department in the order of the departments, others last', () => {
  const calls = [
    call('a', 'menu', null),
    call('b', 'queue', 'sales'),
    call('c', 'connected', 'billing', '777'),
    call('d', 'queue', 'gone'),
  ];
  const order = [department('billing'), department('sales')];
  const shown = (choice = {}) =>
    callGroups(calls, order, { ...ALL_CALLS, ...choice }).map((group) => [
      group.department,
      group.calls.map(({ id }) => id).join(''),
    ]);
  expect(shown()).toEqual([
    ['billing', 'c'],
    ['sales', 'b'],
    ['gone', 'd'],
    [null, 'a'],
  ]);
  expect(shown({ kind: 'waiting' })).toEqual([
    ['sales', 'b'],
    ['gone', 'd'],
  ]);
  expect(shown({ department: 'sales' })).toEqual([['sales', 'b']]);
  expect(shown({ text: '77' })).toEqual([['billing', 'c']]);
});

it('agents are grouped by state, the longest first, and others than the asked ones left out', () => {
  const agents = byEid(
    agent('1', 'talking', 5),
    agent('2', 'free'),
    agent('3', 'talking', 90),
    agent('4', 'free'),
  );
  const groups = agentsByState(agents, new Set(['1', '2', '3']));
  expect(groups.map(({ state, agents: of }) => [state, of.map(({ eid }) => eid).join()])).toEqual([
    ['free', '2'],
    ['talking', '3,1'],
  ]);
});
