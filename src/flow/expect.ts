// A stored test: a call and what must come of it. The answer is yes, or the differences in words.

import type { Flow } from './flow.ts';
import type { Ref } from './node.ts';
import { simulate } from './simulate.ts';
import { readScenario, type Scenario, type ScenarioFault } from './simulation/scenario.ts';
import { OUTCOME_KINDS, type Outcome, type Trace } from './simulation/trace.ts';

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
  /** Variables at the end, by name; others may be there. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface TestCase {
  readonly name: string;
  readonly scenario: Omit<Scenario, 'entry'>;
  readonly expect: Expectation;
}

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly string[];
  readonly trace: Trace;
}

export type TestReading =
  | { readonly ok: true; readonly test: TestCase }
  | { readonly ok: false; readonly faults: readonly ScenarioFault[] };

export function runTestCase(flow: Flow, entry: Ref, test: TestCase): TestResult {
  const trace = simulate(flow, { ...test.scenario, entry });
  const differences = differencesOf(trace, test.expect);
  return { name: test.name, passed: differences.length === 0, differences, trace };
}

/**
 * Reads the JSON form, all faults at once: a scenario with two members more, for example
 * `{ "name": "sales", "script": "9,1", "expect": { "outcome": "connected", "heard": ["5"], "within_ms": 60000 } }`.
 */
export function readTestCase(value: unknown): TestReading {
  const reading = readScenario(value);
  const faults = reading.ok ? [] : [...reading.faults];
  const { name, expect } = membersOf(value);
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    faults.push({ pointer: '/name', message: 'A test has a name of 1 to 200 characters.' });
  }
  const members = membersOf(expect);
  const expected: Record<string, unknown> = {};
  for (const [member, { as, fits, message }] of Object.entries(EXPECTED)) {
    const wanted = members[member];
    if (wanted === undefined || wanted === null) continue;
    if (fits(wanted)) expected[as] = wanted;
    else faults.push({ pointer: `/expect/${member}`, message });
  }
  if (Object.keys(expected).length === 0 && faults.length === 0) {
    const message = `A test expects at least one of ${Object.keys(EXPECTED).join(', ')}.`;
    faults.push({ pointer: '/expect', message });
  }
  if (!reading.ok || typeof name !== 'string' || faults.length > 0) return { ok: false, faults };
  return { ok: true, test: { name, scenario: reading.scenario, expect: expected } };
}

const text = (value: unknown): boolean => typeof value === 'string';
const wholeNumber = (value: unknown): boolean => Number.isSafeInteger(value);
const texts = (value: unknown): boolean => Array.isArray(value) && value.length <= 1_000 && value.every(text);

interface Member {
  readonly as: keyof Expectation;
  readonly fits: (value: unknown) => boolean;
  readonly message: string;
}

const EXPECTED: Readonly<Record<string, Member>> = {
  outcome: {
    as: 'outcome',
    fits: (value) => OUTCOME_KINDS.some((kind) => kind === value),
    message: `An outcome is one of ${OUTCOME_KINDS.join(', ')}.`,
  },
  destination: { as: 'destination', fits: text, message: 'A destination is a reference.' },
  reason: { as: 'reason', fits: text, message: 'A reason is a code, such as no-answer.' },
  cause: { as: 'cause', fits: wholeNumber, message: 'A cause is a Q.850 number.' },
  heard: { as: 'heard', fits: texts, message: 'What is heard is a list of recording ids.' },
  visited: { as: 'visited', fits: texts, message: 'What is visited is a list of references.' },
  sms: { as: 'sms', fits: texts, message: 'SMS is a list of template ids.' },
  variables: {
    as: 'variables',
    fits: (value) =>
      typeof value === 'object' && !Array.isArray(value) && Object.values(Object(value)).every(text),
    message: 'Variables are an object of texts.',
  },
  within_ms: { as: 'withinMs', fits: wholeNumber, message: 'A duration is whole milliseconds.' },
};

export const EXPECTED_MEMBERS: readonly string[] = Object.keys(EXPECTED);

function membersOf(value: unknown): { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
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
  inOrder('heard', expected.heard?.map(bareId), heardRecordings(trace));
  inOrder('visited', expected.visited, trace.visited);
  if (expected.sms && expected.sms.join() !== trace.sms.join()) {
    differences.push(`sms: expected ${listText(expected.sms)}, was ${listText(trace.sms)}.`);
  }
  for (const [name, wanted] of Object.entries(expected.variables ?? {}))
    same(`variable ${name}`, wanted, Object.hasOwn(trace.variables, name) ? trace.variables[name] : '');
  if (expected.withinMs !== undefined && trace.durationMs > expected.withinMs) {
    differences.push(`duration: expected at most ${expected.withinMs} ms, was ${trace.durationMs} ms.`);
  }
  return differences;
}

export function heardRecordings(trace: Trace): string[] {
  return trace.heard.flatMap(({ sound }) => (sound.kind === 'recording' ? [sound.id] : []));
}

/** `recording||5` and `5` are the same recording. */
function bareId(recording: string): string {
  return recording.replace(/^recording\|{1,2}/, '');
}

/** A call in a loop hears the same hundreds of times. */
const MAX_LISTED = 50;

function listText(items: readonly string[]): string {
  if (items.length === 0) return 'nothing';
  const more = items.length > MAX_LISTED ? ` and ${items.length - MAX_LISTED} more` : '';
  return items.slice(0, MAX_LISTED).join(', ') + more;
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
