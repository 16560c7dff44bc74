import { expect, it } from 'vitest';
import type { AgentState } from '../../../../client/operations.ts';
import { aDepartment, aFlow, anAgent, someHours } from '../../../../src/flow/testing/samples.ts';
import { assumed, presentOf } from './present.ts';
import type { Reach } from './reach.ts';
import { USUAL } from './settings.ts';

const phones = (registered: number): AgentState['phones'] => ({
  registered,
  reachable: registered,
  none_since: null,
});
const now = (eid: string, state: AgentState['state'], more: Partial<AgentState> = {}) => ({
  eid,
  state,
  signed_out: [],
  phones: phones(1),
  ...more,
});
const flow = aFlow([
  anAgent('8', { followMeNumber: '+4930123' }),
  aDepartment('sales', { agents: ['extension||1', 'extension||2'] }),
  aDepartment('support', { agents: ['extension||1'] }),
]);

it('agents behave in a simulated call as they are now', () => {
  const states = [
    now('1', 'free'),
    now('2', 'unreachable', { phones: phones(0) }),
    now('3', 'talking'),
    now('4', 'paused'),
    now('5', 'off_duty'),
    now('6', 'wrap_up'),
    now('7', 'blocked'),
  ];
  expect(presentOf(states, flow).agents).toEqual({
    'extension||1': 'answer',
    'extension||2': 'unreachable',
    'extension||3': 'busy',
    'extension||4': 'paused',
    'extension||5': 'answer',
    'extension||6': 'paused',
    'extension||7': 'blocked',
  });
});

it('who is paused or off duty without a phone cannot be reached, unless a number follows', () => {
  const none = { phones: phones(0) };
  const states = [now('4', 'paused', none), now('5', 'off_duty', none), now('8', 'off_duty', none)];
  expect(presentOf(states, flow).agents).toEqual({
    'extension||4': 'unreachable',
    'extension||5': 'unreachable',
    'extension||8': 'answer',
  });
});

it('who is signed out of all departments is held back from them, who is of one is named for that one', () => {
  const all = [now('1', 'free', { signed_out: ['sales', 'support'] })];
  expect(presentOf(all, flow)).toEqual({ agents: { 'extension||1': 'paused' }, signedOut: {} });
  const { agents, signedOut } = presentOf([now('1', 'free', { signed_out: ['sales'] })], flow);
  expect(agents).toEqual({ 'extension||1': 'answer' });
  expect(signedOut).toEqual({ 'department||sales': ['extension||1'] });
  const reached = { ...reach, refs: new Set(['department||sales']) };
  expect(assumed(reached, { ...USUAL, agents, signedOut }, 0).signedOut).toEqual([
    ['department||sales', ['Asha']],
  ]);
  // The call does not come there.
  expect(assumed(reach, { ...USUAL, agents, signedOut }, 0).signedOut).toEqual([]);
});

const reach: Reach = {
  refs: new Set(),
  phones: ['Asha', 'Ben', 'Chen'].map((name, index) => anAgent(String(index + 1), { name })),
  queues: [],
  hours: [],
  requests: [],
  streams: [],
};

it('what is assumed names who does not answer, and counts who does', () => {
  const agents = { 'extension||2': 'unreachable', 'extension||3': 'unreachable' } as const;
  const nobody = { offDuty: [], signedOut: [] };
  expect(assumed(reach, { ...USUAL, agents }, 0)).toEqual({
    answering: 1,
    others: [['unreachable', ['Ben', 'Chen']]],
    ...nobody,
  });
  expect(assumed(reach, USUAL, 0)).toEqual({ answering: 3, others: [], ...nobody });
});

it('who is off duty at that moment is named apart, and is not counted as one who answers', () => {
  const hours = someHours('never', { weekly: [] });
  const [asha, ...others] = reach.phones;
  if (!asha) throw new Error('no phone');
  const atNight = { ...reach, hours: [hours], phones: [{ ...asha, hours: hours.ref }, ...others] } as Reach;
  expect(assumed(atNight, USUAL, 0)).toMatchObject({ answering: 2, others: [], offDuty: ['Asha'] });
});
