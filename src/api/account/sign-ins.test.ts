// Threat T55: guessing of passwords.
import { describe, expect, it } from 'vitest';
import type { SignInNotice } from './sign-in-notices.ts';
import {
  MAX_KEYS,
  RESETS,
  SIGN_INS_PER_MINUTE,
  SignIns,
  WRONG_CODES,
  WRONG_IN_ALL,
  WRONG_PER_NETWORK,
} from './sign-ins.ts';
import { CHALLENGE_MS, OIDC_FINISHED_MS, OIDC_PENDING_MS, UsedChallenges } from './used-challenges.ts';

const CONFIG = { rateLimit: 0, rateLimitLoopback: false };
const email = 'vera@example.com';
const HERE = '203.0.113.7';

const guess = async (signIns: SignIns, isRight: boolean, nowMs = 0, address = HERE): Promise<string> => {
  const result = await signIns.guess(
    { email, address, nowMs },
    () => Promise.resolve(isRight),
    (right) => !right,
  );
  if (typeof result !== 'boolean') return 'waits';
  return result ? 'right' : 'wrong';
};
const guesses = (signIns: SignIns, count: number, address = HERE): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => guess(signIns, false, 0, address)));
const wrongOf = (results: readonly string[]): number => results.filter((one) => one === 'wrong').length;

describe('wrong passwords', () => {
  it('at the same time are no more than one after the other', async () => {
    const signIns = new SignIns(CONFIG);
    expect(wrongOf(await guesses(signIns, 50))).toBe(WRONG_PER_NETWORK);
    expect(await guess(signIns, true)).toBe('waits');
    expect(await guess(signIns, true, 0, '198.51.100.9')).toBe('right');
  });

  it('from many networks are bounded, too, and one more is allowed as time passes', async () => {
    const signIns = new SignIns(CONFIG);
    let wrong = 0;
    for (let at = 0; at < 30; at++) wrong += wrongOf(await guesses(signIns, 10, `198.51.${at}.1`));
    expect(wrong).toBe(WRONG_IN_ALL);
    expect(await guess(signIns, true)).toBe('waits');
    expect(await guess(signIns, true, 10_000)).toBe('right');
  });

  it('count, right ones and checks that failed do not', async () => {
    const signIns = new SignIns(CONFIG);
    for (let at = 0; at < 50; at++) expect(await guess(signIns, true)).toBe('right');
    const failing = () =>
      signIns.guess(
        { email, address: HERE, nowMs: 0 },
        () => Promise.reject(new Error('busy')),
        () => true,
      );
    for (let at = 0; at < 50; at++) await expect(failing()).rejects.toThrow('busy');
    expect(await guess(signIns, true)).toBe('right');
  });

  it('of one network are limited for all addresses together, where requests are; right ones are not', async () => {
    const signIns = new SignIns({ rateLimit: 100, rateLimitLoopback: false });
    const tryOther = async (at: number, address: string, isRight = false) => {
      const other = { email: `user${at}@example.com`, address, nowMs: 0 };
      const isOver = await signIns.guess(
        other,
        () => isRight,
        (right) => !right,
      );
      return typeof isOver === 'boolean';
    };
    for (let at = 0; at < 30; at++) expect(await tryOther(at, HERE, true)).toBe(true);
    let checked = 0;
    for (let at = 0; at < 30; at++) if (await tryOther(at, HERE)) checked++;
    expect(checked).toBe(SIGN_INS_PER_MINUTE);
    expect(await tryOther(0, '198.51.100.9')).toBe(true);
    for (let at = 0; at < 30; at++) expect(await tryOther(at, '127.0.0.1')).toBe(true);
  });

  it('stay counted, however many other addresses are tried, with success, in vain or without a check', async () => {
    const signIns = new SignIns(CONFIG);
    await guesses(signIns, WRONG_PER_NETWORK);
    const flood = (check: () => boolean) =>
      Promise.all(
        Array.from({ length: MAX_KEYS + 50 }, (_, at) => {
          const other = { email: `stranger${at}@example.com`, address: HERE, nowMs: 0 };
          return signIns.guess(other, check, (right) => !right).catch(() => 'busy');
        }),
      );
    const busy = (): boolean => {
      throw new Error('busy');
    };
    for (const check of [busy, () => true, () => false]) {
      await flood(check);
      expect(await guess(signIns, true)).toBe('waits');
    }
  });

  it('and codes: those of one user are limited over all networks, at every node', async () => {
    const other = new SignIns(CONFIG);
    const signIns = new SignIns(CONFIG, { share: (notice) => other.heard(notice, 0) });
    const tryCode = (by: SignIns, user = 'a u', isRight = false) =>
      by.guessCode(
        user,
        0,
        () => isRight,
        (right) => !right,
      );
    for (let at = 0; at < WRONG_CODES; at++) expect(await tryCode(signIns)).toBe(false);
    for (const node of [signIns, other]) {
      expect(await tryCode(node, 'a u', true)).toMatchObject({ problem: 'rate_limited' });
      expect(await tryCode(node, 'a other', true)).toBe(true);
    }
  });

  it('and requests for a reset count at every node', async () => {
    const nodes: SignIns[] = [];
    const shared: SignInNotice[] = [];
    const make = (own: number): SignIns =>
      new SignIns(CONFIG, {
        share: (notice) => {
          shared.push(notice);
          for (const [at, node] of nodes.entries()) if (at !== own) node.heard(notice, 0);
        },
      });
    nodes.push(make(0), make(1), make(2));
    let wrong = 0;
    for (let at = 0; at < 60; at++) {
      const node = nodes[at % 3];
      if (node && (await guess(node, false)) === 'wrong') wrong++;
    }
    expect(wrong).toBe(WRONG_PER_NETWORK);
    expect(shared).toHaveLength(WRONG_PER_NETWORK);
    const resets = Array.from({ length: 9 }, (_, at) => nodes[at % 3]?.resetWait(email, HERE, 0));
    expect(resets.filter((seconds) => seconds === 0)).toHaveLength(RESETS);
  });
});

it('a challenge of a passkey is used at one node alone', () => {
  const other = new UsedChallenges();
  const one = new UsedChallenges((challenge) => other.heard(challenge, 0));
  expect(one.use('c', 0)).toBe(true);
  expect(one.use('c', 0)).toBe(false);
  expect(other.use('c', 0)).toBe(false);
});

it.each([
  ['a challenge of a passkey', CHALLENGE_MS],
  ['a state of a provider’s sign-in', OIDC_PENDING_MS + OIDC_FINISHED_MS],
])('%s is remembered for as long as it is valid, whatever comes meanwhile', (_, validMs) => {
  const used = new UsedChallenges();
  expect(used.use('first', 0)).toBe(true);
  for (let at = 1; at <= 100; at++) expect(used.use(`${at}`, (validMs * at) / 101)).toBe(true);
  expect(used.use('first', validMs - 1)).toBe(false);
});
