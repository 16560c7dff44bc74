// T43: tokens that can do too much, that live on after the one they came of, that are made without end, and that are guessed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_SHARE, WRONG_TOKENS_PER_MINUTE } from '../../src/api/http/admission.ts';
import { DEFAULT_LIMITS } from '../../src/domain/account-limits.ts';
import { figure } from '../support/figure.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type Reply, runProcess, type Service, startService } from '../support/service.ts';

const PER_SECOND = 50;

let service: Service;
let admin: string;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: String(PER_SECOND), RATE_LIMIT_LOOPBACK: 'on' } });
});
afterAll(() => service.remove());

/** Each test has an account of its own: they use up its rate, and its tokens. */
async function newAccount(name: string): Promise<string> {
  const { out } = await runProcess(['account', 'create', name], { dataDir: service.dataDir });
  return out.trim();
}

const ask = (token: string, method: string, path: string, body?: object): Promise<Reply> =>
  call(service.url, method, path, { token, ...(body ? { body } : {}) });

async function make(token: string, body: object): Promise<Json> {
  const { status, json, text } = await ask(token, 'POST', '/v1/token', body);
  expect(status, text).toBe(201);
  return json;
}

describe('T43: a token made with another one', () => {
  beforeAll(async () => {
    admin = await newAccount('families');
  });

  it('T43: expires with it or before, whatever was asked for', async () => {
    const day = await make(admin, { name: 'one day', expires_in_days: 1 });
    for (const wanted of [null, 3650]) {
      const child = await make(day.token, { name: 'eternal', expires_in_days: wanted });
      expect(child.expires_at).toBe(day.expires_at);
    }
  });

  it('T43: ends with it, and so do its own, and the browsers that signed in with any of them', async () => {
    const parent = await make(admin, { name: 'parent' });
    const child = await make(parent.token, { name: 'child' });
    const grandchild = await make(child.token, { name: 'grandchild' });
    const signedIn = await call(service.url, 'POST', '/v1/session', {
      token: null,
      body: { token: grandchild.token },
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const browser = () => call(service.url, 'GET', '/v1/agents', { token: null, headers: { cookie } });
    expect((await browser()).status).toBe(200);
    await ask(admin, 'DELETE', `/v1/token/${parent.id}`);
    for (const { token } of [parent, child, grandchild])
      expect((await ask(token, 'GET', '/v1/agents')).status).toBe(401);
    expect((await browser()).status).toBe(401);
    expect((await ask(admin, 'GET', '/v1/agents')).status).toBe(200);
  });

  it('T43: that was made in a browser outlives the browser, but not the token behind it', async () => {
    const day = await make(admin, { name: 'one day', expires_in_days: 1 });
    const signedIn = await call(service.url, 'POST', '/v1/session', {
      token: null,
      body: { token: day.token },
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { cookie, 'dialtree-account': signedIn.json.account.id };
    const made = await call(service.url, 'POST', '/v1/token', {
      token: null,
      headers,
      body: { name: 'from a browser' },
    });
    expect(made.json).toMatchObject({ expires_at: day.expires_at, scopes: ['admin'] });
    await call(service.url, 'DELETE', '/v1/session', { token: null, headers });
    expect((await ask(made.json.token, 'GET', '/v1/agents')).status).toBe(200);
    await ask(admin, 'DELETE', `/v1/token/${day.id}`);
    expect((await ask(made.json.token, 'GET', '/v1/agents')).status).toBe(401);
  });
});

it('T43: a token for reading cannot write, place calls or make tokens, nor can a browser signed in with it', async () => {
  admin = await newAccount('scopes');
  const { token, scopes } = await make(admin, { name: 'wallboard', scopes: ['read'] });
  expect(scopes).toEqual(['read']);
  const signedIn = await call(service.url, 'POST', '/v1/session', { token: null, body: { token } });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, 'dialtree-account': signedIn.json.account.id };
  const refused = [
    ['write', 'POST', '/v1/ivr', menu()],
    ['calls', 'POST', '/v1/click_to_call', { eid: '1', number: '2' }],
    ['calls', 'POST', '/v1/sms', { to: '1', text: 'x' }],
    ['admin', 'POST', '/v1/token', { name: 'more', scopes: ['admin'] }],
    ['admin', 'GET', '/v1/audit', undefined],
  ] as const;
  expect((await ask(token, 'GET', '/v1/ivrs')).status).toBe(200);
  for (const [scope, method, path, body] of refused) {
    const more = body ? { body } : {};
    for (const way of [{ token }, { token: null, headers }]) {
      const reply = await call(service.url, method, path, { ...way, ...more });
      expect([reply.status, reply.json.Code, reply.json.Scope], path).toEqual([403, 'scope_missing', scope]);
      expect(reply.headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${scope}"`);
    }
  }
});

it('T43: an account cannot make tokens without end, and its tokens share one rate', async () => {
  admin = await newAccount('many');
  const tokens: string[] = [];
  let last: Reply;
  do {
    last = await ask(admin, 'POST', '/v1/token', { name: `token ${tokens.length}`, scopes: ['read'] });
    if (last.status === 429) await new Promise((resolve) => setTimeout(resolve, 200));
    if (last.status === 201) tokens.push(last.json.token);
  } while (last.status !== 409 && tokens.length < 2 * DEFAULT_LIMITS.max_tokens);
  expect(last.json).toMatchObject({ Code: 'token_limit_reached' });
  expect(tokens).toHaveLength(DEFAULT_LIMITS.max_tokens - 1);

  await new Promise((resolve) => setTimeout(resolve, 2500));
  const startedMs = performance.now();
  const replies = await Promise.all(
    tokens.flatMap((token) => [1, 2, 3, 4].map(() => ask(token, 'GET', '/v1/settings'))),
  );
  // A slow machine makes this longer, and the bound with it.
  const seconds = (performance.now() - startedMs) / 1000;
  const passed = replies.filter(({ status }) => status === 200).length;
  expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true);
  // A burst of two seconds' worth, and what came back meanwhile.
  expect(passed).toBeLessThanOrEqual(PER_SECOND * ACCOUNT_SHARE * (2 + seconds) + 1);
  figure(
    'T43',
    `${tokens.length} tokens of one account at once: ${passed} of ${replies.length} requests passed in ${seconds.toFixed(1)} s`,
  );
});

it('T43: wrong tokens from one address are slowed, and a good token from there works all the while', async () => {
  admin = await newAccount('neighbours');
  const codes: number[] = [];
  for (let at = 0; at < 3 * WRONG_TOKENS_PER_MINUTE; at++) {
    const wrong = await ask(`dialtree_guess-${at}`, 'GET', '/v1/agents');
    codes.push(wrong.status);
    if (wrong.status === 429) expect(Number(wrong.headers.get('retry-after'))).toBeGreaterThan(0);
    if (at % 10 === 0) expect((await ask(admin, 'GET', '/v1/agents')).status).toBe(200);
  }
  const answered = codes.filter((status) => status === 401).length;
  // The tests above have sent a few.
  expect(codes.slice(0, WRONG_TOKENS_PER_MINUTE / 2).every((status) => status === 401)).toBe(true);
  expect(answered).toBeLessThan(WRONG_TOKENS_PER_MINUTE + 5);
  expect(codes.at(-1)).toBe(429);
  figure(
    'T43',
    `${codes.length} wrong tokens from one address: ${answered} times 401, ${codes.length - answered} times 429`,
  );
});

it('T43: behind a proxy that is trusted, wrong tokens of one client slow no other, and a client cannot name another', async () => {
  const behind = await startService({ env: { RATE_LIMIT: '50', TRUSTED_PROXIES: '127.0.0.1/32' } });
  try {
    const guess = (forwarded: string) =>
      call(behind.url, 'GET', '/v1/agents', {
        token: 'dialtree_guess',
        headers: { 'x-forwarded-for': forwarded },
      });
    const codes: number[] = [];
    // What the client sent itself stands before what the proxy adds.
    for (let at = 0; at < WRONG_TOKENS_PER_MINUTE + 5; at++)
      codes.push((await guess(`198.51.100.${at}, 203.0.113.1`)).status);
    expect([codes[0], codes.at(-1)]).toEqual([401, 429]);
    expect((await guess('203.0.113.2')).status).toBe(401);
  } finally {
    await behind.remove();
  }
});
