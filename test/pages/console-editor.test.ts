// The menu editor as people use it: with the keyboard alone, with a microphone, with somebody else at the same menu.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, type Json, type Service } from '../support/service.ts';
import { axe, describeAccount, tabTo } from './support/console.ts';
import { chooseIn } from './support/forms.ts';

const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
const SOUND = new URL('../support/sounds/tone-1000.mp3', import.meta.url).pathname;

/** A menu of the demonstration's records, without findings. */
const whole = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
  menu({
    timeout_retry_recording: 'recording||still-there',
    timeout_recording: 'recording||connecting',
    ...changes,
  });

async function made(service: Pick<Service, 'url'>, changes: Record<string, unknown> = {}): Promise<string> {
  const { headers, status } = await call(service.url, 'POST', '/v1/ivr', { body: whole(changes) });
  expect(status).toBe(201);
  return headers.get('location')?.split('/').at(-1) ?? '';
}

const read = async (service: Pick<Service, 'url'>, id: string): Promise<Json> =>
  (await call(service.url, 'GET', `/v1/ivr/${id}`)).json;

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const stored = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();

describeAccount('the menu editor', { flags: MICROPHONE }, (console) => {
  it('lets one build a whole menu by keyboard alone', async () => {
    await console.visit('/menus', async (page) => {
      const { keyboard } = page;
      const choose = async (text: string): Promise<void> => {
        await keyboard.type(text);
        // Lists come after their fields: until then at most the creation of something new is offered.
        await page.locator('.picker-active:not(:has(.picker-act))').first().waitFor();
        await keyboard.press('Enter');
      };
      const to = (label: string): Promise<void> => tabTo(page, (focused) => focused.includes(label));
      await page.getByRole('table').waitFor();
      await to('Skip to content');
      await keyboard.press('Enter');
      await to('New menu');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'New menu', level: 1 }).waitFor();
      await to('Name (required)');
      await keyboard.type('Night desk');
      await to('Description');
      await keyboard.type('For those who cannot sleep');
      await to('Greeting and choices');
      await choose('welcome');
      await to('Key 1: free');
      await keyboard.press('Enter');
      await choose('sales');
      await to('Done');
      await keyboard.press('Enter');
      // The focus is back on the key; from there the arrows lead on.
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowRight');
      await keyboard.press('Enter');
      await choose('asha');
      await keyboard.press('Escape');
      await to('Option of several keys');
      await keyboard.type('10');
      await keyboard.press('Enter');
      await choose('support');
      await to('Recording after a wrong key');
      await choose('not one');
      await to('Retries after wrong keys');
      await keyboard.press('ArrowUp');
      await to('Destination after the last wrong key');
      await choose('ben');
      await to('Seconds to wait for a key');
      await keyboard.type('8');
      await to('Recording after silence');
      await choose('still');
      await to('Recording after the last silence');
      await choose('one moment');
      await to('Destination after the last silence');
      await choose('hang up');
      await to('Record calls');
      await keyboard.press('Space');
      await to('Hide the keys');
      await keyboard.press('Space');
      // Behind the last field the page begins anew.
      await to('Skip to content');
      await keyboard.press('Enter');
      await to('Save');
      await keyboard.press('Enter');
      await stored(page);
      const id = page.url().split('/').at(-1) ?? '';
      expect(await read(console.service, id)).toMatchObject({
        name: 'Night desk',
        description: 'For those who cannot sleep',
        recording: 'recording||welcome',
        option: ['1', '5', '10'],
        destination: ['department||sales', 'extension||100001', 'department||support'],
        invalid_recording: 'recording||invalid',
        incorrect_count: 3,
        invalid_destination: 'extension||100002',
        timeout: 8,
        timeout_retry_recording: 'recording||still-there',
        timeout_recording: 'recording||connecting',
        timeout_destination: 'hangup||hangup',
        record_calls: true,
        sensitive: true,
      });
    });
  });

  it('goes back and forth by keys and buttons, and asks before changes are lost', async () => {
    const id = await made(console.service, { name: 'Steps' });
    await console.visit(`/menus/${id}`, async (page) => {
      const name = page.getByLabel('Name');
      await name.fill('Steps and more');
      await page.getByRole('button', { name: 'Key 3: free' }).click();
      await chooseIn(page.getByRole('combobox', { name: 'Where 3 leads' }), 'chen');
      await page.getByRole('button', { name: 'Key 3: Chen' }).waitFor();
      await page.keyboard.press('Control+z');
      await page.getByRole('button', { name: 'Key 3: Where to?' }).waitFor();
      await page.keyboard.press('Control+z');
      await page.getByRole('button', { name: 'Key 3: free' }).waitFor();
      await page.getByRole('button', { name: /^Undo/ }).click();
      expect(await name.inputValue()).toBe('Steps');
      await stored(page);
      expect(await page.getByRole('button', { name: /^Undo/ }).isDisabled()).toBe(true);
      await page.keyboard.press('Control+Shift+z');
      expect(await name.inputValue()).toBe('Steps and more');
      await page.keyboard.press('Control+y');
      await page.getByRole('button', { name: 'Key 3: Where to?' }).waitFor();

      await page.getByRole('link', { name: 'People' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Stay here' }).click();
      expect(await name.inputValue()).toBe('Steps and more');
      await page.getByRole('link', { name: 'People' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await page.waitForURL(/#\/agents$/);
    });
    expect(await read(console.service, id)).toMatchObject({ name: 'Steps', version: 1 });
  });

  it('shows what differs from a former version, and brings it back', async () => {
    const id = await made(console.service, { name: 'Former' });
    await console.visit(`/menus/${id}`, async (page) => {
      await page.getByLabel('Name').fill('Present');
      await page.getByRole('button', { name: 'Key 1: Asha' }).click();
      await chooseIn(page.getByRole('combobox', { name: 'Where 1 leads' }), 'support');
      await save(page).click();
      await stored(page);
      await page.getByRole('tab', { name: 'Versions' }).click();
      await page.getByRole('button', { name: 'Version 1: Compare with now' }).click();
      const list = page.getByRole('list', { name: 'What has changed since version 1' });
      expect(await list.getByRole('listitem').allTextContents()).toEqual([
        'Name: Former → Present',
        'Key 1 leads elsewhere: Asha → Support',
      ]);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Version 1: Restore' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Version 3', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Menu' }).click();
      expect(await page.getByLabel('Name').inputValue()).toBe('Former');
    });
    const now = await read(console.service, id);
    expect(now).toMatchObject({
      name: 'Former',
      version: 3,
      destination: ['extension||100001', 'extension||100002'],
    });
  });

  it('records from the microphone, and says why it cannot', async () => {
    const id = await made(console.service, { name: 'Spoken' });
    await console.visit(`/menus/${id}`, async (page) => {
      await page.getByRole('button', { name: 'New recording: Greeting and choices' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name of the recording').fill('Spoken greeting');
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
      );
      await dialog.getByRole('button', { name: 'Start recording' }).click();
      await dialog.getByText('Access to the microphone was denied.').waitFor();
      await page.evaluate(`delete navigator.mediaDevices.getUserMedia`);
      await page.evaluate(
        `Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true })`,
      );
      await dialog.getByRole('button', { name: 'Start recording' }).click();
      await dialog.getByText('only on pages served over https').waitFor();
      await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: true })`);
      await dialog.getByRole('button', { name: 'Start recording' }).click();
      await dialog.getByRole('button', { name: 'Stop' }).waitFor();
      expect(await axe(page)).toEqual([]);
      // The fake microphone beeps once a second; what is heard after the beep is recorded as well.
      const level = () => page.evaluate(`document.querySelector('meter').value`);
      await expect.poll(level, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0.3);
      await expect.poll(level, { timeout: 30_000, interval: 20 }).toBeLessThan(0.3);
      await dialog.getByRole('button', { name: 'Stop' }).click();
      await dialog.getByRole('img', { name: 'your recording' }).waitFor();
      await dialog.getByRole('button', { name: 'Keep it' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('img', { name: 'Spoken greeting' }).waitFor();
      expect(await page.getByRole('combobox', { name: 'Greeting and choices' }).inputValue()).toBe(
        'Spoken greeting',
      );
      await save(page).click();
      await stored(page);
    });
    const recording = (await read(console.service, id)).recording.split('||')[1];
    const { json } = await call(console.service.url, 'GET', `/v1/recording/${recording}`);
    expect(json).toMatchObject({ name: 'Spoken greeting', format: 'WAV, 16000 Hz, one channel, 16 bit' });
    expect(json.duration_ms).toBeGreaterThan(100);
    expect(json.peak_db).toBeGreaterThan(-50);
  });

  it('draws a file before it is sent, speaks a text, and shows what the service refuses', async () => {
    await console.visit(
      '/menus/main',
      async (page) => {
        await page.getByRole('button', { name: 'New recording: Recording after silence' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('tab', { name: 'Upload' }).click();
        const file = dialog.getByLabel('Audio file');
        await file.setInputFiles({
          name: 'notes.wav',
          mimeType: 'audio/wav',
          buffer: Buffer.from('no sound'),
        });
        await dialog.getByText('Your browser cannot convert this file').waitFor();
        await dialog.getByRole('button', { name: 'Upload' }).click();
        await dialog.locator('[aria-invalid=true]').waitFor();
        expect(await dialog.locator('.field-fault').textContent()).toMatch(/WAV|MP3/);
        await file.setInputFiles(SOUND);
        await dialog.getByRole('img', { name: 'tone-1000.mp3' }).waitFor();
        expect(await dialog.locator('.field-fault').count()).toBe(0);
        await dialog.getByRole('button', { name: 'Upload' }).click();
        await page.getByRole('img', { name: 'tone-1000', exact: true }).waitFor();

        await page.getByRole('button', { name: 'New recording: Recording after the last silence' }).click();
        await dialog.getByRole('tab', { name: 'Text to speech' }).click();
        await dialog.getByRole('button', { name: 'Generate speech' }).click();
        await dialog.getByText('a text is missing').waitFor();
        await dialog.getByLabel('Text to speak').fill('We call you back.');
        await dialog.getByRole('button', { name: 'Generate speech' }).click();
        // Where the service has no speech program it says so at the text; where it has one, the recording is there.
        const spoken = page.getByRole('img', { name: 'We call you back.' });
        const refused = dialog.getByText('espeak-ng');
        await spoken.or(refused).first().waitFor();
        if (await refused.isVisible()) await dialog.getByRole('button', { name: 'Close' }).click();
      },
      { failing: [400, 415, 422, 501] },
    );
  });

  it('offers to correct what the linter finds, and shows the service’s faults at their fields', async () => {
    await console.visit(
      '/menus/new',
      async (page) => {
        await page.getByRole('button', { name: 'Key 1: free' }).click();
        await chooseIn(page.getByRole('combobox', { name: 'Where 1 leads' }), 'asha');
        await page.getByLabel('Option of several keys').fill('12');
        await page.keyboard.press('Enter');
        await chooseIn(page.getByRole('combobox', { name: 'Where 12 leads' }), 'ben');
        await page.getByText('Option 1 begins like option 12').waitFor();
        await page.getByRole('button', { name: 'Fix: use key 2 instead of 1' }).click();
        await page.getByRole('button', { name: 'Key 2: Asha' }).waitFor();
        expect(await page.getByText('Option 1 begins like').count()).toBe(0);
        await page.getByLabel('Seconds to wait for a key').fill('0');
        await page.getByRole('button', { name: 'Fix: wait 5 seconds for a key' }).click();
        expect(await page.getByLabel('Seconds to wait for a key').inputValue()).toBe('5');

        await page.getByLabel('Retries after silence').fill('70');
        await save(page).click();
        await page.locator('.field-faulty').first().waitFor();
        const name = page.getByRole('textbox', { name: /^Name/ });
        const fault = page.locator('.field-fault', { hasText: /^This is required\.$/ });
        expect(await name.getAttribute('aria-describedby')).toContain(await fault.first().getAttribute('id'));
        expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain('Name');
        const tries = page.getByLabel('Retries after silence');
        expect(await tries.getAttribute('aria-invalid')).toBe('true');
        expect(await axe(page)).toEqual([]);
        await tries.fill('2');
        expect(await tries.getAttribute('aria-invalid')).toBeNull();
        await page.getByRole('button', { name: 'Name', exact: true }).click();
        expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain('Name');
      },
      { failing: [400] },
    );
  });

  it('shows what somebody else changed meanwhile, and lets one choose', async () => {
    const id = await made(console.service, { name: 'Shared' });
    await console.visit(
      `/menus/${id}`,
      async (page) => {
        await page.getByLabel('Name').fill('Mine');
        const theirs = whole({ name: 'Shared', timeout: 9 });
        await call(console.service.url, 'PUT', `/v1/ivr/${id}`, { body: theirs });
        await save(page).click();
        const dialog = page.getByRole('dialog', { name: 'Someone else changed this menu' });
        await dialog.getByText('Seconds to wait for a key: 5 → 9').waitFor();
        expect(await dialog.getByRole('list', { name: 'Your changes' }).textContent()).toBe(
          'Name: Shared → Mine',
        );
        expect(await axe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
        await stored(page);
        expect(await read(console.service, id)).toMatchObject({ name: 'Mine', timeout: 5, version: 3 });

        await call(console.service.url, 'PUT', `/v1/ivr/${id}`, { body: theirs });
        await page.getByLabel('Name').fill('Mine again');
        await save(page).click();
        await dialog.getByRole('button', { name: 'Use theirs' }).click();
        expect(await page.getByLabel('Name').inputValue()).toBe('Shared');
        expect(await page.getByLabel('Seconds to wait for a key').inputValue()).toBe('9');
      },
      { failing: [412] },
    );
  });

  it('shows which tests fail, and who leads to a menu that is to be deleted', async () => {
    const tests = [{ name: '1 reaches Asha', script: '1', expect: { destination: 'extension||100001' } }];
    const id = await made(console.service, { name: 'Tested', tests });
    await made(console.service, { name: 'Before it', destination: [`ivr||${id}`, 'extension||100002'] });
    await console.visit(
      `/menus/${id}`,
      async (page) => {
        await page.getByRole('button', { name: 'Key 1: Asha' }).click();
        await chooseIn(page.getByRole('combobox', { name: 'Where 1 leads' }), 'chen');
        await save(page).click();
        const dialog = page.getByRole('dialog', { name: 'Not saved: tests of this menu fail' });
        await dialog.getByText('1 reaches Asha').waitFor();
        await dialog.getByText('destination: expected “Asha”, was “Chen”.').waitFor();
        expect((await read(console.service, id)).version).toBe(1);
        await dialog.getByRole('button', { name: 'Save anyway' }).click();
        await stored(page);
        expect((await read(console.service, id)).destination[0]).toBe('extension||100003');

        await page.getByRole('button', { name: 'Delete this menu' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText('This menu is still used by menu "Before it".').waitFor();
        await page.getByRole('button', { name: 'Delete anyway' }).click();
        await page.waitForURL(/#\/menus$/);
        expect((await call(console.service.url, 'GET', `/v1/ivr/${id}`)).status).toBe(404);
        await page
          .getByRole('row', { name: /Before it/ })
          .getByText('1 error')
          .waitFor();
      },
      { failing: [409] },
    );
  });

  it('has nothing that axe-core finds, light, dark, narrow and in Hindi', async () => {
    const narrow = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const;
    for (const look of [{}, narrow, { language: 'hi' } as const]) {
      await console.visit(
        '/menus/main',
        async (page) => {
          await page.locator('[data-key="2"]').click();
          await page.locator('.player .waveform').nth(3).waitFor();
          expect(await axe(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        },
        look,
      );
    }
    await console.visit('/menus', async (page) => {
      await page.getByRole('row').nth(1).waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });
});
