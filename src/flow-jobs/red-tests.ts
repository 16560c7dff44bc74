// Stored tests of menus that a write would break: they pass on the account as it is, and fail on the account as it would be. What fails
// already is no reason to refuse anybody's change.
import type { TestedMenu } from '../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { flowSettings, flowTemplates } from '../domain/compile.ts';
import type { Directory } from '../domain/directory.ts';
import { type DraftChange, draftedFlow, refsOf } from '../domain/drafted-flow.ts';
import { referenceText } from '../domain/reference.ts';
import { readData } from '../domain/row.ts';
import { runStoredTests } from '../domain/stored-tests.ts';
import { changeFlow, type Flow, resolve } from '../flow/flow.ts';
import { edgesOf, membersOf } from '../flow/lint/edge.ts';
import type { FlowNode, Ref } from '../flow/node.ts';
import type { FlowResult, RedTest, RedTests, WriteJob } from './job.ts';

/** Tests that one write waits for. */
const MAX_TESTS = 1000;
/** Nodes that are looked at to see whether a menu leads to what changes; beyond that it is taken to. */
const MAX_REACHED = 5000;

/** No edge of the flow leads to these, so any menu may depend on them. */
const ANYWHERE: ReadonlySet<string> = new Set(['recording', 'sms_template']);

export async function runWrite(job: WriteJob, snapshots: AccountSnapshots): Promise<FlowResult> {
  const { accountId, settings, changes } = job;
  const { flow: before, tested, directory } = await snapshots.whole(accountId, settings);
  if (tested.size === 0 && changes.every(({ kind }) => kind !== 'ivr')) return NONE;
  const after = flowAfter(before, job, directory);
  const isAnywhere = changes.length === 0 || changes.some((each) => ANYWHERE.has(each.kind));
  const refs = changes.flatMap((each) => changedRefs(each, directory));
  const changed = new Set(refs.filter((ref) => !isSame(before.nodes.get(ref), after.nodes.get(ref))));
  if (changed.size === 0 && !isAnywhere) return NONE;
  const data: RedTest[] = [];
  let run = 0;
  for (const [id, menu] of testedAfter(tested, changes)) {
    const ref = referenceText('ivr', id);
    if (!isAnywhere && !leadsTo(before, ref, changed)) continue;
    run += menu.tests?.length ?? 0;
    if (run > MAX_TESTS) break;
    const failing = failuresOf(menu, ref, after);
    if (failing.size === 0) continue;
    const former = failuresOf(tested.get(id), ref, before);
    for (const [name, differences] of failing)
      if (!former.has(name)) data.push({ menu: id, menu_name: menu.name, name, passed: false, differences });
  }
  return { json: JSON.stringify({ data, isWhole: run <= MAX_TESTS } satisfies RedTests) };
}

const NONE = { json: JSON.stringify({ data: [], isWhole: true } satisfies RedTests) };

function flowAfter(before: Flow, { changes, after }: WriteJob, directory: Directory): Flow {
  const templates = new Map(before.templates);
  for (const { kind, id, json } of changes) {
    if (kind !== 'sms_template') continue;
    templates.delete(id);
    if (json !== null)
      for (const [key, one] of flowTemplates([{ id, data: readData(kind, json) }])) templates.set(key, one);
  }
  const gone = changes.filter(({ json }) => json === null);
  return changeFlow(draftedFlow(before, changes), {
    removedNodes: gone.flatMap((each) => changedRefs(each, directory)),
    removedRecordings: gone.flatMap(({ kind, id }) => (kind === 'recording' ? id : [])),
    templates,
    settings: flowSettings(after),
  });
}

/** A new password of an agent, say, is nothing that a call depends on. */
const isSame = (one: FlowNode | undefined, other: FlowNode | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Agents are called by their eid, which the record has. */
function changedRefs(change: DraftChange, { agents }: Directory): Ref[] {
  if (change.kind !== 'agent') return refsOf(change);
  const stored = [...agents.values()].find(({ id }) => id === change.id)?.data.eid;
  const eids = [stored, change.json === null ? undefined : readData('agent', change.json).eid];
  return eids.flatMap((eid) => (eid === undefined ? [] : referenceText('agent', eid)));
}

/** The menus with tests as they would be. */
export function testedAfter(
  tested: ReadonlyMap<string, TestedMenu>,
  changes: readonly DraftChange[],
): Map<string, TestedMenu> {
  const after = new Map(tested);
  for (const { kind, id, json } of changes) {
    if (kind !== 'ivr') continue;
    if (json === null) after.delete(id);
    else after.set(id, readData('ivr', json));
  }
  return after;
}

/** Differences by the name of the test. */
export function failuresOf(
  menu: TestedMenu | undefined,
  ref: Ref,
  flow: Flow,
): Map<string, readonly string[]> {
  const failing = new Map<string, readonly string[]>();
  if (!menu) return failing;
  for (const { name, passed, differences } of runStoredTests(menu, ref, flow))
    if (!passed) failing.set(name, differences);
  return failing;
}

/** Whether a call that begins here may come to one of these. What changed leads elsewhere only behind itself. */
function leadsTo(flow: Flow, from: Ref, wanted: ReadonlySet<Ref>): boolean {
  const reached = new Set<Ref>([from]);
  for (const ref of reached) {
    if (wanted.has(ref) || reached.size > MAX_REACHED) return true;
    const node = resolve(flow, ref);
    if (!node) continue;
    for (const { to } of [...edgesOf(node), ...membersOf(node)]) reached.add(to);
  }
  return false;
}
