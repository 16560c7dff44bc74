import { expect, it } from 'vitest';
import { afterEvent, comings, eventOf, type LiveCall, type LiveEvent } from './live-events.ts';

const CALL: LiveCall = {
  id: 'a',
  call_id: 'a',
  sip_call_id: 'c',
  direction: 'inbound',
  caller: '555',
  caller_name: 'Mo',
  dialled: '100',
  entry: 'ivr||main',
  started_at: '2026-11-15T10:00:00.000Z',
  state: 'menu',
  node: 'ivr||main',
  agent: null,
  consultation: null,
  consults_for: null,
  node_id: 'node-1',
};
const event = (type: string, more: Partial<LiveEvent> = {}): LiveEvent => ({
  type,
  at: '2026-11-15T10:00:01.000Z',
  call: CALL,
  ...more,
});

it('follows a call from its beginning to its end', () => {
  const began = afterEvent([], event('call.received'));
  expect(began).toMatchObject([{ id: 'a', state: 'menu', caller: '555' }]);
  expect(afterEvent(began, event('call.received'))).toHaveLength(1);
  const inMenu = afterEvent(began, event('call.menu_entered', { node: 'ivr||sales' }));
  expect(inMenu).toMatchObject([{ state: 'menu', node: 'ivr||sales' }]);
  const rings = afterEvent(inMenu, event('call.ringing', { node: 'extension||9' }));
  expect(rings).toMatchObject([{ state: 'ringing', node: 'extension||9' }]);
  expect(afterEvent(rings, event('call.answered', { node: 'extension||9' }))).toMatchObject([
    { state: 'connected' },
  ]);
  expect(afterEvent(rings, event('call.key', { keys: '1' }))).toBe(rings);
  expect(afterEvent(rings, event('call.ended'))).toEqual([]);
});

it('says who came and who went', () => {
  const other = { ...CALL, id: 'b' };
  const { came, went } = comings([CALL], [other]);
  expect([came.map(({ id }) => id), went.map(({ id }) => id)]).toEqual([['b'], ['a']]);
});

it('ignores events that it does not understand', () => {
  expect(
    ['', '{', 'null', '{"type":1,"data":{"call":{"id":"a"}}}', '{"type":"x","data":{"call":null}}'].map(
      eventOf,
    ),
  ).toEqual([null, null, null, null, null]);
  const { type, at: timestamp, ...data } = event('call.ended');
  expect(eventOf(JSON.stringify({ type, timestamp, data }))).toEqual({ ...data, type, at: timestamp });
});
