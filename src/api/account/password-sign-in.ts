// Signing in by e-mail address and password, and a second factor where the user has one. Whether an address is known shows neither in
// the answer nor in its time.

import { emailOf, hasProvenMailbox } from '../../domain/user.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { KnownUser } from '../http/auth.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { candidatesFor, MAX_CANDIDATES } from './candidates.ts';
import { afterCode } from './second-factor.ts';

/** The same for every address: nothing says whether several accounts have it. */
export const REFUSED = problem(
  'sign_in_refused',
  'The e-mail address or the password is wrong. If users of several accounts have this address, name the account, too.',
);
const CODE_NEEDED = problem(
  'code_needed',
  'Send the code of your authenticator app, or a recovery code, too.',
);

export interface PasswordProof {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
  /** Id or name; null: whichever the password fits. */
  readonly account: string | null;
}

const isWrong = (result: KnownUser | Problem): boolean =>
  isProblem(result) && result.problem === 'sign_in_refused';

export async function byPassword(
  { email, password, code, account }: PasswordProof,
  request: ApiRequest,
  context: ApiContext,
): Promise<KnownUser | Problem> {
  const { address, nowMs } = request;
  const key = emailOf(email) ?? '';
  const { signIns, passwords } = context;
  const check = async (): Promise<KnownUser | Problem> => {
    // The same address may be a user of several accounts: the password says which of the first few, or the account is named.
    const fitting = await candidatesFor(key, context, account);
    const found = await firstRight(fitting.slice(0, MAX_CANDIDATES), password, passwords);
    const result = found ? await secondFactor(found, code, nowMs, context) : REFUSED;
    if (isWrong(result)) noteFailure(found ? [found] : fitting, request, context);
    return result;
  };
  return signIns.guess({ email: key, address, nowMs: performance.now() }, check, isWrong);
}

/**
 * In the audit of the account, some times in a while. Of users of several accounts with one address only those who have proven to read
 * it: another account learns nothing of a person by giving its user that person's address. After the answer, whose time says nothing.
 */
function noteFailure(
  candidates: readonly KnownUser[],
  { address, requestId, nowMs: atMs }: ApiRequest,
  { signIns, storage }: ApiContext,
): void {
  const theirs =
    candidates.length === 1 ? candidates : candidates.filter(({ user }) => hasProvenMailbox(user));
  for (const { user } of theirs.slice(0, MAX_CANDIDATES)) {
    const { accountId, id: recordId, name: recordName } = user;
    if (!signIns.mayNote(`${accountId} ${recordId}`, performance.now())) continue;
    const by = { id: 'sign-in', name: address, requestId, atMs };
    const entry = { accountId, action: 'sign_in_failed', kind: 'user', recordId, recordName, by };
    setImmediate(() => void storage.addAudit(entry).catch(() => undefined));
  }
}

async function firstRight(
  candidates: readonly KnownUser[],
  password: string,
  passwords: ApiContext['passwords'],
): Promise<KnownUser | null> {
  let right: KnownUser | null = null;
  // All of them, and one where there is none: the time says nothing of whose the password is.
  for (const candidate of candidates)
    if ((await passwords.verify(password, candidate.user.credentials.password)) && !right) right = candidate;
  if (candidates.length === 0) await passwords.verify(password, null);
  return right;
}

/** A code works once: of two sign-ins with it at once, one finds it spent. */
async function secondFactor(
  known: KnownUser,
  code: string | null,
  atMs: number,
  context: ApiContext,
): Promise<KnownUser | Problem> {
  const { accountId, id, credentials: expected } = known.user;
  if (expected.totp === null) return known;
  if (code === null) return CODE_NEEDED;
  const use = async (): Promise<KnownUser | Problem> => {
    const credentials = afterCode(known.user, code, atMs, context);
    if (!credentials) return REFUSED;
    const change = { accountId, id, expected, credentials, atMs };
    return (await context.storage.changeCredentials(change)).changed ? known : REFUSED;
  };
  return context.signIns.guessCode(`${accountId} ${id}`, performance.now(), use, isWrong);
}
