// Passkeys (WebAuthn): a browser proves by a key of its device that it is the user's, who showed a fingerprint, a face or a PIN to it.
// Challenges are sealed and come back with the answer, so that any node can check it; each works once.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { MAX_PASSKEYS, type Passkey, type User } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { type ApiContext, type ApiRequest, done, type Handler, header } from '../http/handler.ts';
import { isForeign, refused } from '../http/session-cookie.ts';
import { PASSKEY_FIELDS, PASSKEY_PROOF_FIELDS, PASSKEY_SIGN_IN_FIELDS } from '../schemas/user.ts';
import { startUserSession } from './browser-session.ts';
import { ownUser, refusePassword } from './own-user.ts';
import { tooOften } from './too-often.ts';
import { CHALLENGE_MS } from './used-challenges.ts';
import { AT_ONCE } from './users.ts';

/** Loaded when the first passkey is used: most starts need none of it. */
const webauthn = () => import('@simplewebauthn/server');

const NAME = 'Dialtree';

const REFUSED = problem('sign_in_refused', 'The passkey was not accepted.');
const NO_ORIGIN = problem(
  'csrf_refused',
  'A passkey is used by a page of the console: the header Origin is missing.',
);

const FOREIGN = refused('It comes from a page of another site.');

interface Challenge {
  readonly challenge: string;
  readonly untilMs: number;
}

/**
 * The page's own address, which isForeign() has compared with the host. Of the host of PUBLIC_URL that address alone: passkeys are the
 * same for all ports of a host, and what serves another port may not be ours.
 */
function relyingParty(request: ApiRequest, { publicUrl }: ApiContext): Page | Problem {
  const origin = header(request, 'origin');
  if (isForeign(request.headers)) return FOREIGN;
  if (origin === undefined || !URL.canParse(origin)) return NO_ORIGIN;
  const { hostname: rpID } = new URL(origin);
  const own = publicUrl === null ? null : new URL(publicUrl);
  return own?.hostname === rpID && own.origin !== origin ? FOREIGN : { origin, rpID };
}

function seal({ sealer }: ApiContext, purpose: string, challenge: string, nowMs: number): string {
  return sealer.seal(
    JSON.stringify({ challenge, untilMs: nowMs + CHALLENGE_MS } satisfies Challenge),
    purpose,
  );
}

/** The challenge, once. */
function openOnce(context: ApiContext, purpose: string, state: string, nowMs: number): string | null {
  const text = context.sealer.open(state, purpose);
  if (text === null) return null;
  const { challenge, untilMs } = JSON.parse(text) as Challenge;
  return untilMs > nowMs && context.usedChallenges.use(challenge, nowMs) ? challenge : null;
}

const addingBy = ({ accountId, id }: User): string => `passkey of ${accountId} ${id}`;
const SIGNING_IN = 'passkey sign-in';

function parsed<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

interface Page {
  readonly origin: string;
  readonly rpID: string;
}

/** A user without password and passkey comes from a provider: who found the browser unlocked cannot sign in there again. */
const FRESH_MS = 10 * 60_000;
const NOT_FRESH = problem(
  'fields_invalid',
  'Sign in again first: without a password, a passkey is added within 10 minutes of signing in.',
);

/** A passkey outlives the session that adds it: who found an unlocked browser must not be able to add one. */
async function refuseAdding(
  user: User,
  page: Page,
  request: ApiRequest,
  context: ApiContext,
): Promise<Problem | null> {
  const input = readRecord(PASSKEY_PROOF_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { password, passkeys } = user.credentials;
  if (password !== null) return refusePassword(user, input.current, request, context);
  if (passkeys.length === 0) return request.nowMs - request.token.createdAtMs < FRESH_MS ? null : NOT_FRESH;
  const expectedChallenge = openOnce(context, SIGNING_IN, input.state ?? '', request.nowMs);
  const response = parsed<AuthenticationResponseJSON>(input.response ?? '');
  if (expectedChallenge === null || !response) return NOT_ADDED;
  return (await afterUse(user, response, { ...page, expectedChallenge })) ? null : NOT_ADDED;
}

export const beginPasskey: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const place = relyingParty(request, context);
  if (isProblem(place)) return place;
  const refusal = await refuseAdding(user, place, request, context);
  if (refusal) return refusal;
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: place.rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    excludeCredentials: user.credentials.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const state = seal(context, addingBy(user), options.challenge, request.nowMs);
  return done(201, 'Answer it with the passkey.', { members: { options: JSON.stringify(options), state } });
};

