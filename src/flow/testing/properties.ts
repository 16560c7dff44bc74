// The properties themselves, so that the everyday suite and the long one differ only in the number of runs.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Flow, makeFlow } from '../flow.ts';
import { type CollectNode, RULE_OPERATORS } from '../logic-nodes.ts';
import type { MenuNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import type { ScriptStep } from '../simulation/script.ts';
import { TONE_MS } from '../turn.ts';
import { CallHarness, replay } from './call-harness.ts';
import { walkCollect, walkRules } from './collect-model.ts';
import { anyFlow, anyOptions, anyRef } from './random-flow.ts';
import { type Press, walkMenu } from './reference-model.ts';
import { SAMPLE_RECORDINGS } from './samples.ts';

/** fast-check prefers small values, which would make most flows end at their first destination. */
export const EVENLY = { unbiased: true } as const;

/** Any flow, any events: CallHarness checks every step; then the call must end, and run alike when replayed. */
export const callsEnd = (seen: Set<string> = new Set()) =>
  fc.property(
    anyFlow,
    fc.oneof({ weight: 4, arbitrary: fc.constant('ivr||a') }, anyRef),
    fc.integer(),
    fc.array(fc.nat(), { maxLength: 40, size: 'max' }),
    (flow, entry, seed, choices) => {
      const harness = new CallHarness(flow, entry, seed);
      for (const choice of choices) harness.disturb(choice);
      harness.drain();
      for (const choice of choices.slice(0, 5)) harness.disturb(choice);
      for (const { code } of harness.trail) seen.add(code);
      if (harness.state.phase.name === 'ended') seen.add(`ended: ${harness.state.phase.end.code}`);
      if (harness.trail.at(-1)?.code !== 'ended') throw new Error('the call ended without a written reason');
      const again = replay(flow, harness.events);
      if (JSON.stringify(again) !== JSON.stringify(harness.trail)) expect(again).toEqual(harness.trail);
    },
  );

const recording = fc.constantFrom(...SAMPLE_RECORDINGS.map(({ id }) => id), 'gone');
const counter = fc.integer({ min: 0, max: 4 });

const singleMenu: fc.Arbitrary<MenuNode> = fc.record({
  kind: fc.constant('menu' as const),
  ref: fc.constant('ivr||one'),
  name: fc.constant('One'),
  recording,
  timeoutSeconds: fc.integer({ min: 0, max: 6 }),
  options: anyOptions.map((options) =>
    options.map((option, index) => ({ ...option, destination: `hangup||option-${index}` })),
  ),
  incorrectCount: counter,
  invalidRecording: recording,
  recordingInvalid: fc.option(recording, { nil: null }),
  invalidDestination: fc.constant('hangup||invalid'),
  timeoutRetryRecording: recording,
  timeoutRecording: recording,
  timeoutDestination: fc.constant('hangup||timeout'),
  timeoutTries: counter,
});

const gap = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 2, arbitrary: fc.integer({ min: 30, max: 250 }) },
);

/** The machine against the table walk: same recordings at the same times, same destination, same SMS. */
export const menusAgree = fc.property(
  singleMenu,
  fc.array(fc.tuple(gap, fc.constantFrom('1', '1', '2', '3', '#', '*', '9')), { maxLength: 20 }),
  (menu, pressed) => {
    const flow = makeFlow({
      nodes: [menu],
      recordings: SAMPLE_RECORDINGS,
      settings: { smsTemplates: true },
    });
    const presses = timesOf(pressed);
    const expected = walkMenu(menu, (id) => durationMs(flow, id), 2_000, presses);
    const trace = simulate(flow, { entry: menu.ref, script: scriptOf(presses) });
    expect({
      heard: trace.heard.map(({ atMs, sound }) => ({ recording: soundId(sound), atMs })),
      destination: trace.visited.at(-1),
      arrivedAtMs: trace.durationMs,
      sms: trace.sms[0] ?? null,
    }).toEqual(expected);
  },
);

