import { expect, test } from 'vitest';
import { simulate } from '../../../../src/flow/simulate.ts';
import { parseScript } from '../../../../src/flow/simulation/script.ts';
import {
  aDepartment,
  aFlow,
  aMenu,
  anAnnouncement,
  someHours,
} from '../../../../src/flow/testing/samples.ts';
import { pathOf } from './path.ts';
import { momentOf, reachOf } from './reach.ts';

const flow = aFlow([
  aMenu('main', {
    options: [
      { keys: '1', destination: 'department||desk', smsTemplate: null },
      { keys: '2', destination: 'timegroup||week', smsTemplate: null },
    ],
  }),
  aDepartment('desk', { failover: 'announcement||sorry' }),
  anAnnouncement('sorry', 'ivr||main'),
  someHours('week', { exceptions: [{ name: 'Christmas', from: '12-25', to: '12-26', ranges: [] }] }),
]);

function path(script: string, agents = {}, epochMs?: number) {
  const reading = parseScript(script);
  if (!reading.ok) throw new Error(reading.fault.message);
  const when = epochMs === undefined ? {} : { epochMs };
  return pathOf(simulate(flow, { entry: 'ivr||main', script: reading.steps, agents, ...when }).steps);
}

test('a path has each place once, and why the call went on from it', () => {
  const busy = { 'extension||sales': { do: 'busy' }, 'extension||support': { do: 'busy' } } as const;
  expect(path('1,wait 2s,hangup', busy)).toEqual({
    visited: ['ivr||main', 'department||desk', 'announcement||sorry'],
    current: 'announcement||sorry',
    edges: [
      { from: 'ivr||main', label: '1', to: 'department||desk' },
      { from: 'department||desk', label: 'failover', to: 'announcement||sorry' },
    ],
  });
});

test('a path leads on to the agent of a department who answers', () => {
  expect(path('1')).toMatchObject({
    current: 'extension||sales',
    edges: [{ label: '1' }, { from: 'department||desk', label: 'member', to: 'extension||sales' }],
  });
});

test('a path distinguishes open from closed, and silence from a wrong key', () => {
  const tuesday = Date.UTC(2026, 0, 6, 10);
  expect(path('2', {}, tuesday).edges[1]).toEqual({
    from: 'timegroup||week',
    label: 'open',
    to: 'extension||sales',
  });
  expect(path('2', {}, tuesday + 12 * 3_600_000).edges[1]?.label).toBe('closed');
  expect(path('wait,wait').edges).toEqual([{ from: 'ivr||main', label: 'timeout', to: 'hangup||timeout' }]);
  expect(path('9,9').edges).toEqual([{ from: 'ivr||main', label: 'invalid', to: 'hangup||invalid' }]);
});

test('everything reachable is listed once, with or without cycles', () => {
  const { refs, phones, hours, queues } = reachOf(flow, 'ivr||main');
  expect(phones.map(({ ref }) => ref).toSorted()).toEqual(['extension||sales', 'extension||support']);
  expect(hours.map(({ ref }) => ref)).toEqual(['timegroup||week']);
  expect(queues).toEqual([]);
  expect(refs.has('announcement||sorry')).toBe(true);
  expect(reachOf(flow, 'ivr||nowhere').phones).toEqual([]);
});

test('moments for trying: open, closed, and a listed day', () => {
  const { hours } = reachOf(flow, 'ivr||main');
  const tuesday = Date.UTC(2026, 0, 6, 10);
  expect(momentOf('open', hours, tuesday)).toBe(tuesday);
  expect(momentOf('closed', hours, tuesday)).toBe(Date.UTC(2026, 0, 6, 16));
  const christmas = momentOf('holiday', hours, tuesday);
  expect(christmas && new Date(christmas).toISOString().slice(0, 10)).toBe('2026-12-25');
  expect(momentOf('closed', [], tuesday)).toBeNull();
});
