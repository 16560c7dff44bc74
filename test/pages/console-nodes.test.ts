// Several nodes in the console: their page with the drain switch, and where each live call is.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, SECRET_KEY } from '../nodes/support/cluster.ts';
import { extension } from '../support/pbx.ts';
import { postgresMissing } from '../support/postgres.ts';
import { runProcess } from '../support/service.ts';
import { closePages, missing, sharedBrowser } from './support/browser.ts';
import { axe, signIn, visit } from './support/console.ts';

/** Where pictures of the pages go, for looking at them. */
const PICTURES = process.env['PICTURES'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

describe.skipIf(missing !== null || postgresMissing())('nodes', () => {
  let browser: Browser;
  let cluster: Cluster;

  beforeAll(async () => {
    [browser, cluster] = await Promise.all([
      sharedBrowser(),
      Cluster.open({
        nodes: 3,
        agents: { '1001': { name: 'Asha Rao' }, '1002': { name: 'Ben Okafor' } },
        departments: { sales: { name: 'Sales', agents: ['91001'] } },
        menus: {
          main: { name: 'Main menu', timeout: 300 },
          sales: { name: 'Sales menu', timeout: 300 },
        },
        numbers: { '100': 'ivr||main', '200': 'ivr||sales', '71': extension('1001') },
      }),
    ]);
    const agents = [await cluster.agent(1, '1001')];
    const calls = [];
    for (const [at, number] of [
      [0, '100'],
      [1, '200'],
      [2, '100'],
      [0, '200'],
      [1, '100'],
      [2, '200'],
      [2, '100'],
    ] as const)
      calls.push(await (await (await cluster.phone(at)).call(number)).answered());
    const talking = await (await cluster.phone(1)).call('71');
    const incoming = await agents[0]?.incoming();
    await incoming?.answer();
    await talking.answered();
    expect(calls).toHaveLength(7);
  });
  afterAll(async () => {
    await closePages(browser);
    await cluster?.close();
  });

  const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });

  it('are listed with their state and calls; one is drained and takes calls again, by keyboard', async () => {
    await visit(browser, cluster.node(0), '/nodes', async (page) => {
      await page.getByText('3 nodes are up').waitFor();
      await page.getByText('8 calls in progress').waitFor();
      for (const { id } of cluster.nodes) await row(page, id).getByText('Running').waitFor();
      expect(await row(page, 'node-1').getByText('shows this page').count()).toBe(1);
      expect(await axe(page)).toEqual([]);
      await picture(page, 'nodes');
      await page.getByRole('button', { name: 'Drain node-2' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Drain node-2?' });
      await dialog.getByText('its 3 calls go on. New calls go to the other nodes.').waitFor();
      expect(await axe(page)).toEqual([]);
      await picture(page, 'nodes-drain');
      await dialog.getByRole('button', { name: 'Drain' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('node-2 takes no new calls.').waitFor();
      await row(page, 'node-2').getByText('Draining').waitFor();
      expect(await axe(page)).toEqual([]);
      await picture(page, 'nodes-draining');
      await page.getByRole('button', { name: 'Let node-2 take calls again' }).focus();
      await page.keyboard.press('Enter');
      await row(page, 'node-2').getByText('Running').waitFor();
    });
  });

  it('are named in Hindi, on a narrow window and in the dark', async () => {
    await visit(
      browser,
      cluster.node(0),
      '/nodes',
      async (page) => {
        await page.getByText('3 नोड चालू हैं').waitFor();
        expect(await axe(page)).toEqual([]);
        await picture(page, 'nodes-hindi');
      },
      { language: 'hi', viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
    );
  });

  it('stand beside live calls, and one that does not answer is named', async () => {
    await visit(browser, cluster.node(0), '/live', async (page) => {
      await page.getByText('8 calls in progress').waitFor();
      await page.getByRole('columnheader', { name: 'Node' }).waitFor();
      expect(await page.getByRole('cell', { name: 'node-3', exact: true }).count()).toBe(3);
      expect(await axe(page)).toEqual([]);
      await picture(page, 'live');
      // As the service answers within the 5 s until a silent node counts as dead: shorter than this page may take on a busy machine.
      const state = await (await page.request.get(`${cluster.node(0).url}/v1/live_state`)).json();
      const snapshot = JSON.stringify({ ...state, unanswered_nodes: ['node-3'] });
      await page.route('**/v1/live_state/events', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: `event: snapshot\ndata: ${snapshot}\n\n`,
        }),
      );
      await page.reload();
      await page.getByText('Node node-3 does not answer: its calls are missing.').waitFor();
      await picture(page, 'live-partial');
      expect(await axe(page)).toEqual([]);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  it('are not shown to other accounts', async () => {
    const env = { DATABASE_URL: cluster.database.url, SECRET_KEY };
    const made = await runProcess(['account', 'create', 'second'], { dataDir: cluster.dataDir(0), env });
    const context = await browser.newContext({ locale: 'en-GB' });
    await signIn(context, cluster.node(0), made.out.trim());
    const page = await context.newPage();
    await page.goto(`${cluster.node(0).url}/#/settings`);
    await page.getByRole('link', { name: 'Audit log' }).waitFor();
    expect(await page.getByRole('link', { name: 'Nodes' }).count()).toBe(0);
    await context.close();
  });
});
