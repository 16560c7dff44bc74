import { expect, it } from 'vitest';
import { type LadderLine, type Leg, ladderView, toneOf } from './ladder-view.ts';

const leg = (role: Leg['role'], number: string): Leg => ({
  role,
  number,
  ended_by: 'peer',
  outcome: 'ended',
  status: null,
  cause: null,
  reason: '',
  packets_sent: 0,
  packets_received: 0,
  packets_lost: 0,
  jitter_ms: 0,
  one_way: false,
});
const line = (
  leg: number | null,
  direction: 'in' | 'out',
  what: string,
  more: Partial<LadderLine> = {},
): LadderLine => ({
  at_ms: 0,
  leg,
  direction,
  what,
  transport: 'udp',
  ...more,
});

it('puts the caller left of us and each phone that rang right of us, also when its leg ended first', () => {
  const legs = [leg('called', '1001'), leg('caller', '555')];
  const { parties, arrows } = ladderView(
    [
      line(1, 'in', 'INVITE', { user_agent: 'phone' }),
      line(0, 'out', 'INVITE', { phone: 1 }),
      line(0, 'out', 'INVITE', { phone: 2 }),
      line(0, 'in', '180 INVITE', { phone: 2, user_agent: 'desk' }),
      line(1, 'out', '200 INVITE'),
    ],
    legs,
  );
  expect(parties.map(({ role, number, phone, userAgent }) => [role, number, phone, userAgent])).toEqual([
    ['caller', '555', null, 'phone'],
    ['us', '', null, null],
    ['called', '1001', 1, null],
    ['called', '1001', 2, 'desk'],
  ]);
  expect(arrows.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [1, 2],
    [1, 3],
    [3, 1],
    [1, 0],
  ]);
});

it('has a place for the side that went on to another call', () => {
  expect(ladderView([line(null, 'in', 'INVITE')], []).parties.map(({ role }) => role)).toEqual([
    'caller',
    'us',
  ]);
  const withCaller = ladderView([line(0, 'in', 'INVITE'), line(null, 'out', 'INVITE')], [leg('caller', '5')]);
  expect(withCaller.parties.map(({ role }) => role)).toEqual(['caller', 'us', 'called']);
});

it('distinguishes requests, progress, success and refusal', () => {
  expect(['INVITE', '180 INVITE', '200 BYE', '486 INVITE', 'NOTIFY'].map(toneOf)).toEqual([
    'request',
    'progress',
    'good',
    'bad',
    'request',
  ]);
});
