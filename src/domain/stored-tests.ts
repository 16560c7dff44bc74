// The tests that a menu carries: run by requests, by the import and by `dialtree test` with the same bounds.
import { readTestCase, runTestCase, type TestResult } from '../flow/expect.ts';
import type { Flow } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import { traceJson } from '../flow/simulation/trace.ts';
import type { Ivr } from './ivr.ts';

/** Some two milliseconds; a call with more events than that is in a loop. */
export const MAX_EVENTS = 2000;

export function storedTestResults(ivr: Ivr, ref: Ref, flow: Flow): TestResult[] {
  // Menus stored before there were tests have none.
  return (ivr.tests ?? []).flatMap((stored) => {
    const reading = readTestCase(stored);
    if (!reading.ok) return [];
    const { scenario } = reading.test;
    return [runTestCase(flow, ref, { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } })];
  });
}

export const resultJson = ({ name, passed, differences, trace }: TestResult) => ({
  name,
  passed,
  differences,
  trace: traceJson(trace),
});
