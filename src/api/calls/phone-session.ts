// POST /v1/phone_session, and what call buttons make: a phone session with its secret, shown once.
import {
  type CallButton,
  dialFor,
  GUEST_MS,
  type PhoneGrant,
  publicKey,
  shownName,
  shownPage,
  splitPublicKey,
} from '../../domain/phone-session.ts';
import { SIP_REALM } from '../../domain/sip-password.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { isOwnOrigin, SIP_PATH } from '../http/sip-websocket.ts';
import { BUTTON_SESSION_FIELDS, PHONE_SESSION_FIELDS } from '../schemas/phone-session.ts';
import { callControlOf } from './live-call.ts';
import type { ListedSession, PhoneSessions } from './phone-sessions.ts';
import { iceServersFor } from './turn-credentials.ts';

type Made = ReturnType<PhoneSessions['make']>;

export const createPhoneSession: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const fields = readRecord(PHONE_SESSION_FIELDS, request.body.value);
  if (isProblem(fields)) return fields;
  const { agent, to } = fields;
  if ((agent === null) === (to === null)) return oneOfTwo();
  const grant = agent === null ? guestGrant(to ?? '', '', '') : await agentGrant(agent, request);
  if (isProblem(grant)) return grant;
  const by = { kind: 'token', id: request.token.id } as const;
  const made = context.phoneSessions.make(request.account.id, by, grant, request.nowMs);
  await audited(request, context, 'create', 'phone_session', made.session.id);
  return shown(made, context);
};

export const listPhoneSessions: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const after = String(place[0] ?? '');
  const all = context.phoneSessions.listOf(request.account.id, request.nowMs);
  return pageResponse(request, '/v1/phone_sessions', {
    rows: all.filter(({ session }) => session.id > after),
    limit: query.limit,
    describe: listed,
    position: ({ session }) => [session.id],
  });
};

export const deletePhoneSession: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const { phoneSessions } = context;
  const id = request.params['id'] ?? '';
  if (!phoneSessions.end(request.account.id, id, request.nowMs))
    return problem('record_unknown', 'There is no phone session with this id at this node.');
  await audited(request, context, 'delete', 'phone_session', id);
  return done(200, 'The phone session is over.');
};

/** Open: for visitors of pages that the key is for. */
export const createButtonSession: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const asking = await askingPage(request, context);
  if (isProblem(asking)) return asking;
  const { button, accountId, origin, cors } = asking;
  const inCors = (failure: Problem): Problem => ({ ...failure, headers: { ...failure.headers, ...cors } });
  const seconds = context.buttonLimits.take(request.address, keyOf(request), performance.now());
  if (seconds > 0) return inCors(tooOften(seconds));
  const fields = readRecord(BUTTON_SESSION_FIELDS, request.body.value);
  if (isProblem(fields)) return inCors(fields);
  const { name, page } = fields;
  const grant = guestGrant(button.to, shownName(name), shownPage(page));
  const by = { kind: 'button', key: button.key, origin } as const;
  const response = shown(context.phoneSessions.make(accountId, by, grant, request.nowMs), context);
  return { ...response, headers: { ...response.headers, ...cors } };
};

type FromPage = Pick<ApiRequest, 'params' | 'headers' | 'address'>;

const keyOf = ({ params }: Pick<ApiRequest, 'params'>): string => params['key'] ?? '';

interface AskingPage {
  readonly accountId: string;
  readonly button: CallButton;
  /** Null for a page of our own. */
  readonly origin: string | null;
  /** What lets it read the answer. */
  readonly cors: Readonly<Record<string, string>>;
}

/** A page that the button is for: also before the browser sends what the page wants (a preflight). */
export async function askingPage(request: FromPage, context: ApiContext): Promise<AskingPage | Problem> {
  // First, and whatever the key: anybody may ask, and what follows reads revisions.
  const seconds = context.buttonLimits.takeRequest(request.address, performance.now());
  if (seconds > 0) {
    const headers = pageNow(request, context)?.cors ?? {};
    const failure = tooOften(seconds);
    return { ...failure, headers: { ...failure.headers, ...headers } };
  }
  await context.access.refresh();
  return pageNow(request, context) ?? ORIGIN_REFUSED;
}

/** As of the last refresh. Null: any other page, and a key that does not exist. */
function pageNow({ params, headers }: FromPage, { phoneSessions, publicUrl }: ApiContext): AskingPage | null {
  const { origin, host } = headers;
  const { accountId, key } = splitPublicKey(keyOf({ params }));
  const button = phoneSessions.buttonOf(accountId, key);
  if (!button || origin === undefined) return null;
  const isListed = button.origins.includes(origin.toLowerCase());
  if (!isListed && !isOwnOrigin(origin, host, publicUrl)) return null;
  const cors = { 'access-control-allow-origin': origin, vary: 'Origin' };
  return { accountId, button, origin: isListed ? origin.toLowerCase() : null, cors };
}

async function agentGrant(eid: string, request: ApiRequest): Promise<PhoneGrant | Problem> {
  const agent = (await request.directory()).agents.get(eid);
  if (!agent) return problem('record_unknown', 'There is no agent with this eid.');
  return { kind: 'agent', eid, caller: agent.data.intercom };
}

const guestGrant = (to: string, name: string, page: string): PhoneGrant => ({
  kind: 'guest',
  to,
  dial: dialFor(to),
  name,
  page,
});

const mayOf = ({ kind }: PhoneGrant): readonly string[] =>
  kind === 'agent' ? ['register', 'call'] : ['call_destination'];

function shown({ session, secret, sealed }: Made, { iceServers }: ApiContext): ApiResponse {
  const { id, accountId, user, grant, createdAtMs, expiresAtMs } = session;
  // A visitor's relay lasts no longer than the visitor may.
  const forMs = grant.kind === 'guest' ? GUEST_MS : undefined;
  const { servers } = iceServersFor(iceServers, accountId, createdAtMs, forMs);
  return done(201, 'The phone session is made; connect within five minutes.', {
    members: {
      id,
      username: user,
      password: secret,
      realm: SIP_REALM,
      path: `${SIP_PATH}?session=${sealed}`,
      dial: grant.kind === 'guest' ? grant.dial : null,
      may: mayOf(grant),
      ice_servers: servers,
      expires_at: new Date(expiresAtMs).toISOString(),
    },
  });
}

function listed({ session, connections }: ListedSession): object {
  const { id, accountId, by, grant, createdAtMs, expiresAtMs } = session;
  return {
    id,
    agent: grant.kind === 'agent' ? grant.eid : null,
    to: grant.kind === 'guest' ? grant.to : null,
    button: by.kind === 'button' ? publicKey(accountId, by.key) : null,
    may: mayOf(grant),
    connections,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}

function oneOfTwo(): Problem {
  const faults = new Faults();
  faults.add('/agent', 'field_missing', 'Name either agent or to: who the phone is, or what it may call.');
  return faults.toProblem();
}

const ORIGIN_REFUSED = problem(
  'origin_refused',
  'There is no call button with this key for pages of this origin.',
);

function tooOften(seconds: number): Problem {
  return problem('rate_limited', `There were too many calls from this page; wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
