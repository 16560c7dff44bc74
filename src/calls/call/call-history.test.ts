// What a call keeps for its record has bounds (docs/limits.md).
import { expect, it } from 'vitest';
import { NEW_CALL } from '../../flow/call-state.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { CallFacts } from '../records/call-record.ts';
import { MAX_KEYS, MAX_TRAIL } from '../records/call-record.ts';
import { office } from '../testing/office.ts';
import { CallHistory } from './call-history.ts';

const facts: CallFacts = {
  id: 'call',
  accountId: 'acme',
  callId: 'x',
  direction: 'inbound',
  caller: null,
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 0,
};

it('a call keeps MAX_TRAIL steps and events and MAX_KEYS keys; its end is always among the steps', () => {
  const { clock, callEvents } = office();
  const history = new CallHistory({ clock, callEvents }, facts, makeFlow({ nodes: [], recordings: [] }));
  const published: string[] = [];
  callEvents.subscribe(({ type }) => void published.push(type));
  for (let each = 0; each < MAX_TRAIL + 5; each++) {
    history.keepEvent({ type: 'key-pressed', key: '1', atMs: each }, NEW_CALL);
    history.keepKey('1', 'rfc4733', NEW_CALL);
    history.add({ atMs: each, node: null, code: 'key-pressed', text: '' });
  }
  history.note('ended', 'The end.');
  const end = { code: 'caller-hung-up', text: '', word: '', cause: 16 } as const;
  const { trail, events, keys } = history.result(end, [], [], {
    recording: null,
    voicemail: null,
    messageFailed: false,
  });
  expect([events.length, keys.length, trail.length]).toEqual([MAX_TRAIL, MAX_KEYS, MAX_TRAIL + 1]);
  expect(trail.at(-1)?.code).toBe('ended');
  expect(published).toHaveLength(MAX_TRAIL);
});
