// Agents: who calls are offered to. Addressed by eid, as menus do.
import { newPassword } from '../../credentials.ts';
import type { Agent } from '../../domain/agent.ts';
import { describeAgent } from '../../domain/agent-view.ts';
import type { Directory } from '../../domain/directory.ts';
import { newId } from '../../domain/id.ts';
import { isProblem, type Problem, problem } from '../../domain/problem.ts';
import { type StoredRecord, stamps } from '../../domain/record.ts';
import { referenceText, splitReference } from '../../domain/reference.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import { resolve } from '../../flow/flow.ts';
import type { UniqueKey } from '../../storage/ports/records.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { etagOf, expectedVersion, matched, recordResponse, versionChanged } from '../http/version.ts';
import { AGENT_FIELDS } from '../schemas/agent.ts';
import { type RecordOf, readRecord } from '../schemas/field.ts';
import { inWords, refuseIfStrict, type Warning } from './collection.ts';
import { refuseForbiddenNumbers } from './outbound.ts';
import { refuseIfReferenced } from './referrers.ts';

const UNKNOWN = problem('record_unknown', 'There is no agent with this eid.');
const FIRST_EID = 100_001;
const FIRST_INTERCOM = 1001;
const MAX_ATTEMPTS = 5;

type AgentInput = RecordOf<typeof AGENT_FIELDS>;

/** The specification's deprecated list: all agents, one array. The date is that of its successor's first release. */
export const listAgents: Handler = async (request) => {
  const { bytes, etag } = await request.agentList();
  return matched(request, etag, bytes, {
    deprecation: '@1794700800',
    link: '</v2/agents>; rel="successor-version"',
  });
};

export const createAgent: Handler = (request, context) =>
  once('POST /v1/agent', request, context, async (claim) => {
    const input = await readChecked(request, context);
    if (isProblem(input)) return input;
    for (let attempt = 1; ; attempt++) {
      const eid = input.eid ?? String(await takeNumber(request, context, 'eid', FIRST_EID));
      const intercom =
        input.intercom ?? String(await takeNumber(request, context, 'intercom', FIRST_INTERCOM));
      const { password, sip } = newPassword(intercom);
      const agent: Agent = { ...input.fields, eid, intercom, custom_status: 0, sip };
      const id = newId(request.nowMs);
      const made = inWords(`Agent ${eid} created with intercom ${intercom}`, input.warnings);
      const headers = { location: `/v1/agent/${eid}` };
      const idempotency = claim(done(201, made, { headers, members: { id, eid, intercom } }));
      const result = await context.storage.createRecord({
        accountId: request.account.id,
        kind: 'agent',
        id,
        atMs: request.nowMs,
        json: JSON.stringify(agent),
        ...uniqueKeys('agent', id, agent),
        ...(idempotency ? { idempotency } : {}),
      });
      if (result.outcome === 'key_taken') {
        // A number that we made was taken by hand in between: the next one is free.
        const wasMade = result.key.name === 'eid' ? input.eid === null : input.intercom === null;
        if (wasMade && attempt < MAX_ATTEMPTS) continue;
        return keyTaken(result.key);
      }
      const members = { id, eid, intercom, sip_password: password };
      return {
        result,
        response: done(201, `${made} The SIP password is shown this once.`, { headers, members }),
      };
    }
  });

export const getAgent: Handler = async (request) => {
  const directory = await request.directory();
  const record = directory.agents.get(request.params['eid'] ?? '');
  if (!record) return UNKNOWN;
  return recordResponse(request, record.version, {
    ...describeAgent(record, directory, await request.answered(), await request.menuNames()),
    sip_sha256: record.data.sip_sha256,
    record_calls: record.data.record_calls,
    ...stamps(record),
  });
};

export const putAgent: Handler = async (request, context) => {
  const input = await readChecked(request, context);
  if (isProblem(input)) return input;
  const former = request.params['eid'] ?? '';
  // Whatever points to the agent points to the eid: a new one is like a deletion to it.
  const refusal =
    input.eid === null || input.eid === former ? null : await refuseIfUsed(former, request, context);
  if (refusal) return refusal;
  return change(request, context, ({ data }) => {
    const eid = input.eid ?? data.eid;
    const intercom = input.intercom ?? data.intercom;
    const fresh = intercom === data.intercom ? null : newPassword(intercom);
    const agent = { ...data, ...input.fields, eid, intercom, sip: fresh?.sip ?? data.sip };
    const message = inWords('Agent updated', input.warnings);
    if (!fresh) return { agent, message };
    const told = `${message} A new intercom number needs a new SIP password; it is shown this once.`;
    return { agent, message: told, members: { sip_password: fresh.password } };
  });
};

export const blockAgent: Handler = (request, context) =>
  change(request, context, ({ data }) => ({
    agent: { ...data, custom_status: 1 },
    message: `Agent ${data.eid} is blocked: no call is offered.`,
  }));

