// Signing in by e-mail address and password, and a second factor where the user has one. Whether an address is known shows neither in
// the answer nor in its time.
import { isProblem, type Problem, problem } from '../../domain/problem.ts';
import { emailOf } from '../../domain/user.ts';
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
  { address, nowMs }: ApiRequest,
  context: ApiContext,
): Promise<KnownUser | Problem> {
  const key = emailOf(email) ?? '';
  const { signIns, passwords } = context;
  const check = async (): Promise<KnownUser | Problem> => {
    // The same address may be a user of several accounts: the password says which of the first few, or the account is named.
    const fitting = await candidatesFor(key, context, account);
    const found = await firstRight(fitting.slice(0, MAX_CANDIDATES), password, passwords);
    return found ? secondFactor(found, code, nowMs, context) : REFUSED;
  };
  return signIns.guess({ email: key, address, nowMs: performance.now() }, check, isWrong);
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
