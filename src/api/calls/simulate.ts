// A call without a phone, over HTTP: of a stored menu, of one that is not stored yet, and of the tests it carries.
import { flowAround } from '../../accounts/flow-around.ts';
import { menuNode } from '../../domain/compile.ts';
import type { Ivr } from '../../domain/ivr.ts';
import { Faults, isProblem, type Problem, problem } from '../../domain/problem.ts';
import { readData } from '../../domain/row.ts';
import { readTestCase, runTestCase, type TestResult } from '../../flow/expect.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import { simulate } from '../../flow/simulate.ts';
import { readScenario, type Scenario } from '../../flow/simulation/scenario.ts';
import { traceJson } from '../../flow/simulation/trace.ts';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';
import { oneOf, optional } from '../schemas/field.ts';
import { readIvr } from '../schemas/ivr.ts';

/** Some two milliseconds of this thread; a call with more events than that has lost its way. */
const MAX_EVENTS = 2000;
/** A menu that is not stored has no id; no stored one can have this. */
const UNSAVED = '-unsaved-';

export const TESTS_QUERY = {
  skip_tests: optional(oneOf(['true', 'false'], 'store it even if its tests fail'), 'false'),
} as const;

export const simulateIvr: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('ivr', request));
  return row ? simulation(request, context, row.id, readData('ivr', row.json)) : unknownRecord('ivr');
};

/** The body is a scenario with one member more: `ivr`, the payload of POST /v1/ivr. */
export const simulateUnsaved: Handler = async (request, context) => {
  const { ivr: payload } = request.body.value;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    const faults = new Faults();
    faults.add('/ivr', 'field_missing', 'ivr is missing: the payload of POST /v1/ivr.');
    return faults.toProblem();
  }
  const ivr = readIvr(payload as ApiRequest['body']['value']);
  if (isProblem(ivr))
    return {
      ...ivr,
      faults: ivr.faults?.map((fault) => ({ ...fault, pointer: `/ivr${fault.pointer}` })) ?? [],
    };
  return simulation(request, context, UNSAVED, ivr);
};

async function simulation(
  request: ApiRequest,
  context: ApiContext,
  id: string,
  ivr: Ivr,
): Promise<ApiResponse | Problem> {
  const scenario = scenarioOf(request.body.value);
  if (isProblem(scenario)) return scenario;
  const flow = await flowOf(request, context, id, ivr);
  const trace = simulate(flow, { ...scenario, entry: menuNode(id, ivr).ref, maxEvents: MAX_EVENTS });
  return { status: 200, json: traceJson(trace) };
}

function scenarioOf(body: unknown): Omit<Scenario, 'entry'> | Problem {
  const reading = readScenario(body);
  if (reading.ok) return reading.scenario;
  const faults = new Faults();
  for (const { pointer, message } of reading.faults) faults.add(pointer, 'scenario_malformed', message);
  return faults.toProblem();
}

async function flowOf(request: ApiRequest, context: ApiContext, id: string, ivr: Ivr): Promise<Flow> {
  return flowAround(context.storage, request.account.id, await request.flow(), [menuNode(id, ivr)]);
}

async function runTests(
  ivr: Ivr,
  id: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<TestResult[]> {
  if ((ivr.tests ?? []).length === 0) return [];
  return storedTestResults(ivr, menuNode(id, ivr).ref, await flowOf(request, context, id, ivr));
}

/** The menu's own tests, with the bounds that a request has: they pass here and on the command line, or in neither. */
export function storedTestResults(ivr: Ivr, ref: Ref, flow: Flow): TestResult[] {
  // Menus stored before there were tests have none.
  return (ivr.tests ?? []).flatMap((stored) => {
    const reading = readTestCase(stored);
    if (!reading.ok) return [];
    const { scenario } = reading.test;
    return [runTestCase(flow, ref, { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } })];
  });
}

export const resultJson = ({ name, passed, differences, trace }: TestResult) => ({
  name,
  passed,
  differences,
  trace: traceJson(trace),
});

export const testIvr: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('ivr', request));
  if (!row) return unknownRecord('ivr');
  const results = await runTests(readData('ivr', row.json), row.id, request, context);
  return { status: 200, json: { data: results.map(resultJson) } };
};

/** Null when all tests pass or are to be skipped. */
export async function refuseIfTestsFail(
  ivr: Ivr,
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<Problem | null> {
  const query = readQuery(TESTS_QUERY, request);
  if (isProblem(query)) return query;
  if (query.skip_tests === 'true') return null;
  const failed = (await runTests(ivr, id, request, context)).filter(({ passed }) => !passed);
  if (failed.length === 0) return null;
  const said = failed.slice(0, 3).map(({ name, differences }) => `"${name}" (${differences.join(' ')})`);
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : '';
  return problem(
    'tests_failed',
    `Nothing was stored, since tests fail: ${said.join(', ')}${more}. Store it all the same with ?skip_tests=true.`,
    {
      details: { Tests: failed.map(resultJson) },
    },
  );
}
