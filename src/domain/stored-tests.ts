// The tests that a menu carries: run by requests, by the import and by `dialtree test` with the same bounds.
import { readTestCase, runTestCase, type TestResult } from '../flow/expect.ts';
import type { Flow } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import { traceJson } from '../flow/simulation/trace.ts';
import type { Ivr } from './ivr.ts';

/** Some two milliseconds; a call with more events than that is in a loop. */
export const MAX_EVENTS = 2000;

/** One after the other: a trace may be megabytes, and most callers need none of them for long. */
export function* runStoredTests(ivr: Ivr, ref: Ref, flow: Flow): Generator<TestResult> {
  // Menus stored before there were tests have none.
  for (const stored of ivr.tests ?? []) {
    const reading = readTestCase(stored);
    if (!reading.ok) continue;
    const { scenario } = reading.test;
    yield runTestCase(flow, ref, { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } });
  }
}

export function storedTestResults(ivr: Ivr, ref: Ref, flow: Flow): TestResult[] {
  return [...runStoredTests(ivr, ref, flow)];
}

export const resultJson = ({ name, passed, differences, trace }: TestResult) => ({
  name,
  passed,
  differences,
  trace: traceJson(trace),
});
