// One job of a flow thread: a simulated call, the tests of a menu, or the linter over a whole account.
import { entriesOf } from '../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { flowAround } from '../accounts/flow-around.ts';
import { menuNode } from '../domain/compile.ts';
import type { Ivr } from '../domain/ivr.ts';
import { splitReference } from '../domain/reference.ts';
import { readData } from '../domain/row.ts';
import { MAX_EVENTS, runStoredTests } from '../domain/stored-tests.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { Finding } from '../flow/lint/finding.ts';
import { missingEntries, missingMusic } from '../flow/lint/missing.ts';
import { hiddenStarCodes } from '../flow/lint/star-codes.ts';
import { unreachedMenus } from '../flow/lint/unreached.ts';
import { lintNode } from '../flow/lint.ts';
import type { MenuNode } from '../flow/node.ts';
import { simulate } from '../flow/simulate.ts';
import { readScenario } from '../flow/simulation/scenario.ts';
import { type Trace, traceJson } from '../flow/simulation/trace.ts';
import type { RecordStorage } from '../storage/ports/records.ts';
import type { FlowJob, FlowResult, LintJob, SimulateJob, TestJob } from './job.ts';

/** Findings in one answer; an account with more corrects these first. */
const MAX_FINDINGS = 1000;
/** Steps of one trace, as JSON: a department of a thousand agents that rings again and again has long ones. */
const MAX_TRACE_BYTES = 1024 * 1024;

export interface JobParts {
  readonly storage: Pick<RecordStorage, 'getRecord' | 'getRecords'>;
  readonly snapshots: AccountSnapshots;
}

export function runJob(job: FlowJob, parts: JobParts): Promise<FlowResult> {
  switch (job.kind) {
    case 'simulate':
      return runSimulation(job, parts);
    case 'test':
      return runTests(job, parts);
    case 'lint':
      return runLint(job, parts);
    default:
      return job satisfies never;
  }
}

async function runSimulation(job: SimulateJob, parts: JobParts): Promise<FlowResult> {
  const reading = readScenario(job.scenario);
  if (!reading.ok) return { faults: reading.faults };
  const menu = await menuOf(job, parts);
  if (!menu) return { json: null };
  const scenario = { ...reading.scenario, entry: menu.node.ref, maxEvents: MAX_EVENTS };
  return { json: JSON.stringify(boundedTrace(simulate(menu.flow, scenario))) };
}

async function runTests(job: TestJob, parts: JobParts): Promise<FlowResult> {
  const menu = await menuOf(job, parts);
  if (!menu) return { json: null };
  const data: object[] = [];
  for (const { trace, ...result } of runStoredTests(menu.ivr, menu.node.ref, menu.flow))
    data.push(data.length === job.trace ? { ...result, trace: boundedTrace(trace) } : result);
  return { json: JSON.stringify({ data }) };
}

async function menuOf(
  { accountId, settings, id, ivr: given, directoryRevision }: SimulateJob | TestJob,
  { storage, snapshots }: JobParts,
): Promise<{ ivr: Ivr; node: MenuNode; flow: Flow } | null> {
  const row = given ? null : await storage.getRecord({ accountId, kind: 'ivr', id });
  const ivr = given ?? (row && readData('ivr', row.json));
  if (!ivr) return null;
  const node = menuNode(id, ivr);
  const base = await snapshots.directoryFlow(accountId, directoryRevision, settings);
  return { ivr, node, flow: await flowAround(storage, accountId, base, [node]) };
}

function boundedTrace(trace: Trace): object {
  const { steps, ...rest } = traceJson(trace);
  let bytes = 0;
  const over = steps.findIndex((step) => {
    bytes += JSON.stringify(step).length;
    return bytes > MAX_TRACE_BYTES;
  });
  return over < 0
    ? { ...rest, steps }
    : { ...rest, steps: steps.slice(0, over), steps_left_out: steps.length - over };
}

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
  }
  return { json: JSON.stringify({ data: findings.slice(0, MAX_FINDINGS) }) };
}
