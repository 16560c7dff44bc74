import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Account, Scope, Token } from '../../domain/account.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import { hashToken } from '../../kit/credentials.ts';
import type { Route } from '../route.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import type { Identity } from './auth.ts';

type Refuse = Parameters<Admission['refuse']>;

const identity = (token: string, scopes: readonly Scope[] = ['admin'], account = 'acme'): Identity => ({
  account: { id: account } as Account,
  token: { id: token, hash: hashToken(token), scopes } as Token,
  user: null,
  directoryRevision: 0,
  answeredRevision: 0,
  recordsRevision: 0,
});

interface Asked {
  headers?: Record<string, string>;
  ip?: string;
  method?: string;
  query?: Record<string, string>;
  scope?: Route['scope'];
  id?: Route['id'];
  maxBytes?: number;
}

function bed(
  options: Partial<AdmissionOptions> = {},
  state: 'running' | 'starting' | 'draining' = 'running',
) {
  vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  const asked: unknown[][] = [];
  const identified: unknown[] = [];
  const who = { is: identity('t') as Identity | Problem };
  const access = {
    identify: async (...args: unknown[]) => {
      asked.push(['bearer', ...args]);
      return who.is;
    },
    identifyBrowser: async (...args: unknown[]) => {
      asked.push(['browser', ...args]);
      return who.is;
    },
  } as unknown as AdmissionOptions['access'];
  const admission = new Admission({ access, rateLimit: 10, rateLimitLoopback: false, ...options }, {
    state,
  } as ConstructorParameters<typeof Admission>[1]);
  const ask = ({
    headers = {},
    ip = '192.0.2.1',
    method = 'GET',
    query = {},
    scope,
    id = 'getSettings',
    maxBytes = 10,
  }: Asked = {}) =>
    admission.refuse(
      { headers, ip, method, query } as unknown as Refuse[0],
      { scope, id } as Route,
      maxBytes,
      {
        identified: (_: unknown, is: Identity) => void identified.push(is),
      } as unknown as Refuse[3],
    );
  /** How many of 200 requests pass at once, and what the next one gets. */
  const burst = async (
    more: Asked = {},
    isPassed = (refusal: Problem | null): boolean => refusal === null,
  ) => {
    for (let passed = 0; passed < 200; passed++) {
      const refusal = await ask(more);
      if (!isPassed(refusal)) return { passed, refusal };
    }
    return { passed: 200, refusal: null };
  };
  return { ask, burst, who, asked, identified };
}

afterEach(() => void vi.restoreAllMocks());

describe('before a body is read', () => {
  it.each(['starting', 'draining'] as const)(
    'a service that is %s asks to repeat the request',
    async (state) => {
      const { ask, asked } = bed({}, state);
      expect(await ask()).toMatchObject({ problem: state, headers: { 'retry-after': '5' } });
      expect(asked).toEqual([]);
    },
  );

  it('a page that comes back for its call gets a session while the service drains, not while it starts', async () => {
    const id = 'createPhoneSession';
    expect(await bed({}, 'draining').ask({ id })).toBeNull();
    expect(await bed({}, 'starting').ask({ id })).toMatchObject({ problem: 'starting' });
  });

  it.each([
    ['10', 10, null],
    ['11', 10, 'The body is larger than 0.009765625 KiB.'],
    [undefined, 0, null],
    [String(256 * 1024 + 1), 256 * 1024, 'The body is larger than 256 KiB.'],
    [String(2 ** 21), 1023 * 1024, 'The body is larger than 1023 KiB.'],
    [String(2 ** 21), 2 ** 20, 'The body is larger than 1 MiB.'],
    ['999999999', 3 * 2 ** 20, 'The body is larger than 3 MiB.'],
  ])('a length of %s bytes where %s may come', async (length, maxBytes, message) => {
    const { ask, asked } = bed();
    const refusal = await ask({
      maxBytes,
      headers: length === undefined ? {} : { 'content-length': length },
    });
    if (message === null) expect(refusal).toBeNull();
    else expect(refusal).toMatchObject({ problem: 'body_too_large', message });
    expect(asked).toHaveLength(message === null ? 1 : 0);
  });
});

describe('who asks', () => {
  const COOKIE = 'dialtree_session=x';

  it.each([
    [{ authorization: 'Bearer x' }, ['bearer', 'Bearer x']],
    [{}, ['bearer', undefined]],
    [{ authorization: 'Bearer x', cookie: COOKIE }, ['bearer', 'Bearer x']],
    [{ cookie: COOKIE }, ['browser', 'PUT', { cookie: COOKIE }, 'named']],
  ])('is found by the headers %s', async (headers, expected) => {
    const { ask, asked, identified, who } = bed();
    await ask({ headers, method: 'PUT', query: { 'dialtree-account': 'named' } });
    expect(asked).toEqual([expected]);
    expect(identified).toEqual([who.is]);
  });

  it('is not noted as known when the token is not', async () => {
    const { ask, who, identified } = bed();
    who.is = problem('token_missing', '');
    expect(await ask()).toBe(who.is);
    expect(identified).toEqual([]);
  });
});

