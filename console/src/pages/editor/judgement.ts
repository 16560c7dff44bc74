// Lints a draft within its account and runs its tests, with the service's own code.

import { readTestCase, runTestCase } from '../../../../src/flow/expect.ts';
import { changeFlow, type Flow } from '../../../../src/flow/flow.ts';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { lintNode } from '../../../../src/flow/lint.ts';
import { menuNode } from '../../../../src/kinds/nodes.ts';
import { UNSAVED_ID } from '../simulator/browser-flow.ts';
import { gapsOf, type IvrDraft, ivrOf, valueAt } from './draft.ts';

/** As many events as the service allows a stored test. */
const MAX_EVENTS = 2_000;

/** The linter's findings, without those on what is not chosen: gaps are listed apart, and prompts and ways have defaults. */
export function lintDraft(flow: Flow, id: string | null, draft: IvrDraft): Finding[] {
  const gaps = new Set(gapsOf(draft));
  const isChosen = (pointer: string) => !gaps.has(pointer) && valueAt(draft, pointer) !== null;
  return lintNode(flow, menuNode(id ?? UNSAVED_ID, ivrOf(draft))).filter(({ pointer }) => isChosen(pointer));
}

export interface FailedTest {
  readonly name: string;
  readonly differences: readonly string[];
}

/** The menu's tests that fail with the draft, with the differences. */
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
