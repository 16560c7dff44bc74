// The linter, the stored tests and simulated calls over an account as it would be after its draft is published.
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { draftedFlow, refsOf } from '../domain/drafted-flow.ts';
import type { DialledNumber } from '../domain/number.ts';
import { referenceText } from '../domain/reference.ts';
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
import type { RecordStorage } from '../storage/ports/records.ts';
import { boundedTrace } from './bounded-trace.ts';
import type { DraftJob, FlowResult } from './job.ts';
import { withOtherPins } from './other-pins.ts';

const MAX_FINDINGS = 1000;
/** Menus whose tests are run, and tests in one answer. */
const MAX_TESTED = 500;
const MAX_TESTS = 1000;
const PAGE = 200;

interface DraftParts {
  readonly storage: Pick<RecordStorage, 'listRecords'>;
  readonly snapshots: AccountSnapshots;
}

export async function runDraft(job: DraftJob, { storage, snapshots }: DraftParts): Promise<FlowResult> {
  const { accountId, settings, capabilities, starCodes, changes } = job;
  const snapshot = await snapshots.whole(accountId, settings);
  const flow = changeFlow(draftedFlow(snapshot.flow, changes), { settings: { capabilities } });
  if (job.call) return runCall(flow, job.call);
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
  const tests = await testsOf(accountId, flow, job, storage);
  return { json: JSON.stringify({ findings: findings.slice(0, MAX_FINDINGS), tests }) };
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

/** Any change may break the test of any menu: all of them are run. */
async function testsOf(
  accountId: string,
  flow: Flow,
  { changes }: DraftJob,
  storage: DraftParts['storage'],
): Promise<object[]> {
  const results: object[] = [];
  const drafted = new Map(changes.filter(({ kind }) => kind === 'ivr').map(({ id, json }) => [id, json]));
  const run = (id: string, json: string): void => {
    const menu = readData('ivr', json);
    if ((menu.tests ?? []).length === 0 || results.length >= MAX_TESTS) return;
    for (const { trace: _, ...result } of runStoredTests(menu, referenceText('ivr', id), flow))
      results.push({ menu: id, menu_name: menu.name, ...result });
  };
  for (const [id, json] of drafted) if (json !== null) run(id, json);
  let looked = 0;
  for (let afterId = ''; looked < MAX_TESTED; ) {
    const rows = await storage.listRecords({ accountId, kind: 'ivr', afterId, limit: PAGE });
    for (const { id, json } of rows) if (!drafted.has(id)) run(id, json);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    afterId = last.id;
    looked += rows.length;
  }
  return results;
}
