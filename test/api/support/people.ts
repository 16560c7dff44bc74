// Users for tests: an owner, and others whom the owner invites.
import { scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Role } from '../../../src/domain/roles.ts';
import { hashToken, userSession } from '../../../src/kit/credentials.ts';
import { createSession } from '../../../src/storage/sql/account.ts';
import { findUserLink, listUsers, spendUserLink } from '../../../src/storage/sql/user.ts';
import { openConnection } from '../../../src/storage/sqlite/connection.ts';
import { DATABASE_FILE } from '../../../src/storage/sqlite/sqlite.ts';
import type { MailServer } from '../../support/mail-server.ts';
import { type Service, TOKEN } from '../../support/service.ts';
import { Browser } from './browser.ts';

export const PASSWORD = 'correct horse battery';
/** As it is stored, at a cost that takes no time: the service's own takes 0.2 s of a processor, for each sign-in again. */
const STORED = [
  'scrypt',
  1,
  1,
  1,
  'c2FsdA',
  scryptSync(PASSWORD, 'salt', 32, { N: 2, r: 1, p: 1 }).toString('base64url'),
].join('$');

export async function makeOwner(
  service: Service,
  email = 'owner@example.com',
  token = TOKEN,
): Promise<Browser> {
  const browser = new Browser(() => service.url);
  await browser.signIn(token);
  const [account] = (await browser.ask('GET', '/v1/session')).json.accounts;
  const body = { name: 'Olga Owner', email, password: PASSWORD };
  const made = await browser.ask('POST', '/v1/owner', { account: account.id, body });
  expect(made.status, made.text).toBe(201);
  return browser;
}

/** `by` invites a user of this role, who accepts with PASSWORD. `mail`: where the service sends the link, which no answer has then. */
export async function invited(
  service: Service,
  by: Browser,
  role: Role,
  more: object = {},
  account = 'default',
  mail?: Pick<MailServer, 'received'>,
): Promise<Browser> {
  const body = { name: `Una ${role}`, email: `${role}@example.com`, role, ...more };
  const { json, text } = await by.ask('POST', '/v1/user', { account, body });
  const path = mail ? await pathIn(mail, body.email) : json.path;
  expect(path, text).toMatch(/^\/#\/join\/dialtree_/);
  const browser = new Browser(() => service.url);
  const file = join(service.dataDir, DATABASE_FILE);
  if (existsSync(file)) browser.secrets = [await acceptIn(file, codeOf(path))];
  else expect((await accept(browser, path)).status).toBe(201);
  return browser;
}

async function pathIn(mail: Pick<MailServer, 'received'>, email: string): Promise<string> {
  const text = await mail.received((one) => one.includes(`To: ${email}\r\n`));
  return /\/#\/join\/dialtree_[\w-]{43}/.exec(text)?.[0] ?? '';
}

/** What POST /v1/user_link/accept does, with STORED; the secret of the session. */
async function acceptIn(file: string, code: string): Promise<string> {
  const { tx, execute, close } = openConnection(file, 'writer');
  try {
    execute('BEGIN IMMEDIATE');
    const link = await findUserLink(tx, { hash: hashToken(code) });
    const user = (await listUsers(tx, undefined)).find(({ id }) => id === link?.userId);
    if (!link || !user) throw new Error('The invitation is not there.');
    const atMs = Date.now();
    expect(await spendUserLink(tx, { link, password: STORED, atMs })).toEqual({ used: true });
    const { secret, token: session } = userSession(user, atMs, '');
    await createSession(tx, { session, most: 500, mostOfUser: 20 });
    execute('COMMIT');
    return secret;
  } finally {
    close();
  }
}

export const codeOf = (path: string): string => path.slice('/#/join/'.length);

export const accept = (browser: Browser, path: string, password = PASSWORD) =>
  browser.ask('POST', '/v1/user_link/accept', { body: { code: codeOf(path), password } });

export async function signInAs(service: Service, email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(() => service.url);
  const reply = await browser.ask('POST', '/v1/session', { body: { email, password } });
  expect(reply.status, reply.text).toBe(201);
  return browser;
}
