// What agents see of calls, at the desk of the console: their own calls, the earlier ones of a caller, and the messages in their box.
import type { LiveCall } from '../../calls/operator/live-calls.ts';
import { Numbering } from '../../domain/numbering.ts';
import { wordOf } from '../../domain/past-call.ts';
import { optional, text } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { CallSearch } from '../../storage/ports/calls.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { pageOfCalls } from './call-record.ts';
import { getVoicemailAudio, markHeard, pageOfRecordings } from './call-recording.ts';

const CALLER = text({ min: 1, max: 128, description: "the caller's number, in any form" });

export const OWN_CALLS_QUERY = PAGE_QUERY;
export const EARLIER_CALLS_QUERY = { ...PAGE_QUERY, caller: optional(CALLER, null) } as const;

const UNKNOWN = problem('record_unknown', 'There is no agent with this eid.');
const NO_MESSAGE = problem('record_unknown', 'There is no such message in the voicemail box of this agent.');

const eidOf = ({ params }: ApiRequest): string => params['eid'] ?? '';

/** Answered or not answered by the agent, or made from the agent's phones. */
export const listAgentCalls: Handler = async (request, context) => {
  const query = readQuery(OWN_CALLS_QUERY, request);
  if (isProblem(query)) return query;
  const words = await ownWords(request);
  if (words === null) return UNKNOWN;
  return pageOfCalls(
    request,
    context,
    `/v1/agent/${eidOf(request)}/calls`,
    query,
    searchFor(request, [words]),
  );
};

/** Lists only callers who call the agent now, or were in a call with the agent before: an agent cannot look numbers up. */
export const listEarlierCalls: Handler = async (request, context) => {
  const query = readQuery(EARLIER_CALLS_QUERY, request);
  if (isProblem(query)) return query;
  const words = await ownWords(request);
  if (words === null) return UNKNOWN;
  const path = `/v1/agent/${eidOf(request)}/earlier_calls`;
  const forms = formsOf(query.caller, request);
  const callers = forms.map((form) => wordOf('caller', form));
  if (callers.length === 0 || !(await isKnown(request, context, forms, [words, callers])))
    return pageResponse(request, path, { rows: [], limit: 1, describe: () => '', position: () => [] });
  // What colleagues dial is theirs.
  const fromOutside = wordOf('direction', 'inbound');
  return pageOfCalls(request, context, path, query, searchFor(request, [callers, fromOutside]));
};

/** Visitors of web pages and withheld numbers share one name: their calls are not one caller's. */
function formsOf(caller: string | null, { account }: ApiRequest): readonly string[] {
  const numbering = new Numbering(account.settings);
  return caller === null || numbering.canonical(caller) === null ? [] : numbering.forms(caller);
}

async function isKnown(
  request: ApiRequest,
  { callControl, storage }: ApiContext,
  forms: readonly string[],
  words: CallSearch['words'],
): Promise<boolean> {
  const live = await callControl()?.callsOf({ account: request.account.id });
  const eid = eidOf(request);
  const isOwn = ({ agent, ringing }: LiveCall): boolean => agent === eid || ringing?.includes(eid) === true;
  if (live?.calls.some((call) => isOwn(call) && forms.includes(String(call['caller'] ?? '')))) return true;
  const { calls } = await storage.findCalls({ ...searchFor(request, words), limit: 1 });
  return calls.length > 0;
}

/** One of these has every call of the agent. Null: there is no such agent. */
async function ownWords(request: ApiRequest): Promise<readonly string[] | null> {
  const eid = eidOf(request);
  const agent = (await request.directory()).agents.get(eid);
  if (!agent) return null;
  // Not the number that called: another agent may have had it before.
  return [wordOf('agent', eid), wordOf('unanswered_by', eid), wordOf('made_by', eid)];
}

const searchFor = ({ account }: ApiRequest, words: CallSearch['words']) => ({
  accountId: account.id,
  words,
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
});

export const listAgentVoicemails: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const path = `/v1/agent/${eidOf(request)}/voicemails`;
  const found = await boxOf(request);
  if (isProblem(found)) return found;
  const { box } = found;
  if (box === null)
    return pageResponse(request, path, { rows: [], limit: 1, describe: () => '', position: () => [] });
  const filter = { accountId: request.account.id, kind: 'voicemail', box } as const;
  return pageOfRecordings(request, context, path, query, filter);
};

/** Where the agent's unanswered calls go, as lamps of phones have it. Null: to no box. */
async function boxOf(request: ApiRequest): Promise<{ readonly box: string | null } | Problem> {
  const agent = (await request.directory()).agents.get(eidOf(request));
  if (!agent) return UNKNOWN;
  const { kind, id } = splitReference(agent.data.failover_destination ?? '');
  return { box: kind === 'voicemail' ? id : null };
}

const inOwnBox =
  (handler: Handler): Handler =>
  async (request, context) => {
    const found = await boxOf(request);
    if (isProblem(found)) return found;
    const { box } = found;
    const { account, params } = request;
    const address = { accountId: account.id, kind: 'voicemail', id: params['id'] ?? '' } as const;
    const row = box === null ? null : await context.storage.getCallRecording(address);
    return row?.kind === 'voicemail' && row.box === box ? handler(request, context) : NO_MESSAGE;
  };

export const getAgentVoicemailAudio = inOwnBox(getVoicemailAudio);
export const markAgentVoicemailHeard = inOwnBox(markHeard);
