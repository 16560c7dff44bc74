// Calls that are over, in the console: made by real telephones, found, opened, heard, drawn and taken away as CSV.
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { callerOf, tones } from '../calls/support/phone-bed.ts';
import { readRows } from '../faults/support/sqlite-file.ts';
import { extension } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { axe } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { hz, recordings } = tones(400, 'prompt', 'invalid', 'retry', 'timeout');
const NAUGHTY = "'><script>alert(1)</script>";
const DEVICE = '<svg onload=alert(2)> desk phone';

/** The tests know no browser's types. */
interface Sound {
  readonly currentTime: number;
  readonly duration: number;
}
const at = (audio: Locator): Promise<number> =>
  audio.evaluate((element: unknown) => (element as Sound).currentTime);
const lengthOf = (audio: Locator): Promise<number> =>
  audio.evaluate((element: unknown) => (element as Sound).duration);

describeTelephones(
  'calls that are over',
  {
    recordings,
    agents: { '1001': { name: 'Asha', record_calls: true } },
    menus: {
      main: {
        name: 'Main menu',
        timeout: 60,
        incorrect_count: 5,
        option: ['1'],
        destination: [extension('1001')],
      },
    },
    numbers: { '100': 'ivr||main' },
  },
  (telephones) => {
    let whole: Json;

    /** A wrong key by SIP INFO, the right one by RFC 4733, a conversation that is recorded. */
    async function makeCall(): Promise<Json> {
      const { bed } = telephones;
      const asha = await bed.agent('1001');
      const call = await bed.reach('100', {
        phone: { displayName: NAUGHTY },
        headers: [['User-Agent', DEVICE]],
      });
      await call.hears(hz.prompt, { forMs: 40 });
      await call.pressKeys('9', { how: 'info' });
      await call.hears(hz.invalid, { forMs: 80 });
      await call.pressKeys('1');
      const incoming = await asha.incoming();
      incoming.ring();
      await incoming.answer();
      await incoming.sendTone(1_780, 1_500);
      await call.hangUp();
      return bed.record(call);
    }

    it('teach what will stand here while there are none', async () => {
      await telephones.visit('/calls', async (page) => {
        await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByRole('link', { name: 'See the calls in progress' }).click();
        await page.getByRole('heading', { name: 'Live calls', level: 1 }).waitFor();
      });
    });

    it('open with summary, steps, keys and how each came, the ladder, and the sound of each telephone', async () => {
      whole = await makeCall();
      expect(whole['recording']).not.toBeNull();
      await telephones.visit('/calls', async (page) => {
        const row = page.getByRole('row').filter({ hasText: NAUGHTY });
        await row.getByText('Answered').waitFor();
        expect(await axe(page)).toEqual([]);
        await row.getByRole('link').first().click();
        await page.getByRole('heading', { level: 1, name: `Call from ${NAUGHTY}` }).waitFor();

        await page.getByText(/came to Main menu\. Asha answered after/).waitFor();
        await page.getByText('The caller hung up.').first().waitFor();
        const steps = page.getByRole('listitem').filter({ has: page.locator('kbd') });
        await steps.filter({ hasText: 'by SIP INFO' }).getByText('9', { exact: true }).waitFor();
        await steps.filter({ hasText: 'by telephone-event' }).getByText('1', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Asha' }).first().waitFor();

        await page.getByText('As a table').click();
        const messages = page.getByRole('table').getByRole('row');
        const said = (await messages.allTextContents()).slice(1);
        expect(said).toHaveLength(whole['ladder'].length);
        expect(said[0]).toContain('INVITE');
        expect(said[0]).toContain(DEVICE);
        expect(said.some((line) => line.includes('200 BYE'))).toBe(true);
        await page.getByRole('heading', { name: 'Phone 1001' }).waitFor();
        await page.getByText('Good', { exact: true }).first().waitFor();
        expect(await axe(page)).toEqual([]);

        const replay = page.getByRole('link', { name: 'Replay in simulator' });
        await replay.click();
        await page.getByRole('button', { name: 'Instant' }).click();
        await page.getByRole('button', { name: 'Replay', exact: true }).click();
        await page.getByText('The call takes the same path today.').waitFor();
        expect(await page.locator('.map-card-lit').count()).toBeGreaterThan(0);
      });
    });

    it('are heard: the conversation, and the prompt that a step played', async () => {
      await telephones.visit(`/calls/${whole['id']}`, async (page) => {
        const player = page.locator('section').filter({ hasText: 'The conversation' });
        await player.getByRole('button', { name: 'Play recorded conversation' }).click();
        const audio = player.locator('audio');
        await expect.poll(() => at(audio), { timeout: 30_000 }).toBeGreaterThan(0);
        const seconds = await lengthOf(audio);
        expect(seconds).toBeGreaterThan(1);
        await page.getByRole('button', { name: 'Listen to prompt' }).first().click();
        const prompt = page.locator('.calls-prompt audio').first();
        await expect.poll(() => lengthOf(prompt), { timeout: 30_000 }).toBeCloseTo(0.4, 1);
        expect(await axe(page)).toEqual([]);
      });
    });

    it('of a message that was left are heard as well', async () => {
      const { bed } = telephones;
      const box = await bed.api('POST', '/v1/voicemail_box', {
        name: 'Sales',
        greeting: 'recording||prompt',
        max_seconds: 10,
        silence_seconds: 2,
      });
      await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${box.json.id}` });
      const call = await bed.reach('200');
      await call.hears(1_000, { forMs: 60 });
      await call.hearsSilence(300);
      await call.sendTone(1_780, 1_500);
      await call.hangUp();
      const { id } = await bed.record(call);
      await telephones.visit(`/calls/${id}`, async (page) => {
        await page.getByText(/came to Sales and left a message/).waitFor();
        await page.getByRole('button', { name: 'Play voicemail message' }).click();
        const audio = page.locator('audio').first();
        await expect.poll(() => at(audio), { timeout: 30_000 }).toBeGreaterThan(0);
      });
    });

    it('are searched by the service, page after page, and taken away as CSV', async () => {
      const { bed } = telephones;
      const phone = await bed.phone({ user: '5557777' });
      await bed.api('POST', '/v1/blocked_number', { number: '5557777' });
      for (let at = 0; at < 60; at++) await (await phone.call('100')).finished();
      await bed.until('60 records', async () => {
        const { json } = await bed.api('GET', '/v1/call/records?caller=5557777&limit=100');
        return json.data.length === 60;
      });
      await telephones.visit('/calls', async (page) => {
        await page.getByRole('status').getByText('50 calls shown').waitFor();
        await page.getByRole('button', { name: 'Show older calls' }).click();
        await page.getByText('62 calls shown. There are no older calls.').waitFor();
        const search = page.getByRole('search');
        await search.getByLabel('Outcome').selectOption('answered');
        await page.getByText('1 call shown').waitFor();
        expect(page.url()).toContain('outcome=answered');
        const today = new Date().toISOString().slice(0, 10);
        await search.getByLabel('From day').fill(today);
        await page.getByText('1 call shown').waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download as CSV' }).click();
        const text = readFileSync(await (await download).path(), 'utf8');
        const [head, ...rest] = text.trimEnd().split('\r\n');
        expect(head?.split(',').slice(0, 2)).toEqual(['Started', 'Direction']);
        expect(rest).toHaveLength(1);
        expect(rest[0]).toContain(whole['id']);
        await page.getByRole('button', { name: 'Clear all' }).click();
        await search.getByLabel('Search').fill('no such thing');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'No calls found' }).waitFor();
        expect(await axe(page)).toEqual([]);
      });
      // A search can be sent to a colleague, in another zone and language.
      await telephones.visit(
        `/calls?caller=${callerOf(phone.calls[0] ?? (await phone.call('100')))}&direction=inbound`,
        async (page) => {
          await page.getByText('50 कॉल दिख रही हैं।').waitFor();
          expect(await page.getByRole('combobox', { name: 'दिशा' }).inputValue()).toBe('inbound');
        },
        { language: 'hi', timezoneId: 'Asia/Kolkata' },
      );
    });

    it('of an earlier version say so, and a former agent keeps its name', async () => {
      const { bed } = telephones;
      const record = (await bed.api('GET', `/v1/call/records/${whole['id']}`)).json;
      expect(
        (await bed.api('DELETE', `/v1/agent/${record.answered_by}?force=true&skip_tests=true`)).status,
      ).toBe(200);
      await telephones.visit(`/calls/${whole['id']}`, async (page) => {
        await page.getByText(/Asha answered after/).waitFor();
        const phones = page.locator('section').filter({ hasText: 'Telephones' });
        await phones.getByRole('heading', { name: 'Asha (1001)' }).waitFor();
        expect(await page.getByText('old record').count()).toBe(0);
      });
      readRows(bed.pbx.dataDir, `UPDATE calls SET wait_ms = NULL WHERE id = '${whole['id']}'`);
      await telephones.visit(`/calls/${whole['id']}`, async (page) => {
        await page.getByText('old record').waitFor();
        await page.getByText('This record was written by an earlier version.').waitFor();
        expect(await axe(page)).toEqual([]);
      });
    });

    it('that are not there say so', async () => {
      await telephones.visit(
        '/calls/nothing',
        async (page) => {
          await page.getByRole('heading', { name: 'Call not found' }).waitFor();
          expect(await axe(page)).toEqual([]);
          await page.getByRole('link', { name: 'All calls' }).click();
          await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
        },
        { failing: [404] },
      );
    });
  },
);
