import { expect, test } from 'vitest';
import type { Peer } from '../telephony/telephony.ts';
import { accountRoutes, callBed } from './testing/call-bed.ts';
import { VISITOR_CALLS_PER_MINUTE, VisitorCalls } from './visitor-calls.ts';

const { session, network, button } = VISITOR_CALLS_PER_MINUTE;

const guest = (id: string, from = '203.0.113.9', key: string | null = 'acme.sales') =>
  ({
    kind: 'guest',
    id: `acme/${id}`,
    to: '100',
    dial: '100',
    name: '',
    network: from,
    visitor: { button: key, page: '' },
  }) as const satisfies Peer;

function passed(peers: readonly Peer[], calls = new VisitorCalls(() => 0)): number {
  let count = 0;
  for (const peer of peers) {
    if (!calls.mayCall(peer)) continue;
    calls.called(peer);
    count += 1;
  }
  return count;
}
const many = (peer: (at: number) => Peer): Peer[] => Array.from({ length: 500 }, (_, at) => peer(at));

test('one session, one network and one button have so many calls in a minute, and others go on', () => {
  let nowMs = 0;
  const calls = new VisitorCalls(() => nowMs);
  expect(
    passed(
      many(() => guest('one')),
      calls,
    ),
  ).toBe(session);
  expect(passed([guest('two')], calls)).toBe(1);
  nowMs = 60_000;
  expect(passed([guest('one')], calls)).toBe(1);
  expect(passed(many((at) => guest(String(at))))).toBe(network);
  expect(passed(many((at) => guest(String(at), `198.51.${at >> 8}.${at & 255}`)))).toBe(button);
});

test('agents, trunks and calls from the console are not counted', () => {
  expect(passed(many(() => guest('one', '203.0.113.9', null)))).toBe(500);
  expect(passed(many(() => ({ kind: 'phone', id: 'acme/1' })))).toBe(500);
});

test('a visitor who calls and hangs up again and again is refused before a leg is made', async () => {
  const numbers = new Map([['100', 'hangup||none' as const]]);
  const { telephony, switchboard } = callBed(() => accountRoutes({ numbers }));
  const peer = guest('one');
  for (let at = 0; at < session; at++)
    expect(await telephony.call('100', { peer })).not.toHaveProperty('status');
  expect(switchboard.mayCall(peer)).toMatchObject({ status: 486 });
  expect(switchboard.mayCall(guest('two'))).not.toHaveProperty('status');
});
