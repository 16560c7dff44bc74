// A call placed by hand → a test of the menu (docs/call-flow.md). The script is readable: "2,1" if that gives the same call, else
// the keys at their exact times.

import { type Expectation, readTestCase, runTestCase, type TestResult } from '../../../../src/flow/expect.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import { simulate } from '../../../../src/flow/simulate.ts';
import type { AgentBehaviour, Scenario } from '../../../../src/flow/simulation/scenario.ts';
import { type ScriptStep, scriptText } from '../../../../src/flow/simulation/script.ts';
import type { Trace } from '../../../../src/flow/simulation/trace.ts';
import type { TrailEntry } from '../../../../src/flow/trail.ts';
import type { Conditions } from './call-conditions.ts';
import type { TimedInput } from './paced-call.ts';

/** As many events as the service allows a stored test. */
const MAX_EVENTS = 2_000;

export type StoredTest = { readonly [member: string]: unknown };

export interface PlacedCall {
  readonly entry: Ref;
  readonly conditions: Conditions;
  readonly inputs: readonly TimedInput[];
  readonly steps: readonly TrailEntry[];
}

/** The call as a script, and the trace of that script. */
export function scriptOf(flow: Flow, call: PlacedCall): { readonly script: string; readonly trace: Trace } {
  const timed = timedScript(call.inputs);
  const wanted = waysOf(simulate(flow, scenarioOf(call, timed)).steps);
  const plain = plainScript(call.steps, call.inputs);
  const trace = simulate(flow, scenarioOf(call, plain));
  const same = trace.unusedSteps.length === 0 && waysOf(trace.steps) === wanted;
  if (same) return { script: scriptText(plain), trace };
  return { script: scriptText(timed), trace: simulate(flow, scenarioOf(call, timed)) };
}

function scenarioOf({ entry, conditions }: PlacedCall, script: readonly ScriptStep[]): Scenario {
  return { entry, script, ...conditions, maxEvents: MAX_EVENTS };
}

/** Exactly as it was, to the millisecond. */
function timedScript(inputs: readonly TimedInput[]): ScriptStep[] {
  let lastMs = 0;
  return inputs.flatMap(({ atMs, key }): ScriptStep[] => {
    const wait: ScriptStep = { do: 'wait', ms: atMs - lastMs };
    lastMs = atMs;
    return [wait, key === null ? { do: 'hang-up' } : { do: 'press', keys: key }];
  });
}

/** Or keys that were not allowed, which are settled before. */
const NO_KEY: ReadonlySet<string> = new Set([
  'timeout-retry',
  'timeout-final',
  'digits-again',
  'digits-failed',
]);

/** The keys of each prompt together, and "wait" for each timeout. */
function plainScript(steps: readonly TrailEntry[], inputs: readonly TimedInput[]): ScriptStep[] {
  const script: ScriptStep[] = [];
  let keys = '';
  const settle = (): void => {
    if (keys !== '') script.push({ do: 'press', keys });
    keys = '';
  };
  for (const { code, keys: pressed = '' } of steps) {
    if (code === 'key-pressed') keys += pressed;
    else if (code === 'option-matched' || code === 'invalid-retry' || code === 'invalid-final') settle();
    else if (code === 'digits-confirm' || code === 'digits-taken') settle();
    else if ((code === 'digits-again' || code === 'digits-failed') && keys !== '') settle();
    else if (NO_KEY.has(code)) script.push({ do: 'wait' });
  }
  settle();
  if (inputs.at(-1)?.key === null) script.push({ do: 'hang-up' });
  return script;
}

/** Where a call went and why; not when. */
function waysOf(steps: readonly TrailEntry[]): string {
  return steps
    .filter(({ code }) => !BY_THE_WAY.has(code))
    .map(({ code, node, keys = '', destination = '' }) => [code, node ?? '', keys, destination].join(' '))
    .join('\n');
}

/** Codes that do not affect the path. */
const BY_THE_WAY: ReadonlySet<string> = new Set([
  'playing',
  'waiting',
  'recording-missing',
  'ring-progressed',
  'early-media',
]);

export interface TestChoices {
  readonly name: string;
  /** Whether the path is expected, too, not only the outcome. */
  readonly path: boolean;
}

export function expectationOf({ outcome, visited }: Trace, path: boolean): Expectation {
  return {
    outcome: outcome.kind,
    ...(outcome.destination === null ? {} : { destination: outcome.destination }),
    ...(outcome.kind === 'hung-up' ? { reason: outcome.reason } : {}),
    ...(path ? { visited } : {}),
  };
}

export function testOf(flow: Flow, call: PlacedCall, { name, path }: TestChoices): StoredTest {
  const { script, trace } = scriptOf(flow, call);
  const { epochMs, caller, agents, waiting, signedOut, requests, streams } = call.conditions;
  const behaving = Object.entries(agents).filter(([, behaviour]) => behaviourText(behaviour) !== 'answer');
  const queues = Object.entries(waiting).filter(([, count]) => count > 0);
  return {
    name: name.trim(),
    script,
    at: new Date(epochMs).toISOString(),
    caller,
    ...(behaving.length > 0
      ? { agents: Object.fromEntries(behaving.map(([ref, each]) => [ref, behaviourText(each)])) }
      : {}),
    ...(queues.length > 0 ? { waiting: Object.fromEntries(queues) } : {}),
    ...(Object.keys(signedOut).length > 0 ? { signed_out: signedOut } : {}),
    ...(requests ? { requests } : {}),
    ...(streams ? { streams } : {}),
    expect: expectationOf(trace, path),
  };
}

/** The word that readBehaviour() understands. */
export function behaviourText(behaviour: AgentBehaviour): string {
  switch (behaviour.do) {
    case 'busy':
      return behaviour.forMs === undefined ? 'busy' : `busy ${behaviour.forMs}ms`;
    case 'answer':
      return behaviour.afterMs === undefined ? 'answer' : `answer ${behaviour.afterMs}ms`;
    default:
      return behaviour.do;
  }
}

export interface TestRun extends Omit<TestResult, 'trace'> {
  /** Null if the test cannot be read; `differences` says why. */
  readonly trace: Trace | null;
}

/** A stored test, run as the service runs it. */
export function runStored(flow: Flow, entry: Ref, stored: StoredTest): TestRun {
  const reading = readTestCase(stored);
  if (!reading.ok) {
    const differences = reading.faults.map(({ pointer, message }) => `${pointer}: ${message}`);
    return { name: String(stored['name'] ?? ''), passed: false, differences, trace: null };
  }
  const { scenario } = reading.test;
  return runTestCase(flow, entry, { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } });
}
