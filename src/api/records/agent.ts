// Agents: who calls are offered to. Named by their eid, as in menus.

import { describeAgent } from '../../domain/agent-view.ts';
import type { Directory } from '../../domain/directory.ts';
import { readRow } from '../../domain/row.ts';
import type { Department } from '../../kinds/department.ts';
import { readRecord } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { isProblem } from '../../kinds/problem.ts';
import { type StoredRecord, stamps } from '../../kinds/record.ts';
import { newPassword } from '../../kit/credentials.ts';
import { existsPublished } from '../account/in-draft.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { matched } from '../http/version.ts';
import { addressOf, type Collection, change, readChecked } from './collection.ts';
import { refuseIfUsed } from './deletion.ts';
import type { ShownReferrer } from './referrers.ts';
import { inWords, type Warning } from './warnings.ts';

const FIRST_EID = 100_001;
const FIRST_INTERCOM = 1001;

export const agents: Collection<'agent'> = {
  kind: 'agent',
  key: 'eid',
  async find(request, context, again) {
    const eid = request.params['eid'] ?? '';
    const directory = again ? await presentDirectory(request, context) : await request.directory();
    return directory.agents.get(eid);
  },
  /** Numbers that are not sent are empty until the agent is stored; so is the password, which is never sent. */
  read(body) {
    const read = readRecord(FIELDS.agent, body);
    if (isProblem(read)) return read;
    const { eid, intercom, ...fields } = read;
    const sip = { realm: '', md5: '', sha256: '' };
    return { ...fields, eid: eid ?? '', intercom: intercom ?? '', custom_status: 0, sip };
  },
  async warnings(agent, request, context) {
    const { team_id: team, timegroup_id: hours } = agent;
    const warnings: Warning[] = [];
    const add = (pointer: string, message: string) =>
      warnings.push({ pointer, code: 'reference_unknown', message });
    if (team !== null && !(await request.directory()).teams.has(String(team)))
      add('/team_id', `There is no team ${team}.`);
    if (hours !== null && !(await request.directory()).timeGroups.has(hours))
      add('/timegroup_id', `There is no time group ${hours}: calls are offered at all times.`);
    for (const name of DESTINATIONS) {
      const to = agent[name];
      if (to !== null && !(await existsPublished(to, request, context)))
        add(`/${name}`, `${to} does not exist.`);
    }
    return warnings;
  },
  async complete(agent, request, { storage }) {
    const { account } = request;
    const take = async (name: string, from: number): Promise<string> =>
      String(await storage.takeNumber({ accountId: account.id, kind: 'agent', name, from }));
    const eid =
      agent.eid || (await unlisted((await request.directory()).departmentsOf, () => take('eid', FIRST_EID)));
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
    do_not_disturb: record.data.do_not_disturb,
    forward_always: record.data.forward_always,
    forward_busy: record.data.forward_busy,
    forward_no_answer: record.data.forward_no_answer,
    after_call_destination: record.data.after_call_destination,
    call_waiting: record.data.call_waiting,
    ...stamps(record),
  }),
  referrers: (eid, { departmentsOf }) =>
    (departmentsOf.get(eid) ?? []).map(({ id, data }) => ({ kind: 'department', id, name: data.name })),
  leaveLists: leaveDepartments,
};

const DESTINATIONS = [
  'failover_destination',
  'forward_always',
  'forward_busy',
  'forward_no_answer',
  'after_call_destination',
] as const;

/** As it is now, not as it was when the request arrived. */
async function presentDirectory({ account }: ApiRequest, context: ApiContext): Promise<Directory> {
  const [revision = 0] = await context.storage.revisions([`directory:${account.id}`]);
  return (await context.snapshots.directory(account.id, revision)).directory;
}

const MAX_PASSED = 100;

/** The next eid that no department lists: it would get that department's calls. */
async function unlisted(listed: ReadonlyMap<string, unknown>, take: () => Promise<string>): Promise<string> {
  let eid = await take();
  for (let passed = 0; listed.has(eid) && passed < MAX_PASSED; passed++) eid = await take();
  return eid;
}

/** Departments that are changed at once. */
const TOGETHER = 20;
/** Departments that are saved with the agent meanwhile are found by the next round. */
const MAX_ROUNDS = 5;

async function leaveDepartments(
  eid: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<ShownReferrer[]> {
  const left = new Map<string, ShownReferrer>();
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const departments = (await presentDirectory(request, context)).departmentsOf.get(eid) ?? [];
    if (departments.length === 0) break;
    for (const one of await leaveAll(departments, eid, request, context)) left.set(one.id, one);
  }
  return [...left.values()];
}

async function leaveAll(
  departments: readonly StoredRecord<Department>[],
  eid: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<ShownReferrer[]> {
  const left: ShownReferrer[] = [];
  for (let from = 0; from < departments.length; from += TOGETHER) {
    const batch = departments.slice(from, from + TOGETHER);
    await Promise.all(
      batch.map(async ({ id, data: { name } }) => {
        if (await leaveDepartment(eid, id, request, context)) left.push({ kind: 'department', id, name });
      }),
    );
  }
  return left;
}

/** As it is now: another request may have changed it meanwhile, then once more. */
async function leaveDepartment(
  eid: string,
  id: string,
  request: ApiRequest,
  { storage }: ApiContext,
): Promise<boolean> {
  const address = addressOf('department', request, id);
  for (let attempt = 1; attempt <= 5; attempt++) {
    const row = await storage.getRecord(address);
    const data = row && readRow('department', row).data;
    if (!row || !data?.agents.includes(eid)) return false;
    const json = JSON.stringify({ ...data, agents: data.agents.filter((one) => one !== eid) });
    const change = { ...address, expectedVersion: row.version, atMs: request.nowMs, json };
    if ((await storage.updateRecord(change)).outcome === 'updated') return true;
  }
  return false;
}

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
      shownOnce: { sip_password: fresh.password },
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
    return { data: { ...data, sip }, message, shownOnce: { sip_password: password } };
  });
