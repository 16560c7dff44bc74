// Users for tests: an owner, and others whom the owner invites.
import { expect } from 'vitest';
import type { Role } from '../../../src/domain/roles.ts';
import { type Service, TOKEN } from '../../support/service.ts';
import { Browser } from './browser.ts';

export const PASSWORD = 'correct horse battery';

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

/** `by` invites a user of this role, who accepts. */
export async function invited(
  service: Service,
  by: Browser,
  role: Role,
  more: object = {},
  account = 'default',
): Promise<Browser> {
  const body = { name: `Una ${role}`, email: `${role}@example.com`, role, ...more };
  const { json, text } = await by.ask('POST', '/v1/user', { account, body });
  expect(json.path, text).toMatch(/^\/#\/join\/dialtree_/);
  const browser = new Browser(() => service.url);
  const accepted = await accept(browser, json.path);
  expect(accepted.status, accepted.text).toBe(201);
  return browser;
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