describe('a token', () => {
  it.each([
    ['admin', 'write', true],
    ['read', 'read', true],
    ['read', 'any', true],
    ['read', undefined, true],
    ['read', 'write', false],
  ] as const)('with the scope %s at an operation that needs %s passes: %s', async (has, scope, passes) => {
    const { ask, who } = bed();
    who.is = identity('t', [has as Scope]);
    const refusal = await ask(
      scope === undefined ? {} : { scope: scope as Exclude<Route['scope'], undefined> },
    );
    if (passes) expect(refusal).toBeNull();
    else
      expect(refusal).toMatchObject({
        problem: 'scope_missing',
        message: `This needs a token with the scope ${scope}; this one has ${has}.`,
        headers: {
          'www-authenticate': `Bearer realm="dialtree", error="insufficient_scope", scope="${scope}"`,
        },
        details: { Scope: scope },
      });
  });

  it('sends so many requests a second, two seconds’ worth at once, and learns when to go on', async () => {
    const { ask, burst } = bed();
    const { passed, refusal } = await burst();
    expect(passed).toBe(20);
    expect(refusal).toMatchObject({
      problem: 'rate_limited',
      message: 'This token may send 10 requests a second; wait 1 s.',
      headers: { 'retry-after': '1' },
    });
    // Too fast comes before what the token may do.
    expect(await ask({ scope: 'write' as Exclude<Route['scope'], undefined> })).toEqual(refusal);
  });

  it('shares twice its limit with the others of its account, and nothing with other accounts', async () => {
    const { burst, who } = bed();
    expect((await burst()).passed).toBe(20);
    who.is = identity('t2');
    expect((await burst()).passed).toBe(20);
    who.is = identity('t3');
    const { passed, refusal } = await burst();
    expect(passed).toBe(0);
    expect(refusal).toMatchObject({
      message: 'This account may send 20 requests a second; wait 1 s.',
      headers: { 'retry-after': '1' },
    });
    who.is = identity('t4', ['admin'], 'other');
    expect((await burst()).passed).toBe(20);
  });

  it.each([
    ['of one of two nodes', { nodes: () => 2 }, '192.0.2.1', 10],
    ['without a limit', { rateLimit: 0 }, '192.0.2.1', 200],
    ['on this host', {}, '127.0.0.1', 200],
    ['on this host, where the limit holds, too', { rateLimitLoopback: true }, '127.0.0.1', 20],
    ['elsewhere, where the limit holds on this host, too', { rateLimitLoopback: true }, '192.0.2.1', 20],
  ])('%s sends its part at once', async (_, options, ip, expected) => {
    const { burst } = bed(options);
    expect((await burst({ ip })).passed).toBe(expected);
  });
});

describe('wrong tokens', () => {
  const isWrong = (refusal: Problem | null): boolean => refusal?.problem === 'token_invalid';

  it('of one address are refused for being wrong 30 times at once, then for being too many', async () => {
    const { burst, who } = bed();
    who.is = problem('token_invalid', 'unknown');
    const { passed, refusal } = await burst({}, isWrong);
    expect(passed).toBe(30);
    expect(refusal).toMatchObject({
      problem: 'rate_limited',
      message: 'This token is not valid, and too many like it came from your address; wait 2 s.',
      headers: { 'retry-after': '2' },
    });
    expect((await burst({ ip: '192.0.2.2' }, isWrong)).passed).toBe(30);
    // Good ones from there are not slowed.
    who.is = identity('good');
    expect((await burst()).passed).toBe(20);
  });

  it.each([
    ['without a limit', { rateLimit: 0 }, '192.0.2.1', 200],
    ['with the lowest limit', { rateLimit: 1 }, '192.0.2.1', 30],
    ['of this host', {}, '127.0.0.1', 200],
    ['of this host, where the limit holds, too', { rateLimitLoopback: true }, '127.0.0.1', 30],
    ['at one of three nodes', { nodes: () => 3 }, '192.0.2.1', 10],
  ])('%s', async (_, options, ip, expected) => {
    const { burst, who } = bed(options);
    who.is = problem('token_invalid', 'unknown');
    expect((await burst({ ip }, isWrong)).passed).toBe(expected);
  });

  it('are those of a request that has one', async () => {
    const { burst, who } = bed();
    who.is = problem('token_missing', '');
    expect((await burst({}, (refusal) => refusal === who.is)).passed).toBe(200);
  });
});
