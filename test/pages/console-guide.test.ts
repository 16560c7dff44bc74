// The first steps in the console, as a person takes them: from nothing to a call that is answered by a phone with the settings shown.
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, expect, it } from 'vitest';
import { Phone } from '../support/phone/phone.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { call, type Json } from '../support/service.ts';
import { describeConsole } from './support/console.ts';
import { expectCleanLooks } from './support/looks.ts';

const SIP = { DEMO: 'off', SIP: 'on', SIP_PORT: '0' };

/** What the page says to type into a phone. */
const setting = (page: Page, name: string): Promise<string> =>
  page
    .locator('.guide-settings > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('code')
    .innerText();

/** The code on the page, module by module: what is dark in its drawing. */
async function modulesOf(page: Page): Promise<boolean[][]> {
  const code = page.getByRole('img', { name: /^QR code with the SIP settings of/ });
  const [, , , side = '0'] = ((await code.getAttribute('viewBox')) ?? '').split(' ');
  const size = Number(side) - 8;
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let at = 0; at < Number(width); at++) {
      const row = modules[Number(y)];
      if (row) row[Number(x) + at] = true;
    }
  return modules;
}

describeConsole('the first steps', { env: SIP }, (console) => {
  const phones: Phone[] = [];
  afterAll(async () => {
    for (const phone of phones) await phone.close();
  });
  const open = async (options: Parameters<typeof Phone.open>[0]): Promise<Phone> => {
    const phone = await Phone.open(options);
    phones.push(phone);
    return phone;
  };
  const ask = async (path: string): Promise<Json> => (await call(console.service.url, 'GET', path)).json;

  it('the overview of an empty account leads to them', async () => {
    await console.visit('/', async (page) => {
      // The guide comes by itself, once; the overview is there for who wants it.
      await page.getByRole('heading', { name: 'Getting started' }).waitFor();
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('link', { name: 'Finish the first steps: a menu that rings a phone' }).click();
      await page.getByRole('heading', { name: 'Getting started' }).waitFor();
      await page.getByLabel('Name', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Create the agent' }).click();
      await page.getByText('Give the agent a name.').waitFor();
      await page.getByRole('button', { name: 'Skip this step' }).click();
      await page.getByText('First create an agent (step 1)').waitFor();
      expect((await ask('/v2/agents')).data).toEqual([]);
    });
  });

  it('agent, menu and number are made, and a real call rings the phone that has the settings shown', async () => {
    await console.visit('/start', async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Asha');
      await page.getByRole('button', { name: 'Create the agent' }).click();
      await page.getByText('Waiting for a phone of Asha to register').waitFor();
      const server = {
        host: await setting(page, 'Server (domain, registrar)'),
        port: Number(await setting(page, 'Port')),
      };
      const user = await setting(page, 'User name (also: authentication name)');
      const password = await setting(page, 'Password');
      expect(await setting(page, 'Transport')).toBe('UDP');
      await page.getByText('SIP_HOST is 127.0.0.1: only this machine can call.').waitFor();

      const text = `sip:${user}:${password}@${server.host}:${server.port};transport=udp`;
      await page
        .getByRole('img', { name: `QR code with the SIP settings of ${user}, password included` })
        .waitFor();
      expect(await modulesOf(page)).toEqual(encode(text, { ecc: 'M', border: 0 }).data);

      const asha = await open({ user, password, server });
      expect(await asha.register()).toBe(200);
      await page.getByText('It works: dialtree test phone is registered as Asha.').waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();

      await page.getByRole('button', { name: 'Create the menu' }).click();
      const number = page.getByLabel('Number', { exact: true });
      await number.waitFor();
      expect(await number.inputValue()).toBe('100');
      await page.getByRole('button', { name: 'Connect the number' }).click();
      await page.getByText('Waiting for the first call').waitFor();
      await page.getByText(`sip:100@${server.host}:${server.port}`, { exact: true }).waitFor();
      await page
        .getByText(`node bin/dialtree.js call 100 --server ${server.host}:${server.port}`, { exact: true })
        .waitFor();

      const caller = await open({ user: '5550001', server });
      const placed = await caller.call('100');
      await placed.answered();
      await page.getByText('The caller hears the menu.').waitFor();
      await placed.pressKeys('1');
      const ringing = await asha.incoming();
      await page.getByText('The phone of Asha rings.').waitFor();
      await ringing.answer();
      await page.getByText('Answered. Your menu works!').waitFor();
      await placed.hangUp();
      await page.getByText('The call is over.').waitFor();

      const [menu] = (await ask('/v1/ivrs')).data;
      expect(menu).toMatchObject({ name: 'Welcome', option: ['1', '2', '0'] });
      expect(new Set(menu.destination).size).toBe(1);
      expect((await ask('/v1/numbers')).data).toMatchObject([
        { number: '100', destination: `ivr||${menu.id}` },
      ]);
      expect((await ask('/v1/lint')).data).toEqual([]);
    });
  });

  it('they resume where they were left, and doing them again makes nothing twice', async () => {
    await console.visit('/start', async (page) => {
      await page.getByText('Waiting for the first call').waitFor();
      expect(await page.getByText('Done', { exact: true }).count()).toBe(3);
      await page.getByRole('button', { name: 'Show step 1: An agent with a phone' }).click();
      await page.getByText('It works: dialtree test phone is registered as Asha.').waitFor();
      expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Create a new password' }).click();
      const sure = page.getByRole('dialog', { name: 'Create a new password?' });
      await sure.getByRole('button', { name: 'Create a new password' }).click();
      await page.getByRole('img', { name: /QR code/ }).waitFor();
      const port = Number(await setting(page, 'Port'));
      const again = await open({
        user: await setting(page, 'User name (also: authentication name)'),
        password: await setting(page, 'Password'),
        server: { host: '127.0.0.1', port },
      });
      // The telephone side hears of the new password a moment after the page.
      await expect.poll(() => again.register(), { interval: 500, timeout: 5000 }).toBe(200);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('“Welcome”: key 1 rings Asha').first().waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Waiting for the first call').waitFor();
      const counts = await Promise.all(
        ['/v2/agents', '/v1/ivrs', '/v1/numbers', '/v1/recordings'].map(
          async (path) => (await ask(path)).data.length,
        ),
      );
      expect(counts).toEqual([1, 1, 1, 4]);
    });
  });

  it('another menu has a recording of one’s own, and rings by key 1', async () => {
    await console.visit(
      '/start',
      async (page) => {
        await page.getByRole('button', { name: 'Show step 2: A menu that callers hear' }).click();
        await page.getByRole('button', { name: 'Another menu' }).click();
        await page.getByLabel('Name of the menu').fill('Of my own');
        await page.getByLabel('A recording of your own').check();
        await page.getByRole('button', { name: 'Create the menu' }).click();
        await page.getByText('Choose or make a recording.').waitFor();
        await page.getByRole('tab', { name: 'Upload' }).click();
        const file = { name: 'hello.wav', mimeType: 'audio/wav', buffer: toneWav(440, 800) };
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByRole('button', { name: 'Upload', exact: true }).click();
        await page.getByText('Recorded: hello').waitFor();
        await page.getByRole('button', { name: 'Create the menu' }).click();
        await page.getByLabel('Number', { exact: true }).waitFor();
        expect(await page.getByLabel('Number', { exact: true }).inputValue()).toBe('101');
        await page.getByLabel('Number', { exact: true }).fill('100');
        await page.getByRole('button', { name: 'Connect the number' }).click();
        await page.locator('.field-fault, .notice-bad').first().waitFor();
        const own = (await ask('/v1/ivrs')).data.find(({ name }: Json) => name === 'Of my own');
        expect(own.option).toEqual(['1']);
        expect((await ask('/v1/numbers')).data).toHaveLength(1);
      },
      { failing: [400, 409] },
    );
  });

  it('axe finds nothing in any step, light and dark, wide and narrow', async () => {
    await console.visit('/start', async (page) => {
      await page.getByText('Waiting for the first call').waitFor();
      await expectCleanLooks(page);
      await page.getByRole('button', { name: 'Show step 1: An agent with a phone' }).click();
      await page.getByText('It works:').waitFor();
      await page.getByRole('button', { name: 'Another agent' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Ben');
      await page.getByRole('button', { name: 'Create the agent' }).click();
      await page.getByRole('img', { name: /QR code/ }).waitFor();
      await expectCleanLooks(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Let key 3 ring Ben' }).click();
      await page.getByText('“Welcome”: key 3 rings Ben').first().waitFor();
      const [menu] = (await ask('/v1/ivrs')).data.filter(({ name }: Json) => name === 'Welcome');
      expect(menu.option).toEqual(['1', '2', '0', '3']);
      await page.getByRole('button', { name: 'Another menu' }).click();
      await page.getByLabel('A recording of your own').check();
      await expectCleanLooks(page);
    });
  });
});

describeConsole('the first steps without telephones', { env: { DEMO: 'off', SIP: 'off' } }, (console) => {
  it('say so, in Hindi too', async () => {
    await console.visit('/start', async (page) => {
      await page.getByText('Telephones are switched off').waitFor();
    });
    await console.visit(
      '/start',
      async (page) => {
        await page.getByText('टेलीफ़ोन बंद हैं').waitFor();
      },
      { language: 'hi' },
    );
  });
});
