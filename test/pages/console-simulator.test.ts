// The simulator as a person uses it: a call by mouse and by keyboard, heard aloud, skipped, with somebody busy or closed hours,
// kept as a test, and a real call told again.
import { statSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../support/phone/eventually.ts';
import { Phone } from '../support/phone/phone.ts';
import { call as ask, type Json, type Service } from '../support/service.ts';
import { axe, describeConsole, tabTo } from './support/console.ts';
import { sipOf } from './support/live-phones.ts';

const steps = (page: Page): Locator =>
  page.getByRole('list', { name: 'Steps of the call' }).getByRole('listitem');
const way = (page: Page): Locator => page.getByLabel('Path so far');
const phone = (page: Page): Locator => page.getByRole('region', { name: 'Phone' });
const key = (page: Page, which: string): Locator => phone(page).getByRole('button', { name: `Key ${which}` });
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();

/** No phone is registered at first, and a call starts from what is true. */
const everyone = (page: Page): Promise<void> => press(page, 'Assume that everyone answers');

const phones: Phone[] = [];
afterAll(() => {
  for (const each of phones) each.close();
});

describeConsole('the simulator', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  const api = async (method: string, path: string, body?: object): Promise<Json> => {
    const reply = await ask(console.service.url, method, path, body ? { body } : {});
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json;
  };
  /** As it can be sent back. */
  const mainMenu = async (): Promise<Json> => {
    const {
      id: _i,
      version: _v,
      created_at: _c,
      updated_at: _u,
      warnings: _w,
      ...menu
    } = await api('GET', '/v1/ivr/main');
    return menu;
  };

  it('plays the prompt aloud, takes a click as a key, skips time, and shows each decision and the way', () =>
    console.visit('/simulator', async (page) => {
      await phone(page).getByText('Ready to call Main menu').waitFor();
      // It says what it assumes: the hour, and that no phone is registered.
      await page.getByText(/^Assumes: .* Cannot be reached: Asha, /).waitFor();
      await everyone(page);
      await page.getByText(/phones answer\.$/).waitFor();
      await press(page, 'Call');
      await phone(page).getByText('Hears “Welcome and choices”').waitFor();
      // It is heard: the element's own clock runs.
      await expect
        .poll(() => page.evaluate(`document.querySelector('audio').currentTime`), { timeout: 30_000 })
        .toBeGreaterThan(0.2);
      expect(await page.evaluate(`document.querySelector('audio').error`)).toBeNull();
      expect(await page.evaluate(`document.querySelector('audio').src`)).toContain(
        '/v1/recording/welcome/audio',
      );
      // From here on time passes only when it is told to.
      await press(page, 'Pause');
      await key(page, '9').click();
      await press(page, 'Skip to the next step');
      await steps(page).getByText('No option is 9 (no further key came): retry 1 of 2.').waitFor();
      await phone(page).getByText('Hears “Not one of the choices”').waitFor();
      await key(page, '2').click();
      await phone(page).getByText('Ringing: Chen').waitFor();
      await press(page, 'Skip to the next step');
      await phone(page).getByText('Connected to Chen').waitFor();
      expect((await way(page).innerText()).replace(/\s+/g, ' ')).toBe(
        'Main menu key 2 → Support answers → Chen',
      );
      expect(await axe(page)).toEqual([]);
    }));

  it('is used by keyboard alone: tab to Call, type keys, hang up', () =>
    console.visit('/simulator?entry=ivr%7C%7Cmain', async (page) => {
      await phone(page).getByText('Ready to call Main menu').waitFor();
      await tabTo(page, (focused) => focused.startsWith('Instant'));
      await page.keyboard.press('Enter');
      await tabTo(page, (focused) => focused.trim() === 'Call');
      await page.keyboard.press('Enter');
      await phone(page).getByText('The menu waits for a key').waitFor();
      // The phone has the focus now.
      await page.keyboard.press('7');
      await steps(page).getByText('The caller pressed 7.').waitFor();
      await steps(page).getByText('No option is 7 (no further key came): retry 1 of 2.').waitFor();
      await tabTo(page, (focused) => focused.trim() === 'Hang up');
      await page.keyboard.press('Enter');
      await phone(page).getByText('The call has ended').waitFor();
      await tabTo(page, (focused) => focused.includes('Plays the menu'));
      await page.keyboard.press('Enter');
      await page
        .getByRole('button', { name: 'Plays the menu: “Welcome and choices”.', pressed: true })
        .waitFor();
      // Said politely to whoever does not see it.
      expect(await page.locator('p[aria-live=polite]').innerText()).toContain('The caller hung up.');
    }));

  it('goes elsewhere when somebody is busy, and says why', () =>
    console.visit('/simulator', async (page) => {
      await everyone(page);
      await tab(page, 'Conditions');
      await page.getByLabel('Chen').selectOption('Is busy');
      await page.getByLabel('Ben').selectOption('Does not answer');
      await tab(page, 'Steps');
      await press(page, 'Instant');
      await press(page, 'Call');
      await phone(page).getByText('The menu waits for a key').waitFor();
      await key(page, '2').click();
      await phone(page).getByText('Connected to Asha').waitFor();
      await steps(page).getByText('1003 is busy.').waitFor();
      await steps(page).getByText('Nobody answered within 20 s.').waitFor();
      expect((await way(page).innerText()).replace(/\s+/g, ' ')).toBe(
        'Main menu key 2 → Support otherwise → Asha',
      );
    }));

  it('starts from the present: who is signed out of one department is rung for the other alone', async () => {
    const [dora, emil] = ['Dora', 'Emil'].map((name, index) => ({ name, eid: `70000${index}` }));
    const server = sipOf(console.service);
    for (const each of [dora, emil]) {
      const { intercom, sip_password: password } = await api('POST', '/v1/agent', each);
      const telephone = await Phone.open({ server, user: intercom, password });
      phones.push(telephone);
      await telephone.register();
    }
    const office = { agents: [dora?.eid, emil?.eid], strategy: 'in_order' };
    const { id: billing } = await api('POST', '/v1/department', { ...office, name: 'Billing' });
    const { id: orders } = await api('POST', '/v1/department', { ...office, name: 'Orders' });
    await api('POST', `/v1/agent/${dora?.eid}/sign_out`, { department: billing });
    await console.visit(`/simulator?entry=${encodeURIComponent(`department||${billing}`)}`, async (page) => {
      const entry = page.getByRole('combobox', { name: 'Number or menu to call' });
      await expect.poll(() => entry.inputValue()).toBe('Billing');
      await page.getByText('Signed out of Billing, so not rung for it: Dora.').waitFor();
      await press(page, 'Instant');
      await press(page, 'Call');
      await phone(page).getByText('Connected to Emil').waitFor();
      await steps(page)
        .getByText(/Dora.* is paused, or signed out of .*Billing/)
        .waitFor();
      await everyone(page);
      await press(page, 'Call again');
      await phone(page).getByText('Connected to Dora').waitFor();
      await press(page, 'As it is now');
      await press(page, 'Call again');
      await phone(page).getByText('Connected to Emil').waitFor();
      await page.goto(
        `${console.service.url}/#/simulator?entry=${encodeURIComponent(`department||${orders}`)}`,
      );
      await phone(page).getByText('Ready to call Orders').waitFor();
      expect(await page.getByText(/^Assumes:/).innerText()).not.toContain('Signed out');
      await press(page, 'Call');
      await phone(page).getByText('Connected to Dora').waitFor();
    });
  });

  it('goes elsewhere while closed: the hours decide, at a time that is set', async () => {
    const { id: box } = await api('POST', '/v1/voicemail_box', { name: 'Nights' });
    const { id: week } = await api('POST', '/v1/timegroup', {
      name: 'Office hours',
      timezone: 'Europe/Berlin',
      weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
      exceptions: [{ name: 'New Year', from: '01-01', to: '01-01', hours: [] }],
      open_destination: 'department||sales',
      closed_destination: `voicemail||${box}`,
    });
    await api('POST', '/v1/number', { number: '200', destination: `timegroup||${week}` });
    await console.visit('/simulator', async (page) => {
      await page.getByRole('combobox', { name: 'Number or menu to call' }).click();
      await page.getByRole('option', { name: '200' }).click();
      await phone(page).getByText('Ready to call Office hours').waitFor();
      await everyone(page);
      await press(page, 'Instant');
      for (const [preset, found, said] of [
        ['While open', 'Connected to', /open/],
        ['While closed', 'The call has ended', /closed/],
        ['On a holiday', 'The call has ended', /New Year/],
      ] as const) {
        await tab(page, 'Conditions');
        await press(page, preset);
        await page.getByRole('button', { name: preset, pressed: true }).waitFor();
        await tab(page, 'Steps');
        await page.getByRole('button', { name: /^Call/ }).click();
        await phone(page).getByText(found).waitFor();
        expect(await steps(page).nth(2).innerText()).toMatch(said);
      }
      expect((await way(page).innerText()).replace(/\s+/g, ' ')).toBe('Office hours closed → Nights');
      await tab(page, 'Tests');
      await page.getByText('Tests belong to menus').waitFor();
    });
  });

  it('keeps a call as a test that the service knows, runs it here, and deletes it', () =>
    console.visit('/simulator', async (page) => {
      await everyone(page);
      await press(page, 'Instant');
      await press(page, 'Call');
      await phone(page).getByText('The menu waits for a key').waitFor();
      await key(page, '1').click();
      await phone(page).getByText('Connected to Asha').waitFor();
      await press(page, 'Save as test');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Give the test a name.').waitFor();
      await dialog.getByLabel('Name of the test').fill('1 reaches sales');
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The test “1 reaches sales” was saved.').waitFor();
      const { tests } = await api('GET', '/v1/ivr/main');
      expect(tests.at(-1)).toMatchObject({
        name: '1 reaches sales',
        script: '1',
        caller: '+15550100',
        expect: {
          outcome: 'connected',
          destination: 'extension||100001',
          visited: ['ivr||main', 'department||sales'],
        },
      });
      const { data } = await api('POST', '/v1/ivr/main/test');
      expect(data.map(({ passed }: Json) => passed)).toEqual([true, true, true]);
      await tab(page, 'Tests');
      await press(page, 'Run all');
      await page.getByText('3 of 3 tests passed').waitFor();
      expect(await axe(page)).toEqual([]);
      await press(page, 'Delete “1 reaches sales”');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('The test “1 reaches sales” was deleted.').waitFor();
      expect((await api('GET', '/v1/ivr/main')).tests).toHaveLength(2);
    }));

  it('tells a real call again, and says so when today’s flow takes another way', async () => {
    const id = await realCall(console.service, '0');
    await console.visit(`/simulator?replay=${id}`, async (page) => {
      await press(page, 'Instant');
      await press(page, 'Replay');
      await page.getByText('The call takes the same path today.').waitFor();
      await steps(page).getByText('The caller pressed 0.').waitFor();
      await phone(page).getByText('The call has ended').waitFor();
      expect(await steps(page).count()).toBeGreaterThan(5);
      expect(await axe(page)).toEqual([]);
    });
    // From a call's page it is told beside the map, where its way is lit from the beginning.
    await console.visit(`/map?replay=${id}`, async (page) => {
      await page.getByRole('button', { name: 'Replay' }).waitFor();
      const lit = page.locator('.map-card-lit').filter({ hasText: 'Main menu' });
      expect((await lit.locator('.map-row-lit').innerText()).replaceAll(/\s+/g, ' ')).toBe('0 Asha');
      await page.getByRole('button', { name: 'Close the simulator' }).click();
      await page.waitForURL(/#\/map$/);
      await lit.waitFor({ state: 'detached' });
    });
    const menu = await mainMenu();
    await api('PUT', '/v1/ivr/main', {
      ...menu,
      destination: [menu.destination[0], menu.destination[1], 'department||sales'],
    });
    await console.visit(`/simulator?replay=${id}`, async (page) => {
      await press(page, 'Instant');
      await press(page, 'Replay');
      await page.getByText('The call takes a different path today.').waitFor();
      await page.getByText('Option 0 leads to “Asha”').waitFor();
      await steps(page).getByText('Option 0 leads to “Sales”').waitFor();
    });
    await api('PUT', '/v1/ivr/main', menu);
  });

  it('says of a real call whose keys are hidden that it cannot be told again, and lets one call by hand', async () => {
    const menu = await mainMenu();
    await api('PUT', '/v1/ivr/main', { ...menu, sensitive: true });
    const id = await realCall(console.service, '0', '5550002');
    await api('PUT', '/v1/ivr/main', menu);
    await console.visit(`/map?replay=${id}`, async (page) => {
      await page.getByText('Keys of this call are hidden').waitFor();
      await page.locator('.map-card-lit').filter({ hasText: 'Main menu' }).waitFor();
      expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
      await phone(page).getByText('Ready to call Main menu').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });

  it('plays and names the built-in prompts of the account’s language', async () => {
    const { id: box } = await api('POST', '/v1/voicemail_box', { name: 'Messages' });
    for (const [language, named, folder] of [
      ['hi', 'Hindi', 'hi/'],
      ['en', 'English', ''],
    ] as const) {
      await api('PATCH', '/v1/settings', { language });
      const entry = encodeURIComponent(`voicemail||${box}`);
      await console.visit(`/simulator?entry=${entry}`, async (page) => {
        await press(page, 'Call');
        await phone(page).getByText(`Hears “the built-in greeting (${named})”`).waitFor();
        const bytes = await page.evaluate(
          `fetch(document.querySelector('audio').src).then((reply) => reply.arrayBuffer()).then((sound) => sound.byteLength)`,
        );
        const file = new URL(`../../assets/prompts/${folder}voicemail-greeting.wav`, import.meta.url);
        expect(bytes).toBe(statSync(file).size);
      });
    }
  });

  it('looks after itself in the dark and at 320 pixels, in Hindi too', async () => {
    const looks = [
      { colorScheme: 'dark' as const },
      { viewport: { width: 320, height: 640 } },
      { language: 'hi' as const, viewport: { width: 320, height: 640 } },
    ];
    for (const look of looks) {
      await console.visit(
        '/simulator',
        async (page) => {
          await page.locator('.simulator-hooks button').click();
          await page.locator('.simulator-key').nth(1).click();
          await page.locator('.simulator-steps li').nth(4).waitFor();
          expect(await axe(page)).toEqual([]);
          const wide = await page.evaluate(`document.documentElement.scrollWidth - innerWidth`);
          expect(wide).toBeLessThanOrEqual(0);
        },
        look,
      );
    }
  });
});

/** A stranger dials 100 by SIP, presses a key and hears the call to its end; the id of what was written down. */
async function realCall(service: Service, pressed: string, user = '5550001'): Promise<string> {
  const line = service.log.find((each) => each.includes('"sip"')) ?? '{}';
  const { sip = [] } = JSON.parse(line) as { sip?: string[] };
  const port = Number(
    sip
      .find((each) => each.startsWith('udp '))
      ?.split(':')
      .at(-1),
  );
  const stranger = await Phone.open({ user, server: { host: '127.0.0.1', port } });
  phones.push(stranger);
  const talking = await (await stranger.call('100')).answered();
  // Keys count from the first packet of the prompt on: before it the service may not have seen the ACK.
  await eventually(
    () => talking.rtp.packets.length > 0,
    {},
    () => 'no prompt was heard',
  );
  await talking.pressKeys(pressed);
  for (let tries = 0; tries < 200; tries += 1) {
    const { json } = await ask(service.url, 'GET', `/v1/call/records?caller=${user}`);
    if (json.data[0]) return json.data[0].id;
    if (tries === 60) await talking.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the call was not written down');
}
