// Users in the console: what an owner does with one, a forgotten password, a sign-in by a provider, and what each role sees.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import type { Browser } from '../api/support/browser.ts';
import { invited, makeOwner, PASSWORD } from '../api/support/people.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startProvider } from '../support/oidc.ts';
import { axe, describeConsole } from './support/console.ts';

const mail = await startMailServer();
const provider = await startProvider({
  vera: { email: 'viewer@example.com', email_verified: true },
  unverified: { email: 'viewer@example.com', email_verified: false },
  nobody: { email: 'nobody@example.com', email_verified: true },
});
afterAll(async () => {
  provider.close();
  await mail.close();
});

describeConsole('users in the console', { env: { ...provider.env, SMTP_URL: mail.url } }, (console) => {
  let owner: Browser;
  beforeAll(async () => {
    provider.serve(console.service.url);
    owner = await makeOwner(console.service);
    for (const role of ['administrator', 'supervisor', 'editor', 'viewer'] as const)
      await invited(console.service, owner, role, {}, 'default', mail);
  });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const viewer = (page: Page) => page.locator('.viewer-button');
  const dialog = (page: Page) => page.getByRole('dialog');
  const stranger = { stranger: true, failing: [401] } as const;
  const go = (page: Page, path: string) => page.goto(`${console.service.url}/#${path}`);

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The owner's page of users, with the dialog of Una viewer open. */
  async function editing(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Edit Una viewer' }).click();
    await dialog(page).getByRole('heading', { name: 'Edit Una viewer' }).waitFor();
  }
  const row = (page: Page) => page.getByRole('row').filter({ hasText: 'viewer@example.com' });
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

  it('an owner gives a user another role, a link and a way out, disables and enables them', async () => {
    await console.visit(
      '/users',
      async (page) => {
        await signIn(page, 'owner@example.com');
        await heading(page, 'Users').waitFor();
        await editing(page);
        expect(await axe(page)).toEqual([]);
        await press(page, 'Sign out everywhere');
        await page.getByText('1 browser was signed out.').waitFor();
        await dialog(page).getByLabel('Role').selectOption({ label: 'Agent' });
        await dialog(page).getByText('Another role signs the user out everywhere').waitFor();
        await press(page, 'Save');
        await row(page).getByRole('cell', { name: 'Agent', exact: true }).waitFor();
        await editing(page);
        await dialog(page).getByLabel('Role').selectOption({ label: 'Viewer' });
        await press(page, 'Save');
        await row(page).getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
        await editing(page);
        await press(page, 'Disable');
        await row(page).getByText('Disabled').waitFor();
        await editing(page);
        expect(await dialog(page).getByRole('button', { name: 'New link' }).count()).toBe(0);
        await press(page, 'Enable');
        await row(page).getByText('Active').waitFor();
        await editing(page);
        await press(page, 'New link');
        // It goes to the mailbox alone: who invites is not who reads the mail.
        await page.getByText('A link is on its way to Una viewer by e-mail.').waitFor();
        expect(await page.getByText('/#/join/').count()).toBe(0);
      },
      stranger,
    );
  });

  it('an owner removes the second factor of a user who has lost it', async () => {
    const person = { name: 'Lost', email: 'lost@example.com' };
    const browser = await invited(console.service, owner, 'viewer', person, 'default', mail);
    const account = 'default';
    const begun = await browser.ask('POST', '/v1/me/totp', { account });
    const { codeAt, stepAt } = await import('../../src/api/account/totp.ts');
    const code = codeAt(begun.json.secret, stepAt(Date.now()));
    const body = { code, state: begun.json.state };
    expect((await browser.ask('POST', '/v1/me/totp/confirm', { account, body })).status).toBe(200);
    await console.visit(
      '/users',
      async (page) => {
        await signIn(page, 'owner@example.com');
        const lost = page.getByRole('row').filter({ hasText: 'lost@example.com' });
        await lost.getByRole('cell', { name: 'On', exact: true }).waitFor();
        await page.getByRole('button', { name: 'Edit Lost' }).click();
        await press(page, 'Remove the second factor');
        await page.getByText('Make sure it is really them who asks.').waitFor();
        await page.getByRole('button', { name: 'Remove the second factor', exact: true }).last().click();
        await lost.getByRole('cell', { name: 'Off', exact: true }).waitFor();
        await page.getByRole('button', { name: 'Edit Lost' }).click();
        await press(page, 'Delete');
        await page.getByText('Browsers and tokens of this user stop working at once.').waitFor();
        await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
        await lost.waitFor({ state: 'detached' });
      },
      stranger,
    );
  });

  it('a forgotten password is set anew by the link of an e-mail', async () => {
    await console.visit(
      '/sign-in',
      async (page) => {
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        await heading(page, 'Forgot your password').waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByLabel('E-mail address').fill('editor@example.com');
        const asked = page.waitForRequest(/password_reset/);
        await page.getByLabel('Account').fill('default');
        await page.getByRole('button', { name: 'Send the link' }).click();
        expect((await asked).postDataJSON()).toEqual({ email: 'editor@example.com', account: 'default' });
        await page.getByText('If a user has this address, a link is on its way.').waitFor();
        const text = await mail.received(
          (one) => one.includes('To: editor@example.com') && one.includes('A new password for Dialtree'),
        );
        const [path = ''] = /\/join\/dialtree_[\w-]+/.exec(text.replaceAll('=3D', '=')) ?? [];
        await go(page, path);
        await heading(page, 'A new password').waitFor();
        await page.getByLabel('New password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await viewer(page).getByText('Una editor').waitFor();
      },
      stranger,
    );
  });

  it('a provider signs in who is invited, and the page says why others are not', async () => {
    for (const [login, shown] of [
      ['unverified', 'Your e-mail address is not verified there'],
      ['nobody', 'nobody with this e-mail address is a user here'],
      ['vera', null],
    ] as const) {
      // Not by visit(): the provider is another site.
      const context = await console.browser.newContext({ locale: 'en-GB' });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(30_000);
        await go(page, '/sign-in');
        await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
        await page.locator('input[name=login]').fill(login);
        await page.locator('input[name=password]').fill('x');
        await page.locator('button[type=submit]').click();
        await page.locator('button[type=submit]').click();
        if (shown === null) await viewer(page).getByText('Una viewer').waitFor();
        else await page.getByText(shown).waitFor();
        expect(page.url().startsWith(`${console.service.url}/`)).toBe(true);
      } finally {
        await context.close();
      }
    }
  });

  it.each<[Role, string, string, string | null]>([
    ['supervisor', '/live', 'Live calls', '/users'],
    ['editor', '/menus', 'Menus', '/audit'],
    ['administrator', '/users', 'Users', null],
  ])('the role %s opens the console, sees %s, and not what it may not', async (role, path, title, hidden) => {
    await console.visit(
      path,
      async (page) => {
        await signIn(page, `${role}@example.com`);
        await heading(page, title).waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
        if (role === 'administrator') {
          await page.getByRole('button', { name: 'Edit Una viewer' }).waitFor();
          expect(await page.getByRole('button', { name: 'Edit Olga Owner' }).count()).toBe(0);
        }
        if (hidden === null) return;
        await go(page, hidden);
        await heading(page, 'Not for your role').waitFor();
      },
      stranger,
    );
  });
});
