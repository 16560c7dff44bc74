// What a call keeps for its record has bounds (docs/limits.md).
import { expect, it } from 'vitest';
import { type CallEvent, NEW_CALL } from '../../flow/call-state.ts';
import { makeFlow } from '../../flow/flow.ts';
import { endReason } from '../../flow/trail.ts';
import { MAX_OF_CODE } from '../../flow/trail-quota.ts';
import type { CallFacts } from '../records/call-record.ts';
import { MAX_EVENT_BYTES, MAX_KEYS, MAX_TRAIL } from '../records/call-record.ts';
import { office } from '../testing/office.ts';
import { CallHistory, lostEnd } from './call-history.ts';

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
  const { trail, events, eventsLeftOut, keys } = history.result(end, [], [], {
    recording: null,
    voicemail: null,
    messageFailed: false,
  });
  expect([events.length, keys.length, trail.length]).toEqual([MAX_TRAIL, MAX_KEYS, MAX_TRAIL + 1]);
  expect(eventsLeftOut).toBe(5);
  expect(trail.at(-1)?.code).toBe('ended');
  expect(published).toHaveLength(MAX_TRAIL);
});

const emptyHistory = () => {
  const { clock, callEvents } = office();
  return new CallHistory({ clock, callEvents }, facts, makeFlow({ nodes: [], recordings: [] }));
};

it('a call has one end: what is said last, at the node where it was', () => {
  const history = emptyHistory();
  history.add({ atMs: 5, node: 'ivr||main', code: 'ended', text: 'The caller hung up.' });
  history.note('ended', 'The caller was lost.');
  expect(history.trail).toEqual([
    { atMs: 0, node: 'ivr||main', code: 'ended', text: 'The caller was lost.' },
  ]);
});

const NOTHING_RECORDED = { recording: null, voicemail: null, messageFailed: false } as const;
const THE_END = { code: 'caller-hung-up', text: '', word: '', cause: 16 } as const;

