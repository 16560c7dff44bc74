// A call without a phone, over HTTP: of a stored menu, of one that is not stored yet, and of the tests it carries. The calls run in
// flow threads.

import { seesPins } from '../../domain/roles.ts';
import type { FlowJob } from '../../flow-jobs/job.ts';
import { optional, wholeNumber } from '../../kinds/field.ts';
import { readKind } from '../../kinds/fields.ts';
import type { Ivr } from '../../kinds/ivr.ts';
import { MAX_TESTS } from '../../kinds/ivr.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { draftChanges } from '../account/in-draft.ts';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { unknownRecord } from '../records/collection.ts';
import { TESTS_QUERY } from './test-gate.ts';

/** A menu that is not stored has no id; no stored one can have this. */
const UNSAVED = '-unsaved-';

export const TRACE_QUERY = {
  trace: optional(wholeNumber(0, MAX_TESTS - 1), null),
} as const;

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly string[];
}

export const simulateIvr: Handler = (request, context) =>
  simulation(request, context, request.params['id'] ?? '', null);

/** The body is a scenario with one member more: `ivr`, the payload of POST /v1/ivr. */
export const simulateUnsaved: Handler = async (request, context) => {
  const { ivr: payload } = request.body.value;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    const faults = new Faults();
    faults.add('/ivr', 'field_missing', 'ivr is missing: the payload of POST /v1/ivr.');
    return faults.toProblem();
  }
  const ivr = readKind('ivr', payload as ApiRequest['body']['value']);
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
  ivr: Ivr | null,
): Promise<ApiResponse | Problem> {
  const { ivr: _, ...scenario } = request.body.value;
  const menu = await menuOf(request, context, id, ivr);
  const hidesPins = !seesPins(request.user?.role ?? null);
  return flowJobResponse(context, { kind: 'simulate', scenario, hidesPins, ...menu });
}

async function menuOf(request: ApiRequest, context: ApiContext, id: string, ivr: Ivr | null) {
  const { account, directoryRevision } = request;
  const { id: accountId, settings } = account;
  const changes = await draftChanges(request, context);
  return { accountId, settings, directoryRevision, id, ivr, changes };
}

/** The JSON that a flow thread has made, or why there is none. */
export async function flowJobResponse(
  { flowJobs }: Pick<ApiContext, 'flowJobs'>,
  job: FlowJob,
): Promise<ApiResponse | Problem> {
  const result = await flowJobs.run(job);
  if ('givenUp' in result) return GIVEN_UP[result.givenUp];
  if ('json' in result)
    return result.json === null ? unknownRecord('ivr') : { status: 200, bytes: result.json };
  const faults = new Faults();
  for (const { pointer, message } of result.faults) faults.add(pointer, 'scenario_malformed', message);
  return faults.toProblem();
}

const GIVEN_UP = {
  late: problem('work_too_large', 'This was given up: it took more time than one request may have.'),
  died: problem('work_too_large', 'This was given up: it took more memory than one request may have.'),
};

/** Without traces, but for the one that is asked for: a trace may be a megabyte. */
export const testIvr: Handler = async (request, context) => {
  const query = readQuery(TRACE_QUERY, request);
  if (isProblem(query)) return query;
  const menu = await menuOf(request, context, request.params['id'] ?? '', null);
  const hidesPins = !seesPins(request.user?.role ?? null);
  return flowJobResponse(context, { kind: 'test', trace: query.trace, hidesPins, ...menu });
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
  if (query.skip_tests === 'true' || (ivr.tests ?? []).length === 0) return null;
  const menu = await menuOf(request, context, id, ivr);
  const response = await flowJobResponse(context, { kind: 'test', trace: null, hidesPins: false, ...menu });
  if (isProblem(response)) return response;
  // What runTests() in flow-jobs/run-job.ts has written.
  const { data } = JSON.parse(String(response.bytes)) as { readonly data: readonly Result[] };
  const failed = data.filter(({ passed }) => !passed);
  if (failed.length === 0) return null;
  const said = failed.slice(0, 3).map(({ name, differences }) => `"${name}" (${differences.join(' ')})`);
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : '';
  return problem(
    'tests_failed',
    `Nothing was stored, since tests fail: ${said.join(', ')}${more}. Store it all the same with ?skip_tests=true.`,
    { details: { Tests: failed } },
  );
}
