// Random flows for property tests: few nodes, so that loops, missing ends and failover chains are common.

import fc from 'fast-check';
import { type Flow, makeFlow } from '../flow.ts';
import type { FlowNode, MenuNode, MenuOption } from '../node.ts';
import { SAMPLE_RECORDINGS } from './samples.ts';

const IDS = ['a', 'b', 'c', 'd'];
const KINDS = ['ivr', 'extension', 'department', 'announcement', 'timegroup', 'voicemail', 'hangup'];

// A missing kind, a missing id and a number are among the destinations.
export const anyRef: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...IDS)).map(joined) },
  { weight: 1, arbitrary: fc.constantFrom('number||4930123', 'extension||gone', 'ivr||', 'nonsense') },
);
const perhapsRef = fc.option(anyRef, { nil: null });
const recording = fc.constantFrom(...SAMPLE_RECORDINGS.map(({ id }) => id), 'gone');
const id = fc.constantFrom(...IDS);
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
  ref: id.map((name) => `ivr||${name}`),
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

const others: fc.Arbitrary<FlowNode> = fc.oneof(
  fc.record({
    kind: fc.constant('agent' as const),
    ref: id.map((name) => `extension||${name}`),
    eid: id,
    name: id,
    intercom: fc.constantFrom('', '1001', '1002'),
    followMeNumber: fc.constantFrom(null, '4930555'),
    blocked: fc.boolean(),
    hours: fc.option(
      id.map((name) => `timegroup||${name}`),
      { nil: null },
    ),
    failover: perhapsRef,
  }),
  fc.record({
    kind: fc.constant('department' as const),
    ref: id.map((name) => `department||${name}`),
    name: id,
    agents: fc.array(
      id.map((name) => `extension||${name}`),
      { maxLength: 4 },
    ),
    strategy: fc.constantFrom('simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'),
    ringSeconds: fc.constantFrom(null, 5),
    failover: perhapsRef,
  }),
  fc.record({
    kind: fc.constant('announcement' as const),
    ref: id.map((name) => `announcement||${name}`),
    name: id,
    recording,
    next: anyRef,
  }),
  fc.record({
    kind: fc.constant('hours' as const),
    ref: id.map((name) => `timegroup||${name}`),
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
    ref: id.map((name) => `voicemail||${name}`),
    name: id,
    mailbox: id,
    greeting: fc.option(recording, { nil: null }),
    maxSeconds: fc.constant(30),
  }),
  fc.record({
    kind: fc.constant('hang-up' as const),
    ref: id.map((name) => `hangup||${name}`),
    name: id,
    recording: fc.option(recording, { nil: null }),
    busy: fc.boolean(),
  }),
);

export const anyFlow: fc.Arbitrary<Flow> = fc
  .record({
    menus: fc.array(menu, { minLength: 1, maxLength: 4 }),
    nodes: fc.array(others, { maxLength: 12 }),
    smsTemplates: fc.boolean(),
  })
  .map(({ menus, nodes, smsTemplates }) =>
    makeFlow({ nodes: [...menus, ...nodes], recordings: SAMPLE_RECORDINGS, settings: { smsTemplates } }),
  );

function joined([kind, name]: [string, string]): string {
  return `${kind}||${name}`;
}