const TEXTS = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${index}`, 'x'.repeat(1_024)]));
const OF_OTHERS: readonly (readonly [string, (atMs: number) => CallEvent])[] = [
  ['variables of a bot', (atMs) => ({ type: 'stream-variables', request: 1, values: TEXTS, atMs })],
  [
    'an answer to a request',
    (atMs) => ({
      type: 'request-answered',
      request: 1,
      outcome: { ok: true, choice: null, values: TEXTS },
      atMs,
    }),
  ],
];

it.each(OF_OTHERS)(
  'events with %s are kept up to MAX_EVENT_BYTES, then none, and are counted',
  (_, event) => {
    const history = emptyHistory();
    for (let each = 0; each < 500; each++) history.keepEvent(event(each), NEW_CALL);
    // One that would fit: a replay with a gap before it would tell of another call.
    history.keepEvent({ type: 'caller-hung-up', atMs: 500 }, NEW_CALL);
    const { events, eventsLeftOut } = history.result(THE_END, [], [], NOTHING_RECORDED);
    expect(JSON.stringify(events).length).toBeLessThanOrEqual(MAX_EVENT_BYTES + 1_000);
    expect(events.length).toBeGreaterThan(3);
    expect(events.map(({ atMs }) => atMs)).toEqual(events.map((_, index) => index));
    expect(events.length + (eventsLeftOut ?? 0)).toBe(501);
  },
);

it('a bot that sets variables without an end leaves room for the steps that follow', () => {
  const history = emptyHistory();
  for (const code of ['variable-set', 'variable-unset', 'variable-refused', 'stream-refused'] as const)
    for (let each = 0; each < MAX_TRAIL; each++) history.add({ atMs: each, node: null, code, text: '' });
  history.add({ atMs: 5, node: 'ivr||main', code: 'arrived', text: '' });
  expect(history.trail).toHaveLength(4 * MAX_OF_CODE + 1);
  expect(history.trail.at(-1)?.code).toBe('arrived');
});

it('the nodes that a caller came to are known beyond MAX_TRAIL, the last one last', () => {
  const history = emptyHistory();
  const arrive = (node: string) => history.add({ atMs: 1, node, code: 'arrived', text: '' });
  arrive('ivr||main');
  for (let each = 0; each < MAX_TRAIL; each++)
    history.add({ atMs: 1, node: null, code: 'key-pressed', text: '' });
  arrive('ivr||recorded');
  arrive('ivr||main');
  expect(history.trail).toHaveLength(MAX_TRAIL);
  expect([...history.arrivals]).toEqual(['ivr||recorded', 'ivr||main']);
  expect(history.lastArrival).toBe('ivr||main');
  expect(history.trail.some(({ node }) => node === 'ivr||recorded')).toBe(false);
});

it('what a bot or a request puts in place of a sensitive variable is not kept', () => {
  const history = emptyHistory();
  const state = { ...NEW_CALL, variables: { pin: { value: '4711', sensitive: true as const } } };
  const values = { pin: '4712', order: '7' };
  history.keepEvent({ type: 'stream-variables', atMs: 1, request: 1, values }, state);
  const outcome = { ok: true as const, choice: null, values };
  history.keepEvent({ type: 'request-answered', atMs: 2, request: 2, outcome }, state);
  const { events } = history.result(endReason('caller-hung-up'), [], [], {
    recording: null,
    voicemail: null,
    messageFailed: false,
  });
  const shown = { pin: '•', order: '7' };
  expect(events).toEqual([
    { type: 'stream-variables', atMs: 1, request: 1, values: shown },
    { type: 'request-answered', atMs: 2, request: 2, outcome: { ...outcome, values: shown } },
  ]);
});

it('a late step stands at its time, before the end, and is not kept beyond MAX_TRAIL', () => {
  const history = emptyHistory();
  const step = (atMs: number) => ({ atMs, node: null, code: 'key-pressed', text: '' }) as const;
  for (const atMs of [10, 30]) history.add(step(atMs));
  history.note('ended', 'The end.');
  for (const atMs of [20, 5, 40]) history.addLate(step(atMs));
  expect(history.trail.map(({ atMs, code }) => (code === 'ended' ? code : atMs))).toEqual([
    5,
    10,
    20,
    30,
    40,
    'ended',
  ]);
  while (history.trail.length < MAX_TRAIL) history.addLate(step(50));
  history.addLate(step(1));
  expect([history.trail.length, history.trail[0]?.atMs]).toEqual([MAX_TRAIL, 5]);
});

it.each([
  [
    'the caller hung up during the beep',
    false,
    null,
    ['caller-hung-up', 16, 'voicemail-empty', 'The caller left without a message.'],
  ],
  [
    'the caller was lost',
    false,
    'caller',
    ['caller-lost', 102, 'voicemail-empty', 'The caller left without a message.'],
  ],
  [
    'the recorder failed',
    true,
    null,
    ['voicemail-failed', 41, 'voicemail-failed', endReason('voicemail-failed').text],
  ],
] as const)('a message that was not kept is taken back, as when %s', (_, hasFailed, lost, expected) => {
  const history = emptyHistory();
  const text = 'as the flow said';
  for (const code of ['voicemail-started', 'voicemail-saved'] as const)
    history.add({ atMs: 1, node: null, code, text });
  history.note('ended', text);
  const end = history.withoutMessage(hasFailed, lost);
  const [started, saved, ended] = history.trail;
  expect([end.code, end.cause, saved?.code, saved?.text]).toEqual(expected);
  expect(started?.text).toBe(text);
  expect(ended?.text).toBe(`${end.text} (${end.word}, cause ${end.cause})`);
});

it.each([
  ['caller-hung-up', 'service', 'internal-error'],
  ['agent-hung-up', 'service', 'internal-error'],
  ['voicemail-left', 'service', undefined],
  ['caller-hung-up', 'caller', 'caller-lost'],
  ['agent-hung-up', 'caller', undefined],
  ['caller-hung-up', 'called', undefined],
  ['agent-hung-up', 'called', 'agent-lost'],
  ['caller-hung-up', null, undefined],
] as const)('the end %s of a call whose lost side is %s becomes %s', (code, lost, expected) => {
  expect(lostEnd(code, lost)?.code).toBe(expected);
});
