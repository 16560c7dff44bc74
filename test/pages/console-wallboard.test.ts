// The wallboard with real calls: queues, agents and calls move by themselves, colours follow the thresholds, and a supervisor acts from it.
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { eidOf } from '../support/pbx.ts';
import { axe } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { recordings } = tones(400, 'music');

describeTelephones(
  'the wallboard',
  {
    recordings,
    agents: { '1001': { name: 'Asha' }, '1002': { name: 'Ben' } },
    departments: {
      support: {
        name: 'Support',
        queue: true,
        music_on_hold: 'recording||music',
        agents: [eidOf('1001')],
        strategy: 'in_order',
      },
    },
    numbers: { '200': 'department||support' },
  },
  (telephones) => {
    it('shows who waits and who talks, is coloured by the thresholds that are set, and acts', async () => {
      const { bed } = telephones;
      const [asha, ben] = await Promise.all([bed.agent('1001'), bed.agent('1002')]);
      await telephones.visit('/wallboard', async (page) => {
        const card = page.locator('[data-department="support"]');
        await card.getByText('1 free').waitFor();
        expect(await axe(page)).toEqual([]);
        // What moves from here on, moves by events.
        const asked: string[] = [];
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        const first = await bed.dial('200');
        await (await asha.incoming()).answer();
        await first.answered();
        await card.getByText('1 on a call').waitFor();
        const calls = page.getByRole('table', { name: 'Support' });
        await calls.getByText('Connected', { exact: true }).waitFor();
        const second = await bed.reach('200');
        await calls.getByText('In a queue').waitFor();
        await card.locator('.board-figure-large dd').first().getByText('1', { exact: true }).waitFor();
        // Health is read once a minute, calls or not; no call has ended. The names of places are read once.
        const read = asked.filter((path) => path.startsWith('/v1/') && path !== '/v1/health');
        expect(read).toEqual([...new Set(read)]);
        expect(read.filter((path) => /live_calls|statistics|agents|departments/.test(path))).toEqual([]);

        await page.getByRole('button', { name: 'Thresholds' }).click();
        const dialog = page.getByRole('dialog', { name: 'Thresholds' });
        await dialog.getByLabel('Waiting callers: high from').fill('1');
        expect(await axe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await card.getByText('High').first().waitFor();

        await page.getByRole('button', { name: 'Pause Ben' }).click();
        const paused = page.locator('.board-group.board-state-paused');
        await paused.getByText('Ben').waitFor();
        await paused.getByRole('button', { name: 'End the pause of Ben' }).click();
        await paused.waitFor({ state: 'detached' });

        const talking = page.getByRole('row').filter({ hasText: 'Connected' });
        await talking.getByRole('button', { name: /^Listen to the call from/ }).click();
        const listen = page.getByRole('dialog');
        await listen.getByRole('combobox', { name: 'Agent whose phone rings' }).fill('ben');
        await listen.getByRole('option', { name: /Ben/ }).click();
        await listen.getByLabel('How').selectOption('barge');
        await listen.getByLabel('In this browser').uncheck();
        await listen.getByRole('button', { name: 'Ring this phone' }).click();
        await (await ben.incoming()).answer();
        await bed.until('Ben is in the call', async () => (await bed.metric('dialtree_legs')) === 4);

        await page.getByLabel('Show calls').selectOption('waiting');
        await page.getByText('Connected', { exact: true }).waitFor({ state: 'detached' });
        const waiting = page.getByRole('row').filter({ hasText: 'In a queue' });
        await waiting.getByRole('button', { name: /^Hang up the call from/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
        await waiting.waitFor({ state: 'detached' });
        await second.ended();

        await page.getByRole('link', { name: 'Full screen' }).click();
        await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'detached' });
        await card.waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByRole('link', { name: 'Leave full screen' }).click();
        await page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
        await first.hangUp();
        // The figures of the day follow the end of the call.
        await card
          .locator('.board-figure')
          .filter({ hasText: 'Answered today' })
          .getByText('1', { exact: true })
          .waitFor({ timeout: 20_000 });
      });
    });

    it('works on a tablet by touch, and on a phone nothing is cut off', async () => {
      const { bed } = telephones;
      await bed.dial('200');
      const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true };
      await telephones.visit(
        '/wallboard?full',
        async (page) => {
          const hangUp = page.getByRole('button', { name: /^Hang up the call from/ }).first();
          await hangUp.waitFor();
          const { width = 0, height = 0 } = (await hangUp.boundingBox()) ?? {};
          expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
          await hangUp.tap();
          await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).tap();
          await hangUp.waitFor({ state: 'detached' });
          await page.setViewportSize({ width: 320, height: 640 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
          expect(await axe(page)).toEqual([]);
        },
        tablet,
      );
    });
  },
);
