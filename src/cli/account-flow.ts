// What lint, test and simulate ask an account about its menus, by the API.
import { all, type Client } from '../../client/client.ts';
import type { TestResult } from '../flow/expect.ts';
import type { Finding } from '../flow/lint/finding.ts';
import type { Ref } from '../flow/node.ts';
import type { ShownTrace } from '../flow/timeline.ts';
import { wordOf } from '../import-export/fields.ts';
import { DESTINATION_RECORD_KINDS } from '../kinds/lists.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import { listed } from './account-content.ts';
import { toArray } from './remote.ts';

export interface MenuResults {
  readonly file: string | null;
  readonly ref: Ref;
  readonly name: string;
  readonly results: readonly Result[];
}

export interface Result extends Pick<TestResult, 'name' | 'passed' | 'differences'> {
  /** Absent where it was not asked for, or would show a PIN. */
  readonly trace?: Trace;
}

export interface Trace {
  readonly shown: ShownTrace;
  readonly json: object;
}

export async function findingsOfAccount(dialtree: Client<'minimal'>): Promise<Finding[]> {
  // The schema of the document is looser than what src/flow/lint has made.
  return (await dialtree.lint()).data as Finding[];
}

/** Names of the records that these references lead to. */
export async function namesOf(
  dialtree: Client<'minimal'>,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = new Set(refs.map((ref) => splitReference(ref).kind));
  const names = new Map<string, string>();
  for (const kind of DESTINATION_RECORD_KINDS) {
    const word = wordOf(kind);
    if (!words.has(word)) continue;
    // Agents are named by their eid.
    for await (const { id, eid = id, name } of listed(dialtree, kind))
      names.set(referenceText(word, String(eid)), String(name));
  }
  return names;
}

export async function agentRefs(dialtree: Client<'minimal'>): Promise<Ref[]> {
  return (await toArray(all(dialtree.listAgentsV2))).map(({ eid }) => referenceText(wordOf('agent'), eid));
}

/** Menu by menu: the service bounds what one request may cost. `traces`: of all tests, else of those that fail. */
export async function testAccount(
  dialtree: Client<'minimal'>,
  traces: 'all' | 'failed',
): Promise<MenuResults[]> {
  const menus: MenuResults[] = [];
  for (const { id, name, tests } of await toArray(all(dialtree.listIvrs))) {
    if ((tests ?? []).length === 0) continue;
    const { data } = await dialtree.testIvr({ params: { id } });
    const results: Result[] = [];
    for (const [index, { name, passed, differences }] of data.entries()) {
      const trace = passed && traces === 'failed' ? null : await traceOf(dialtree, id, index);
      results.push({ name, passed, differences, ...(trace ? { trace } : {}) });
    }
    menus.push({ file: null, ref: `ivr||${id}`, name, results });
  }
  return menus;
}

async function traceOf(dialtree: Client<'minimal'>, id: string, index: number): Promise<Result['trace']> {
  const { data } = await dialtree.testIvr({ params: { id }, query: { trace: String(index) } });
  const json = data[index]?.trace;
  return json && traced(json);
}

/** As the API has it: src/flow/simulation/trace.ts made it. */
interface TraceJson extends Pick<ShownTrace, 'outcome'> {
  readonly steps: readonly (Omit<ShownTrace['steps'][number], 'atMs'> & {
    readonly at_ms: number;
    readonly node_name: string | null;
  })[];
  readonly unused_steps: string;
}

export async function simulateInAccount(
  dialtree: Client<'minimal'>,
  id: string,
  scenario: object,
): Promise<Trace> {
  return traced(await dialtree.simulateIvr({ params: { id }, body: scenario }));
}

function traced(json: object): Trace {
  const { outcome, steps, unused_steps } = json as unknown as TraceJson;
  const shown = {
    outcome,
    steps: steps.map(({ at_ms, ...step }) => ({ ...step, atMs: at_ms })),
    names: Object.fromEntries(
      steps.flatMap(({ node, node_name }) =>
        node !== null && node_name !== null ? [[node, node_name]] : [],
      ),
    ),
    unusedSteps: unused_steps === '' ? [] : unused_steps.split(','),
  };
  return { shown, json };
}
