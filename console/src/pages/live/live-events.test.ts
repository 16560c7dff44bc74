import { expect, it } from 'vitest';
import { afterEvents, comings, eventsOf, type LiveCall, type LiveEvent } from './live-events.ts';

const CALL: LiveCall = {
  id: 'a',
  call_id: 'c',
  direction: 'inbound',
  caller: '555',
  caller_name: 'Mo',
  dialled: '100',
  entry: 'ivr||main',
  started_at: '2026-11-15T10:00:00.000Z',
  state: 'menu',
  node: 'ivr||main',
  agent: null,
};
const news = (type: string, more: Partial<LiveEvent> = {}): LiveEvent => ({
  type,
  at: '2026-11-15T10:00:01.000Z',
  call: CALL,
  ...more,
});

it('follows a call from its beginning to its end', () => {
  const began = afterEvents([], news('call.received'));
  expect(began).toMatchObject([{ id: 'a', state: 'menu', caller: '555' }]);
  expect(afterEvents(began, news('call.received'))).toHaveLength(1);
  const inMenu = afterEvents(began, news('call.menu_entered', { node: 'ivr||sales' }));
  expect(inMenu).toMatchObject([{ state: 'menu', node: 'ivr||sales' }]);
  const rings = afterEvents(inMenu, news('call.ringing', { node: 'extension||9' }));
  expect(rings).toMatchObject([{ state: 'ringing', node: 'extension||9' }]);
  expect(afterEvents(rings, news('call.answered', { node: 'extension||9' }))).toMatchObject([
    { state: 'connected' },
  ]);
  expect(afterEvents(rings, news('call.key', { keys: '1' }))).toBe(rings);
  expect(afterEvents(rings, news('call.ended'))).toEqual([]);
});

it('says who came and who went', () => {
  const other = { ...CALL, id: 'b' };
  const { came, went } = comings([CALL], [other]);
  expect([came.map(({ id }) => id), went.map(({ id }) => id)]).toEqual([['b'], ['a']]);
});

it('reads no news that it does not understand', () => {
  expect(['', '{', 'null', '{"type":1,"call":{"id":"a"}}', '{"type":"x","call":null}'].map(eventsOf)).toEqual(
    [null, null, null, null, null],
  );
  expect(eventsOf(JSON.stringify(news('call.ended')))?.call.id).toBe('a');
});
