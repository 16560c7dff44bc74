// The second factor of a user: a code of an authenticator app, or one of the recovery codes. Each works once.
import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES, type User, type UserCredentials } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { hashToken } from '../../kit/credentials.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { TOTP_CODE_FIELDS } from '../schemas/user.ts';
import { ownUser } from './own-user.ts';
import { base32, makeTotpSecret, matchingStep, totpUri } from './totp.ts';
import { AT_ONCE, managedUser } from './users.ts';

const sealContext = ({ accountId, id }: User): string => `totp ${accountId} ${id}`;
const pendingContext = (user: User): string => `pending ${sealContext(user)}`;

const ON_ALREADY = problem('key_taken', 'The authenticator app is on already.');

const NO_TOTP = { totp: null, totpStep: 0, recovery: [] } as const;

/** How long a secret waits for its first code. */
const PENDING_MS = 10 * 60_000;

/** The credentials after the code was used; null: it is wrong. */
export function afterCode(
  user: User,
  code: string,
  nowMs: number,
  { sealer }: Pick<ApiContext, 'sealer'>,
): UserCredentials | null {
  const { credentials } = user;
  const secret = credentials.totp === null ? null : sealer.open(credentials.totp, sealContext(user));
  if (secret !== null) {
    const step = matchingStep(secret, code, nowMs, credentials.totpStep);
    if (step !== null) return { ...credentials, totpStep: step };
  }
  const digest = hashToken(code.replace(/[\s-]/g, '').toUpperCase());
  if (!credentials.recovery.includes(digest)) return null;
  return { ...credentials, recovery: credentials.recovery.filter((one) => one !== digest) };
}

/** The secret is sealed and given back by the browser with the first code: nothing is stored before. */
export const beginTotp: Handler = ({ account, ...request }, { sealer }) => {
  const user = ownUser({ account, ...request });
  if (isProblem(user)) return user;
  if (user.credentials.totp !== null) return ON_ALREADY;
  const secret = makeTotpSecret();
  const state = sealer.seal(
    JSON.stringify({ secret, untilMs: request.nowMs + PENDING_MS }),
    pendingContext(user),
  );
  return done(201, 'Confirm it with the code that the app shows.', {
    members: { secret, uri: totpUri(secret, user.email, account.name), state },
  });
};

const wrongCode = (): Problem => {
  const faults = new Faults();
  faults.add('/code', 'value_not_allowed', 'This code is not right, or it was used already.');
  return faults.toProblem();
};

export const confirmTotp: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  // A secret that was begun before the app was on would replace it, and its recovery codes, without a code of it.
  if (user.credentials.totp !== null) return ON_ALREADY;
  const input = readRecord(TOTP_CODE_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const opened = context.sealer.open(input.state ?? '', pendingContext(user));
  const { secret, untilMs } = (opened ? JSON.parse(opened) : {}) as { secret?: string; untilMs?: number };
  if (secret === undefined || (untilMs ?? 0) < request.nowMs) return wrongCode();
  const step = matchingStep(secret, input.code, request.nowMs, 0);
  if (step === null) return wrongCode();
  // 80 bits each: as good as a key, and short enough to write down.
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(10)));
  const { accountId, id, credentials } = user;
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected: credentials,
    credentials: {
      ...credentials,
      totp: context.sealer.seal(secret, sealContext(user)),
      totpStep: step,
      recovery: codes.map(hashToken),
    },
    atMs: request.nowMs,
    action: 'totp_on',
  });
  if (!changed) return AT_ONCE;
  const recovery_codes = codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
  return done(200, 'The authenticator app is on. The recovery codes are shown this once.', {
    members: { recovery_codes },
  });
};

/** With a code: who found an unlocked browser has none. */
export const deleteTotp: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const input = readRecord(TOTP_CODE_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const refusal = await refuseCode(user, input.code, request, context);
  if (refusal) return refusal;
  const { accountId, id, credentials: expected } = user;
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected,
    credentials: { ...expected, ...NO_TOTP },
    atMs: request.nowMs,
    action: 'totp_off',
  });
  return changed ? done(200, 'The authenticator app is off.') : AT_ONCE;
};

async function refuseCode(
  user: User,
  code: string,
  { nowMs }: ApiRequest,
  context: ApiContext,
): Promise<Problem | null> {
  const isRight = await context.signIns.guessCode(
    `${user.accountId} ${user.id}`,
    performance.now(),
    () => afterCode(user, code, nowMs, context) !== null,
    (right) => !right,
  );
  if (typeof isRight !== 'boolean') return isRight;
  return isRight ? null : wrongCode();
}

/** By an owner or administrator, for a user who has lost the phone and the recovery codes: passkeys of a lost phone go, too. */
export const resetSecondFactor: Handler = async (request, context) => {
  const user = await managedUser(request, context);
  if (isProblem(user)) return user;
  const { accountId, id, credentials: expected, role: expectedRole } = user;
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected,
    expectedRole,
    credentials: { ...expected, ...NO_TOTP, passkeys: [] },
    atMs: request.nowMs,
    action: 'second_factor_reset',
  });
  return changed ? done(200, 'The authenticator app is off, and the passkeys are deleted.') : AT_ONCE;
};
