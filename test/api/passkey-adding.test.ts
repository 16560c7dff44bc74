// Threat T60: a passkey outlives the session that adds it. Users without a password, as those of a provider, prove themselves by a
// passkey that they have, or by having signed in just now.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CREDENTIALS, type User } from '../../src/domain/user.ts';
import { userSession } from '../../src/kit/credentials.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { type Service, startService } from '../support/service.ts';
import { type Answering, Authenticator } from './support/authenticator.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';

const account = 'default';
const MINUTE_MS = 60_000;

describe('a passkey of a user without a password', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.remove());

  /** Browsers of a new user, as a provider leaves them: signed in so many minutes ago. */
  async function signedIn(...minutesAgo: number[]): Promise<Browser[]> {
    const nowMs = Date.now();
    const id = randomUUID();
    const user: User = {
      id,
      accountId: account,
      name: 'Una',
      email: `${id}@example.com`,
      role: 'viewer',
      agent: null,
      disabled: false,
      credentials: NO_CREDENTIALS,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      lastSignInAtMs: nowMs,
    };
    const storage = await openSqlite(service.dataDir);
    try {
      expect(await storage.createUser({ user, most: 500 })).toEqual({ outcome: 'done' });
      const browsers: Browser[] = [];
      for (const minutes of minutesAgo) {
        const { secret, token: session } = userSession(user, nowMs - minutes * MINUTE_MS, '');
        expect(await storage.createSession({ session, most: 500 })).toEqual({ created: true });
        const browser = new Browser(() => service.url);
        browser.secrets = [secret];
        browsers.push(browser);
      }
      return browsers;
    } finally {
      await storage.close();
    }
  }

  interface Challenge {
    readonly options: string;
    readonly state: string;
  }
  const page = (): Answering => ({ origin: service.url });
  const begin = (by: Browser, body: object = {}) =>
    by.ask('POST', '/v1/me/passkey/challenge', { account, body });
  const add = async (by: Browser, key: Authenticator, { options, state }: Challenge) => {
    const response = key.create(options, page());
    return by.ask('POST', '/v1/me/passkey', { account, body: { name: 'Laptop', state, response } });
  };
  const challenge = async (): Promise<Challenge> =>
    (await new Browser(() => service.url).ask('POST', '/v1/session/passkey/challenge')).json as Challenge;
  /** The proof that a passkey gives, as for signing in. */
  const proofOf = async (key: Authenticator, by: Answering = page()) => {
    const { options, state } = await challenge();
    return { state, response: key.get(options, by) };
  };
  const passkeys = async (by: Browser): Promise<number> =>
    (await by.ask('GET', '/v1/me', { account })).json.user.passkeys.length;

  it('is added by a session that is younger than ten minutes, and by no older one', async () => {
    const [fresh, nearly, late, old] = (await signedIn(0, 9, 10, 600)) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    for (const browser of [late, old]) {
      const refused = await begin(browser);
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Message).toContain('Sign in again first');
      expect(refused.text).not.toContain('challenge');
    }
    // What a page says of a password or a passkey that the user does not have changes nothing.
    expectFailure(await begin(old, { current: 'anything' }), 'fields_invalid');
    expectFailure(await begin(old, await proofOf(new Authenticator())), 'fields_invalid');
    expect((await begin(nearly)).status).toBe(201);
    const begun = await begin(fresh);
    expect(begun.status, begun.text).toBe(201);
    const added = await add(fresh, new Authenticator(), begun.json as Challenge);
    expect(added.status, added.text).toBe(201);
    expect(await passkeys(fresh)).toBe(1);
  });

  it('is added by an assertion of another one that the user has, from any session', async () => {
    const [fresh, old] = (await signedIn(0, 600)) as [Browser, Browser];
    const [first, second] = [new Authenticator(), new Authenticator()];
    expect((await add(fresh, first, (await begin(fresh)).json as Challenge)).status).toBe(201);
    const begun = await begin(old, await proofOf(first));
    expect(begun.status, begun.text).toBe(201);
    const added = await add(old, second, begun.json as Challenge);
    expect(added.status, added.text).toBe(201);
    // It is as good as the first.
    expect((await begin(old, await proofOf(second))).status).toBe(201);
    expect(await passkeys(old)).toBe(2);
  });

  it('is added by no session alone once there is one, however young, and by no other proof', async () => {
    const [browser] = (await signedIn(0)) as [Browser];
    const [stranger] = (await signedIn(0)) as [Browser];
    const [own, theirs] = [new Authenticator(), new Authenticator()];
    expect((await add(browser, own, (await begin(browser)).json as Challenge)).status).toBe(201);
    expect((await add(stranger, theirs, (await begin(stranger)).json as Challenge)).status).toBe(201);
    const { origin } = page();
    const used = await proofOf(own);
    expect((await begin(browser, used)).status).toBe(201);
    const { state, response } = await proofOf(own);
    const adding = (await begin(browser, { state, response })).json as Challenge;
    const other = await challenge();
    const wrong: Record<string, object> = {
      'no proof': {},
      'a password': { current: 'anything' },
      'a proof that was used': used,
      'a passkey of another user': await proofOf(theirs),
      'a key that nobody has added': await proofOf(new Authenticator()),
      'a device that did not verify the user': await proofOf(own, { origin, verified: false }),
      'a page of another site': await proofOf(own, { origin: 'https://evil.example' }),
      'an answer to another challenge': { state: other.state, response: (await proofOf(own)).response },
      'a challenge for adding': { state: adding.state, response: own.get(adding.options, page()) },
      'a state that is not ours': { state: 'x', response: own.get(other.options, page()) },
      'no answer': { state: (await challenge()).state },
      'no JSON': { state: (await challenge()).state, response: 'x' },
    };
    for (const [what, body] of Object.entries(wrong)) {
      const refused = await begin(browser, body);
      expect([what, refused.status, refused.json.Code]).toEqual([what, 400, 'fields_invalid']);
      expect(refused.text).not.toContain('"options"');
    }
    expect(await passkeys(browser)).toBe(1);
  });
});
