// T16: what is done with a wrong token does not tell how much of it was right. test/attacks/token-timing.test.ts measures the time.
import { expect, test } from 'vitest';
import { workOf } from '../../../test/support/work.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { isProblem } from '../../kinds/problem.ts';
import { hashToken, makeSecret } from '../../kit/credentials.ts';
import type { Access } from './auth.ts';

const SECRET = makeSecret();
const TOKEN = {
  id: 'token',
  accountId: 'acme',
  name: 'token',
  use: 'api' as const,
  parentId: null,
  scopes: ['admin' as const],
  hash: hashToken(SECRET),
  createdAtMs: 0,
  expiresAtMs: null,
  lastUsedAtMs: null,
};

/** A wrong secret that begins with at least the first `right` characters of SECRET. */
function wrong(right: number): string {
  const other = makeSecret();
  const at = [...SECRET].findIndex((char, index) => index >= right && char !== other[index]);
  return SECRET.slice(0, at) + other.slice(at);
}

test('T16: a nearly right token is refused in the steps of any wrong one', async () => {
  const access: Access[] = [];
  const run =
    (secret: string, isRight = false) =>
    async (module: typeof import('./auth.ts')) => {
      const [known = new module.Access(STORAGE)] = access;
      access[0] = known;
      expect(isProblem(await known.identify(`Bearer ${secret}`))).toBe(!isRight);
    };
  // All prefixes, from none to all but the last characters; the first run loads the tokens.
  const guesses = Array.from({ length: SECRET.length - 3 }, (_, right) => wrong(right));
  const [, right = 0, ...works] = await workOf<typeof import('./auth.ts')>(
    new URL('./auth.ts', import.meta.url),
    [run(SECRET, true), run(SECRET, true), ...guesses.map((guess) => run(guess))],
  );
  expect(works).toHaveLength(guesses.length);
  expect(works[0]).toBeGreaterThan(5);
  expect(right).toBeGreaterThan(works[0] ?? 0);
  expect(new Set(works).size).toBe(1);
  await access[0]?.close();
});

const STORAGE = {
  revisions: async (topics: readonly unknown[]) => topics.map(() => 1),
  listAccounts: async () => [
    { id: 'acme', name: 'Acme', settings: {}, limits: DEFAULT_LIMITS, createdAtMs: 0 },
  ],
  listUsers: async () => [],
  listTokens: async () => [TOKEN],
  touchTokens: async () => undefined,
};
