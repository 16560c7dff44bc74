// What a call does when it leaves a queue, and why an option's SMS is not sent: every action and note.
import { expect, test } from 'vitest';
import { type Action, type CallEvent, NEW_CALL } from './call-state.ts';
import { type Flow, makeFlow } from './flow.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, aMenu, anAgent, aQueue, SAMPLE_RECORDINGS } from './testing/samples.ts';

function lastActions(
  flow: Flow,
  entry: string,
  caller: string | null,
  ...events: CallEvent[]
): readonly Action[] {
  const start: CallEvent = { type: 'call-started', atMs: 0, entry, epochMs: 0, seed: 1, caller };
  let after = step(flow, NEW_CALL, start);
  for (const event of events) after = step(flow, after.state, event);
  return after.actions;
}

const codesOf = (actions: readonly Action[]): string[] =>
  actions.map((action) => (action.type === 'note' ? action.entry.code : action.type));

const QUEUE = aFlow([
  aDepartment('d', { queue: aQueue({ exitKey: '*', announceSeconds: 9 }), failover: 'hangup||busy' }),
]);
const REQUEST = 2;
const position: CallEvent = { type: 'queue-position', atMs: 1_000, request: REQUEST, position: 3 };

test.each([
  ['queue-full', 'queue-full'],
  ['queue-empty', 'queue-empty'],
] as const)('%s: the call stops waiting for the answer, leaves the queue and notes why', (why, code) => {
  const refused: CallEvent = { type: 'queue-refused', atMs: 500, request: REQUEST, why };
  const actions = lastActions(QUEUE, 'department||d', null, refused);
  expect(actions[0]).toMatchObject({ type: 'stop-timer', timer: 'directory' });
  expect(codesOf(actions).slice(0, 4)).toEqual(['stop-timer', 'leave-queue', code, 'failover']);
});

test('the exit key stops timers and music, leaves the queue and goes to the failover', () => {
  const actions = lastActions(QUEUE, 'department||d', null, position, {
    type: 'key-pressed',
    atMs: 2_500,
    key: '*',
  });
  expect(codesOf(actions).slice(0, 6)).toEqual([
    'stop-timer',
    'stop-timer',
    'stop-playing',
    'queue-left',
    'leave-queue',
    'failover',
  ]);
  const [left] = actions.filter((action) => action.type === 'note');
  expect(left).toMatchObject({
    entry: { text: 'The caller pressed * after 3 s and leaves the queue.', keys: '*' },
  });
});

function smsNotes(templates: Flow['templates'], smsTemplates: boolean, caller: string | null): string[] {
  const option = { keys: '1', destination: 'extension||sales', smsTemplate: 't', webhook: 'hook' };
  const flow = makeFlow({
    nodes: [aMenu('main', { options: [option] }), anAgent('sales')],
    recordings: SAMPLE_RECORDINGS,
    templates,
    settings: { smsTemplates },
  });
  const actions = lastActions(flow, 'ivr||main', caller, { type: 'key-pressed', atMs: 10, key: '1' });
  const matched = actions.find((action) => action.type === 'note' && action.entry.code === 'option-matched');
  expect(matched).toMatchObject({ entry: { webhook: 'hook' } });
  return actions.flatMap((action) =>
    action.type === 'queue-sms'
      ? 'sent'
      : action.type === 'note' && /SMS/.test(action.entry.text)
        ? action.entry.text
        : [],
  );
}

test('an SMS is sent, or the trail says why not', () => {
  const template = (active: boolean) => new Map([['t', { id: 't', name: 'T', text: 'x', active }]]);
  const number = '+4930123456';
  expect(smsNotes(null, true, number)).toContain('sent');
  expect(smsNotes(template(true), true, number)).toContain('sent');
  expect(smsNotes(template(true), false, number).join()).toContain('the setting is off');
  expect(smsNotes(template(true), true, null).join()).toContain('the caller has no number');
  expect(smsNotes(template(true), true, '12').join()).toContain('12 is not a number that can receive an SMS');
  expect(smsNotes(new Map(), true, number).join()).toContain('it does not exist');
  expect(smsNotes(template(false), true, number).join()).toContain('it is inactive');
});
