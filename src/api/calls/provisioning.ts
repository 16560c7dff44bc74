// Phones that configure themselves: an address for one phone of an agent, which gives out a configuration file once. The file has a new
// SIP password, since no password is stored that could be read; so the address (phone-address.ts) ends with its first use.
import { optional, readRecord, wholeNumber } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { newPassword } from '../../kit/credentials.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { object, string, time } from '../schemas/output.ts';
import { agentOf, openAddress, type PhoneAddress, sealAddress } from './phone-address.ts';
import { kindOfFile, PHONE_KINDS, type PhoneAccount, type PhoneKind } from './phone-files.ts';
import { listenersOf } from './telephony.ts';

const HOUR_MS = 3_600_000;
const PLACE = 'provisioning of a phone';

export const PROVISIONING_FIELDS = { hours: optional(wholeNumber(1, 168, 'hours'), 24) } as const;

export const PROVISIONING_OUTPUT = {
  code: string,
  expires_at: time,
  paths: object({ yealink: string, snom: string, grandstream: string, linphone: string, zoiper: string }),
};

export const createProvisioning: Handler = async (request, context) => {
  const input = readRecord(PROVISIONING_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const agent = (await request.directory()).agents.get(request.params['eid'] ?? '');
  if (!agent) return problem('record_unknown', 'There is no agent with this eid.');
  const expiresMs = request.nowMs + input.hours * HOUR_MS;
  const code = sealAddress(PLACE, agent, expiresMs, request, context);
  await audited(request, context, 'provision', 'agent', agent.id);
  const members = { code, expires_at: new Date(expiresMs).toISOString(), paths: pathsOf(code) };
  return done(200, 'Address made; the first phone that asks gets a new SIP password by it.', { members });
};

function pathsOf(code: string): Record<PhoneKind, string> {
  const folder = `/provisioning/${code}`;
  return {
    yealink: `${folder}/yealink.cfg`,
    snom: `${folder}/snom.xml`,
    // The phone adds the name of its file.
    grandstream: folder,
    linphone: `${folder}/linphone.xml`,
    // The app adds the code to an address that its maker has stored.
    zoiper: `/provisioning/zoiper/${code}`,
  };
}

/** Not 401: phones would ask for a password. */
const UNKNOWN = problem('record_unknown', 'This address was used, has expired, or is wrong.');

/** For everybody who has the address. It works once: the agent's password is another one then. */
export const getPhoneFile: Handler = async (request, context) => {
  const { code = '', file = '' } = request.params;
  const isZoiper = code === 'zoiper';
  const kind = isZoiper ? 'zoiper' : kindOfFile(file);
  // Phones try several names, and take what they find.
  if (kind === null) return problem('path_unknown', 'There is no such file.');
  const sealed = openAddress(PLACE, isZoiper ? file : code, request.nowMs, context);
  const seconds = context.signIns.take(request.address, sealed?.agentId ?? null, performance.now());
  if (seconds > 0) {
    const headers = { 'retry-after': String(seconds) };
    return problem('rate_limited', `There were too many tries; wait ${seconds} s.`, { headers });
  }
  return sealed ? provide(kind, sealed, request, context) : UNKNOWN;
};

async function provide(
  kind: PhoneKind,
  address: PhoneAddress,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  const agent = await agentOf(address, context);
  if (!agent) return UNKNOWN;
  const { id, data, version } = agent;
  const server = await serverOf(request, context);
  if (!server) return problem('telephones_off', 'SIP is off: there is nothing to register at.');
  const { password, sip } = newPassword(data.intercom);
  const file = PHONE_KINDS[kind]({ ...server, user: data.intercom, password, name: data.name });
  const headers = { 'content-type': file.type };
  if (request.isHead) return { status: 200, headers, bytes: '' };
  const by = {
    id: 'provisioning',
    name: `phone of ${data.name}`,
    requestId: request.requestId,
    atMs: request.nowMs,
  };
  const json = JSON.stringify({ ...data, sip });
  const change = {
    accountId: address.accountId,
    kind: 'agent' as const,
    id,
    expectedVersion: version,
    atMs: request.nowMs,
    json,
    by,
  };
  // When two requests come at once, only one gets the password.
  const { outcome } = await context.storage.updateRecord(change);
  return outcome === 'updated' ? { status: 200, headers, bytes: file.text } : UNKNOWN;
}

const WILDCARDS = ['0.0.0.0', '::', '[::]'];
const ORDER = ['udp', 'tcp', 'tls'];
type Server = Pick<PhoneAccount, 'host' | 'port' | 'transport'>;

/** Where the phone registers: where it is said to be reached, or at the address that the phone asked. Null: SIP is off. */
async function serverOf(request: ApiRequest, context: ApiContext): Promise<Server | null> {
  const listeners = listenersOf(await context.callControl()?.report());
  const [first] = [...listeners].sort((a, b) => ORDER.indexOf(a.protocol) - ORDER.indexOf(b.protocol));
  if (!first) return null;
  const asked = hostOf(request.headers.host ?? '');
  const listened = WILDCARDS.includes(first.host) ? asked : first.host;
  const host = (context.advertisedAddress ?? listened).replace(/^\[|\]$/g, '');
  return { host, port: first.port, transport: first.protocol as Server['transport'] };
}

/** Without the port, and without what no host name has. */
const hostOf = (header: string): string =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d+)?$/i.exec(header)?.[1] ?? 'localhost';
