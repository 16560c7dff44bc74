// Signing in by an OpenID Connect provider: authorization code with PKCE, state and nonce. What waits for the answer is sealed in a
// cookie of the browser that began it, so that an answer works in that browser alone, and on any node. Only users whom somebody has
// invited sign in, by the e-mail address that the provider has verified. The answer comes by a navigation from another site, with which
// the browser sends no session cookie: so the session is begun by a page of ours, which asks for it at once.

import { emailOf, type ProviderIdentity, type User } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, problem } from '../../kinds/problem.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, type Handler, header } from '../http/handler.ts';
import { isForeign, refused } from '../http/session-cookie.ts';
import { USER_LINK_FIELDS } from '../schemas/user.ts';
import { startUserSession } from './browser-session.ts';
import { candidatesFor, chosenBy } from './candidates.ts';
import { type OidcProvider, openidClient } from './oidc-provider.ts';
import { tooOften } from './too-often.ts';
import { OIDC_FINISHED_MS, OIDC_PENDING_MS } from './used-challenges.ts';
import { linked } from './user-links.ts';

const COOKIE = 'dialtree_oidc';
const PLACE = 'oidc sign-in';
const FINISHED_PLACE = 'oidc sign-in finished';
const CALLBACK = '/v1/session/oidc/callback';
const MAX_SUBJECT = 255;

const FOREIGN = refused('It comes from a page of another site.');
const OFF = problem('path_unknown', 'There is no OpenID Connect provider: OIDC_ISSUER is not set.');

/** Sealed in the same cookie when the provider has answered. */
interface Finished {
  readonly accountId: string;
  readonly userId: string;
  readonly identity: ProviderIdentity;
  /** It makes one session. */
  readonly once: string;
  readonly untilMs: number;
}

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly origin: string;
  /** Whose link the browser has; null: none. */
  readonly invitation: Pick<User, 'accountId' | 'id'> | null;
  readonly untilMs: number;
}

/** Where the browser sees us: PUBLIC_URL, else the host that it asked. The provider compares it with what is registered there. */
function ownAddress(request: ApiRequest, { publicUrl }: ApiContext): string {
  if (publicUrl !== null) return publicUrl;
  const host = header(request, 'host') ?? '';
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `http://${host}` : 'http://localhost';
}

function cookieFor(value: string, origin: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  // Lax: the browser comes back from another site.
  return `${COOKIE}=${value}; Path=/v1/session/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function cookieOf(cookie: string | undefined): string | null {
  if (cookie === undefined || cookie.length > 8192) return null;
  const part = cookie.split(';').find((each) => each.trim().startsWith(`${COOKIE}=`));
  return part?.trim().slice(COOKIE.length + 1) ?? null;
}

/** Back to the console, with what happened behind the #. Never to an address of the request: there is no open redirect. */
const backTo = (
  origin: string,
  outcome: 'finished' | 'failed' | 'unverified' | 'refused' | 'several',
  cookie: string,
): ApiResponse => ({
  status: 303,
  headers: { location: `${origin}/#/sign-in?oidc=${outcome}`, 'set-cookie': cookie },
  bytes: '',
});

export const beginOidc: Handler = async (request, context) => {
  if (!context.oidc) return OFF;
  const seconds = context.signIns.take(request.address, null, performance.now());
  if (seconds > 0) return tooOften(seconds);
  const origin = ownAddress(request, context);
  const begun = await begin(request, context, context.oidc, null);
  if (!begun) return backTo(origin, 'failed', cookieFor('', origin, 0));
  return { status: 303, headers: { location: begun.url, 'set-cookie': begun.cookie }, bytes: '' };
};

/** With the link of an invitation, which stays out of addresses: the page goes to the `url` of the answer. */
export const beginOidcByLink: Handler = async (request, context) => {
  if (isForeign(request.headers)) return FOREIGN;
  if (!context.oidc) return OFF;
  const input = readRecord(USER_LINK_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const found = await linked(input.code, request, context);
  if (isProblem(found)) return found;
  const { accountId, id } = found.user;
  const begun = await begin(request, context, context.oidc, { accountId, id });
  if (!begun) return problem('sign_in_refused', 'The provider cannot be reached.');
  return { status: 200, json: { url: begun.url }, headers: { 'set-cookie': begun.cookie } };
};

/** Null if the provider does not answer. */
async function begin(
  request: ApiRequest,
  context: ApiContext,
  oidc: OidcProvider,
  invitation: Pending['invitation'],
): Promise<{ readonly url: string; readonly cookie: string } | null> {
  const origin = ownAddress(request, context);
  const configuration = await oidc.configuration().catch(() => null);
  if (!configuration) return null;
  const openid = await openidClient();
  const pending: Pending = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    origin,
    invitation,
    untilMs: request.nowMs + OIDC_PENDING_MS,
  };
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: `${origin}${CALLBACK}`,
    scope: 'openid email profile',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  });
  const sealed = context.sealer.seal(JSON.stringify(pending), PLACE);
  return { url: url.href, cookie: cookieFor(sealed, origin, OIDC_PENDING_MS / 1000) };
}

