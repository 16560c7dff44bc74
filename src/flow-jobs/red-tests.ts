// Stored tests of menus that a write would break: they pass on the account as it is, and fail on the account as it would be. What fails
// already is no reason to refuse anybody's change.
import type { TestedMenu } from '../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { flowSettings, flowTemplates } from '../domain/compile.ts';
import type { Directory } from '../domain/directory.ts';
import { type DraftChange, draftedFlow, refsOf } from '../domain/drafted-flow.ts';
import { readData } from '../domain/row.ts';
import { runStoredTests } from '../domain/stored-tests.ts';
import { changeFlow, type Flow, resolve } from '../flow/flow.ts';
import { type FlowNode, type Ref, referenceTo } from '../flow/node.ts';
import { edgesOf, membersOf } from '../flow/nodes/facts.ts';
import { referenceText } from '../kinds/reference.ts';
import type { FlowResult, RedTest, RedTests, WriteJob } from './job.ts';

/** Tests that one write waits for. */
const MAX_TESTS = 1000;

/** No edge of the flow leads to these, so any menu may depend on them. */
const ANYWHERE: ReadonlySet<string> = new Set(['recording', 'sms_template']);

export async function runWrite(job: WriteJob, snapshots: AccountSnapshots): Promise<FlowResult> {
  const { accountId, settings, changes } = job;
  const { flow: before, tested, directory } = await snapshots.whole(accountId, settings);
  if (tested.size === 0 && changes.every(({ kind }) => kind !== 'ivr')) return result([], true, true);
  const after = flowAfter(before, job, directory);
  const menus = [...testedAfter(tested, changes)].map(([id, menu]) => {
    return { id, menu, ref: referenceText('ivr', id) };
  });
  const isAnywhere = changes.length === 0 || changes.some((each) => ANYWHERE.has(each.kind));
  const changed = changes
    .flatMap((each) => changedRefs(each, directory))
    .filter((ref) => !isSame(before.nodes.get(ref), after.nodes.get(ref)));
  const leading = isAnywhere ? null : leadingTo(changed, before, menus);
  const data: RedTest[] = [];
  let run = 0;
  for (const { id, menu, ref } of menus) {
    if (leading && !leading.has(ref)) continue;
    run += menu.tests?.length ?? 0;
    if (run > MAX_TESTS) break;
    const failing = failuresOf(menu, ref, after);
    const former = failing.size > 0 ? failuresOf(tested.get(id), ref, before) : failing;
    for (const [key, { name, differences }] of failing)
      if (!former.has(key)) data.push({ menu: id, menu_name: menu.name, name, passed: false, differences });
  }
  return result(data, run <= MAX_TESTS, false);
}

function result(data: readonly RedTest[], isWhole: boolean, isUntested: boolean): FlowResult {
  return { json: JSON.stringify({ data, isWhole, isUntested } satisfies RedTests) };
}

function flowAfter(before: Flow, { changes, after }: WriteJob, directory: Directory): Flow {
  const templates = new Map(before.templates);
  for (const { kind, id, json } of changes) {
    if (kind !== 'sms_template') continue;
    templates.delete(id);
    if (json !== null)
      for (const [key, one] of flowTemplates([{ id, data: readData(kind, json) }])) templates.set(key, one);
  }
  const gone = changes.filter(({ json }) => json === null);
  const drafted = draftedFlow(before, changes);
  return changeFlow(drafted, {
    removedNodes: [
      ...gone.flatMap((each) => changedRefs(each, directory)),
      ...changes.flatMap((each) => formerAgent(each, directory)),
    ],
    removedRecordings: gone.flatMap(({ kind, id }) => (kind === 'recording' ? id : [])),
    templates,
    settings: flowSettings(after),
  });
}

/** A new password of an agent, say, is nothing that a call depends on. */
const isSame = (one: FlowNode | undefined, other: FlowNode | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Agents are called by their eid, which the record has. */
function changedRefs(change: DraftChange, directory: Directory): Ref[] {
  if (change.kind !== 'agent') return refsOf(change);
  const written = change.json === null ? [] : [referenceTo('agent', readData('agent', change.json).eid)];
  return [...written, ...storedAgent(change, directory)];
}

const storedAgent = ({ id }: DraftChange, { agents }: Directory): Ref[] =>
  [...agents.values()].filter((agent) => agent.id === id).map(({ data }) => referenceTo('agent', data.eid));

/** As an agent was called before it got another eid. */
function formerAgent(change: DraftChange, directory: Directory): Ref[] {
  if (change.kind !== 'agent' || change.json === null) return [];
  const present = referenceTo('agent', readData('agent', change.json).eid);
  return storedAgent(change, directory).filter((ref) => ref !== present);
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

/** By name, and by number where several tests have the same. */
export function failuresOf(
  menu: TestedMenu | undefined,
  ref: Ref,
  flow: Flow,
): Map<string, Pick<RedTest, 'name' | 'differences'>> {
  const failing = new Map<string, Pick<RedTest, 'name' | 'differences'>>();
  if (!menu) return failing;
  const seen = new Map<string, number>();
  for (const { name, passed, differences } of runStoredTests(menu, ref, flow)) {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    if (!passed) failing.set(`${nth} ${name}`, { name, differences });
  }
  return failing;
}

/**
 * What leads to one of the wanted nodes, of all that the menus lead to: each node is looked at once. What changed leads elsewhere only
 * behind itself, so the flow before is enough.
 */
function leadingTo(wanted: readonly Ref[], flow: Flow, menus: readonly { readonly ref: Ref }[]): Set<Ref> {
  const from = new Map<Ref, Ref[]>();
  const reached = new Set(menus.map(({ ref }) => ref));
  for (const ref of reached)
    for (const to of nextOf(flow, ref)) {
      reached.add(to);
      const others = from.get(to);
      if (others) others.push(ref);
      else from.set(to, [ref]);
    }
  const leading = new Set(wanted);
  for (const ref of leading) for (const other of from.get(ref) ?? []) leading.add(other);
  return leading;
}

/** Where a call may come to, whom it may ring, and whose hours decide. */
function nextOf(flow: Flow, ref: Ref): Ref[] {
  const node = resolve(flow, ref);
  if (!node) return [];
  const hours = node.kind === 'agent' && node.hours !== null ? [node.hours] : [];
  return [...[...edgesOf(node), ...membersOf(node)].map(({ to }) => to), ...hours];
}
