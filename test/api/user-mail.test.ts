// Invitations and password resets by mail, as a mail server gets them: whose they are, that their link works once and for a time, and
// what a reset ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../src/kit/credentials.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onAnyDatabase } from '../support/databases.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { accept, codeOf, makeOwner, PASSWORD, signInAs } from './support/people.ts';

const account = 'default';
const PUBLIC_URL = 'https://phones.example.com';
const HOUR_MS = 3_600_000;

onAnyDatabase((database) => {
  let mail: MailServer;
  let service: Service;
  let storage: Storage;
  let owner: Browser;
  /** Every code that was in a mail. */
  const codes: string[] = [];

  beforeAll(async () => {
    mail = await startMailServer();
    const env = await database.environment();
    service = await startService({
      env: {
        ...env,
        SMTP_URL: mail.url,
        MAIL_FROM: 'dialtree@example.com',
        MAIL_PER_MINUTE: '30',
        PUBLIC_URL,
        LOG_LEVEL: 'trace',
      },
    });
    const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
    storage = url === undefined ? await openSqlite(folder) : await openPostgres({ url });
    owner = await makeOwner(service);
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
    await mail?.close();
  });

  const newBrowser = () => new Browser(() => service.url);
  const invite = (email: string): Promise<Json> =>
    owner.ask('POST', '/v1/user', { account, body: { name: 'Una', email, role: 'viewer' } });
  const reset = (email: string) =>
    call(service.url, 'POST', '/v1/password_reset', { token: null, body: { email } });
  const seen = new Set<string>();
  /** The path of the link in the next mail to this address. */
  const linkTo = async (email: string, subject: string): Promise<string> => {
    const text = await mail.received((one) => one.includes(`\r\nTo: ${email}\r\n`) && !seen.has(one));
    seen.add(text);
    expect(text).toMatch(/^From: dialtree@example\.com\r$/m);
    expect(text).toContain(`\r\nSubject: ${subject}\r\n`);
    const [, path = ''] =
      /https:\/\/phones\.example\.com(\/#\/join\/dialtree_[\w-]{43})\r\n/.exec(text) ?? [];
    expect(path, text).not.toBe('');
    codes.push(codeOf(path));
    return path;
  };
  /** A user who has accepted an invitation that came by mail. */
  const joined = async (email: string): Promise<Browser> => {
    expect((await invite(email)).json.mailed).toBe(true);
    const browser = newBrowser();
    expect((await accept(browser, await linkTo(email, 'Your invitation to Dialtree'))).status).toBe(201);
    return browser;
  };
  const expiryOf = async (path: string): Promise<number> => {
    const link = await storage.findUserLink({ hash: hashToken(codeOf(path)) });
    return (link?.expiresAtMs ?? 0) - (link?.createdAtMs ?? 0);
  };
  /** Its time is over now. */
  const expire = async (path: string): Promise<void> => {
    const link = await storage.findUserLink({ hash: hashToken(codeOf(path)) });
    if (!link) throw new Error('There is no such link.');
    await storage.createUserLink({ link: { ...link, expiresAtMs: Date.now() - 1 } });
  };

  describe('an invitation by mail', () => {
    it('reaches the invited address with a link that the answer does not have, and which signs in once', async () => {
      const { json } = await invite('una@example.com');
      expect(json.mailed).toBe(true);
      const path = await linkTo('una@example.com', 'Your invitation to Dialtree');
      expect(json.path).toBeNull();
      expect(await expiryOf(path)).toBe(7 * 24 * HOUR_MS);
      const browser = newBrowser();
      expect((await accept(browser, path)).status).toBe(201);
      expect((await browser.ask('GET', '/v1/me', { account })).json.user.email).toBe('una@example.com');
      expectFailure(await accept(newBrowser(), path, 'somebody else entirely'), 'link_invalid');
      await signInAs(service, 'una@example.com');
    });

    it('ends with its time', async () => {
      await invite('late@example.com');
      const path = await linkTo('late@example.com', 'Your invitation to Dialtree');
      await expire(path);
      const body = { code: codeOf(path) };
      expectFailure(await call(service.url, 'POST', '/v1/user_link', { token: null, body }), 'link_invalid');
      expectFailure(await accept(newBrowser(), path), 'link_invalid');
      expectFailure(
        await newBrowser().ask('POST', '/v1/session', {
          body: { email: 'late@example.com', password: PASSWORD },
        }),
        'sign_in_refused',
      );
    });
  });

  describe('a reset by mail', () => {
    it('sets another password once, and ends the sessions and tokens of the user', async () => {
      const first = await joined('forgets@example.com');
      const second = await signInAs(service, 'forgets@example.com');
      const { token } = (await first.ask('POST', '/v1/token', { account, body: { name: 'mine' } })).json;
      expect((await reset('Forgets@Example.com')).status).toBe(200);
      const path = await linkTo('forgets@example.com', 'A new password for Dialtree');
      expect(await expiryOf(path)).toBe(HOUR_MS);
      // Asking for it changes nothing: somebody else may have asked.
      expect((await second.ask('GET', '/v1/me', { account })).status).toBe(200);
      const third = newBrowser();
      expect((await accept(third, path, 'another password')).status).toBe(201);
      for (const browser of [first, second])
        expectFailure(await browser.ask('GET', '/v1/me', { account }), 'token_invalid');
      expectFailure(await call(service.url, 'GET', '/v1/me', { token }), 'token_invalid');
      expect((await third.ask('GET', '/v1/me', { account })).json.sessions).toHaveLength(1);
      // Those of others go on.
      expect((await owner.ask('GET', '/v1/me', { account })).status).toBe(200);
      expectFailure(await accept(newBrowser(), path, 'yet another password'), 'link_invalid');
      const body = { email: 'forgets@example.com', password: PASSWORD };
      expectFailure(await newBrowser().ask('POST', '/v1/session', { body }), 'sign_in_refused');
      await signInAs(service, 'forgets@example.com', 'another password');
    });

    it('ends with the next one, and sets one of many passwords that are sent at once', async () => {
      await joined('raced@example.com');
      await reset('raced@example.com');
      const first = await linkTo('raced@example.com', 'A new password for Dialtree');
      await reset('raced@example.com');
      const second = await linkTo('raced@example.com', 'A new password for Dialtree');
      expectFailure(await accept(newBrowser(), first, 'by the first link'), 'link_invalid');
      const passwords = Array.from({ length: 6 }, (_, at) => `password of page ${at}`);
      const uses = await Promise.all(passwords.map((one) => accept(newBrowser(), second, one)));
      expect(uses.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401]);
      const [winner = -1] = uses.flatMap(({ status }, at) => (status === 201 ? [at] : []));
      await signInAs(service, 'raced@example.com', passwords[winner]);
      const body = { email: 'raced@example.com', password: passwords[(winner + 1) % 6] };
      expectFailure(await newBrowser().ask('POST', '/v1/session', { body }), 'sign_in_refused');
      // Neither link opens the page any more.
      for (const path of [first, second]) {
        const asked = { token: null, body: { code: codeOf(path) } };
        expectFailure(await call(service.url, 'POST', '/v1/user_link', asked), 'link_invalid');
      }
    });

    it('ends with its time, and the password stays', async () => {
      const browser = await joined('slow@example.com');
      await reset('slow@example.com');
      const path = await linkTo('slow@example.com', 'A new password for Dialtree');
      await expire(path);
      expectFailure(await accept(newBrowser(), path, 'another password'), 'link_invalid');
      expect((await browser.ask('GET', '/v1/me', { account })).status).toBe(200);
      await signInAs(service, 'slow@example.com');
    });

    it('answers the same for an address that nobody has, and sends it nothing', async () => {
      await joined('known@example.com');
      const answers: string[] = [];
      for (const email of ['nobody@example.com', 'known@example.com'])
        for (let time = 0; time < 4; time++) {
          const { status, text } = await reset(email);
          answers.push(`${status} ${status === 200 ? text : 'wait'}`);
        }
      expect(answers.slice(0, 4)).toEqual(answers.slice(4));
      expect(answers[3]).toBe('429 wait');
      await linkTo('known@example.com', 'A new password for Dialtree');
      const jobs = await storage.listJobs({ accountId: account, lane: 'email', limit: 100 });
      expect(jobs.filter(({ json }) => json.includes('nobody@example.com'))).toEqual([]);
      expect(jobs.filter(({ json }) => json.includes('"known@example.com"'))).toHaveLength(4);
    });
  });

  it('links are neither in the log nor in the database', async () => {
    const jobs = await storage.listJobs({ accountId: account, lane: 'email', limit: 100 });
    const stored = JSON.stringify([jobs, await storage.listAudit({ accountId: account, limit: 100 })]);
    const logged = `${service.log.join('\n')}${service.said.join('')}`;
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) {
      expect(stored).not.toContain(code);
      expect(logged).not.toContain(code);
    }
  });

  it('mails of links count to those that the account may send; the answer says so, and does not have the link', async () => {
    const { id } = (await invite('flooded@example.com')).json;
    let last: Json = null;
    // A minute may begin meanwhile.
    for (let at = 0; at < 70 && last?.mailed !== false; at++)
      last = (await owner.ask('POST', `/v1/user/${id}/link`, { account })).json;
    expect(last).toMatchObject({
      mailed: false,
      path: null,
      Message: expect.stringContaining('as much e-mail as it may'),
    });
  });
});
