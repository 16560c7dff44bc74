// A stored test: a script and what must come of it. The answer is yes, or the differences in words.

import type { Flow } from './flow.ts';
import type { Ref } from './node.ts';
import { type AgentBehaviour, type Outcome, type Scenario, simulate, type Trace } from './simulate.ts';
import { readScript, type ScriptStep } from './simulation/script.ts';

export interface Expectation {
  readonly outcome?: Outcome['kind'];
  readonly destination?: Ref;
  /** The outcome's stable code, such as `no-answer`. */
  readonly reason?: string;
  readonly cause?: number;
  /** Recordings heard in this order; others may lie between them. */
  readonly heard?: readonly string[];
  /** Destinations reached in this order; others may lie between them. */
  readonly visited?: readonly Ref[];
  /** SMS templates queued, all of them, in order. */
  readonly sms?: readonly string[];
  readonly withinMs?: number;
}

export interface TestCase {
  readonly name: string;
  readonly script: string | readonly ScriptStep[];
  readonly epochMs?: number;
  readonly caller?: string | null;
  readonly agents?: { readonly [owner: Ref]: AgentBehaviour };
  readonly expect: Expectation;
}

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly string[];
  /** Null if the script could not be read. */
  readonly trace: Trace | null;
}

export function runTestCase(flow: Flow, entry: Ref, test: TestCase): TestResult {
  const { name } = test;
  const script = readScript(test.script);
  if (!script.ok) {
    const { position, message } = script.fault;
    const difference = `The script is wrong at position ${position}: ${message}`;
    return { name, passed: false, differences: [difference], trace: null };
  }
  const trace = simulate(flow, scenarioOf(entry, test, script.steps));
  const differences = differencesOf(trace, test.expect);
  return { name, passed: differences.length === 0, differences, trace };
}

function scenarioOf(entry: Ref, test: TestCase, script: readonly ScriptStep[]): Scenario {
  return {
    entry,
    script,
    ...(test.epochMs === undefined ? {} : { epochMs: test.epochMs }),
    ...(test.caller === undefined ? {} : { caller: test.caller }),
    ...(test.agents === undefined ? {} : { agents: test.agents }),
  };
}

function differencesOf(trace: Trace, expected: Expectation): string[] {
  const { outcome } = trace;
  const differences: string[] = [];
  const same = (what: string, wanted: unknown, was: unknown): void => {
    if (wanted !== undefined && wanted !== was) {
      differences.push(`${what}: expected ${String(wanted)}, was ${String(was)}.`);
    }
  };
  const inOrder = (what: string, wanted: readonly string[] | undefined, was: readonly string[]): void => {
    const missing = wanted && firstMissing(wanted, was);
    if (missing === undefined) return;
    differences.push(`${what}: expected ${missing} in this order, was ${listText(was)}.`);
  };
  same('outcome', expected.outcome, outcome.kind);
  same('destination', expected.destination, outcome.destination);
  same('reason', expected.reason, outcome.reason);
  same('cause', expected.cause, outcome.cause);
  inOrder('heard', expected.heard, heardRecordings(trace));
  inOrder('visited', expected.visited, trace.visited);
  same('sms', expected.sms && listText(expected.sms), listText(trace.sms));
  if (expected.withinMs !== undefined && trace.durationMs > expected.withinMs) {
    differences.push(`duration: expected at most ${expected.withinMs} ms, was ${trace.durationMs} ms.`);
  }
  return differences;
}

export function heardRecordings(trace: Trace): string[] {
  return trace.heard.flatMap(({ sound }) => (sound.kind === 'recording' ? [sound.id] : []));
}

function listText(items: readonly string[]): string {
  return items.length > 0 ? items.join(', ') : 'nothing';
}

function firstMissing(wanted: readonly string[], was: readonly string[]): string | undefined {
  let from = 0;
  for (const item of wanted) {
    const at = was.indexOf(item, from);
    if (at < 0) return item;
    from = at + 1;
  }
  return undefined;
}
