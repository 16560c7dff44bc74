// Agents: who calls are offered to. Addressed by eid, as menus do.
import { createHash, randomInt } from 'node:crypto';
import { type Agent, describeAgent, type SipDigests } from '../../domain/agent.ts';
import type { Directory } from '../../domain/directory.ts';
import { newId } from '../../domain/id.ts';
import { isProblem, type Problem, problem } from '../../domain/problem.ts';
import { type StoredRecord, stamps } from '../../domain/record.ts';
import { referenceText, splitReference } from '../../domain/reference.ts';
import { sipDigests } from '../../domain/sip-password.ts';
import { resolve } from '../../flow/flow.ts';
import type { UniqueKey } from '../../storage/storage.ts';
import { type Answer, type App, type Ask, done, type Handler } from '../http/answer.ts';
import { once } from '../http/idempotency.ts';
import { etagOf, expectedVersion, matched, recordAnswer, versionChanged } from '../http/version.ts';
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
export const listAgents: Handler = async (ask) => {
  const { bytes, etag } = await ask.agentList();
  return matched(ask, etag, bytes, {
    deprecation: '@1794700800',
    link: '</v2/agents>; rel="successor-version"',
  });
};

export const createAgent: Handler = (ask, app) =>
  once('POST /v1/agent', ask, app, async (claim) => {
    const input = await readChecked(ask, app);
    if (isProblem(input)) return input;
    for (let attempt = 1; ; attempt++) {
      const eid = input.eid ?? String(await takeNumber(ask, app, 'eid', FIRST_EID));
      const intercom = input.intercom ?? String(await takeNumber(ask, app, 'intercom', FIRST_INTERCOM));
      const { password, sip } = newPassword(intercom);
      const agent: Agent = { ...input.fields, eid, intercom, custom_status: 0, sip };
      const id = newId(ask.nowMs);
      const made = inWords(`Agent ${eid} created with intercom ${intercom}`, input.warnings);
      const headers = { location: `/v1/agent/${eid}` };
      const idempotency = claim(done(201, made, { headers, members: { id, eid, intercom } }));
      const result = await app.storage.createRecord({
        accountId: ask.account.id,
        kind: 'agent',
        id,
        atMs: ask.nowMs,
        json: JSON.stringify(agent),
        keys: keysOf(agent),
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
        answer: done(201, `${made} The SIP password is shown this once.`, { headers, members }),
      };
    }
  });

export const getAgent: Handler = async (ask) => {
  const directory = await ask.directory();
  const record = directory.agents.get(ask.params['eid'] ?? '');
  if (!record) return UNKNOWN;
  return recordAnswer(ask, record.version, {
    ...describeAgent(record, directory, await ask.answered(), await ask.menuNames()),
    sip_sha256: record.data.sip_sha256 ?? false,
    record_calls: record.data.record_calls ?? false,
    ...stamps(record),
  });
};

export const putAgent: Handler = async (ask, app) => {
  const input = await readChecked(ask, app);
  if (isProblem(input)) return input;
  const former = ask.params['eid'] ?? '';
  // Whatever points to the agent points to the eid: a new one is like a deletion to it.
  const refusal = input.eid === null || input.eid === former ? null : await refuseIfUsed(former, ask, app);
  if (refusal) return refusal;
  return change(ask, app, ({ data }) => {
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

export const blockAgent: Handler = (ask, app) =>
  change(ask, app, ({ data }) => ({
    agent: { ...data, custom_status: 1 },
    message: `Agent ${data.eid} is blocked: no call is offered.`,
  }));

export const unblockAgent: Handler = (ask, app) =>
  change(ask, app, ({ data }) => ({
    agent: { ...data, custom_status: 0 },
    message: `Agent ${data.eid} is unblocked.`,
  }));

export const renewSipPassword: Handler = (ask, app) =>
  change(ask, app, ({ data }) => {
    const { password, sip } = newPassword(data.intercom);
    const message = 'New SIP password; it is shown this once, and the former one no longer works.';
    return { agent: { ...data, sip }, message, members: { sip_password: password } };
  });

export const deleteAgent: Handler = async (ask, app) => {
  const expected = expectedVersion(ask);
  if (typeof expected === 'object') return expected;
  const directory = await ask.directory();
  const record = directory.agents.get(ask.params['eid'] ?? '');
  if (!record) return UNKNOWN;
  const refusal = await refuseIfUsed(record.data.eid, ask, app);
  if (refusal) return refusal;
  const version = expected === 'any' ? {} : { expectedVersion: expected };
  const result = await app.storage.deleteRecord({
    accountId: ask.account.id,
    kind: 'agent',
    id: record.id,
    ...version,
  });
  if (result.outcome === 'unknown') return UNKNOWN;
  return result.outcome === 'deleted' ? done(200, 'Agent deleted.') : versionChanged(result.version);
};

async function refuseIfUsed(eid: string, ask: Ask, app: App): Promise<Problem | null> {
  const { departmentsOf } = await ask.directory();
  const members = (departmentsOf.get(eid) ?? []).map(({ id, data }) => ({
    kind: 'department',
    id,
    name: data.name,
  }));
  return refuseIfReferenced(ask, app, 'This agent', referenceText('extension', eid), members);
}

interface Change {
  readonly agent: Agent;
  readonly message: string;
  readonly members?: object;
}

/** Reads, changes and stores; again when another request came between, unless If-Match asked for one version. */
async function change(
  ask: Ask,
  app: App,
  make: (record: StoredRecord<Agent>) => Change,
): Promise<Answer | Problem> {
  const expected = expectedVersion(ask);
  if (typeof expected === 'object') return expected;
  let directory = await ask.directory();
  for (let attempt = 1; ; attempt++) {
    const record = directory.agents.get(ask.params['eid'] ?? '');
    if (!record) return UNKNOWN;
    const { agent, message, members = {} } = make(record);
    const result = await app.storage.updateRecord({
      accountId: ask.account.id,
      kind: 'agent',
      id: record.id,
      atMs: ask.nowMs,
      json: JSON.stringify(agent),
      keys: keysOf(agent),
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
        directory = await freshDirectory(ask, app);
    }
  }
}

async function freshDirectory(ask: Ask, app: App): Promise<Directory> {
  const [revision = 0] = await app.storage.revisions([`directory:${ask.account.id}`]);
  return app.directories.get(ask.account.id, revision);
}

interface Checked {
  readonly eid: string | null;
  readonly intercom: string | null;
  readonly fields: Omit<AgentInput, 'eid' | 'intercom'>;
  readonly warnings: readonly Warning[];
}

async function readChecked(ask: Ask, app: App): Promise<Checked | Problem> {
  const input = readRecord(AGENT_FIELDS, ask.body.value);
  if (isProblem(input)) return input;
  const { eid, intercom, ...fields } = input;
  const forbidden = await refuseForbiddenNumbers(fields, ask);
  if (forbidden) return forbidden;
  const warnings = await warningsOf(input, ask, app);
  return refuseIfStrict(ask, warnings) ?? { eid, intercom, fields, warnings };
}

async function warningsOf(
  { team_id: team, timegroup_id: hours, failover_destination: failover }: AgentInput,
  ask: Ask,
  app: App,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  const add = (pointer: string, message: string) =>
    warnings.push({ pointer, code: 'reference_unknown', message });
  if (team !== null && !(await ask.directory()).teams.has(String(team)))
    add('/team_id', `There is no team ${team}.`);
  if (hours !== null && !(await ask.directory()).timeGroups.has(hours))
    add('/timegroup_id', `There is no time group ${hours}: calls are offered at all times.`);
  if (failover !== null && !(await exists(failover, ask, app)))
    add('/failover_destination', `${failover} does not exist.`);
  return warnings;
}

/** Menus are not in the directory: one that is pointed to is looked up. */
export async function exists(reference: string, ask: Ask, app: App): Promise<boolean> {
  const { kind, id } = splitReference(reference);
  if (kind === 'ivr') return (await app.storage.getRecord({ accountId: ask.account.id, kind, id })) !== null;
  return resolve(await ask.flow(), reference) !== null;
}

const keysOf = ({ eid, intercom }: Agent): UniqueKey[] => [
  { name: 'eid', value: eid },
  { name: 'intercom', value: intercom },
];

function keyTaken({ name, value }: UniqueKey): Problem {
  return problem('key_taken', `Another agent has the ${name} ${value} already.`);
}

function takeNumber(ask: Ask, app: App, name: string, from: number): Promise<number> {
  return app.storage.takeNumber({ accountId: ask.account.id, kind: 'agent', name, from });
}

/** Without letters and digits that look alike: people type it into phones. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function newPassword(intercom: string): { password: string; sip: SipDigests } {
  const password = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
  return { password, sip: sipDigests(intercom, password, hash) };
}
