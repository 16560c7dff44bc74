// Who is signed in, and what the console remembers of its viewer: language, look, zone. And what it says when something ended
// meanwhile: the session, the token, the service.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { callRow } from '../support/payload.ts';
import { call, runProcess, type Service, startService, TOKEN } from '../support/service.ts';
import { describeConsole } from './support/console.ts';

describeConsole('the session of the console', {}, (console) => {
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const viewer = (page: Page) => page.locator('.viewer-button');

  const madeLink = async ({ url, dataDir }: Service): Promise<string> => {
    const { out } = await runProcess(['sign-in', '--account', 'default', '--url', url], { dataDir });
    expect(out).toMatch(/\/#\/sign-in\/\S+$/m);
    return out.trim();
  };

  /** A token of its own, that a test may take back. */
  async function madeToken(name: string): Promise<{ id: string; token: string }> {
    const { status, json } = await call(console.service.url, 'POST', '/v1/token', { body: { name } });
    expect(status).toBe(201);
    return json;
  }

  async function signInWith(page: Page, token: string): Promise<void> {
    const byToken = page.getByRole('button', { name: 'Use an access token' });
    const field = page.getByLabel('Access token');
    await byToken.or(field).first().waitFor();
    if (await byToken.isVisible()) await byToken.click();
    await field.fill(token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('signs in with a token, says what is wrong with another, and leaves no secret in the page', async () => {
    await console.visit(
      '/agents',
      async (page) => {
        await heading(page, 'Sign in to Dialtree').waitFor();
        await page.getByRole('button', { name: 'Use an access token' }).click();
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        expect(await page.getByText('Paste an access token.').isVisible()).toBe(true);
        await signInWith(page, 'no-such-token');
        await page.getByText(/token/i).and(page.locator('.field-fault')).waitFor();
        await signInWith(page, TOKEN);
        await viewer(page).waitFor();
        // One is where one wanted to be.
        expect(new URL(page.url()).hash).toBe('#/agents');
        const stored = await page.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
        );
        expect(stored).not.toContain(TOKEN);
        const [cookie] = await page.context().cookies();
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
        expect(stored).not.toContain(cookie?.value);
      },
      { stranger: true, failing: [401] },
    );
  });

  it('signs in by a link, once', async () => {
    const link = await madeLink(console.service);
    const code = new URL(link).hash.slice(1);
    await console.visit(
      code,
      async (page) => {
        // The account has no user yet.
        await page.getByRole('button', { name: 'Not now' }).click();
        await viewer(page).waitFor();
        // The code is gone from the address, and from the way back.
        expect(page.url()).not.toContain(code);
      },
      { stranger: true },
    );
    await console.visit(
      code,
      async (page) => {
        await page.getByRole('alert').getByText('This link has already been used').waitFor();
        await signInWith(page, TOKEN);
        await viewer(page).waitFor();
        expect(page.url()).not.toContain(code);
      },
      { stranger: true, failing: [401] },
    );
  });

  it('knows several accounts, keeps them apart, and signs out of one or of all', async () => {
    const made = await runProcess(['account', 'create', 'Second office'], {
      dataDir: console.service.dataDir,
    });
    const second = made.out.trim();
    await call(console.service.url, 'POST', '/v1/agent', {
      token: second,
      body: { name: 'Only in the second' },
    });
    await console.visit(
      '/',
      async (page) => {
        const open = async (): Promise<void> => {
          if ((await viewer(page).getAttribute('aria-expanded')) !== 'true') await viewer(page).click();
        };
        await open();
        await page.getByRole('link', { name: 'Sign in to another account' }).click();
        await signInWith(page, 'no-such-token');
        await page.locator('.field-fault').waitFor();
        // A slip there does not sign one out here.
        expect(await page.getByRole('link', { name: 'Back to default' }).isVisible()).toBe(true);
        await signInWith(page, second);
        await viewer(page).getByText('Second office').waitFor();
        const mine = async () =>
          page.evaluate(`fetch('/v1/session').then((answer) => answer.json())`) as Promise<{
            accounts: { name: string; current: boolean }[];
          }>;
        expect((await mine()).accounts).toMatchObject([
          { name: 'Second office', current: true },
          { name: 'default' },
        ]);
        await open();
        await page.getByLabel('Account', { exact: true }).and(page.locator('select')).selectOption('default');
        await viewer(page).getByText('default').waitFor();
        await page.reload();
        await viewer(page).getByText('default').waitFor();
        await open();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await viewer(page).getByText('Second office').waitFor();
        await open();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await heading(page, 'Sign in to Dialtree').waitFor();
        expect((await mine()).accounts).toEqual([]);
        expect(await page.context().cookies()).toEqual([]);
      },
      { failing: [401] },
    );
  });

  it('asks before unsaved changes are lost to signing out, or to another account', async () => {
    await console.visit('/teams/new', async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Not saved yet');
      await viewer(page).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Stay here' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Not saved yet');
      if ((await viewer(page).getAttribute('aria-expanded')) !== 'true') await viewer(page).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await dialog.getByRole('button', { name: 'Leave without saving' }).click();
      await heading(page, 'Sign in to Dialtree').waitFor();
      expect(await dialog.count()).toBe(0);
    });
  });

  it('shows the sign-in page once the token is taken back, and then leads back to where one was', async () => {
    const { id, token } = await madeToken('soon taken back');
    await console.visit(
      '/departments',
      async (page) => {
        await signInWith(page, token);
        await viewer(page).waitFor();
        expect((await call(console.service.url, 'DELETE', `/v1/token/${id}`)).status).toBe(200);
        await page.evaluate(`location.hash = '#/teams?sort=name'`);
        await heading(page, 'Sign in to Dialtree').waitFor();
        await signInWith(page, TOKEN);
        await viewer(page).waitFor();
        expect(new URL(page.url()).hash).toBe('#/teams?sort=name');
      },
      { stranger: true, failing: [401] },
    );
  });

  it('keeps what is not saved when the session ends over it', async () => {
    const { id, token } = await madeToken('ends over an edit');
    await console.visit(
      '/teams/new',
      async (page) => {
        await signInWith(page, token);
        const name = page.getByRole('textbox', { name: 'Name' });
        await name.fill('Typed for an hour');
        expect((await call(console.service.url, 'DELETE', `/v1/token/${id}`)).status).toBe(200);
        const save = page.getByRole('button', { name: /^(Create|Save)/ });
        await save.click();
        await page.getByText('Your unsaved changes are still here').waitFor();
        await signInWith(page, TOKEN);
        expect(await name.inputValue()).toBe('Typed for an hour');
        await save.click();
        await heading(page, 'Typed for an hour').waitFor();
      },
      { stranger: true, failing: [401] },
    );
  });

  it('says that the service cannot be reached once it has stopped, and goes on when it runs again', async () => {
    const own = await startService({ env: { DEMO: 'on' } });
    const context = await console.browser.newContext({ locale: 'en-GB' });
    let again: Service | undefined;
    try {
      const page = await context.newPage();
      await page.goto(`${own.url}/#/teams`);
      await signInWith(page, TOKEN);
      await page.getByText('Front desk').first().waitFor();
      await own.stop();
      await page.getByRole('link', { name: 'Departments' }).click();
      const told = page.getByText('The service cannot be reached. Is it running');
      await told.first().waitFor();
      again = await startService({
        dataDir: own.dataDir,
        env: { DEMO: 'on', PORT: new URL(own.url).port },
      });
      await page.getByRole('button', { name: 'Load the page again' }).click();
      await told.first().waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Teams' }).click();
      await page.getByText('Front desk').first().waitFor();
    } finally {
      await context.close();
      await again?.stop('SIGKILL');
      await own.remove();
    }
  });

  it('shows the same moment in the zone of each viewer', async () => {
    const storage = await openSqlite(console.service.dataDir);
    const [account] = await storage.listAccounts();
    const startedAtMs = Date.parse('2026-11-10T20:30:00Z');
    const times = { startedAtMs, endedAtMs: startedAtMs + 60_000 };
    await storage.saveCalls({
      calls: [callRow({ accountId: account?.id ?? '', id: 'zoned', caller: '+4930777', ...times })],
    });
    await storage.close();
    for (const [timezoneId, day, time] of [
      ['Asia/Kolkata', 'Nov 11', /2:00\sAM/],
      ['America/New_York', 'Nov 10', /3:30\sPM/],
    ] as const)
      await console.visit(
        '/calls?from=2026-11-01&to=2026-11-30',
        async (page) => {
          const row = page.getByRole('row').filter({ hasText: '+4930777' });
          await row.waitFor();
          expect(await row.innerText()).toContain(day);
          expect(await row.innerText()).toMatch(time);
        },
        { timezoneId },
      );
  });

  it('keeps the language and the look that one chose', async () => {
    await console.visit('/teams', async (page) => {
      await viewer(page).click();
      const root = page.locator('html');
      // Where less motion is wanted a colour still takes a frame to change.
      const colour = () => page.evaluate('getComputedStyle(document.body).color');
      const light = await colour();
      await page.getByLabel('Theme').selectOption('dark');
      expect(await root.getAttribute('data-theme')).toBe('dark');
      await expect.poll(colour).not.toBe(light);
      const dark = await colour();
      await page.getByLabel('Language').selectOption('hi');
      await page.locator('html[lang=hi]').waitFor();
      await heading(page, 'टीमें').waitFor();
      await page.reload();
      await page.locator('html[lang=hi][data-theme=dark]').waitFor();
      await heading(page, 'टीमें').waitFor();
      expect(await colour()).toBe(dark);
      await viewer(page).click();
      await page.getByLabel('रूप').selectOption('light');
      await expect.poll(colour).toBe(light);
    });
  });
});
