// Every operation × every role: what docs/roles.md says is what the service does, for browsers and for tokens of users.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/routes.ts';
import { mayDo, ROLES, type Role, rightOf } from '../../src/domain/roles.ts';
import { call, type Service, startService } from '../support/service.ts';
import type { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { invited, makeOwner, PASSWORD, signInAs } from './support/people.ts';

/** Whoever asks for these is signed out. */
const ENDING = ['deleteSession', 'deleteSessions'];
/** Takes no cookie: test/api/mcp.test.ts. */
const BY_TOKEN_ALONE = ['mcp'];
const nothing: Readonly<Record<string, string>> = {
  id: 'nothing',
  eid: 'nothing',
  version: '1',
  delivery: 'nothing',
};
const guarded = ROUTES.filter(({ open }) => !open);

let service: Service;
let owner: Browser;
/** eid of the agent that the user with the role agent is. */
let own = '';
const people = new Map<Role, { browser: Browser; email: string }>();
beforeAll(async () => {
  service = await startService();
  owner = await makeOwner(service);
  people.set('owner', { browser: owner, email: 'owner@example.com' });
  const { json } = await owner.ask('POST', '/v1/agent', { account: 'default', body: { name: 'Asha' } });
  own = json.eid;
  for (const role of ROLES.filter((one) => one !== 'owner')) {
    const more = role === 'agent' ? { agent: json.eid } : {};
    people.set(role, { browser: await invited(service, owner, role, more), email: `${role}@example.com` });
  }
});
afterAll(() => service?.remove());

const asked = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => nothing[name] ?? 'nothing');

describe.each(ROLES)('the role %s', (role) => {
  test('may carry out the operations that the table says, and no other', async () => {
    const { email } = people.get(role) ?? { email: '' };
    const browser = await signInAs(service, email);
    const wrong: string[] = [];
    for (const { id, method, path, body } of guarded) {
      if (BY_TOKEN_ALONE.includes(id) || (ENDING.includes(id) && mayDo(role, id))) continue;
      const sent = body || method === 'PUT' ? { body: {} } : {};
      const { status, json } = await browser.ask(method, asked(path), { account: 'default', ...sent });
      const isRefused = status === 403 && json?.Code === 'role_refused';
      // An agent has one agent's state to change, which this is not.
      const expected = mayDo(role, id) && !(role === 'agent' && rightOf(id) === 'own');
      if (isRefused === expected || [401, 500].includes(status)) wrong.push(`${id}: ${status} ${json?.Code}`);
    }
    expect(wrong).toEqual([]);
  });

  test('bounds a token of the user, too, whatever its scopes are', async () => {
    const { email } = people.get(role) ?? { email: '' };
    const browser = await signInAs(service, email);
    const made = await browser.ask('POST', '/v1/token', { account: 'default', body: { name: 'mine' } });
    expect(made.status, made.text).toBe(201);
    const wrong: string[] = [];
    for (const { id, method, path, body } of guarded.filter((one) => !mayDo(role, one.id))) {
      const sent = body ? { body: {} } : {};
      const reply = await call(service.url, method, asked(path), { token: made.json.token, ...sent });
      if (reply.json?.Code !== 'role_refused') wrong.push(`${id}: ${reply.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('an editor', () => {
  test('does not publish what somebody else drafted of a kind that the role may not change', async () => {
    const editor = people.get('editor')?.browser ?? owner;
    const asks = (browser: Browser, method: string, path: string, body?: object) =>
      browser.ask(method, path, { account: 'default', ...(body ? { body } : {}) });
    await asks(owner, 'PATCH', '/v1/settings', { require_publish: true });
    const address = { id: 'elsewhere', name: 'Elsewhere', uri: 'sip:desk@pbx.example.com' };
    expect((await asks(owner, 'POST', '/v1/sip_address', address)).status).toBe(201);
    expectFailure(await asks(editor, 'POST', '/v1/draft/publish', { reason: 'x' }), 'role_refused');
    const { json } = await asks(owner, 'POST', '/v1/draft/publish', { reason: 'x' });
    expect(json.Message).toBe('Published: 1 record');
    expectFailure(
      await asks(editor, 'POST', `/v1/publication/${json.id}/roll_back`, { reason: 'x' }),
      'role_refused',
    );
    await asks(owner, 'PATCH', '/v1/settings', { require_publish: false });
  });
});

describe('an agent', () => {
  test('changes the state of the agent that the user is, and of no other', async () => {
    const browser = people.get('agent')?.browser ?? owner;
    const other = await owner.ask('POST', '/v1/agent', { account: 'default', body: { name: 'Ravi' } });
    const pause = (eid: string) =>
      browser.ask('POST', `/v1/agent/${eid}/pause`, { account: 'default', body: { reason: 'Lunch' } });
    // This service has no telephones, which comes after the role.
    expectFailure(await pause(own), 'telephones_off');
    expectFailure(await pause(other.json.eid), 'role_refused');
    const click = (agent: unknown) =>
      browser.ask('POST', '/v1/click_to_call', { account: 'default', body: { agent, number: '1002' } });
    expectFailure(await click(own), 'telephones_off');
    expectFailure(await click(other.json.eid), 'role_refused');
    expectFailure(await click([own]), 'role_refused');
  });
});

describe('secrets', () => {
  test('PINs of rooms are for those who hand them out', async () => {
    const room = { name: 'Board', pin: '1234', host_pin: '98765' };
    const { json } = await owner.ask('POST', '/v1/room', { account: 'default', body: room });
    for (const role of ROLES) {
      const browser = people.get(role)?.browser ?? owner;
      for (const path of [`/v1/room/${json.id}`, '/v1/rooms']) {
        const { text } = await browser.ask('GET', path, { account: 'default' });
        const sees = ['owner', 'administrator', 'supervisor', 'editor'].includes(role);
        expect(/1234|98765/.test(text), `${role} ${path}`).toBe(sees);
      }
    }
  });

  test('e-mail addresses of the settings are for those who change them', async () => {
    const rule = { name: 'Night', emails: ['night@example.com'] };
    const body = {
      report_daily_to: ['daily@example.com'],
      report_weekly_to: ['weekly@example.com'],
      notification_rules: [rule],
    };
    expect((await owner.ask('PATCH', '/v1/settings', { account: 'default', body })).status).toBe(200);
    const read = (browser: Browser) => browser.ask('GET', '/v1/settings', { account: 'default' });
    const whole = await read(owner);
    for (const role of ROLES) {
      const { status, text, json, headers } = await read(people.get(role)?.browser ?? owner);
      const sees = role === 'owner' || role === 'administrator';
      expect(status).toBe(200);
      expect(text.match(/@example\.com/g)?.length ?? 0, role).toBe(sees ? 3 : 0);
      expect(json.notification_rules[0].name).toBe('Night');
      // Another tag: a hash of the whole would prove a guess.
      expect(headers.get('etag') === whole.headers.get('etag')).toBe(sees);
    }
  });

  test('no answer to anybody has a password, its hash or the code of a link', async () => {
    for (const path of ['/v1/users', '/v1/me', '/v1/audit', '/v1/session']) {
      const { text } = await owner.ask('GET', path, { account: 'default' });
      expect(text).not.toMatch(/scrypt|credentials|dialtree_/);
      expect(text).not.toContain(PASSWORD);
    }
  });
});
