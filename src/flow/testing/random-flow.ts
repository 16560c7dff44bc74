// Random flows for property tests: few ids, so that loops, missing ends and failover chains are common.

import fc from 'fast-check';
import { FAILED_CALLS, type Flow, makeFlow } from '../flow.ts';
import { RULE_OPERATORS } from '../logic-nodes.ts';
import { type FlowNode, type MenuNode, type MenuOption, referenceTo } from '../node.ts';
import { SAMPLE_RECORDINGS } from './samples.ts';

const IDS = ['a', 'b', 'c'];
const KINDS = [
  'ivr',
  'extension',
  'department',
  'announcement',
  'timegroup',
  'voicemail',
  'room',
  'hangup',
  'collect',
  'request',
  'stream',
  'switch',
  'message',
  'sip_address',
];

// Menus are met most, and a missing kind, a missing id and a number are among the destinations.
export const anyRef: fc.Arbitrary<string> = fc.oneof(
  { weight: 16, arbitrary: fc.tuple(fc.constantFrom('ivr', ...KINDS), fc.constantFrom(...IDS)).map(joined) },
  { weight: 1, arbitrary: fc.constantFrom('number||4930123', 'extension||gone', 'ivr||', 'nonsense') },
);
const perhapsRef = fc.option(anyRef, { nil: null });
const rareRef = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyRef });
const recording = fc.constantFrom(...SAMPLE_RECORDINGS.map(({ id }) => id), 'gone');
const id = fc.constantFrom(...IDS);
const oneInFour = fc.constantFrom(true, false, false, false);
const minute = fc.integer({ min: 0, max: 1_440 });

const keys = fc
  .array(fc.constantFrom('1', '2', '3', '#', '*'), { minLength: 1, maxLength: 3 })
  .map((list) => list.join(''));

export const anyOptions: fc.Arbitrary<MenuOption[]> = fc.uniqueArray(
  fc.record({
    keys,
    destination: anyRef,
    smsTemplate: fc.option(fc.constantFrom('t1', 't2'), { nil: null }),
  }),
  { minLength: 1, maxLength: 6, selector: (option) => option.keys },
);

const counter = fc.integer({ min: 0, max: 3 });

const menu: fc.Arbitrary<MenuNode> = fc.record({
  kind: fc.constant('menu' as const),
  ref: fc.constant(''),
  name: fc.constant('menu'),
  recording,
  timeoutSeconds: fc.integer({ min: 0, max: 10 }),
  options: anyOptions,
  incorrectCount: counter,
  invalidRecording: recording,
  recordingInvalid: fc.option(recording, { nil: null }),
  invalidDestination: anyRef,
  timeoutRetryRecording: recording,
  timeoutRecording: recording,
  timeoutDestination: anyRef,
  timeoutTries: counter,
});

const variable = fc.constantFrom('one', 'two', 'three', ...Array.from({ length: 60 }, (_, at) => `v${at}`));
const used = fc.constantFrom('one', 'two', 'never', 'caller', 'agent');
const template = fc.constantFrom('1', '12', '{one}', '{two} and {never}', '+4930123456', '{caller}');
/** More than a call may carry. */
const TOO_MANY = Array.from({ length: 51 }, (_, at) => ({ variable: `v${at}`, value: `${at}` }));
/** More than templates may make in one turn, with more variables that are not set than are noted. */
const UNSET = Array.from({ length: 170 }, (_, at) => `{u${at}}`).join('');
const TOO_LONG = TOO_MANY.map((set) => ({ ...set, value: UNSET }));
const sets = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.record({ variable, value: template }), { maxLength: 5 }) },
  { weight: 6, arbitrary: fc.constant(TOO_MANY) },
  { weight: 1, arbitrary: fc.constant(TOO_LONG) },
);