export const createPasskey: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const place = relyingParty(request, context);
  if (isProblem(place)) return place;
  const input = readRecord(PASSKEY_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { accountId, id, credentials } = user;
  if (credentials.passkeys.length >= MAX_PASSKEYS)
    return problem('quota_reached', `A user has ${MAX_PASSKEYS} passkeys at most; delete one first.`);
  const expectedChallenge = openOnce(context, addingBy(user), input.state, request.nowMs);
  const response = parsed<RegistrationResponseJSON>(input.response);
  if (expectedChallenge === null || !response) return NOT_ADDED;
  const { verifyRegistrationResponse } = await webauthn();
  const found = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!found?.verified) return NOT_ADDED;
  const { credential } = found.registrationInfo;
  const passkey: Passkey = {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    rpId: place.rpID,
    counter: credential.counter,
    transports: [],
    name: input.name,
    createdAtMs: request.nowMs,
  };
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected: credentials,
    credentials: { ...credentials, passkeys: [...credentials.passkeys, passkey] },
    atMs: request.nowMs,
    action: 'passkey_add',
  });
  return changed ? done(201, 'Passkey added.') : AT_ONCE;
};

const NOT_ADDED = problem('fields_invalid', 'The passkey was not accepted.');

export const deletePasskey: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const { accountId, id, credentials } = user;
  const passkeys = credentials.passkeys.filter((passkey) => passkey.id !== request.params['id']);
  if (passkeys.length === credentials.passkeys.length)
    return problem('record_unknown', 'There is no passkey with this id.');
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected: credentials,
    credentials: { ...credentials, passkeys },
    atMs: request.nowMs,
    action: 'passkey_delete',
  });
  return changed ? done(200, 'Passkey deleted.') : AT_ONCE;
};

/** The browser chooses the passkey: the answer says nothing of who is known. */
export const beginPasskeySignIn: Handler = async (request, context) => {
  const place = relyingParty(request, context);
  if (isProblem(place)) return place;
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({ rpID: place.rpID, userVerification: 'required' });
  const state = seal(context, SIGNING_IN, options.challenge, request.nowMs);
  return done(200, 'Answer it with a passkey.', { members: { options: JSON.stringify(options), state } });
};

/** The device has asked for a fingerprint, a face or a PIN: that is two factors, and no code is asked for. */
export const signInByPasskey: Handler = async (request, context) => {
  const place = relyingParty(request, context);
  if (isProblem(place)) return place;
  const input = readRecord(PASSKEY_SIGN_IN_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const seconds = context.signIns.take(request.address, null, performance.now());
  if (seconds > 0) return tooOften(seconds);
  const expectedChallenge = openOnce(context, SIGNING_IN, input.state, request.nowMs);
  const response = parsed<AuthenticationResponseJSON>(input.response);
  if (expectedChallenge === null || !response) return REFUSED;
  const fits = ({ disabled, credentials }: User): boolean =>
    !disabled && credentials.passkeys.some(({ id }) => id === response.id);
  for (const known of await context.access.users(fits)) {
    const used = await afterUse(known.user, response, { ...place, expectedChallenge });
    if (!used) continue;
    const { accountId, id, credentials: expected } = known.user;
    const change = { accountId, id, expected, credentials: used, atMs: request.nowMs };
    if (!(await context.storage.changeCredentials(change)).changed) return REFUSED;
    return startUserSession(request, context, known);
  }
  return REFUSED;
};

/** The credentials with the counter of this use; null: it is not the passkey's signature. */
async function afterUse(
  { credentials }: User,
  response: AuthenticationResponseJSON,
  { origin, rpID, expectedChallenge }: Page & { readonly expectedChallenge: string },
): Promise<User['credentials'] | null> {
  const passkey = credentials.passkeys.find(({ id }) => id === response.id);
  // What answers for us is named by the request; what the passkey was made for is not.
  if (!passkey || (passkey.rpId ?? rpID) !== rpID) return null;
  const { id, counter, publicKey } = passkey;
  const { verifyAuthenticationResponse } = await webauthn();
  const found = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { id, counter, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')) },
  }).catch(() => null);
  if (!found?.verified) return null;
  const used = { ...passkey, counter: found.authenticationInfo.newCounter };
  return { ...credentials, passkeys: credentials.passkeys.map((one) => (one === passkey ? used : one)) };
}
