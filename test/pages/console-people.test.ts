// People in the console: the first start makes the owner, who invites others; each signs in, sees what the role allows, and nothing else.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { codeAt, stepAt } from '../../src/api/account/totp.ts';
import { makeLink } from '../../src/kit/credentials.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { axe, describeConsole } from './support/console.ts';

const PASSWORD = 'correct horse battery';

describeConsole('people in the console', {}, (console) => {
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const viewer = (page: Page) => page.locator('.viewer-button');
  const stranger = { stranger: true } as const;

  /** As a start in a terminal prints it. */
  async function firstLink(): Promise<string> {
    const storage = await openSqlite(console.service.dataDir);
    const { secret, token } = makeLink('default', Date.now());
    await storage.createToken({ token });
    await storage.close();
    return `/sign-in/${secret}`;
  }

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The owner invites; the path of the link. */
  async function invite(page: Page, name: string, role: string): Promise<string> {
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill(name);
    await dialog.getByLabel(/^E-mail/).fill(`${role.toLowerCase()}@example.com`);
    await dialog.getByLabel('Role').selectOption({ label: role });
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('dialog').getByRole('button', { name: 'I have it' }).click();
    return new URL(link).hash.slice(1);
  }

  const links = new Map<string, string>();

  it('the link of the first start makes the owner, who signs in by password from then on', async () => {
    await console.visit(
      await firstLink(),
      async (page) => {
        await heading(page, 'Welcome to Dialtree').waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByLabel('Your name').fill('Olga Owner');
        await page.getByLabel('E-mail address').fill('owner@example.com');
        await page.getByLabel('New password').fill('short');
        await page.getByRole('button', { name: 'Become the owner' }).click();
        await page.getByText('at least 10 characters.').first().waitFor();
        await page.getByLabel('New password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Become the owner' }).click();
        await viewer(page).getByText('Olga Owner').waitFor();
        await viewer(page).click();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await signIn(page, 'owner@example.com', 'a wrong password');
        await page.getByText('The e-mail address or the password is wrong.').waitFor();
        await signIn(page, 'owner@example.com');
        await viewer(page).getByText('Olga Owner').waitFor();
        await page.goto(`${console.service.url}/#/users`);
        await heading(page, 'Users').waitFor();
        links.set('viewer', await invite(page, 'Vera Viewer', 'Viewer'));
        links.set('agent', await invite(page, 'Arun Agent', 'Agent'));
        await page.getByRole('cell', { name: 'Vera Viewer', exact: true }).waitFor();
        expect(await axe(page)).toEqual([]);
      },
      { ...stranger, failing: [401] },
    );
  });

  it('an invitation sets a password once; a viewer looks, and is offered nothing to change', async () => {
    await console.visit(
      links.get('viewer') ?? '',
      async (page) => {
        await heading(page, 'Welcome, Vera Viewer').waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByLabel('New password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await viewer(page).getByText('Vera Viewer').waitFor();
        await page.goto(`${console.service.url}/#/menus`);
        await heading(page, 'Menus').waitFor();
        expect(await page.getByRole('link', { name: /^New/ }).count()).toBe(0);
        expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0);
        await page.goto(`${console.service.url}/#/users`);
        await heading(page, 'Not for your role').waitFor();
        await page.goto(`${console.service.url}/#/account`);
        await page.getByText('viewer@example.com · Viewer').waitFor();
        expect(await axe(page)).toEqual([]);
      },
      stranger,
    );
    await console.visit(
      links.get('viewer') ?? '',
      async (page) => {
        await page.getByText('This link was used already').waitFor();
      },
      { ...stranger, failing: [401] },
    );
  });

  it('a user changes the password, sees the browsers that are signed in, and ends one', async () => {
    await console.visit(
      '/account',
      async (page) => {
        await signIn(page, 'viewer@example.com');
        await heading(page, 'Your account').waitFor();
        const others = page.getByRole('button', { name: /^Sign out Chrome/ });
        await others.first().waitFor();
        const before = await others.count();
        await others.first().click();
        await expect.poll(() => others.count()).toBe(before - 1);
        const changing = page.getByRole('form', { name: 'Password' });
        await changing.getByLabel('Present password').fill('not this one');
        await page.getByLabel('New password').fill('another password');
        await page.getByRole('button', { name: 'Change the password' }).click();
        await page.getByText('The present password is wrong.').waitFor();
        await changing.getByLabel('Present password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Change the password' }).click();
        await page.getByText('Changed. Your other browsers').waitFor();
        expect(await others.count()).toBe(0);
      },
      { ...stranger, failing: [400, 401] },
    );
  });

  it('an agent begins at the desk, without an error in sight, at 320 pixels in Hindi', async () => {
    await console.visit(
      links.get('agent') ?? '',
      async (page) => {
        await heading(page, 'स्वागत है, Arun Agent').waitFor();
        await page.getByLabel('नया पासवर्ड').fill(PASSWORD);
        await page.getByRole('button', { name: 'पासवर्ड रखें' }).click();
        await heading(page, 'डेस्क').waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
        await page.goto(`${console.service.url}/#/account`);
        await heading(page, 'आपका खाता').waitFor();
        const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect(await page.evaluate(wide)).toBe(false);
      },
      { ...stranger, language: 'hi', viewport: { width: 320, height: 640 } },
    );
  });

  it('the audit names the person and shows what became different', async () => {
    await console.visit(
      '/teams',
      async (page) => {
        await signIn(page, 'owner@example.com');
        await heading(page, 'Teams').waitFor();
        await page.evaluate(`(async () => {
          const headers = { 'content-type': 'application/json', 'dialtree-account': 'default' };
          const made = await fetch('/v1/team', { method: 'POST', headers, body: '{"name":"North"}' });
          const { id } = await made.json();
          await fetch('/v1/team/' + id, { method: 'PUT', headers, body: '{"name":"South"}' });
        })()`);
        await page.goto(`${console.service.url}/#/audit`);
        const row = page.getByRole('row').filter({ hasText: 'South' }).first();
        await row.getByText('Olga Owner').waitFor();
        await row.getByText('North').waitFor();
        expect(await axe(page)).toEqual([]);
      },
      { ...stranger, failing: [401] },
    );
  });

  it('an authenticator app is turned on by its first code, and asked for at the next sign-in', async () => {
    await console.visit(
      '/account',
      async (page) => {
        await signIn(page, 'owner@example.com');
        await page.getByRole('button', { name: 'Turn on' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('img').waitFor();
        expect(await axe(page)).toEqual([]);
        const secret = await dialog.locator('code').innerText();
        await dialog.getByLabel('Code', { exact: true }).fill('000000');
        await dialog.getByRole('button', { name: 'Confirm' }).click();
        await dialog.getByText('This code is not right').waitFor();
        await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, stepAt(Date.now())));
        await dialog.getByRole('button', { name: 'Confirm' }).click();
        await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
        const [recovery = ''] = await page.getByRole('dialog').locator('li').allInnerTexts();
        await page.getByRole('button', { name: 'I have it' }).click();
        await page.getByText('On. 10 recovery codes are left.').waitFor();
        await viewer(page).click();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await signIn(page, 'owner@example.com');
        await page.getByLabel('Code', { exact: true }).fill(recovery);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await viewer(page).getByText('Olga Owner').waitFor();
        await page.goto(`${console.service.url}/#/account`);
        await page.getByText('On. 9 recovery codes are left.').waitFor();
      },
      { ...stranger, failing: [400, 401] },
    );
  });

  it('a passkey is added, and signs in without a password', async () => {
    // Browsers take passkeys for names, not for addresses.
    const url = console.service.url.replace('127.0.0.1', 'localhost');
    const context = await console.browser.newContext({ locale: 'en-GB' });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto(`${url}/#/account`);
      await signIn(page, 'viewer@example.com', 'another password');
      await page.getByLabel('Name of the passkey').fill('Test device');
      const passkeys = page.getByRole('region', { name: 'Passkeys' });
      await passkeys.getByLabel('Present password').fill('not this one');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await passkeys.getByText('The present password is wrong.').waitFor();
      await passkeys.getByLabel('Present password').fill('another password');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('Test device,').waitFor();
      await viewer(page).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await viewer(page).getByText('Vera Viewer').waitFor();
      await page.goto(`${url}/#/account`);
      await page.getByRole('button', { name: 'Delete the passkey Test device' }).click();
      await page.getByText('Test device,').waitFor({ state: 'detached' });
      await viewer(page).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByText('The passkey was not accepted.').waitFor();
    } finally {
      await context.close();
    }
  });
});