/** Those that ask, decide and send. */
const flowLogic: readonly fc.Arbitrary<FlowNode>[] = [
  fc.record({
    kind: fc.constant('collect' as const),
    ref: fc.constant(''),
    name: id,
    recording,
    minDigits: fc.constantFrom(1, 2),
    maxDigits: fc.constantFrom(2, 3),
    finishKey: fc.constantFrom('#' as const, '*' as const, '' as const),
    timeoutSeconds: fc.constantFrom(0, 5),
    allowed: fc.constantFrom([], [], [{ prefix: '1' }], [{ length: 2 }, { value: '123' }]),
    attempts: fc.integer({ min: 1, max: 3 }),
    invalidRecording: fc.option(recording, { nil: null }),
    timeoutRecording: fc.option(recording, { nil: null }),
    confirm: fc.boolean(),
    saveAs: variable,
    sensitive: oneInFour,
    next: anyRef,
    failed: anyRef,
  }),
  fc.record({
    kind: fc.constant('request' as const),
    ref: fc.constant(''),
    name: id,
    method: fc.constantFrom('GET' as const, 'POST' as const),
    url: fc.constantFrom('https://example.com/x', 'https://example.com/{one}?caller={caller}'),
    body: fc.array(fc.record({ name: id, value: template }), { maxLength: 2 }),
    timeoutMs: fc.constantFrom(100, 5_000),
    save: fc.array(fc.record({ variable, pointer: fc.constantFrom('/a', '/b') }), { maxLength: 3 }),
    choices: fc.array(fc.record({ answer: fc.constantFrom('x', 'y'), destination: anyRef }), {
      maxLength: 2,
    }),
    waitRecording: fc.option(recording, { nil: null }),
    next: anyRef,
    failed: anyRef,
  }),
  fc.record({
    kind: fc.constant('stream' as const),
    ref: fc.constant(''),
    name: id,
    url: fc.constantFrom('wss://example.com/x', 'wss://example.com/{one}'),
    parameters: fc.array(fc.record({ name: id, value: template }), { maxLength: 2 }),
    disclosure: fc.option(recording, { nil: null }),
    maxSeconds: fc.constantFrom(1, 600),
    destinations: fc.array(anyRef, { maxLength: 2 }),
    next: anyRef,
    failed: anyRef,
  }),
  fc.record({
    kind: fc.constant('switch' as const),
    ref: fc.constant(''),
    name: id,
    set: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: sets }),
    rules: fc.array(
      fc.record({
        variable: used,
        operator: fc.constantFrom(...RULE_OPERATORS),
        value: template,
        destination: anyRef,
      }),
      { maxLength: 4 },
    ),
    otherwise: anyRef,
  }),
  fc.record({
    kind: fc.constant('message' as const),
    ref: fc.constant(''),
    name: id,
    smsTemplate: fc.constantFrom('t1', 't2'),
    to: template,
    next: anyRef,
  }),
  fc.record({
    kind: fc.constant('sip-address' as const),
    ref: fc.constant(''),
    name: id,
    user: fc.constantFrom('', 'desk', '{one}'),
    host: fc.constant('pbx.example.com'),
    port: fc.constantFrom(0, 5070),
    transport: fc.constantFrom('udp' as const, 'tls' as const),
    headers: fc.array(fc.record({ name: fc.constant('X-Order'), value: template }), { maxLength: 1 }),
    callerId: fc.option(template, { nil: null }),
    ringSeconds: fc.constantFrom(null, 5),
    failover: perhapsRef,
  }),
];

