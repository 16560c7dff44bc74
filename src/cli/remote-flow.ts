// What lint, test and simulate ask a running service about its menus.
import { all, type Client } from '../../client/client.ts';
import type { TestResult } from '../flow/expect.ts';
import type { Finding } from '../flow/lint/finding.ts';
import type { Ref } from '../flow/node.ts';
import type { ShownTrace } from '../flow/timeline.ts';
import { toArray } from './remote.ts';

export interface MenuResults {
  readonly file: string | null;
  readonly ref: Ref;
  readonly name: string;
  /** Without a trace where a service ran them: "dialtree simulate" shows one. */
  readonly results: readonly (Omit<TestResult, 'trace'> & { readonly trace?: TestResult['trace'] })[];
}

export async function lintService(dialtree: Client<'minimal'>): Promise<Finding[]> {
  // The schema of the document is looser than what src/flow/lint has made.
  return (await dialtree.lint()).data as Finding[];
}

/** Menu by menu: the service bounds what one request may cost. */
export async function testService(dialtree: Client<'minimal'>): Promise<MenuResults[]> {
  const menus: MenuResults[] = [];
  for (const { id, name, tests } of await toArray(all(dialtree.listIvrs))) {
    if ((tests ?? []).length === 0) continue;
    const { data } = await dialtree.testIvr({ params: { id } });
    const results = data.map(({ name, passed, differences }) => ({ name, passed, differences }));
    menus.push({ file: null, ref: `ivr||${id}`, name, results });
  }
  return menus;
}

/** As the API has it: src/flow/simulation/trace.ts made it. */
export interface TraceJson extends Pick<ShownTrace, 'outcome'> {
  readonly steps: readonly (Omit<ShownTrace['steps'][number], 'atMs'> & {
    readonly at_ms: number;
    readonly node_name: string | null;
  })[];
  readonly unused_steps: string;
}

export async function simulateOnService(
  dialtree: Client<'minimal'>,
  id: string,
  scenario: object,
): Promise<TraceJson> {
  const answer = await dialtree.simulateIvr({ params: { id }, body: scenario });
  return answer as unknown as TraceJson;
}

export function shownTrace({ outcome, steps, unused_steps }: TraceJson): ShownTrace {
  return {
    outcome,
    steps: steps.map(({ at_ms, ...step }) => ({ ...step, atMs: at_ms })),
    names: Object.fromEntries(
      steps.flatMap(({ node, node_name }) =>
        node !== null && node_name !== null ? [[node, node_name]] : [],
      ),
    ),
    unusedSteps: unused_steps === '' ? [] : unused_steps.split(','),
  };
}
