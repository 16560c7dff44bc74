// Threat T58: providers that lie, and answers that were made for somebody else. The provider here says whatever the attack wants.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-oidc.ts';
import { type Service, startService } from '../support/service.ts';
import { invited, makeOwner } from './support/people.ts';

const EVIL = 'https://evil.example';

let provider: HostileProvider;
let service: Service;
beforeAll(async () => {
  provider = await startHostileProvider('viewer@example.com');
  service = await startService({ env: provider.env });
  await invited(service, await makeOwner(service), 'viewer');
});
afterAll(async () => {
  provider?.close();
  await service?.remove();
});

/** A browser that began a sign-in and has not come back. */
interface Begun {
  readonly state: string;
  cookie: string;
}

const cookieIn = (answer: Response): string =>
  /^dialtree_oidc=[^;]*/.exec(answer.headers.getSetCookie().join('\n'))?.[0] ?? '';

async function begin(): Promise<Begun> {
  const answer = await fetch(`${service.url}/v1/session/oidc`, { redirect: 'manual' });
  const query = new URL(answer.headers.get('location') ?? '').searchParams;
  provider.nonce = query.get('nonce') ?? '';
  return { state: query.get('state') ?? '', cookie: cookieIn(answer) };
}

/** The browser comes back with this query; what the console is told. */
async function comeBack(browser: Begun, query: string): Promise<string> {
  const answer = await fetch(`${service.url}/v1/session/oidc/callback?${query}`, {
    redirect: 'manual',
    headers: { cookie: browser.cookie },
  });
  browser.cookie = cookieIn(answer);
  return answer.headers.get('location')?.split('oidc=')[1] ?? `${answer.status}`;
}

/** As the page does. */
async function finish({ cookie }: Begun): Promise<number> {
  const headers = { cookie, origin: service.url };
  return (await fetch(`${service.url}/v1/session/oidc`, { method: 'POST', headers })).status;
}

describe('a provider that describes itself', () => {
  it.each([
    ['as another issuer', { issuer: EVIL }],
    ['without an issuer', { issuer: undefined }],
  ])('%s is not asked, and is when it is right again', async (_, change) => {
    const right = provider.description;
    const { codes } = provider;
    const asked = codes.length;
    provider.description = { ...right, ...change };
    try {
      const { state, cookie } = await begin().catch(() => ({ state: '', cookie: '' }));
      expect(await comeBack({ state, cookie }, `code=c&state=${state}`)).toBe('failed');
      expect(codes).toHaveLength(asked);
    } finally {
      provider.description = right;
    }
  });
});

it('what is right signs in', async () => {
  const browser = await begin();
  expect(await comeBack(browser, `code=c&state=${browser.state}`)).toBe('finished');
  expect(await finish(browser)).toBe(201);
});

describe('an ID token', () => {
  const seconds = Math.floor(Date.now() / 1000);
  it.each<[string, Lie, string]>([
    ['of another issuer', { claims: { iss: EVIL } }, 'failed'],
    ['without an issuer', { claims: { iss: undefined } }, 'failed'],
    ['for another client', { claims: { aud: 'another' } }, 'failed'],
    ['for several, and presented by another', { claims: { aud: ['dialtree', 'b'], azp: 'b' } }, 'failed'],
    ['whose time is over', { claims: { iat: seconds - 7200, exp: seconds - 3600 } }, 'failed'],
    ['that never ends', { claims: { exp: undefined } }, 'failed'],
    ['without our nonce', { claims: { nonce: undefined } }, 'failed'],
    ['with another nonce', { claims: { nonce: 'the nonce of another sign-in' } }, 'failed'],
    ['without a subject', { claims: { sub: undefined } }, 'failed'],
    ['with a subject beyond all bounds', { claims: { sub: 'v'.repeat(256) } }, 'failed'],
    ['that is not signed', { algorithm: 'none' }, 'failed'],
    ['signed with the secret in place of the key', { algorithm: 'HS256' }, 'failed'],
    ['whose address is verified in words', { claims: { email_verified: 'true' } }, 'unverified'],
    ['whose address is not one', { claims: { email: ['viewer@example.com'] } }, 'unverified'],
  ])('%s signs nobody in', async (_, lie, outcome) => {
    const browser = await begin();
    provider.lie = lie;
    try {
      expect(await comeBack(browser, `code=c&state=${browser.state}`)).toBe(outcome);
    } finally {
      provider.lie = {};
    }
    expect(await finish(browser)).toBe(401);
  });
});

describe('an answer by the browser', () => {
  it.each([
    ['of another issuer (mix-up, RFC 9207)', (state: string) => `code=c&state=${state}&iss=${EVIL}`],
    ['of two issuers', (state: string) => `code=c&state=${state}&iss=${provider.issuer}&iss=${EVIL}`],
    ['with two codes', (state: string) => `code=c&code=d&state=${state}`],
    ['with two states', (state: string) => `code=c&state=${state}&state=another`],
    ['with a code and an error', (state: string) => `code=c&state=${state}&error=access_denied`],
    ['with another state', (state: string) => `code=c&state=${state}x`],
    ['without a state', () => 'code=c'],
    ['with an ID token of its own', (state: string) => `id_token=x&state=${state}`],
  ])('%s is refused, and its code goes nowhere', async (_, query) => {
    const browser = await begin();
    const asked = provider.codes.length;
    expect(await comeBack(browser, query(browser.state))).toBe('failed');
    expect(provider.codes).toHaveLength(asked);
    expect(await finish(browser)).toBe(401);
  });

  it('with the issuer that was asked is taken', async () => {
    const browser = await begin();
    const query = `code=c&state=${browser.state}&iss=${encodeURIComponent(provider.issuer)}`;
    expect(await comeBack(browser, query)).toBe('finished');
  });

  it('makes one session, even where the provider takes its code again', async () => {
    const browser = await begin();
    const replays = Array.from({ length: 3 }, () => ({ ...browser }));
    const back = `code=the same code&state=${browser.state}`;
    expect(await Promise.all([browser, ...replays].map((one) => comeBack(one, back)))).toContain('finished');
    const made = await Promise.all([browser, ...replays].map(finish));
    expect(made.sort()).toEqual([201, 401, 401, 401]);
  });
});
