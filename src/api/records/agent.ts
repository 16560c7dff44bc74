// Agents: who calls are offered to. Named by their eid, as in menus.
import { newPassword } from '../../credentials.ts';
import { describeAgent } from '../../domain/agent-view.ts';
import { isProblem } from '../../domain/problem.ts';
import { stamps } from '../../domain/record.ts';
import { splitReference } from '../../domain/reference.ts';
import { resolve } from '../../flow/flow.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { matched } from '../http/version.ts';
import { AGENT_FIELDS } from '../schemas/agent.ts';
import { readRecord } from '../schemas/field.ts';
import { type Collection, change, readChecked, refuseIfUsed } from './collection.ts';
import { inWords, type Warning } from './warnings.ts';

const FIRST_EID = 100_001;
const FIRST_INTERCOM = 1001;

export const agents: Collection<'agent'> = {
  kind: 'agent',
  path: '/v1/agent',
  listPath: '/v2/agents',
  key: 'eid',
  async find(request, context, again) {
    const eid = request.params['eid'] ?? '';
    if (!again) return (await request.directory()).agents.get(eid);
    const [revision = 0] = await context.storage.revisions([`directory:${request.account.id}`]);
    const { directory } = await context.snapshots.directory(request.account.id, revision);
    return directory.agents.get(eid);
  },
  /** Numbers that are not sent are empty until the agent is stored; so is the password, which is never sent. */
  read(body) {
    const read = readRecord(AGENT_FIELDS, body);
    if (isProblem(read)) return read;
    const { eid, intercom, ...fields } = read;
    const sip = { realm: '', md5: '', sha256: '' };
    return { ...fields, eid: eid ?? '', intercom: intercom ?? '', custom_status: 0, sip };
  },
  async warnings({ team_id: team, timegroup_id: hours, failover_destination: failover }, request, context) {
    const warnings: Warning[] = [];
    const add = (pointer: string, message: string) =>
      warnings.push({ pointer, code: 'reference_unknown', message });
    if (team !== null && !(await request.directory()).teams.has(String(team)))
      add('/team_id', `There is no team ${team}.`);
    if (hours !== null && !(await request.directory()).timeGroups.has(hours))
      add('/timegroup_id', `There is no time group ${hours}: calls are offered at all times.`);
    if (failover !== null && !(await exists(failover, request, context)))
      add('/failover_destination', `${failover} does not exist.`);
    return warnings;
  },
  async complete(agent, { account }, { storage }) {
    const take = async (name: string, from: number): Promise<string> =>
      String(await storage.takeNumber({ accountId: account.id, kind: 'agent', name, from }));
    const eid = agent.eid || (await take('eid', FIRST_EID));
    const intercom = agent.intercom || (await take('intercom', FIRST_INTERCOM));
    const { password, sip } = newPassword(intercom);
    return {
      data: { ...agent, eid, intercom, sip },
      version: null,
      madeKeys: [...(agent.eid ? [] : ['eid']), ...(agent.intercom ? [] : ['intercom'])],
      shownOnce: { message: 'The SIP password is shown this once.', members: { sip_password: password } },
    };
  },
  created: (id, { eid, intercom }) => ({
    message: `Agent ${eid} created with intercom ${intercom}`,
    key: eid,
    members: { id, eid, intercom },
  }),
  describe: async (record, request) => ({
    ...describeAgent(record, await request.directory(), await request.answered(), await request.menuNames()),
    sip_sha256: record.data.sip_sha256,
    record_calls: record.data.record_calls,
    ...stamps(record),
  }),
  referrers: (eid, { departmentsOf }) =>
    (departmentsOf.get(eid) ?? []).map(({ id, data }) => ({ kind: 'department', id, name: data.name })),
};

/** The specification's deprecated list: all agents, one array. The date is that of its successor's first release. */
export const listAgents: Handler = async (request) => {
  const { bytes, etag } = await request.agentList();
  return matched(request, etag, bytes, {
    deprecation: '@1794700800',
    link: '</v2/agents>; rel="successor-version"',
  });
};

export const putAgent: Handler = async (request, context) => {
  const checked = await readChecked(agents, request, context, '');
  if (isProblem(checked)) return checked;
  const { data: sent, warnings } = checked;
  const former = request.params['eid'] ?? '';
  // Other records point to the eid: a new one is like a deletion to them.
  const isRenamed = sent.eid !== '' && sent.eid !== former;
  const refusal = isRenamed ? await refuseIfUsed(agents, former, request, context) : null;
  if (refusal) return refusal;
  return change(agents, request, context, ({ data }) => {
    const eid = sent.eid || data.eid;
    const intercom = sent.intercom || data.intercom;
    const fresh = intercom === data.intercom ? null : newPassword(intercom);
    const { custom_status } = data;
    const agent = { ...data, ...sent, eid, intercom, custom_status, sip: fresh?.sip ?? data.sip };
    const message = inWords('Agent updated', warnings);
    if (!fresh) return { data: agent, message };
    return {
      data: agent,
      message: `${message} A new intercom number needs a new SIP password; it is shown this once.`,
      members: { sip_password: fresh.password },
    };
  });
};

export const blockAgent: Handler = (request, context) =>
  change(agents, request, context, ({ data }) => ({
    data: { ...data, custom_status: 1 },
    message: `Agent ${data.eid} is blocked: no call is offered.`,
  }));

export const unblockAgent: Handler = (request, context) =>
  change(agents, request, context, ({ data }) => ({
    data: { ...data, custom_status: 0 },
    message: `Agent ${data.eid} is unblocked.`,
  }));

export const renewSipPassword: Handler = (request, context) =>
  change(agents, request, context, ({ data }) => {
    const { password, sip } = newPassword(data.intercom);
    const message = 'New SIP password; it is shown this once, and the former one no longer works.';
    return { data: { ...data, sip }, message, members: { sip_password: password } };
  });

/** Menus are not in the directory: one that is pointed to is looked up. */
export async function exists(reference: string, request: ApiRequest, context: ApiContext): Promise<boolean> {
  const { kind, id } = splitReference(reference);
  if (kind === 'ivr')
    return (await context.storage.getRecord({ accountId: request.account.id, kind, id })) !== null;
  return resolve(await request.flow(), reference) !== null;
}
