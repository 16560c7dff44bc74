// T16: how long a wrong token takes does not tell how much of it was right. That the steps are the same, src/api/http/auth-steps.test.ts
// counts; this measures, for docs/reliability.md.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Access } from '../../src/api/http/auth.ts';
import { DEFAULT_LIMITS } from '../../src/domain/account-limits.ts';
import { isProblem } from '../../src/kinds/problem.ts';
import { hashToken } from '../../src/kit/credentials.ts';
import { figure } from '../support/figure.ts';

const LOOK_UPS = 20_000;
const SECRET = `dialtree_${randomBytes(32).toString('base64url')}`;
/** The share of times that are kept: the scheduler and the collector make the slowest ones. */
const KEPT = 0.9;

const access = new Access({
  revisions: async (topics) => topics.map(() => 1),
  listAccounts: async () => [
    { id: 'acme', name: 'Acme', settings: {}, limits: DEFAULT_LIMITS, createdAtMs: 0 },
  ],
  listUsers: async () => [],
  listTokens: async () => [
    {
      id: 'token',
      accountId: 'acme',
      name: 'token',
      use: 'api',
      parentId: null,
      scopes: ['admin' as const],
      hash: hashToken(SECRET),
      createdAtMs: 0,
      expiresAtMs: null,
      lastUsedAtMs: null,
    },
  ],
  touchTokens: async () => undefined,
});

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

interface Guess {
  readonly isNear: boolean;
  readonly header: string;
}

/** All but the last 4 characters are right, or none. A new one each time, made the same way and flat in memory, as a parsed header. */
function guess(): Guess {
  const isNear = Math.random() < 0.5;
  const others = `dialtree_${randomText(32)}`;
  const secret = (isNear ? SECRET : others).slice(0, -4) + randomText(3);
  return { isNear, header: Buffer.from(`Bearer ${secret}`).toString('latin1') };
}

async function timeOf(authorization: string): Promise<number> {
  const startedNs = process.hrtime.bigint();
  await access.identify(authorization);
  return Number(process.hrtime.bigint() - startedNs);
}

function kept(times: readonly number[]): number[] {
  return [...times].sort((a, b) => a - b).slice(0, Math.floor(times.length * KEPT));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

function welch(a: readonly number[], b: readonly number[]): number {
  const spread = (values: readonly number[]): number => {
    const middle = mean(values);
    return mean(values.map((each) => (each - middle) ** 2)) / values.length;
  };
  return (mean(a) - mean(b)) / Math.sqrt(spread(a) + spread(b));
}

async function measure(): Promise<{ t: number; differenceNs: number }> {
  const near: number[] = [];
  const far: number[] = [];
  // In random order: what else the machine does meets both alike.
  for (const { isNear, header } of Array.from({ length: 2 * LOOK_UPS }, guess))
    (isNear ? near : far).push(await timeOf(header));
  const [a, b] = [kept(near), kept(far)];
  return { t: welch(a, b), differenceNs: mean(a) - mean(b) };
}

test('T16: a nearly right token is refused like any wrong one, and how long both take is printed', async () => {
  expect(isProblem(await access.identify(guess().header))).toBe(true);
  expect(isProblem(await access.identify(`Bearer ${SECRET}`))).toBe(false);
  await measure();
  const { t, differenceNs } = await measure();
  figure(
    'T16',
    `Welch t ${t.toFixed(2)} (leakage tests ask for less than 4.5: TVLA, ISO/IEC 17825) over ${LOOK_UPS} look-ups each, means ${Math.abs(differenceNs).toFixed(0)} ns apart`,
  );
  await access.close();
});
