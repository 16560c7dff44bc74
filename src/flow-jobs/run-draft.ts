// The linter, the stored tests and simulated calls over an account as it would be after its draft is published.
import type { AccountSnapshot } from '../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { draftedFlow, refsOf } from '../domain/drafted-flow.ts';
import { readData } from '../domain/row.ts';
import { MAX_EVENTS, runStoredTests } from '../domain/stored-tests.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { Finding } from '../flow/lint/finding.ts';
import { missingEntries } from '../flow/lint/missing.ts';
import { hiddenStarCodes } from '../flow/lint/star-codes.ts';
import { unreachedMenus } from '../flow/lint/unreached.ts';
import { lintNode } from '../flow/lint.ts';
import { simulate } from '../flow/simulate.ts';
import { readScenario } from '../flow/simulation/scenario.ts';
import type { DialledNumber } from '../kinds/number.ts';
import { referenceText } from '../kinds/reference.ts';
import { boundedTrace } from './bounded-trace.ts';
import type { DraftJob, FlowResult } from './job.ts';
import { withOtherPins } from './other-pins.ts';
import { failuresOf, testedAfter } from './red-tests.ts';

const MAX_FINDINGS = 1000;
/** In one answer. */
const MAX_TESTS = 1000;

export async function runDraft(job: DraftJob, snapshots: AccountSnapshots): Promise<FlowResult> {
  const { accountId, settings, capabilities, starCodes, changes } = job;
  const snapshot = await snapshots.whole(accountId, settings);
  const flow = changeFlow(draftedFlow(snapshot.flow, changes), { settings: { capabilities } });
  if (job.call) return runCall(flow, job.call);
  if (job.isBrief)
    return { json: JSON.stringify({ findings: ownFindings(snapshot, flow, changes), tests: [] }) };
  const numbers = numbersAfter(snapshot.numbers, changes);
  const findings: Finding[] = [];
  // The draft's own first: they decide whether it is published where references are strict.
  const own = changes.flatMap(refsOf).flatMap((ref) => flow.nodes.get(ref) ?? []);
  for (const node of new Set([...own, ...flow.nodes.values()])) {
    if (findings.length >= MAX_FINDINGS) break;
    findings.push(...lintNode(flow, node));
  }
  findings.push(...missingEntries(flow, numbers), ...hiddenStarCodes(numbers, starCodes));
  findings.push(...unreachedMenus(flow, new Set(numbers.map(({ destination }) => destination))));
  const tests = testsOf(snapshot.flow, flow, snapshot.tested, job);
  return { json: JSON.stringify({ findings: findings.slice(0, MAX_FINDINGS), tests }) };
}

/** What the linter says of the drafted records, and did not say of them before. */
function ownFindings(
  { flow: before, numbers }: AccountSnapshot,
  after: Flow,
  changes: DraftJob['changes'],
): Finding[] {
  const refs = changes.flatMap(refsOf);
  const ids = new Set(changes.flatMap(({ kind, id }) => (kind === 'number' ? id : [])));
  const stored = numbers.filter(({ id }) => ids.has(id));
  const drafted = numbersAfter([], changes);
  const said = (flow: Flow, entries: readonly DialledNumber[]): Finding[] => [
    ...refs.flatMap((ref) => flow.nodes.get(ref) ?? []).flatMap((node) => [...lintNode(flow, node)]),
    ...missingEntries(flow, entries),
  ];
  const keyOf = ({ code, node, pointer, message }: Finding): string =>
    `${code} ${node} ${pointer} ${message}`;
  const known = new Set(
    said(
      before,
      stored.map(({ data }) => data),
    ).map(keyOf),
  );
  return said(after, drafted).filter((finding) => !known.has(keyOf(finding)));
}

function runCall(drafted: Flow, { entry, scenario, hidesPins }: NonNullable<DraftJob['call']>): FlowResult {
  const reading = readScenario(scenario);
  if (!reading.ok) return { faults: reading.faults };
  if (!drafted.nodes.has(entry)) return { json: null };
  const flow = hidesPins ? withOtherPins(drafted) : drafted;
  const trace = simulate(flow, { epochMs: Date.now(), ...reading.scenario, entry, maxEvents: MAX_EVENTS });
  return { json: JSON.stringify(boundedTrace(trace)) };
}

function numbersAfter(
  stored: readonly { readonly id: string; readonly data: DialledNumber }[],
  changes: DraftJob['changes'],
): DialledNumber[] {
  const after = new Map(stored.map(({ id, data }) => [id, data]));
  for (const { kind, id, json } of changes) {
    if (kind !== 'number') continue;
    if (json === null) after.delete(id);
    else after.set(id, readData('number', json));
  }
  return [...after.values()];
}

/** Any change may break the test of any menu: all of them are run. `failed_before`: it fails without the draft, too. */
function testsOf(
  before: Flow,
  after: Flow,
  tested: AccountSnapshot['tested'],
  { changes }: DraftJob,
): object[] {
  const results: object[] = [];
  for (const [id, menu] of testedAfter(tested, changes)) {
    if (results.length >= MAX_TESTS) break;
    const ref = referenceText('ivr', id);
    const run = Array.from(runStoredTests(menu, ref, after), ({ trace: _, ...one }) => one);
    const isRed = run.some(({ passed }) => !passed);
    const former = isRed ? [...failuresOf(tested.get(id), ref, before).values()] : [];
    for (const one of run) {
      const failed_before = !one.passed && former.some(({ name }) => name === one.name);
      results.push({ menu: id, menu_name: menu.name, ...one, failed_before });
    }
  }
  return results;
}