const singleCollect: fc.Arbitrary<CollectNode> = fc.record({
  kind: fc.constant('collect' as const),
  ref: fc.constant('collect||one'),
  name: fc.constant('One'),
  recording,
  minDigits: fc.integer({ min: 1, max: 3 }),
  maxDigits: fc.integer({ min: 3, max: 5 }),
  finishKey: fc.constantFrom('#' as const, '*' as const, '' as const),
  timeoutSeconds: fc.integer({ min: 0, max: 6 }),
  allowed: fc.constantFrom([], [{ prefix: '1' }], [{ length: 2 }, { value: '123' }]),
  attempts: fc.integer({ min: 1, max: 4 }),
  invalidRecording: fc.option(recording, { nil: null }),
  timeoutRecording: fc.option(recording, { nil: null }),
  confirm: fc.constant(false),
  saveAs: fc.constant('digits'),
  next: fc.constant('hangup||next'),
  failed: fc.constant('hangup||failed'),
});

/** The machine against the walk, as for menus. */
export const collectsAgree = fc.property(
  singleCollect,
  fc.array(fc.tuple(gap, fc.constantFrom('1', '1', '2', '3', '#', '*', '9')), { maxLength: 20 }),
  (node, pressed) => {
    const flow = makeFlow({ nodes: [node], recordings: SAMPLE_RECORDINGS });
    const presses = timesOf(pressed);
    const expected = walkCollect(node, (id) => durationMs(flow, id), 2_000, presses);
    const trace = simulate(flow, { entry: node.ref, script: scriptOf(presses) });
    expect({
      heard: trace.heard.map(({ atMs, sound }) => ({ recording: soundId(sound), atMs })),
      destination: trace.visited.at(-1),
      arrivedAtMs: trace.durationMs,
      value: trace.variables['digits'],
    }).toEqual(expected);
  },
);

const VALUES = ['', '1', '2', '12', '-3', '1,2', 'x', 'x1'];
const aValue = fc.constantFrom(...VALUES);

export const switchesAgree = fc.property(
  fc.array(
    fc.record({
      variable: fc.constantFrom('a', 'b', 'constructor'),
      operator: fc.constantFrom(...RULE_OPERATORS),
      value: aValue,
      destination: fc.constantFrom('hangup||1', 'hangup||2', 'hangup||3'),
    }),
    { maxLength: 6 },
  ),
  fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), aValue, { noNullPrototype: true }),
  (rules, given) => {
    const node = {
      kind: 'switch',
      ref: 'switch||one',
      name: 'One',
      set: [],
      rules,
      otherwise: 'hangup||0',
    } as const;
    const values = { a: '', b: '', constructor: '', ...given };
    const trace = simulate(makeFlow({ nodes: [node] }), { entry: node.ref, variables: given });
    expect(trace.visited.at(-1)).toBe(walkRules(node, values));
  },
);

/**
 * Durations and deadlines are multiples of 50 ms and each key has a remainder of its own, so that a key never
 * falls on the very millisecond of a deadline: which of the two comes first is not specified.
 */
function timesOf(pressed: readonly (readonly [number, string])[]): Press[] {
  let slots = 0;
  return pressed.map(([gapSlots, key], index) => {
    slots += gapSlots;
    return { key, atMs: slots * 50 + index + 1 };
  });
}

function scriptOf(presses: readonly Press[]): ScriptStep[] {
  let last = 0;
  return presses.flatMap(({ atMs, key }) => {
    const ms = atMs - last;
    last = atMs;
    return [
      { do: 'wait', ms },
      { do: 'press', keys: key },
    ] satisfies ScriptStep[];
  });
}

function durationMs(flow: Flow, id: string): number {
  return flow.recordings.get(id)?.durationMs ?? TONE_MS;
}

function soundId(sound: { kind: string; id?: string; insteadOf?: string }): string | undefined {
  return sound.id ?? sound.insteadOf;
}
