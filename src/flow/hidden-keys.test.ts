import { expect, test } from 'vitest';
import { type CallEvent, NEW_CALL } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import { hidesKeys } from './hidden-keys.ts';
import { step } from './step.ts';
import { replay } from './testing/call-harness.ts';
import { runScript } from './testing/run-script.ts';
import { aDepartment, aFlow, aMenu, anAnnouncement, aQueue, aVoicemail } from './testing/samples.ts';

const option = (keys: string, destination: string, smsTemplate: string | null = null) => ({
  keys,
  destination,
  smsTemplate,
});
const pin = (destination = 'ivr||open') =>
  aMenu('main', { sensitive: true, options: [option('4711', destination)] });
const open = aMenu('open', { options: [option('3', 'extension||sales')] });

/** What a call that lives says of a script that was simulated. */
const said = (flow: Flow, script: string, entry = 'ivr||main') =>
  replay(flow, runScript(flow, script, { entry }).events).filter(({ keys }) => keys !== undefined);
const keysOf = (flow: Flow, script: string, entry?: string) =>
  said(flow, script, entry).map(({ node, code, keys }) => [node, code, keys]);

test('a sensitive menu says that keys came, and how many, but not which', () => {
  expect(said(aFlow([pin(), open]), '4711').map(({ text }) => text)).toEqual([
    'The caller pressed •.',
    'The caller pressed •.',
    'The caller pressed •.',
    'The caller pressed •.',
    'Option •••• leads to “Menu open”: no longer option begins like this.',
  ]);
});

test('a sensitive menu says as little of wrong keys and of the # that ends them', () => {
  const texts = said(aFlow([pin(), open]), '08#,#').map(({ text }) => text);
  expect(texts.join(' ')).not.toMatch(/[08#]/);
  expect(texts).toContain('No option is •• (• ended the input): retry 1 of 1.');
  expect(texts.at(-1)).toMatch(/^No key came before • /);
});

test('keys behind a sensitive menu are hidden until the next menu, which may show them', () => {
  const behind = (destination: string) => aFlow([pin(destination), open]);
  expect(keysOf(behind('ivr||open'), '4711,3').slice(-2)).toEqual([
    ['ivr||open', 'key-pressed', '3'],
    ['ivr||open', 'option-matched', '3'],
  ]);
  expect(keysOf(behind('extension||sales'), '4711,wait 1s,2').at(-1)).toEqual([
    'extension||sales',
    'key-ignored',
    '•',
  ]);
});

test('the voicemail box and the line behind a sensitive menu hide keys too', () => {
  const box = aFlow([pin('voicemail||a'), aVoicemail('a')]);
  expect(
    said(box, '4711,wait 500ms,5,wait 500ms,#')
      .map(({ text }) => text)
      .slice(-2),
  ).toEqual(['Key • has no meaning at the voicemail box.', 'The caller pressed •.']);
  const queue = aQueue({ exitKey: '0' });
  const line = aFlow([pin('department||d'), aDepartment('d', { queue, failover: 'extension||sales' })]);
  const waiting = { waiting: { 'department||d': 3 } };
  const { events } = runScript(line, '4711,wait 1s,5,wait 1s,0', waiting);
  const texts = replay(line, events).flatMap(({ keys, text }) => (keys === undefined ? [] : [text]));
  expect(texts.slice(-2)).toEqual([
    'Key • has no meaning in the queue.',
    'The caller pressed • after 2 s and leaves the queue.',
  ]);
});

test('keys typed ahead are hidden where the account has a sensitive menu: they may reach it', () => {
  const nodes = [anAnnouncement('law', 'ivr||first'), open];
  const first = aMenu('first', { options: [option('1', 'ivr||main')] });
  const typed = (flow: Flow) => keysOf(flow, 'wait 100ms,14711', 'announcement||law');
  expect(typed(aFlow([...nodes, first, pin()]))).toEqual([
    ...Array.from('14711', () => ['announcement||law', 'key-kept', '•']),
    ['ivr||first', 'keys-typed-ahead', '•••••'],
    ['ivr||first', 'option-matched', '1'],
    ['ivr||main', 'keys-typed-ahead', '••••'],
    ['ivr||main', 'option-matched', '••••'],
  ]);
  const readable = typed(aFlow([...nodes, first, { ...pin(), sensitive: false }]));
  expect(readable).toContainEqual(['ivr||first', 'keys-typed-ahead', '14711']);
});

test('keys are hidden during the last words of a menu that leads to a sensitive one', () => {
  const last = aMenu('first', { incorrectCount: 0, invalidDestination: 'ivr||main' });
  const ignored = (flow: Flow) =>
    keysOf(flow, '9,wait 2200ms,47', 'ivr||first').filter(([, code]) => code === 'key-ignored');
  expect(ignored(aFlow([last, pin()]))).toEqual([
    ['ivr||first', 'key-ignored', '•'],
    ['ivr||first', 'key-ignored', '•'],
  ]);
  expect(ignored(aFlow([last, { ...pin(), sensitive: false }])).map(([, , keys]) => keys)).toEqual([
    '4',
    '7',
  ]);
});

test('an SMS of a sensitive menu does not tell which keys were pressed; that of another does', () => {
  const queued = (sensitive: boolean) => {
    const menu = { ...pin(), sensitive, options: [option('4711', 'extension||sales', 't')] };
    const flow = aFlow([menu], { smsTemplates: true });
    let state = NEW_CALL;
    return runScript(flow, '4711').events.flatMap((event: CallEvent) => {
      const after = step(flow, state, event);
      state = after.state;
      return after.actions.filter(({ type }) => type === 'queue-sms');
    });
  };
  expect(queued(true)).toMatchObject([{ keys: '', destination: 'extension||sales', template: 't' }]);
  expect(queued(false)).toMatchObject([{ keys: '4711', destination: 'extension||sales', template: 't' }]);
});

test('a simulated call shows its keys: they are its author’s own', () => {
  const { steps } = runScript(aFlow([pin(), open]), '4711');
  expect(steps.find(({ code }) => code === 'option-matched')).toMatchObject({ keys: '4711' });
});

test('a menu that is marked later hides the keys of later calls alone', () => {
  const before = aFlow([open]);
  const after = changeFlow(before, { nodes: [{ ...open, sensitive: true }] });
  const announcing = {
    phase: { name: 'announcing', node: 'x', playback: 1, next: 'ivr||open' },
    sensitive: false,
  } as const;
  expect([before, after, before].map((flow) => hidesKeys(flow, announcing))).toEqual([false, true, false]);
});

test('keys of a sensitive menu are hidden in every phase of a call, and shown to those who simulate it', () => {
  const flow = aFlow([pin(), open]);
  const { state } = step(flow, NEW_CALL, {
    type: 'call-started',
    atMs: 0,
    entry: 'ivr||main',
    epochMs: 0,
    seed: 1,
    caller: null,
  });
  expect([state.phase.name, state.sensitive]).toEqual(['prompt', true]);
  expect(hidesKeys(flow, state)).toBe(true);
  expect(hidesKeys(flow, { ...state, sensitive: false })).toBe(false);
  expect(hidesKeys(changeFlow(flow, { settings: { showsKeys: true } }), state)).toBe(false);
});
