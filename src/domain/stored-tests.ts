// The tests that a menu carries: run by requests, by the import and by `dialtree test` with the same bounds.
import { readTestCase, runTestCase, type TestResult } from '../flow/expect.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { Finding } from '../flow/lint/finding.ts';
import type { FlowNode, Ref } from '../flow/node.ts';
import type { Ivr } from '../kinds/ivr.ts';

/** Some two milliseconds; a call with more events than that is in a loop. */
export const MAX_EVENTS = 2000;

/** One after the other: a trace may be megabytes, and most callers need none of them for long. */
export function* runStoredTests(ivr: Pick<Ivr, 'tests'>, ref: Ref, flow: Flow): Generator<TestResult> {
  // Menus stored before there were tests have none.
  for (const stored of ivr.tests ?? []) {
    const reading = readTestCase(stored);
    if (!reading.ok) continue;
    const { scenario } = reading.test;
    yield runTestCase(withoutClosures(flow), ref, {
      ...reading.test,
      scenario: { ...scenario, maxEvents: MAX_EVENTS },
    });
  }
}

/** Tests that one run of the linter carries out; the tests beyond them are not run. */
const MAX_LINTED = 2000;

/** Each stored test that fails, at its place in the menu. */
export function* failedTests(
  menus: Iterable<{ readonly ref: Ref; readonly ivr: Pick<Ivr, 'name' | 'tests'> }>,
  flow: Flow,
): Generator<Finding> {
  let run = 0;
  for (const { ref, ivr } of menus)
    for (const [index, stored] of (ivr.tests ?? []).entries()) {
      if (++run > MAX_LINTED) return;
      for (const { name, passed, differences } of runStoredTests({ tests: [stored] }, ref, flow)) {
        if (passed) continue;
        const message = `The test “${name}” of the menu “${ivr.name}” fails. ${differences.join(' ')}`;
        yield { code: 'test-failed', severity: 'error', node: ref, pointer: `/tests/${index}`, message };
      }
    }
}

const reopened = new WeakMap<Flow['nodes'], readonly FlowNode[]>();

/** A time group that somebody has closed by hand until some moment is not closed on the day of a test, which may be long past. */
function withoutClosures(flow: Flow): Flow {
  let open = reopened.get(flow.nodes);
  if (!open) {
    open = [...flow.nodes.values()].flatMap((node) =>
      node.kind === 'hours' && node.closedUntilMs ? [{ ...node, closedUntilMs: null }] : [],
    );
    reopened.set(flow.nodes, open);
  }
  return open.length > 0 ? changeFlow(flow, { nodes: open }) : flow;
}

export function storedTestResults(ivr: Ivr, ref: Ref, flow: Flow): TestResult[] {
  return [...runStoredTests(ivr, ref, flow)];
}
