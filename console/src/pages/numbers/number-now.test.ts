import { expect, it } from 'vitest';
import type { LiveCall } from '../../data/live-state.ts';
import { callsByNumber, numberNow } from './number-now.ts';

const call = (dialled: string, minute: number, direction: LiveCall['direction'] = 'inbound'): LiveCall => ({
  id: `${dialled} ${minute}`,
  call_id: '',
  sip_call_id: '',
  direction,
  caller: null,
  caller_name: '',
  dialled,
  entry: 'ivr||main',
  started_at: `2026-11-17T12:0${minute}:00.000Z`,
  state: 'menu',
  node: null,
  agent: null,
  department: null,
  waiting_since: null,
  waited_ms: null,
  answered_at: null,
  ringing: [],
  consultation: null,
  variables: {},
  consults_for: null,
  node_id: '',
});

it('a number has the calls that dialled it, with or without its plus sign, and the time of the oldest', () => {
  const calls = callsByNumber([call('4930100', 2), call('+4930100', 1), call('200', 3)]);
  expect(numberNow('+4930100', calls)).toEqual({ calls: 2, since: '2026-11-17T12:01:00.000Z' });
  expect(numberNow('201', calls)).toEqual({ calls: 0, since: null });
});

it('calls to the outside are not calls to the account’s number', () => {
  expect(numberNow('200', callsByNumber([call('200', 1, 'outbound')])).calls).toBe(0);
});
