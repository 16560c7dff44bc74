// One job of a flow thread: a simulated call, the tests of a menu, or the linter over a whole account.
import { entriesOf } from '../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { flowAround } from '../accounts/flow-around.ts';
import { type DraftChange, draftedFlow } from '../domain/drafted-flow.ts';
import { readData } from '../domain/row.ts';
import { failedTests, MAX_EVENTS, runStoredTests } from '../domain/stored-tests.ts';
import { pinsIn, pinsOf, typesPin } from '../domain/withheld-pins.ts';
import { readTestCase } from '../flow/expect.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { Finding } from '../flow/lint/finding.ts';
import { missingEntries, missingMusic } from '../flow/lint/missing.ts';
import { hiddenStarCodes } from '../flow/lint/star-codes.ts';
import { unreachedMenus } from '../flow/lint/unreached.ts';
import { lintNode } from '../flow/lint.ts';
import type { MenuNode } from '../flow/node.ts';
import { simulate } from '../flow/simulate.ts';
import { readScenario } from '../flow/simulation/scenario.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { menuNode } from '../kinds/nodes.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import type { RecordStorage, StoredRow } from '../storage/ports/records.ts';
import { boundedTrace } from './bounded-trace.ts';
import type { FlowJob, FlowResult, LintJob, SimulateJob, TestJob } from './job.ts';
import { withOtherPins } from './other-pins.ts';
import { runWrite } from './red-tests.ts';
import { runDraft } from './run-draft.ts';

/** Findings in one answer; an account with more corrects these first. */
const MAX_FINDINGS = 1000;

export interface JobParts {
  readonly storage: Pick<RecordStorage, 'getRecord' | 'getRecords' | 'listRecords'>;
  readonly snapshots: AccountSnapshots;
}

type MenuReads = Pick<RecordStorage, 'getRecord' | 'getRecords'>;

export function runJob(job: FlowJob, parts: JobParts): Promise<FlowResult> {
  switch (job.kind) {
    case 'simulate':
      return runSimulation(job, parts);
    case 'test':
      return runTests(job, parts);
    case 'lint':
      return runLint(job, parts);
    case 'draft':
      return runDraft(job, parts.snapshots);
    case 'write':
      return runWrite(job, parts.snapshots);
    default:
      return job satisfies never;
  }
}

async function runSimulation(job: SimulateJob, parts: JobParts): Promise<FlowResult> {
  const reading = readScenario(job.scenario);
  if (!reading.ok) return { faults: reading.faults };
  const menu = await menuOf(job, parts);
  if (!menu) return { json: null };
  const scenario = { epochMs: Date.now(), ...reading.scenario, entry: menu.node.ref, maxEvents: MAX_EVENTS };
  const flow = job.hidesPins ? withOtherPins(menu.flow) : menu.flow;
  return { json: JSON.stringify(boundedTrace(simulate(flow, scenario))) };
}

async function runTests(job: TestJob, parts: JobParts): Promise<FlowResult> {
  const menu = await menuOf(job, parts);
  if (!menu) return { json: null };
  const data: object[] = [];
  const isHidden = job.hidesPins ? hidesTrace(menu) : () => false;
  for (const { trace, ...result } of runStoredTests(menu.ivr, menu.node.ref, menu.flow)) {
    const isShown = data.length === job.trace && !isHidden(data.length);
    data.push(isShown ? { ...result, trace: boundedTrace(trace) } : result);
  }
  return { json: JSON.stringify({ data }) };
}

/** A trace has every key that was pressed. */
function hidesTrace({ ivr, flow }: { readonly ivr: Ivr; readonly flow: Flow }): (index: number) => boolean {
  const all: string[] = [];
  for (const node of flow.nodes.values())
    if (node.kind === 'room') all.push(...pinsOf({ pin: node.pin, host_pin: node.hostPin }));
  const pins = pinsIn(all);
  // As runStoredTests() counts them.
  const run = (ivr.tests ?? []).filter((test) => readTestCase(test).ok);
  return (index) => {
    const test = run[index];
    return test !== undefined && typesPin(test, pins);
  };
}

async function menuOf(
  { accountId, settings, id, ivr: given, directoryRevision, changes }: SimulateJob | TestJob,
  { storage: stored, snapshots }: JobParts,
): Promise<{ ivr: Ivr; node: MenuNode; flow: Flow } | null> {
  const storage = inDraft(stored, changes);
  const row = given ? null : await storage.getRecord({ accountId, kind: 'ivr', id });
  const ivr = given ?? (row && readData('ivr', row.json));
  if (!ivr) return null;
  const node = menuNode(id, ivr);
  const directory = await snapshots.directoryFlow(accountId, directoryRevision, settings);
  const base = draftedFlow(directory, changes);
  return { ivr, node, flow: await flowAround(storage, accountId, base, [node]) };
}

/** The draft's records in place of the stored ones. */
function inDraft(storage: JobParts['storage'], changes: readonly DraftChange[]): MenuReads {
  if (changes.length === 0) return storage;
  const getRecords: MenuReads['getRecords'] = async (input) => {
    const drafted = changes.filter(({ kind, id }) => kind === input.kind && input.ids.includes(id));
    const rest = input.ids.filter((id) => drafted.every((change) => change.id !== id));
    const rows = await storage.getRecords({ ...input, ids: rest });
    return [...rows, ...drafted.flatMap(({ id, json }) => (json === null ? [] : rowOf(id, json)))];
  };
  return {
    getRecords,
    getRecord: async ({ id, ...address }) => (await getRecords({ ...address, ids: [id] }))[0] ?? null,
  };
}

const rowOf = (id: string, json: string): StoredRow => ({
  id,
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  json,
});

/** The whole account, with the menus that no call reaches. */
async function runLint(
  { accountId, settings, capabilities, starCodes }: LintJob,
  { snapshots }: JobParts,
): Promise<FlowResult> {
  const snapshot = await snapshots.whole(accountId, settings);
  const flow = changeFlow(snapshot.flow, { settings: { capabilities } });
  const music = settings.music_on_hold && splitReference(settings.music_on_hold).id;
  const findings: Finding[] = [...missingMusic(flow, music)];
  for (const node of flow.nodes.values()) {
    if (findings.length >= MAX_FINDINGS) break;
    findings.push(...lintNode(flow, node));
  }
  if (findings.length < MAX_FINDINGS) {
    const numbers = snapshot.numbers.map(({ data }) => data);
    findings.push(...missingEntries(flow, numbers), ...hiddenStarCodes(numbers, starCodes));
    findings.push(...unreachedMenus(flow, entriesOf(snapshot)));
    const menus = [...snapshot.tested].map(([id, ivr]) => ({ ref: referenceText('ivr', id), ivr }));
    findings.push(...failedTests(menus, snapshot.flow));
  }
  return { json: JSON.stringify({ data: findings.slice(0, MAX_FINDINGS) }) };
}