/** One arbitrary for each kind; the flow below has most of them under every id. */
const others: readonly fc.Arbitrary<FlowNode>[] = [
  fc
    .tuple(
      fc.record({
        kind: fc.constant('agent' as const),
        ref: fc.constant(''),
        eid: id,
        name: id,
        intercom: fc.constantFrom('', '1001', '1002'),
        followMeNumber: fc.constantFrom(null, '4930555'),
        blocked: oneInFour,
        hours: fc.option(
          id.map((name) => `timegroup||${name}`),
          { nil: null, freq: 2 },
        ),
        failover: perhapsRef,
      }),
      fc.record(
        {
          doNotDisturb: fc.constant(true as const),
          forwards: fc.record({ always: rareRef, busy: perhapsRef, noAnswer: perhapsRef }),
          afterCall: anyRef,
        },
        { requiredKeys: [] },
      ),
    )
    .map(([agent, chosen]) => ({ ...agent, ...chosen })),
  fc.record({
    kind: fc.constant('department' as const),
    ref: fc.constant(''),
    name: id,
    agents: fc.array(
      id.map((name) => `extension||${name}`),
      { maxLength: 4 },
    ),
    strategy: fc.constantFrom('simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'),
    ringSeconds: fc.constantFrom(null, 5),
    failover: perhapsRef,
    queue: fc.option(
      fc.record({
        callback: fc.record({
          key: fc.constantFrom('2', '9'),
          offerSeconds: fc.constantFrom(0, 5),
          recording: fc.option(recording, { nil: null }),
          first: fc.constantFrom('agent' as const, 'caller' as const),
          attempts: fc.constant(3),
          pauseSeconds: fc.constant(60),
          hours: fc.constant(null),
          perHour: fc.constant(30),
        }),
        music: fc.option(recording, { nil: null }),
        announceSeconds: fc.constantFrom(0, 5),
        maxWaitSeconds: fc.constantFrom(0, 5, 60),
        maxWaiting: fc.constantFrom(0, 2),
        wrapupSeconds: fc.constant(0),
        joinWhenEmpty: fc.boolean(),
        exitKey: fc.constantFrom(null, '1', '*'),
      }),
      { nil: null, freq: 2 },
    ),
  }),
  fc.record({
    kind: fc.constant('announcement' as const),
    ref: fc.constant(''),
    name: id,
    recording,
    next: anyRef,
  }),
  fc.record({
    kind: fc.constant('hours' as const),
    ref: fc.constant(''),
    name: id,
    zone: fc.constantFrom('Europe/Berlin', 'Nowhere/Land'),
    weekly: fc.array(
      fc.record({
        days: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
        from: minute,
        to: minute,
      }),
      { maxLength: 2 },
    ),
    exceptions: fc.constant([]),
    openDestination: perhapsRef,
    closedDestination: perhapsRef,
  }),
  fc.record({
    kind: fc.constant('voicemail' as const),
    ref: fc.constant(''),
    name: id,
    mailbox: id,
    greeting: fc.option(recording, { nil: null }),
    maxSeconds: fc.constant(30),
  }),
  fc.record({
    kind: fc.constant('room' as const),
    ref: fc.constant(''),
    name: id,
    pin: fc.constantFrom(null, '1', '12'),
    hostPin: fc.constantFrom(null, '3', '321'),
    pinRecording: fc.option(recording, { nil: null }),
    waitForHost: fc.boolean(),
    music: fc.option(recording, { nil: null }),
    endWithHost: fc.boolean(),
    announce: fc.constantFrom(true, false, 'name' as const),
    maxParticipants: fc.constant(3),
    record: fc.boolean(),
    failover: perhapsRef,
  }),
  fc.record({
    kind: fc.constant('hang-up' as const),
    ref: fc.constant(''),
    name: id,
    recording: fc.option(recording, { nil: null }),
    busy: fc.boolean(),
  }),
];

/** Nine in ten of the records exist. */
const usually = (arbitrary: fc.Arbitrary<FlowNode>): fc.Arbitrary<readonly FlowNode[]> =>
  fc.oneof(
    { weight: 9, arbitrary: arbitrary.map((node) => [node]) },
    { weight: 1, arbitrary: fc.constant([]) },
  );

const nodes = fc.tuple(
  ...IDS.flatMap((name) =>
    [menu, ...others, ...flowLogic].map((arbitrary) => usually(arbitrary.map((node) => named(node, name)))),
  ),
);

const settings = fc.record({ smsTemplates: fc.boolean(), failedCalls: fc.constantFrom(...FAILED_CALLS) });

export const anyFlow: fc.Arbitrary<Flow> = fc
  .record({ nodes, settings })
  .map((parts) =>
    makeFlow({ nodes: parts.nodes.flat(), recordings: SAMPLE_RECORDINGS, settings: parts.settings }),
  );

function named(node: FlowNode, name: string): FlowNode {
  return { ...node, ref: referenceTo(node.kind, name) };
}

function joined([kind, name]: [string, string]): string {
  return `${kind}||${name}`;
}
