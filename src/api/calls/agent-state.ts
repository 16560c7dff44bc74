// What agents do now, and their pauses: read, changed. The star codes of phones do the same.
import type { AgentView } from '../../calls/agents/agent-view.ts';
import type { CallControl } from '../../calls/control/call-control.ts';
import { MAX_REASON, type PresenceChange } from '../../domain/agent-presence.ts';
import { AGENT_STATES } from '../../domain/agent-state.ts';
import { type JsonSchema, oneOf, optional, readRecord, text } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { AGENT_NOW } from '../schemas/live-state.ts';
import { object, string } from '../schemas/output.ts';
import { callControlOf } from './live-call.ts';
import { describeAgent } from './live-rows.ts';

export const PAUSE_FIELDS = { reason: optional(text({ min: 0, max: MAX_REASON }), '') } as const;
export const SIGN_FIELDS = { department: optional(text({ min: 1, max: 64 }), null) } as const;
export const AGENT_STATES_QUERY = { ...PAGE_QUERY, state: optional(oneOf(AGENT_STATES), null) } as const;

export const AGENT_STATE_SCHEMAS: Record<string, JsonSchema> = {
  AgentState: object({
    eid: string,
    name: string,
    ...AGENT_NOW,
  }),
};

const UNKNOWN = problem('record_unknown', 'There is no agent with this eid.');

function describe(view: AgentView, name: string): object {
  return { eid: view.eid, name, ...describeAgent(view) };
}

export const listAgentStates: Handler = async (request, context) => {
  const query = readQuery(AGENT_STATES_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const after = String(place[0] ?? '');
  const { agents } = await request.directory();
  const views = (await context.callControl()?.agentsOf({ account: request.account.id, eids: null })) ?? [];
  const rows = views
    .filter(({ eid, state }) => eid > after && agents.has(eid) && (query.state ?? state) === state)
    .sort((one, other) => (one.eid < other.eid ? -1 : 1));
  return pageResponse(request, '/v1/agent_states', {
    rows,
    limit: query.limit,
    describe: (view) => describe(view, agents.get(view.eid)?.data.name ?? ''),
    position: ({ eid }) => [eid],
  });
};

export const getAgentState: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const eid = request.params['eid'] ?? '';
  const agent = (await request.directory()).agents.get(eid);
  if (!agent) return UNKNOWN;
  const [view] = await control.agentsOf({ account: request.account.id, eids: [eid] });
  return view ? { status: 200, json: describe(view, agent.data.name) } : UNKNOWN;
};

export const pauseAgent: Handler = async (request, context) => {
  const fields = readRecord(PAUSE_FIELDS, request.body.value);
  if (isProblem(fields)) return fields;
  const { reason } = fields;
  const words = reason === '' ? '' : ` (${reason})`;
  return change(request, context, 'pause', { type: 'pause', reason }, `is paused${words}`);
};

export const resumeAgent: Handler = (request, context) =>
  change(request, context, 'resume', { type: 'resume' }, 'is available again');

export const endAgentWrapUp: Handler = (request, context) =>
  act(request, context, 'end_wrap_up', 'is out of wrap-up', (control, eid) =>
    control.endWrapUp({ account: request.account.id, eid }),
  );

export const signInAgent: Handler = (request, context) =>
  sign(request, context, 'sign_in', (departments) => ({ type: 'sign-in', departments }));

export const signOutAgent: Handler = (request, context) =>
  sign(request, context, 'sign_out', (departments) => ({ type: 'sign-out', departments }));

async function sign(
  request: ApiRequest,
  context: ApiContext,
  action: 'sign_in' | 'sign_out',
  changeOf: (departments: readonly string[]) => PresenceChange,
) {
  const fields = readRecord(SIGN_FIELDS, request.body.value);
  if (isProblem(fields)) return fields;
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const departments = await departmentsOf(request, fields.department);
  if (isProblem(departments)) return departments;
  const words = action === 'sign_in' ? 'is signed in to' : 'is signed out of';
  const what = fields.department === null ? 'all departments' : `department ${fields.department}`;
  return change(request, context, action, changeOf(departments), `${words} ${what}`);
}

/** One that the agent is in, or all of them. */
async function departmentsOf(request: ApiRequest, id: string | null): Promise<readonly string[] | Problem> {
  const eid = request.params['eid'] ?? '';
  const { departments } = await request.directory();
  const own = [...departments.values()]
    .filter(({ data }) => data.agents.includes(eid))
    .map((each) => each.id);
  if (id === null) return own;
  return own.includes(id) ? [id] : problem('record_unknown', 'The agent is in no department with this id.');
}

const change = (
  request: ApiRequest,
  context: ApiContext,
  action: string,
  presence: PresenceChange,
  words: string,
) =>
  act(request, context, action, words, (control, eid) =>
    control.changePresence({ account: request.account.id, eid, change: presence }),
  );

async function act(
  request: ApiRequest,
  context: ApiContext,
  action: string,
  words: string,
  work: (control: CallControl, eid: string) => Promise<null>,
) {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const eid = request.params['eid'] ?? '';
  if (!(await request.directory()).agents.has(eid)) return UNKNOWN;
  await work(control, eid);
  await audited(request, context, action, 'agent', eid);
  return done(200, `Agent ${eid} ${words}.`);
}
