// The documentation page in a real browser, on a real service: what a person does with it, and what it must never do.
import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, sharedDemonstration } from '../support/service.ts';
import { closePages, missing, sharedBrowser, type Tools, tools } from './support/browser.ts';

interface Look extends BrowserContextOptions {
  /** Whether requests may fail. */
  readonly failing?: boolean;
}

describe.skipIf(missing !== null)('the documentation page', () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof sharedDemonstration>>;

  beforeAll(async () => {
    if (typeof tools === 'string') return;
    [browser, service] = await Promise.all([sharedBrowser(), sharedDemonstration()]);
  });

  afterAll(async () => {
    await closePages(browser);
    await service?.remove();
  });

  /** Runs with a page of its own and holds it to the rules of every page: no fault, no stranger, no token astray. */
  async function visit(
    hash: string,
    use: (page: Page) => Promise<void>,
    { failing = false, ...look }: Look = {},
  ) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...look });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // Chromium itself logs a request that fails, also where a test wants it to.
      const wanted = failing && message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !wanted) faults.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.url) faults.push(`stranger: ${request.url()}`);
      if (request.url().includes(service.token)) faults.push('the token is in an address');
    });
    await page.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`));
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(event.effectiveDirective + ' ' + event.blockedURI))`);
    await page.goto(`${service.url}/docs${hash}`);
    await use(page);
    expect(page.url()).not.toContain(service.token);
    expect(faults).toEqual([]);
    await context.close();
  }

  const answerOf = (page: Page, id: string) => page.locator(`#${id} .answer .status`);

  async function tabTo(page: Page, selector: string) {
    for (let presses = 0; presses < 100; presses += 1) {
      if (await page.locator(selector).evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not reach ${selector}.`);
  }

  async function send(page: Page, id: string) {
    await page.locator(`#${id} button.main`).click();
    await answerOf(page, id).waitFor();
  }

  it('lets one try an operation by keyboard alone', async () => {
    await visit('', async (page) => {
      await page.locator('#getAgent').waitFor();
      // Past the long list of operations, by the link that is there for it.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await tabTo(page, '#token-field');
      await page.keyboard.type(service.token);
      await page.keyboard.press('Tab');
      await page.keyboard.press('/');
      await page.keyboard.type('read an agent');
      expect(await page.locator('nav li:visible').count()).toBe(1);
      await page.keyboard.press('Enter');
      await tabTo(page, '#getAgent-path-eid');
      await page.keyboard.press('Control+Enter');
      await answerOf(page, 'getAgent').waitFor();
      expect(await answerOf(page, 'getAgent').textContent()).toBe('200 OK');
      expect(await page.locator('#getAgent dl').textContent()).toContain('etag');
      expect(await page.getByLabel('Body of the answer').textContent()).toContain('"eid": "100001"');
      expect(await page.locator('[aria-label="curl line"]').textContent()).toContain(
        '"Authorization: Bearer $TOKEN"',
      );
    });
  });

  it('shows every operation of the description, and opens each of them', async () => {
    const { json: description } = await call(service.url, 'GET', '/openapi.json');
    const ids = Object.values<Record<string, { operationId: string }>>(description.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => operation.operationId);
    await visit('', async (page) => {
      await page.locator('#page-failures table').waitFor();
      const shown = await page.locator('.operation').evaluateAll((all) => all.map((one) => one.id));
      expect(shown.toSorted()).toEqual(ids.toSorted());
      // All in one go: a mouse that moves to each of them takes a minute, and is tried by the tests below.
      const closed = await page.evaluate<string[]>(`${JSON.stringify(ids)}.filter((id) => {
        document.querySelector('#' + id + ' .head').click();
        return !document.querySelector('#' + id + ' .try')?.checkVisibility();
      })`);
      expect(closed).toEqual([]);
      const text = await page.locator('main').innerText();
      expect(text).not.toMatch(/\[object|undefined|NaN/);
      expect(text).toContain('whole number from 0 to 600 or text');
    });
  });

  it('opens the operation that the address names, and sends the example body', async () => {
    await visit('#createTeam', async (page) => {
      await page.locator('#createTeam .try').waitFor();
      expect(await page.locator('#createTeam .head').evaluate((head) => head.matches(':focus'))).toBe(true);
      await page.locator('#token-field').fill(service.token);
      await send(page, 'createTeam');
      expect(await answerOf(page, 'createTeam').textContent()).toBe('201 Created');
    });
  });

  it('explains where the token is when the service wants one', async () => {
    await visit(
      '#listTeams',
      async (page) => {
        await send(page, 'listTeams');
        expect(await answerOf(page, 'listTeams').textContent()).toBe('401 Unauthorized');
        const hint = page.locator('#listTeams .notice');
        expect(await hint.textContent()).toMatch(/DATA_DIR\/access-token.*dialtree token create/s);
        await hint.getByRole('link').click();
        expect(await page.locator('#token-field').evaluate((field) => field.matches(':focus'))).toBe(true);
      },
      { failing: true },
    );
  });

  it('keeps the token for the tab only when one asks for it', async () => {
    const stored = 'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])';
    await visit('', async (page) => {
      await page.locator('#token-field').fill(service.token);
      expect(await page.evaluate(stored)).not.toContain(service.token);
      await page.getByLabel('Remember in this tab').check();
      await page.reload();
      expect(await page.locator('#token-field').inputValue()).toBe(service.token);
      await page.getByLabel('Remember in this tab').uncheck();
      expect(await page.evaluate(stored)).not.toContain(service.token);
    });
  });

  it('writes a curl line that a shell reads as it is meant', async () => {
    await visit('#putTeam', async (page) => {
      const body = `{"name": "O'Hara $HOME \`id\` \\\\ \\"x\\" !"}`;
      await page.locator('#putTeam-path-id').fill("a'b /?#");
      await page.locator('#putTeam-header-If-Match').fill(`"1-'$(id)"`);
      await page.locator('#putTeam-body').fill(body);
      const line = (await page.locator('[aria-label="curl line"]').textContent()) ?? '';
      const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }\n${line}`;
      const words = execFileSync('sh', ['-c', script], { env: { TOKEN: 'secret' }, encoding: 'utf8' });
      expect(words.split('\0').slice(2, -1)).toEqual([
        ...['-X', 'PUT', `${service.url}/v1/team/a'b%20%2F%3F%23`],
        ...['-H', 'Authorization: Bearer secret', '-H', `If-Match: "1-'$(id)"`],
        ...['-H', 'Content-Type: application/json', '--data-raw', body],
      ]);
    });
  });

  it('shows what the service says as text, never as markup', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const { json: created } = await call(service.url, 'POST', '/v1/team', { body: { name } });
    await visit('#getTeam', async (page) => {
      await page.locator('#token-field').fill(service.token);
      await page.locator('#getTeam-path-id').fill(String(created.id));
      await send(page, 'getTeam');
      expect(await page.getByLabel('Body of the answer').textContent()).toContain(name);
      expect(await page.locator('img').count()).toBe(0);
    });
  });

  it('does not send a path that a browser would turn into another one', async () => {
    await visit('#getTeam', async (page) => {
      await page.locator('#getTeam-path-id').fill('..');
      await page.locator('#getTeam button.main').click();
      expect(await page.locator('#getTeam .answer').textContent()).toContain('needs a value');
    });
  });

  it('says what to do when the description cannot be read, and tries again', async () => {
    await visit(
      '',
      async (page) => {
        await page.route('**/openapi.json', (route) => route.abort());
        await page.reload();
        await page.getByText('could not be read').waitFor();
        await page.unroute('**/openapi.json');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('#getAgent').waitFor();
      },
      { failing: true },
    );
  });

  for (const [colorScheme, width] of [
    ['light', 1600],
    ['dark', 320],
  ] as const) {
    it(`is accessible and fits into ${width} pixels when it is ${colorScheme}`, async () => {
      const options = { failing: true, colorScheme, viewport: { width, height: 900 } };
      const look = async (page: Page) => {
        await page.locator('#createIvr .try').waitFor();
        await send(page, 'createIvr');
        await page.locator('#token-field').fill(service.token);
        await page.locator('#listAgents .head').click();
        await send(page, 'listAgents');
        await page.locator('#listAgents details').first().locator('summary').click();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        // Over the debugger's connection, which the page's policy does not concern.
        await page.evaluate((tools as Tools).axe);
        const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
          'axe.run()',
        );
        expect(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      };
      await visit('#createIvr', look, options);
    });
  }
});
