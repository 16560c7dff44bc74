// Many records changed at once, in every list that has rows to choose: what was chosen is stored, what was refused is named.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose } from './support/forms.ts';

describeAccount('bulk edit', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { status, json } = await call(
      console.service.url,
      method,
      path,
      body === undefined ? {} : { body },
    );
    expect(status, `${method} ${path} ${JSON.stringify(json)}`).toBeLessThan(300);
    return json;
  };
  const selectAll = (page: Page) =>
    page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
  const apply = async (page: Page, count: number): Promise<void> => {
    await button(page, 'Apply').click();
    // Former messages are still shown: the bar goes when all is done.
    await page.getByRole('region', { name: 'Selected entries' }).waitFor({ state: 'detached' });
    await page.getByText(`Done for ${count} entries.`).first().waitFor();
  };

  it('trunks get concurrent calls, a caller ID and whether agents dial out, and are switched off', async () => {
    for (const name of ['North', 'South'])
      await ask('POST', '/v1/trunk', { name, host: `${name.toLowerCase()}.example.com` });
    await console.visit('/trunks', async (page) => {
      await selectAll(page);
      await button(page, 'Set concurrent calls').click();
      await button(page, 'Apply').click();
      // Nothing was typed: nothing is sent.
      await page.getByText('Choose one.', { exact: true }).waitFor();
      await page.getByRole('spinbutton', { name: 'Set concurrent calls' }).fill('25');
      expect(await axe(page)).toEqual([]);
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Set caller ID').click();
      await choose(page, 'Set caller ID', '+4930555010');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Set whether agents may dial out').click();
      await page.getByRole('combobox', { name: 'Set whether agents may dial out' }).selectOption('Yes');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Switch off').click();
      await page.getByRole('table').getByText('off', { exact: true }).nth(1).waitFor();
    });
    expect((await ask('GET', '/v1/trunks')).data).toMatchObject(
      ['North', 'South'].map((name) => ({
        name,
        max_calls: 25,
        caller_id: '+4930555010',
        agents_may_call: true,
        enabled: false,
      })),
    );
  });

  it('what the service refuses is named for each row, which stays selected', async () => {
    await console.visit(
      '/trunks',
      async (page) => {
        await selectAll(page);
        await button(page, 'Set concurrent calls').click();
        await page.getByRole('spinbutton', { name: 'Set concurrent calls' }).fill('20000');
        await button(page, 'Apply').click();
        const report = page.getByRole('dialog', { name: '2 entries were not changed' });
        await report.getByText('North', { exact: true }).waitFor();
        await report.getByText('South', { exact: true }).waitFor();
        await report.getByRole('button', { name: 'Close' }).last().click();
        await page.getByText('2 selected').waitFor();
      },
      { failing: [400, 422] },
    );
    expect((await ask('GET', '/v1/trunks')).data).toMatchObject([{ max_calls: 25 }, { max_calls: 25 }]);
  });

  it('teams give their agents working hours and a department', async () => {
    const { id: team } = await ask('POST', '/v1/team', { name: 'Late shift' });
    await ask('POST', '/v1/team', { name: 'Nobody yet' });
    const agents = (await ask('GET', '/v2/agents')).data.slice(0, 2).map(({ eid }: Json) => eid);
    for (const eid of agents) await ask('PATCH', `/v1/agent/${eid}`, { team_id: Number(team) });
    const { id: hours } = await ask('POST', '/v1/timegroup', { name: 'Evenings', timezone: 'UTC' });
    const { id: desk } = await ask('POST', '/v1/department', { name: 'Late desk' });
    await console.visit('/teams', async (page) => {
      const pick = async (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await pick('Late shift');
      await button(page, 'Set working hours').click();
      await page.getByText('For every agent of the selected teams.').waitFor();
      await choose(page, 'Set working hours', 'Evenings');
      await apply(page, 2);
      await pick('Late shift');
      await button(page, 'Add to department').click();
      await choose(page, 'Add to department', 'Late desk');
      await apply(page, 2);
      await pick('Nobody yet');
      await button(page, 'Unblock').click();
      await page.getByText('The selected teams have no agents.').waitFor();
    });
    for (const eid of agents)
      expect(await ask('GET', `/v1/agent/${eid}`)).toMatchObject({ timegroup_id: hours });
    expect((await ask('GET', `/v1/department/${desk}`)).agents.toSorted()).toEqual(agents.toSorted());
  });

  it('Enter before the departments are read creates nothing and keeps what was typed; then it chooses', async () => {
    // Another name at a second attempt.
    const name = `Quiet desk ${Date.now()}`;
    const { id: desk } = await ask('POST', '/v1/department', { name, agents: [] });
    const [agent] = (await ask('GET', '/v2/agents')).data;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await console.visit('/agents', async (page) => {
      await page.route('**/v1/departments?*', async (route) => {
        await released;
        await route.continue();
      });
      await page.reload();
      await page.getByRole('checkbox', { name: `Select ${agent.name}`, exact: true }).check();
      await button(page, 'Add to department').click();
      const field = page.getByRole('combobox', { name: 'Add to department' });
      await field.click();
      await field.fill(name);
      await page.getByText(`Nothing found for “${name}”.`).waitFor();
      await field.press('Enter');
      expect(await field.inputValue()).toBe(name);
      expect(await page.getByRole('dialog').count()).toBe(1);
      release();
      await page.getByRole('option', { name, exact: true }).waitFor();
      expect(await field.inputValue()).toBe(name);
      await field.press('Enter');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe(name);
      expect(await page.getByRole('dialog').count()).toBe(1);
      await button(page, 'Apply').click();
      await page.getByText('Done for 1 entry.').first().waitFor();
    });
    expect((await ask('GET', `/v1/department/${desk}`)).agents).toEqual([agent.eid]);
    expect((await ask('GET', `/v1/departments?q=${encodeURIComponent(name)}`)).data).toHaveLength(1);
  });

  it('recordings get a description, and one that was not spoken is named when its voice shall change', async () => {
    await console.visit(
      '/recordings',
      async (page) => {
        await page
          .getByRole('checkbox', { name: /^Select/ })
          .nth(1)
          .check();
        await button(page, 'Set description').click();
        await page.getByRole('textbox', { name: 'Set description' }).fill('Spoken in spring');
        await button(page, 'Apply').click();
        await page.getByText('Done for 1 entry.').waitFor();
        await page.getByRole('table').getByText('Spoken in spring').waitFor();
        await page
          .getByRole('checkbox', { name: /^Select/ })
          .nth(1)
          .check();
        await button(page, 'Speak with another voice').click();
        await page.getByRole('combobox', { name: 'Speak with another voice' }).selectOption('de');
        await button(page, 'Apply').click();
        await page.getByRole('dialog', { name: '1 entry was not changed' }).waitFor();
      },
      { failing: [400, 422, 501] },
    );
    const { data } = await ask('GET', `/v1/recordings?q=${encodeURIComponent('Spoken in spring')}`);
    expect(data).toHaveLength(1);
  });

  it('SMS templates, blocked numbers and caller ID rules have their own', async () => {
    for (const name of ['Address', 'Thanks']) await ask('POST', '/v1/sms_template', { name, text: name });
    for (const number of ['+49301', '+49302']) await ask('POST', '/v1/blocked_number', { number });
    for (const name of ['One', 'Two']) await ask('POST', '/v1/caller_id_rule', { name, show: 'withhold' });
    await console.visit('/sms', async (page) => {
      await selectAll(page);
      await button(page, 'Set kind').click();
      await page.getByRole('combobox', { name: 'Set kind' }).selectOption('promotional');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Switch off').click();
      await page.getByText('Inactive', { exact: true }).nth(1).waitFor();
      await page.goto(`${console.service.url}/#/blocked`);
      await page.getByText('+49301').waitFor();
      await selectAll(page);
      await button(page, 'Set reason').click();
      await page.getByRole('textbox', { name: 'Set reason' }).fill('Rings at night');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Set the number it is for').click();
      await choose(page, 'Set the number it is for', '100');
      await apply(page, 2);
      await page.goto(`${console.service.url}/#/caller-ids`);
      await page.getByRole('link', { name: 'One' }).waitFor();
      await selectAll(page);
      await button(page, 'Set priority').click();
      await page.getByRole('spinbutton', { name: 'Set priority' }).fill('7');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Set the number to show').click();
      await choose(page, 'Set the number to show', '+4930555010');
      await apply(page, 2);
      await selectAll(page);
      await button(page, 'Set trunk').click();
      await choose(page, 'Set trunk', 'North');
      await apply(page, 2);
    });
    const both = (row: object) => [expect.objectContaining(row), expect.objectContaining(row)];
    const off = { kind: 'promotional', status: 'inactive' };
    const templates = (await ask('GET', '/v1/sms_templates')).data as Json[];
    expect(templates.filter(({ name }) => ['Address', 'Thanks'].includes(String(name)))).toEqual(both(off));
    const blocked = { reason: 'Rings at night', dialled: '100' };
    expect((await ask('GET', '/v1/blocked_numbers')).data).toEqual(both(blocked));
    const [north] = (await ask('GET', '/v1/trunks?q=North')).data;
    const rule = { priority: 7, show: '+4930555010', trunk: `trunk||${north.id}` };
    expect((await ask('GET', '/v1/caller_id_rules')).data).toEqual(both(rule));
  });
});
