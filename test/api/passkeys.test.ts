// Threat T60: a passkey proves a user to pages of this service alone, once for each challenge.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, type Service, startService } from '../support/service.ts';
import { type Answering, Authenticator } from './support/authenticator.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { accept, invited, makeOwner, PASSWORD } from './support/people.ts';

const account = 'default';
const PUBLIC_URL = 'https://phones.example.com';

describe('a passkey', () => {
  let service: Service;
  let owner: Browser;
  let user: Browser;
  let other: Browser;
  const key = new Authenticator();
  beforeAll(async () => {
    service = await startService({ env: { PUBLIC_URL } });
    owner = await makeOwner(service);
    user = await invited(service, owner, 'viewer');
    other = await invited(service, owner, 'editor');
  });
  afterAll(() => service?.remove());

  const begin = async (by: Browser) =>
    (await by.ask('POST', '/v1/me/passkey/challenge', { account, body: { current: PASSWORD } })).json as {
      options: string;
      state: string;
    };
  const add = (by: Browser, state: string, response: string) =>
    by.ask('POST', '/v1/me/passkey', { account, body: { name: 'Laptop', state, response } });
  const beginSignIn = async () =>
    (await new Browser(() => service.url).ask('POST', '/v1/session/passkey/challenge')).json as {
      options: string;
      state: string;
    };
  const signIn = (state: string, response: string, headers: Record<string, string> = {}) =>
    new Browser(() => service.url).ask('POST', '/v1/session/passkey', { body: { state, response }, headers });
  /** By a request whose Host is not where it goes, which fetch() does not send. */
  const codeOfSignIn = (host: string, state: string, response: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { host, origin: `https://${host}`, 'content-type': 'application/json' };
      const asked = request(`${service.url}/v1/session/passkey`, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.on('data', (bytes) => {
          text += String(bytes);
        });
        answer.on('end', () => resolve((JSON.parse(text) as { Code: string }).Code));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ state, response }));
    });
  const signInBy = async (by: Answering) => {
    const { options, state } = await beginSignIn();
    return signIn(state, key.get(options, by));
  };

  it('is added for the page that asked, by a device that has verified the user', async () => {
    const origin = service.url;
    for (const wrong of [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', rpId: '127.0.0.1' },
      { origin, rpId: 'evil.example' },
      { origin, verified: false },
    ]) {
      const { options, state } = await begin(user);
      expectFailure(await add(user, state, key.create(options, wrong)), 'fields_invalid');
    }
    // What another user began is of no use.
    const theirs = await begin(other);
    expectFailure(await add(user, theirs.state, key.create(theirs.options, { origin })), 'fields_invalid');
    const { options, state } = await begin(user);
    const added = await add(user, state, key.create(options, { origin }));
    expect(added.status, added.text).toBe(201);
    expectFailure(await add(user, state, key.create(options, { origin })), 'fields_invalid');
  });

  it('signs in on pages of the service alone', async () => {
    const origin = service.url;
    const right = await signInBy({ origin });
    expect(right.status, right.text).toBe(201);
    for (const wrong of [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', rpId: '127.0.0.1' },
      { origin: 'http://127.0.0.1:1' },
      { origin, rpId: 'evil.example' },
      { origin, verified: false },
    ])
      expectFailure(await signInBy(wrong), 'sign_in_refused');
  });

  it('answers a challenge once, and no other challenge', async () => {
    const origin = service.url;
    const { options, state } = await beginSignIn();
    const response = key.get(options, { origin });
    expect((await signIn(state, response)).status).toBe(201);
    expectFailure(await signIn(state, response), 'sign_in_refused');
    expectFailure(await signIn((await beginSignIn()).state, response), 'sign_in_refused');
    // A challenge for adding one is none for signing in.
    const adding = await begin(user);
    expectFailure(await signIn(adding.state, key.get(adding.options, { origin })), 'sign_in_refused');
  });

  it('is not taken by another key, nor from a page of another site or of another port of PUBLIC_URL', async () => {
    const origin = service.url;
    const stranger = new Authenticator();
    const first = await beginSignIn();
    const forged = JSON.parse(stranger.get(first.options, { origin })) as object;
    const id = key.id.toString('base64url');
    expectFailure(await signIn(first.state, JSON.stringify({ ...forged, id, rawId: id })), 'sign_in_refused');
    const { options, state } = await beginSignIn();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expectFailure(await signIn(state, key.get(options, { origin }), foreign), 'csrf_refused');
    // A page between the user and us writes the headers that it likes: PUBLIC_URL alone is ours on its host.
    for (const [host, refusal] of [
      ['phones.example.com:8443', 'csrf_refused'],
      ['phones.example.com', 'sign_in_refused'],
      ['another.example.com:8443', 'sign_in_refused'],
    ] as const) {
      const page = `https://${host}`;
      expect(await codeOfSignIn(host, state, key.get(options, { origin: page }))).toBe(refusal);
    }
  });

  it('is not added by who found the browser unlocked: the password is asked for', async () => {
    for (const body of [{}, { current: 'not the password' }, { state: 'x', response: '{}' }]) {
      const refused = await user.ask('POST', '/v1/me/passkey/challenge', { account, body });
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Errors).toMatchObject([{ Pointer: '/current' }]);
      expect(refused.text).not.toContain('challenge');
    }
  });

  it.each(['link', 'second_factor'])('ends with the remedy of an owner: %s', async (remedy) => {
    const origin = service.url;
    const email = `${remedy}@example.com`;
    const browser = await invited(service, owner, 'viewer', { email });
    const own = new Authenticator();
    const { options, state } = await begin(browser);
    expect((await add(browser, state, own.create(options, { origin }))).status).toBe(201);
    const users = (await owner.ask('GET', '/v1/users', { account })).json.data as Json[];
    const found = users.find((one) => one.email === email);
    expect(found?.passkeys).toHaveLength(1);
    const method = remedy === 'link' ? 'POST' : 'DELETE';
    const { json } = await owner.ask(method, `/v1/user/${found?.id}/${remedy}`, { account });
    if (remedy === 'link') expect((await accept(new Browser(() => service.url), json.path)).status).toBe(201);
    const signing = await beginSignIn();
    expectFailure(await signIn(signing.state, own.get(signing.options, { origin })), 'sign_in_refused');
  });
});
