import { expect, it } from 'vitest';
import { afterEvent, type FirstCall, isAnswered, NO_CALL } from './first-call.ts';

const event = (id: string, dialled: string, more: object = {}): string =>
  JSON.stringify({ data: { call: { id, dialled, caller: '1001' }, ...more } });

function after(...events: readonly (readonly [type: string, json: string])[]): FirstCall {
  return events.reduce<FirstCall>((state, [type, json]) => afterEvent(state, type, json, '100'), NO_CALL);
}

it('a call to the number is followed from its arrival to the answer', () => {
  const call = after(
    ['call.received', event('a', '100')],
    ['call.menu_entered', event('a', '100')],
    ['call.key', event('a', '100', { keys: '1' })],
    ['call.option', event('a', '100', { keys: '1' })],
    ['call.ringing', event('a', '100')],
  );
  expect(call.stages).toEqual([
    { stage: 'received', what: '1001' },
    { stage: 'menu', what: '' },
    { stage: 'key', what: '1' },
    { stage: 'ringing', what: '' },
  ]);
  expect(isAnswered(call)).toBe(false);
  expect(isAnswered(afterEvent(call, 'call.answered', event('a', '100'), '100'))).toBe(true);
});

it('calls to other numbers, and other events, are ignored', () => {
  expect(
    after(
      ['call.received', event('a', '200')],
      ['snapshot', '{"data":[]}'],
      ['call.received', '{'],
      ['call.received', '7'],
    ),
  ).toEqual(NO_CALL);
});

it('another call begins anew', () => {
  const call = after(['call.received', event('a', '100')], ['call.received', event('b', '100')]);
  expect(call).toEqual({ id: 'b', stages: [{ stage: 'received', what: '1001' }] });
});

it('a caller who presses keys for ever does not fill the page', () => {
  const keys = Array.from({ length: 50 }, () => ['call.option', event('a', '100', { keys: '1' })] as const);
  expect(after(...keys).stages.length).toBe(12);
});
