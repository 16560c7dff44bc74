// Records as people keep them: made, changed, refused at the right field, fought over, deleted. What is seen and what the API
// then says are both looked at.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readWav } from '../../src/media/audio/wav.ts';
import { amplitudeDb } from '../../src/recordings/convert/testing.ts';
import { call, type Json } from '../support/service.ts';
import { mp3Silence } from '../support/sound-bombs.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose, faultOf, heading } from './support/forms.ts';

const sound = (name: string): string =>
  fileURLToPath(new URL(`../../examples/recordings/${name}`, import.meta.url));

describeAccount('the records of the console', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await call(console.service.url, method, path, body === undefined ? {} : { body })).json;

  /** How loud the tone of 1 kHz is that callers hear. */
  const toneDb = async (id: string): Promise<number> => {
    const { url, token } = console.service;
    const answer = await fetch(`${url}/v1/recording/${id}/audio`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const ulaw = readWav(Buffer.from(await answer.arrayBuffer()));
    if ('fault' in ulaw) throw new Error(ulaw.fault);
    return amplitudeDb(ulaw, 1_000);
  };

  it('makes, changes and deletes an agent, and brings the server’s words to the field', async () => {
    await console.visit(
      '/agents',
      async (page) => {
        await page.getByRole('link', { name: 'New agent' }).first().click();
        await page.getByLabel('Name').fill('Dana Scully');
        await page.getByLabel('Intercom').fill('7');
        await button(page, 'Create').click();
        expect(await faultOf(page, 'Intercom')).toBe('Must be 2 to 10 digits.');
        expect(await page.evaluate('document.activeElement.value')).toBe('7');
        await page.getByLabel('Intercom').fill('1001');
        await button(page, 'Create').click();
        await page.getByText('Another agent has the intercom 1001 already.').waitFor();
        await page.getByLabel('Intercom').fill('2001');
        await choose(page, 'When the agent does not answer', 'sales');
        await button(page, 'Create').click();

        const dialog = page.getByRole('dialog', { name: 'SIP password of Dana Scully' });
        const password = await dialog.locator('code').first().innerText();
        expect(password).toMatch(/^[A-Za-z0-9]{20}$/);
        await heading(page, 'Dana Scully').waitFor();
        expect(await axe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'I have it' }).click();
        const { data } = await ask('GET', '/v2/agents?q=Dana');
        expect(data[0]).toMatchObject({ intercom: '2001', failover_destination: 'department||sales' });
        const { eid } = data[0];

        // Leaving with changes asks first.
        await page.getByLabel('Name').fill('Dana Katherine Scully');
        await page.getByRole('link', { name: 'Teams', exact: true }).click();
        await button(page, 'Stay here').click();
        await button(page, 'Save').click();
        await heading(page, 'Dana Katherine Scully').waitFor();
        expect((await ask('GET', `/v1/agent/${eid}`)).name).toBe('Dana Katherine Scully');

        await button(page, 'Block').click();
        await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
        await button(page, 'Unblock').waitFor();
        expect((await ask('GET', `/v1/agent/${eid}`)).custom_status).toBe(1);

        await ask('POST', '/v1/department', { name: 'X-Files', agents: [eid] });
        await button(page, 'Delete').click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('This agent is still used by department "X-Files".').waitFor();
        expect(await page.getByText('force=true').count()).toBe(0);
        await button(page, 'Delete anyway').click();
        await heading(page, 'Agents').waitFor();
        expect((await call(console.service.url, 'GET', `/v1/agent/${eid}`)).status).toBe(404);
      },
      { failing: [400, 404, 409] },
    );
  });

  it('tells the user who lost a race that the record has changed, and loads the newest version', async () => {
    await console.visit(
      '/agents/100002',
      async (page) => {
        await page.getByLabel('Name').fill('Benjamin');
        await ask('PUT', '/v1/agent/100002', { name: 'Ben the second', intercom: '1002' });
        await button(page, 'Save').click();
        await page.getByText('Someone else changed this in the meantime').waitFor();
        expect(await axe(page)).toEqual([]);
        await button(page, 'Load the newest version').click();
        await heading(page, 'Ben the second').waitFor();
        expect(await page.getByLabel('Name').inputValue()).toBe('Ben the second');
        await page.getByLabel('Name').fill('Ben');
        await button(page, 'Save').click();
        await heading(page, 'Ben').waitFor();
        expect((await ask('GET', '/v1/agent/100002')).name).toBe('Ben');

        // Or one's own work is kept, and theirs where one has not touched it.
        await page.getByLabel('Name').fill('Benny');
        await ask('PUT', '/v1/agent/100002', { name: 'Ben', intercom: '1002', follow_me_number: '+4930123' });
        await button(page, 'Save').click();
        await button(page, 'Apply my changes to it').click();
        await page.getByText('Someone else changed this in the meantime').waitFor({ state: 'detached' });
        expect(await page.getByLabel('Name').inputValue()).toBe('Benny');
        expect(await page.getByLabel('Follow-me number').inputValue()).toBe('+4930123');
        await button(page, 'Save').click();
        await heading(page, 'Benny').waitFor();
        expect(await ask('GET', '/v1/agent/100002')).toMatchObject({
          name: 'Benny',
          follow_me_number: '+4930123',
        });
      },
      { failing: [412] },
    );
  });

  it('orders the agents of a department, and shows the settings of its line where there is one', async () => {
    await console.visit('/departments/sales', async (page) => {
      const members = page.getByRole('list', { name: 'Agents' }).getByRole('listitem');
      await members.first().waitFor();
      const before: string[] = (await ask('GET', '/v1/department/sales')).agents;
      await choose(page, 'Add an agent', 'chen');
      await button(page, 'Move Chen up').click();
      await page.getByLabel('Who rings').selectOption('In order');
      await page.getByText('Always from the top of the list').waitFor();
      expect(await page.getByLabel('Wait at most').count()).toBe(0);
      await page.getByLabel('Let callers wait in a queue').check();
      await page.getByLabel('Wait at most').fill('90');
      await page.getByLabel('Key to leave the queue').selectOption('0');
      await button(page, 'Save').click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      const department = await ask('GET', '/v1/department/sales');
      expect(department.agents).toEqual([...before.slice(0, -1), '100003', before.at(-1)]);
      expect(department).toMatchObject({
        strategy: 'in_order',
        queue: true,
        max_wait_seconds: 90,
        exit_key: '0',
      });
      await page.getByText('No callers are waiting.').waitFor();
    });
  });

  it('uploads a recording, plays it, replaces it and takes it back', async () => {
    await console.visit('/recordings/new', async (page) => {
      await page.getByLabel('Name of the recording').fill('Lunch break');
      await page.getByRole('tab', { name: 'Upload' }).click();
      await page.locator('input[type="file"]').setInputFiles(sound('invalid.wav'));
      await button(page, 'Upload').click();
      await heading(page, 'Lunch break').waitFor();
      const { data } = await ask('GET', '/v1/recordings?q=Lunch');
      const { id, duration_ms: length } = data[0];
      await button(page, 'Play Lunch break').click();
      const played = `Math.max(...[...document.querySelectorAll('audio')].map((audio) => audio.currentTime))`;
      await expect.poll(() => page.evaluate(played), { timeout: 30_000 }).toBeGreaterThan(0);
      await page.getByRole('img', { name: 'Lunch break' }).waitFor();

      await button(page, 'Replace the audio').click();
      await page.getByRole('tab', { name: 'Upload' }).click();
      await page.locator('input[type="file"]').setInputFiles(sound('welcome.wav'));
      await button(page, 'Upload').click();
      await button(page, 'Restore version 1').waitFor();
      const replaced = await ask('GET', `/v1/recording/${id}`);
      expect(replaced).toMatchObject({ version: 2, name: 'Lunch break' });
      expect(replaced.duration_ms).toBeGreaterThan(length);
      expect(await axe(page)).toEqual([]);
      await button(page, 'Restore version 1').click();
      await button(page, 'Restore version 2').waitFor();
      expect((await ask('GET', `/v1/recording/${id}`)).duration_ms).toBe(length);
    });
  });

  it.each(['tone-1000.m4a', 'tone-1000.aac'])(
    'converts %s, which the service does not decode, and sends WAV',
    async (name) => {
      await console.visit('/recordings/new', async (page) => {
        const loaded = (): Promise<number> =>
          page.evaluate(
            `performance.getEntriesByType('resource').filter(({ name }) => /audio-file/.test(name)).length`,
          );
        await page.getByLabel('Name of the recording').fill(name);
        await page.getByRole('tab', { name: 'Upload' }).click();
        expect(await loaded()).toBe(0);
        const path = new URL(`../support/sounds/${name}`, import.meta.url).pathname;
        await page.locator('input[type="file"]').setInputFiles(path);
        await page.getByText('Your browser has converted it').waitFor();
        expect(await loaded()).toBe(1);
        await page.getByRole('img', { name }).waitFor();
        expect(await axe(page)).toEqual([]);
        await button(page, 'Upload').click();
        await heading(page, name).waitFor();
        const { data } = await ask('GET', `/v1/recordings?q=${name}`);
        expect(data[0].format).toBe('WAV, 16000 Hz, one channel, 16 bit');
        // What the encoder of ADTS added stays, as nothing in the file says how much it is.
        expect(Math.abs(data[0].duration_ms - 1_000)).toBeLessThan(62);
        expect(Math.abs((await toneDb(data[0].id)) - -6)).toBeLessThan(1);
      });
    },
  );

  it('says that a sound is too long before it is sent', async () => {
    await console.visit('/recordings/new', async (page) => {
      await page.getByRole('tab', { name: 'Upload' }).click();
      const buffer = mp3Silence(605);
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'long.mp3', mimeType: 'audio/mpeg', buffer });
      await page.getByText('The sound is longer than 10 minutes.').waitFor();
      expect(await button(page, 'Upload').isDisabled()).toBe(true);
    });
  });

  it('duplicates a recording with its sound', async () => {
    const original = await ask('GET', '/v1/recording/welcome');
    await console.visit(
      '/recordings/welcome',
      async (page) => {
        await page.getByRole('link', { name: 'Duplicate' }).click();
        const name = page.getByLabel('Name of the recording');
        await name.waitFor();
        expect(await name.inputValue()).toBe(`${original.name} (copy)`);
        await button(page, `Play ${original.name}`).waitFor();
        expect(await axe(page)).toEqual([]);
        await name.fill('');
        await button(page, 'Duplicate').click();
        await page.locator('.field-fault').waitFor();
        await name.fill('Sunday welcome');
        await button(page, 'Duplicate').click();
        await heading(page, 'Sunday welcome').waitFor();
        await page.getByRole('img', { name: 'Sunday welcome' }).waitFor();
      },
      { failing: [400] },
    );
    const [copy] = (await ask('GET', '/v1/recordings?q=Sunday')).data;
    expect(copy).toMatchObject({ sha256: original.sha256, duration_ms: original.duration_ms });
    expect(copy.id).not.toBe('welcome');
  });

  it('shows a token once, and revokes it', async () => {
    await console.visit('/tokens', async (page) => {
      // As from another machine over plain HTTP, where browsers give no clipboard.
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await button(page, 'New token').click();
      await page.getByRole('dialog').getByLabel('Name').fill('Robot');
      await page.getByRole('dialog').getByLabel('Expires').selectOption('7');
      await page.getByRole('dialog').getByLabel('Calls').check();
      await button(page, 'Create').click();
      const dialog = page.getByRole('dialog', { name: 'Token “Robot”' });
      const token = await dialog.locator('code').innerText();
      const status = async () => (await call(console.service.url, 'GET', '/v1/settings', { token })).status;
      expect(await status()).toBe(200);
      await button(page, 'Copy: Access token').click();
      await page.getByText('Copied.').waitFor();
      await button(page, 'I have it').click();
      expect(await page.getByText(token).count()).toBe(0);
      // The focus is back where it was before the dialog.
      expect(await page.evaluate('document.activeElement.textContent')).toBe('New token');
      await page.getByRole('row', { name: 'Robot' }).getByText('Read, Calls').waitFor();
      const search = page.getByRole('searchbox');
      await search.press('Control+v');
      expect(await search.inputValue()).toBe(token);
      await search.fill('');
      await button(page, 'Revoke Robot').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked.').waitFor();
      expect(await status()).toBe(401);
    });
  });

  it('tells what is about a field that is not shown, and what has not reached the service', async () => {
    await console.visit(
      '/blocked/new',
      async (page) => {
        await ask('POST', '/v1/blocked_number', { anonymous: true, reason: '' });
        await page.getByLabel('Who').selectOption('anonymous');
        await button(page, 'Create').click();
        await page.getByRole('alert').waitFor();
        expect(await page.getByRole('alert').innerText()).toMatch(/already/);

        await page.setViewportSize({ width: 1280, height: 500 });
        const { id } = await ask('POST', '/v1/department', { name: 'Claims' });
        await page.goto(`${console.service.url}/#/departments/${id}`);
        await button(page, 'Leave without saving').click();
        await page.getByLabel('Name').fill('Claims and more');
        await page.route(`**/v1/department/${id}`, (route) =>
          route.fulfill({ status: 502, body: 'Bad gateway' }),
        );
        await page.getByRole('switch', { name: 'Let callers wait in a queue' }).focus();
        await button(page, 'Save').click();
        const alert = page.getByRole('alert').filter({ hasText: 'Bad gateway' });
        await alert.waitFor();
        await expect.poll(async () => (await alert.boundingBox())?.y ?? -1).toBeGreaterThan(0);
        await page.unroute(`**/v1/department/${id}`);
        await button(page, 'Save').click();
        await heading(page, 'Claims and more').waitFor();
      },
      { failing: [409, 502] },
    );
  });

  it('keeps what is searched for, the order and the page of a list across opening a record and going back', async () => {
    for (let n = 100; n < 160; n++) await ask('POST', '/v1/team', { name: `Crew ${n}` });
    await console.visit('/teams', async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search' });
      const names = () => page.locator('tbody tr td:nth-child(2)').allInnerTexts();
      await search.pressSequentially('crew 1');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await page.getByRole('button', { name: 'Name' }).click();
      await page.getByRole('button', { name: 'Name' }).click();
      await button(page, 'Next page').click();
      await page.getByText('Page 2 of 3').waitFor();
      expect((await names())[0]).toBe('Crew 134');
      for (const back of ['the browser', 'the page'] as const) {
        await page.getByRole('link', { name: 'Crew 120' }).click();
        await heading(page, 'Crew 120').waitFor();
        if (back === 'the browser') await page.goBack();
        else await page.getByRole('link', { name: 'Back to the list' }).click();
        await page.getByText('Page 2 of 3').waitFor();
        expect([back, await search.inputValue(), (await names())[0]]).toEqual([back, 'crew 1', 'Crew 134']);
      }
      await page.reload();
      await page.getByText('Page 2 of 3').waitFor();
      expect(await search.inputValue()).toBe('crew 1');
      // The navigation leads to the whole list.
      await page.getByRole('link', { name: 'Teams', exact: true }).click();
      await page.getByText('Page 1 of 3').waitFor();
      expect(await search.inputValue()).toBe('');
    });
    for (const { id, name } of (await ask('GET', '/v1/teams?limit=500')).data as Json[])
      if (name.startsWith('Crew ')) await ask('DELETE', `/v1/team/${id}`);
  });
});
