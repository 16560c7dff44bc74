// What can be said of a draft within its account, by the service's own code: the linter's findings, and its own tests.

import { menuNode } from '../../../../src/domain/compile.ts';
import { readTestCase, runTestCase } from '../../../../src/flow/expect.ts';
import { changeFlow, type Flow } from '../../../../src/flow/flow.ts';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { lintNode } from '../../../../src/flow/lint.ts';
import { UNSAVED_ID } from '../simulator/browser-flow.ts';
import { gapsOf, type IvrDraft, ivrOf } from './draft.ts';

/** As many events as the service allows a stored test. */
const MAX_EVENTS = 2_000;

/** What the linter says of the draft, but for places where nothing is chosen yet: those are told as such. */
export function lintDraft(flow: Flow, id: string | null, draft: IvrDraft): Finding[] {
  const gaps = new Set(gapsOf(draft));
  return lintNode(flow, menuNode(id ?? UNSAVED_ID, ivrOf(draft))).filter(({ pointer }) => !gaps.has(pointer));
}

export interface FailedTest {
  readonly name: string;
  readonly differences: readonly string[];
}

/** The menu's own tests that would fail with the draft, with what differed. */
export function failedTests(flow: Flow, id: string | null, draft: IvrDraft): FailedTest[] {
  const node = menuNode(id ?? UNSAVED_ID, ivrOf(draft));
  const within = changeFlow(flow, { nodes: [node] });
  return draft.tests.flatMap((stored) => {
    const reading = readTestCase(stored);
    if (!reading.ok) return [];
    const { scenario } = reading.test;
    const test = { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } };
    const { name, passed, differences } = runTestCase(within, node.ref, test);
    return passed ? [] : [{ name, differences }];
  });
}