export const unblockAgent: Handler = (request, context) =>
  change(request, context, ({ data }) => ({
    agent: { ...data, custom_status: 0 },
    message: `Agent ${data.eid} is unblocked.`,
  }));

export const renewSipPassword: Handler = (request, context) =>
  change(request, context, ({ data }) => {
    const { password, sip } = newPassword(data.intercom);
    const message = 'New SIP password; it is shown this once, and the former one no longer works.';
    return { agent: { ...data, sip }, message, members: { sip_password: password } };
  });

export const deleteAgent: Handler = async (request, context) => {
  const expected = expectedVersion(request);
  if (typeof expected === 'object') return expected;
  const directory = await request.directory();
  const record = directory.agents.get(request.params['eid'] ?? '');
  if (!record) return UNKNOWN;
  const refusal = await refuseIfUsed(record.data.eid, request, context);
  if (refusal) return refusal;
  const version = expected === 'any' ? {} : { expectedVersion: expected };
  const result = await context.storage.deleteRecord({
    accountId: request.account.id,
    kind: 'agent',
    id: record.id,
    ...version,
  });
  if (result.outcome === 'unknown') return UNKNOWN;
  return result.outcome === 'deleted' ? done(200, 'Agent deleted.') : versionChanged(result.version);
};

async function refuseIfUsed(eid: string, request: ApiRequest, context: ApiContext): Promise<Problem | null> {
  const { departmentsOf } = await request.directory();
  const members = (departmentsOf.get(eid) ?? []).map(({ id, data }) => ({
    kind: 'department',
    id,
    name: data.name,
  }));
  return refuseIfReferenced(request, context, 'This agent', referenceText('extension', eid), members);
}

interface Change {
  readonly agent: Agent;
  readonly message: string;
  readonly members?: object;
}

/** Reads, changes and stores; again when another request came between, unless If-Match asked for one version. */
async function change(
  request: ApiRequest,
  context: ApiContext,
  make: (record: StoredRecord<Agent>) => Change,
): Promise<ApiResponse | Problem> {
  const expected = expectedVersion(request);
  if (typeof expected === 'object') return expected;
  let directory = await request.directory();
  for (let attempt = 1; ; attempt++) {
    const record = directory.agents.get(request.params['eid'] ?? '');
    if (!record) return UNKNOWN;
    const { agent, message, members = {} } = make(record);
    const result = await context.storage.updateRecord({
      accountId: request.account.id,
      kind: 'agent',
      id: record.id,
      atMs: request.nowMs,
      json: JSON.stringify(agent),
      ...uniqueKeys('agent', record.id, agent),
      expectedVersion: expected === 'any' ? record.version : expected,
    });
    switch (result.outcome) {
      case 'updated':
        return done(200, message, { headers: { etag: etagOf(result.version) }, members });
      case 'unknown':
        return UNKNOWN;
      case 'key_taken':
        return keyTaken(result.key);
      case 'version_changed':
        if (expected !== 'any' || attempt === MAX_ATTEMPTS) return versionChanged(result.version);
        directory = await freshDirectory(request, context);
    }
  }
}

async function freshDirectory(request: ApiRequest, context: ApiContext): Promise<Directory> {
  const [revision = 0] = await context.storage.revisions([`directory:${request.account.id}`]);
  return context.directories.get(request.account.id, revision);
}

interface Checked {
  readonly eid: string | null;
  readonly intercom: string | null;
  readonly fields: Omit<AgentInput, 'eid' | 'intercom'>;
  readonly warnings: readonly Warning[];
}

async function readChecked(request: ApiRequest, context: ApiContext): Promise<Checked | Problem> {
  const input = readRecord(AGENT_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { eid, intercom, ...fields } = input;
  const forbidden = await refuseForbiddenNumbers(fields, request);
  if (forbidden) return forbidden;
  const warnings = await warningsOf(input, request, context);
  return refuseIfStrict(request, warnings) ?? { eid, intercom, fields, warnings };
}

async function warningsOf(
  { team_id: team, timegroup_id: hours, failover_destination: failover }: AgentInput,
  request: ApiRequest,
  context: ApiContext,
): Promise<Warning[]> {
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
}

/** Menus are not in the directory: one that is pointed to is looked up. */
export async function exists(reference: string, request: ApiRequest, context: ApiContext): Promise<boolean> {
  const { kind, id } = splitReference(reference);
  if (kind === 'ivr')
    return (await context.storage.getRecord({ accountId: request.account.id, kind, id })) !== null;
  return resolve(await request.flow(), reference) !== null;
}

function keyTaken({ name, value }: UniqueKey): Problem {
  return problem('key_taken', `Another agent has the ${name} ${value} already.`);
}

function takeNumber(request: ApiRequest, context: ApiContext, name: string, from: number): Promise<number> {
  return context.storage.takeNumber({ accountId: request.account.id, kind: 'agent', name, from });
}