export const finishOidc: Handler = async (request, context) => {
  if (!context.oidc) return OFF;
  const pending = opened<Pending>(request, context, PLACE);
  const origin = pending?.origin ?? ownAddress(request, context);
  const forget = cookieFor('', origin, 0);
  if (!pending || pending.untilMs < request.nowMs) return backTo(origin, 'failed', forget);
  const proven = await provenPerson(request, context.oidc, pending);
  if (proven === null || proven === 'unverified')
    return backTo(origin, proven === null ? 'failed' : 'unverified', forget);
  const { address, identity } = proven;
  const known = chosenBy(await candidatesFor(address, context), identity, pending.invitation);
  if (known === null || known === 'several') return backTo(origin, known ?? 'refused', forget);
  const { accountId, id: userId } = known.user;
  const untilMs = request.nowMs + OIDC_FINISHED_MS;
  const finished: Finished = { accountId, userId, identity, once: pending.state, untilMs };
  const sealed = context.sealer.seal(JSON.stringify(finished), FINISHED_PLACE);
  return backTo(origin, 'finished', cookieFor(sealed, origin, OIDC_FINISHED_MS / 1000));
};

/** By a page of ours, so that it replaces the session which the browser has, as any other sign-in. */
export const createOidcSession: Handler = async (request, context) => {
  if (isForeign(request.headers)) return FOREIGN;
  if (!context.oidc) return OFF;
  const finished = opened<Finished>(request, context, FINISHED_PLACE);
  if (!finished || finished.untilMs < request.nowMs) return NOT_FINISHED;
  if (!context.usedChallenges.use(`oidc ${finished.once}`, request.nowMs)) return NOT_FINISHED;
  const { accountId, userId } = finished;
  const fits = (user: User): boolean => user.accountId === accountId && user.id === userId && !user.disabled;
  const [known] = await context.access.users(fits);
  if (!known) return NOT_FINISHED;
  // From now on this identity leads here, whichever account invites the address.
  const expected = known.user.credentials;
  const credentials = { ...expected, provider: { ...finished.identity, atMs: request.nowMs } };
  const change = { accountId, id: userId, expected, credentials, atMs: request.nowMs };
  if (!(await context.storage.changeCredentials(change)).changed) return NOT_FINISHED;
  return startUserSession(request, context, known);
};

const NOT_FINISHED = problem('sign_in_refused', 'The sign-in at the provider is over; begin it again.');

/** What the cookie has for this place. */
function opened<What>({ headers }: ApiRequest, { sealer }: ApiContext, place: string): What | null {
  const sealed = cookieOf(headers.cookie);
  const text = sealed === null ? null : sealer.open(sealed, place);
  return text === null ? null : (JSON.parse(text) as What);
}

/** Null if the answer is not what was asked for. */
async function provenPerson(
  request: ApiRequest,
  oidc: OidcProvider,
  { state, nonce, verifier, origin }: Pending,
): Promise<{ readonly address: string; readonly identity: ProviderIdentity } | 'unverified' | null> {
  const query = new URLSearchParams();
  // A parameter that comes twice stays so: openid-client refuses it (RFC 6749 §3.1).
  for (const [name, value] of Object.entries(request.query))
    for (const each of [value].flat()) query.append(name, String(each));
  try {
    const openid = await openidClient();
    const tokens = await openid.authorizationCodeGrant(
      await oidc.configuration(),
      new URL(`${origin}${CALLBACK}?${query}`),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    );
    const claims = tokens.claims();
    const address = typeof claims?.['email'] === 'string' ? emailOf(claims['email']) : null;
    if (!claims || address === null || claims['email_verified'] !== true) return 'unverified';
    // OpenID Connect Core §2: at most 255 characters.
    const { iss: issuer, sub: subject } = claims;
    return subject.length <= MAX_SUBJECT ? { address, identity: { issuer, subject } } : null;
  } catch {
    return null;
  }
}
