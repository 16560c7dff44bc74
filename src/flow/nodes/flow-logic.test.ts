import { expect, test } from 'vitest';
import { NEW_CALL } from '../call-state.ts';
import { changeFlow, type Flow } from '../flow.ts';
import type { CollectNode, MessageNode, RequestNode, SwitchNode } from '../logic-nodes.ts';
import type { FlowNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import type { Scenario } from '../simulation/scenario.ts';
import { SimulatedCall } from '../simulation/simulated-call.ts';
import { step } from '../step.ts';
import { codesOf, runScript } from '../testing/run-script.ts';
import { aDepartment, aFlow, aMenu, anAgent, anAnnouncement } from '../testing/samples.ts';

const aCollect = (parts: Partial<CollectNode> = {}): CollectNode => ({
  kind: 'collect',
  ref: 'collect||c',
  name: 'Order number',
  recording: 'welcome',
  minDigits: 2,
  maxDigits: 4,
  finishKey: '#',
  timeoutSeconds: 5,
  allowed: [],
  attempts: 2,
  invalidRecording: 'invalid',
  timeoutRecording: 'timeout-retry',
  confirm: false,
  saveAs: 'order',
  next: 'hangup||taken',
  failed: 'hangup||failed',
  ...parts,
});

const aRequest = (parts: Partial<RequestNode> = {}): RequestNode => ({
  kind: 'request',
  ref: 'request||r',
  name: 'Order status',
  method: 'POST',
  url: 'https://shop.example.com/order',
  body: [{ name: 'order', value: '{order}' }],
  timeoutMs: 5_000,
  save: [{ variable: 'state', pointer: '/order/state' }],
  choices: [{ answer: 'vip', destination: 'hangup||vip' }],
  waitRecording: null,
  next: 'hangup||next',
  failed: 'hangup||failed',
  ...parts,
});

const aSwitch = (parts: Partial<SwitchNode> = {}): SwitchNode => ({
  kind: 'switch',
  ref: 'switch||s',
  name: 'Decide',
  set: [],
  rules: [],
  otherwise: 'hangup||otherwise',
  ...parts,
});

const aMessage = (parts: Partial<MessageNode> = {}): MessageNode => ({
  kind: 'message',
  ref: 'message||m',
  name: 'Text',
  smsTemplate: 't7',
  to: '{caller}',
  next: 'hangup||texted',
  ...parts,
});

const run = (nodes: readonly FlowNode[], scenario: Partial<Scenario> & { entry: string }) =>
  simulate(aFlow([...nodes]), scenario);

test('switch goes where the first rule that matches leads, and sets variables before it looks', () => {
  const rules = [
    { variable: 'who', operator: 'equals', value: 'x', destination: 'hangup||one' },
    { variable: 'who', operator: 'starts_with', value: 'caller +155', destination: 'hangup||two' },
    { variable: 'who', operator: 'exists', value: '', destination: 'hangup||three' },
  ] as const;
  const node = aSwitch({ set: [{ variable: 'who', value: 'caller {caller}' }], rules });
  const trace = run([node], { entry: node.ref });
  expect(trace.outcome.destination).toBe('hangup||two');
  expect(trace.variables).toEqual({ who: 'caller +15550100' });
});

test.each([
  ['equals', '12', '12', true],
  ['not_equals', '12', '12', false],
  ['contains', '4711', '71', true],
  ['in', '7', '5, 7,9', true],
  ['in', '8', '5, 7,9', false],
  ['greater', '10', '9', true],
  ['greater', 'ten', '9', false],
  ['less', '-1.5', '-1', true],
  ['missing', '', '', true],
] as const)('switch: %s of %j and %j is %j', (operator, given, value, matches) => {
  const rules = [{ variable: 'x', operator, value, destination: 'hangup||yes' }];
  const trace = run([aSwitch({ rules })], { entry: 'switch||s', variables: { x: given } });
  expect(trace.outcome.destination).toBe(matches ? 'hangup||yes' : 'hangup||otherwise');
});

test('a variable that is not set is empty, and the trail says so', () => {
  const node = aSwitch({ set: [{ variable: 'text', value: 'Hello {nobody}!' }] });
  const trace = run([node], { entry: node.ref });
  expect(trace.variables).toEqual({ text: 'Hello !' });
  expect(codesOf(trace)).toContain('variable-unset');
});

test('a call carries fifty variables, and a further one is refused', () => {
  const set = Array.from({ length: 51 }, (_, index) => ({ variable: `v${index}`, value: String(index) }));
  const trace = run([aSwitch({ set })], { entry: 'switch||s' });
  expect(Object.keys(trace.variables)).toHaveLength(50);
  expect(codesOf(trace).filter((code) => code === 'variable-refused')).toHaveLength(1);
});

test('a name such as constructor is a variable like any other', () => {
  const rules = [
    { variable: 'constructor', operator: 'exists', value: '', destination: 'hangup||yes' },
  ] as const;
  expect(run([aSwitch({ rules })], { entry: 'switch||s' }).outcome.destination).toBe('hangup||otherwise');
  const set = [{ variable: 'constructor', value: '1' }];
  expect(run([aSwitch({ set, rules })], { entry: 'switch||s' }).outcome.destination).toBe('hangup||yes');
});

test('built-in variables cannot be set', () => {
  const trace = run([aSwitch({ set: [{ variable: 'caller', value: '1' }] })], { entry: 'switch||s' });
  expect(trace.variables).toEqual({});
});

test('collect takes digits at the finish key, and keeps them as a variable', () => {
  const trace = runScript(aFlow([aCollect()]), '123#', { entry: 'collect||c' });
  expect(trace.outcome.destination).toBe('hangup||taken');
  expect(trace.variables).toEqual({ order: '123' });
});

test('collect takes the longest input at once, and shorter ones after the inter-digit time', () => {
  const flow = aFlow([aCollect()]);
  const taken = (script: string) =>
    runScript(flow, script, { entry: 'collect||c' }).steps.find(({ code }) => code === 'digits-taken')?.atMs;
  expect(taken('1234@0ms')).toBe(600);
  expect(taken('12@0ms')).toBe(2_200);
});

test('collect asks again after digits that are not allowed, then fails', () => {
  const flow = aFlow([aCollect({ allowed: [{ prefix: '4' }, { length: 3 }, { value: '99' }] })]);
  const end = (script: string) => runScript(flow, script, { entry: 'collect||c' }).outcome.destination;
  expect(end('12#,42#')).toBe('hangup||taken');
  expect(end('12#,123#')).toBe('hangup||taken');
  expect(end('12#,99#')).toBe('hangup||taken');
  expect(end('12#,98#')).toBe('hangup||failed');
  expect(end('1*#,42#')).toBe('hangup||taken');
});

test('collect asks again when no key comes, then fails', () => {
  const trace = runScript(aFlow([aCollect()]), '', { entry: 'collect||c' });
  expect(codesOf(trace).filter((code) => code === 'digits-again')).toHaveLength(1);
  expect(trace.outcome.destination).toBe('hangup||failed');
});

test('collect takes what was typed ahead, and leaves the rest for the next menu', () => {
  const flow = aFlow([anAnnouncement('a', 'collect||c'), aCollect({ next: 'ivr||main' }), aMenu('main')]);
  const trace = runScript(flow, 'wait 100ms,123#2', { entry: 'announcement||a' });
  expect(trace.variables).toEqual({ order: '123' });
  expect(trace.outcome.destination).toBe('extension||support');
});

test('collect reads the digits back: 1 accepts, 2 asks again', () => {
  const flow = aFlow([aCollect({ confirm: true })]);
  const trace = runScript(flow, '12#,2,34#,1', { entry: 'collect||c' });
  expect(trace.variables).toEqual({ order: '34' });
  expect(codesOf(trace).filter((code) => code === 'digits-confirm')).toHaveLength(2);
});

test('collect that is sensitive hides its digits in the trail', () => {
  const flow = aFlow([aCollect({ sensitive: true })]);
  const call = new SimulatedCall(flow, { entry: 'collect||c' });
  expect(call.state.sensitive).toBe(true);
  const hidden: Flow = changeFlow(flow, { settings: { showsKeys: false } });
  const trace = runScript(hidden, '123#', { entry: 'collect||c' });
  expect(trace.steps.find(({ code }) => code === 'variable-set')?.text).toBe(
    'The variable order is now “•”.',
  );
});

test('a variable made from a sensitive one is sensitive, too', () => {
  const copy = aSwitch({ set: [{ variable: 'copy', value: 'x{order}' }] });
  const trace = runScript(aFlow([aCollect({ sensitive: true, next: copy.ref }), copy]), '12#', {
    entry: 'collect||c',
  });
  const texts = trace.steps.filter(({ code }) => code === 'variable-set').map(({ text }) => text);
  expect(texts).toEqual(['The variable order is now “•”.', 'The variable copy is now “•”.']);
});

test('request keeps members of the answer and goes by its choice', () => {
  const answer = { choice: 'vip', order: { state: 'shipped' } };
  const trace = run([aRequest()], { entry: 'request||r', requests: { 'request||r': { answer } } });
  expect(trace.outcome.destination).toBe('hangup||vip');
  expect(trace.variables).toEqual({ state: 'shipped' });
});

test('request without a choice in its answer goes on, and with an unlisted one fails', () => {
  const end = (answer: unknown) =>
    run([aRequest()], { entry: 'request||r', requests: { 'request||r': { answer } } }).outcome.destination;
  expect(end({})).toBe('hangup||next');
  expect(end({ choice: 'other' })).toBe('hangup||failed');
});

test.each(['timeout', 'unreachable', 'refused', 'status', 'too-large', 'malformed', 'busy'] as const)(
  'request that fails by %s goes to its failed destination, with the reason in the trail',
  (failure) => {
    const trace = run([aRequest()], { entry: 'request||r', requests: { 'request||r': { failure } } });
    expect(trace.outcome.destination).toBe('hangup||failed');
    expect(codesOf(trace).filter((code) => code === 'request-sent')).toHaveLength(1);
    expect(trace.steps.find(({ code }) => code === 'request-failed')?.text).toMatch(/^The request failed: /);
  },
);

test('caller hears nothing for 700 ms, then the tone or the recording until the answer', () => {
  const heard = (afterMs: number, waitRecording: string | null) =>
    run([aRequest({ waitRecording })], {
      entry: 'request||r',
      requests: { 'request||r': { answer: {}, afterMs } },
    }).heard;
  expect(heard(600, null)).toEqual([]);
  expect(heard(2_000, null)).toEqual([
    { atMs: 700, ms: 1_300, sound: { kind: 'system', prompt: 'please-wait' } },
  ]);
  expect(heard(2_000, 'welcome')).toMatchObject([{ atMs: 700, ms: 1_300, sound: { id: 'welcome' } }]);
});

test('message queues the template for the number that its template makes, and goes on', () => {
  const flow = aFlow([aMessage({ to: '{who}' })], { smsTemplates: true });
  const to = (who: string) => simulate(flow, { entry: 'message||m', variables: { who } });
  expect(to('+49 (30) 123-4567').sms).toEqual(['t7']);
  expect(to('nobody').sms).toEqual([]);
  expect(codesOf(to('nobody'))).toContain('sms-skipped');
  expect(to('').outcome.destination).toBe('hangup||texted');
});

test('message says whether the call chose the number: neither the caller nor the flow itself does', () => {
  const chosen = (to: string) => {
    const flow = aFlow([aMessage({ to })], { smsTemplates: true });
    const started = { type: 'call-started', atMs: 0, epochMs: 0, entry: 'message||m', seed: 1 } as const;
    const caller = { caller: '+49301234567', variables: { who: '49301111111' } };
    return step(flow, NEW_CALL, { ...started, ...caller }).actions.find(({ type }) => type === 'queue-sms');
  };
  expect(chosen('{caller}')).toMatchObject({ to: '+49301234567' });
  expect(chosen('{caller}')).not.toHaveProperty('chosen');
  expect(chosen('+49302222222')).not.toHaveProperty('chosen');
  expect(chosen('{who}')).toMatchObject({ to: '49301111111', chosen: true });
  expect(chosen('+{who}')).toMatchObject({ to: '+49301111111', chosen: true });
});

test('caller goes on after the call where the department says, not where the agent does', () => {
  const agent = anAgent('a', { afterCall: 'hangup||agent' });
  const department = aDepartment('d', { agents: [agent.ref], afterCall: 'hangup||survey' });
  const flow = aFlow([agent, department]);
  const after = (entry: string) => {
    const recorded = simulate(flow, { entry }).events;
    const call = new SimulatedCall(flow, { entry }, [...recorded, { type: 'agent-hung-up', atMs: 60_000 }]);
    while (call.next());
    return call.trace();
  };
  expect(after('department||d').visited.at(-1)).toBe('hangup||survey');
  expect(after('extension||a').visited.at(-1)).toBe('hangup||agent');
  expect(codesOf(after('extension||a'))).toContain('after-call');
});
