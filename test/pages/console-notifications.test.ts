// Notifications in the console: rules are made on their page, the bell rings by itself, and what was seen is no longer new.
import { statfsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { eidOf } from '../support/pbx.ts';
import { refusingProvider } from '../support/refusing-provider.ts';
import { axe } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { recordings } = tones(400, 'music');

/** Not in memory, where temporary files of tests are and nearly all is free: a rule says 90 % at most. */
const folder = ['/var/tmp', '/tmp'].find((path) => {
  const { bavail, blocks } = statfsSync(path);
  return bavail < 0.9 * blocks;
});

describeTelephones(
  'notifications',
  {
    ...(folder === undefined ? {} : { folder }),
    recordings,
    agents: { '1001': { name: 'Asha' } },
    departments: {
      support: { name: 'Support', queue: true, music_on_hold: 'recording||music', agents: [eidOf('1001')] },
    },
    numbers: { '200': 'department||support' },
  },
  (telephones) => {
    it('of a queue that is too long come by a rule that was made on the page, and are new until they were seen', async () => {
      const { bed } = telephones;
      const asha = await bed.agent('1001');
      await telephones.visit(
        '/notifications',
        async (page) => {
          const rule = page.getByRole('region', { name: 'Console' });
          await rule.getByLabel('Too long with so many callers').fill('1');
          await rule.getByLabel('E-mail to').fill('nobody');
          await rule.getByLabel('Quiet from').fill('22:00');
          await rule.getByLabel('Quiet until').fill('06:30');
          await page.getByRole('button', { name: 'Save' }).click();
          await rule.getByText('must be an e-mail address').waitFor();
          expect(await axe(page)).toEqual([]);
          await rule.getByLabel('E-mail to').fill('ops@example.com\n');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByText('Unsaved').waitFor({ state: 'detached' });
          const stored = (await bed.api('GET', '/v1/settings')).json.notification_rules[0];
          expect(stored).toMatchObject({
            waiting: 1,
            emails: ['ops@example.com'],
            quiet_from: '22:00',
            quiet_to: '06:30',
          });

          const first = await bed.dial('200');
          await (await asha.incoming()).answer();
          await first.answered();
          const second = await bed.reach('200');
          const bell = page.getByRole('button', { name: '1 new notification' });
          await bell.click();
          const list = page.getByRole('region', { name: 'Notifications' });
          await list.getByRole('link', { name: 'The queue of Support is too long' }).waitFor();
          await list.getByText('Now', { exact: true }).waitFor();
          expect(await axe(page)).toEqual([]);
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
          await page.reload();
          await page.getByRole('button', { name: 'Notifications', exact: true }).click();
          await list.getByText('The queue of Support').waitFor();
          expect(await list.getByText('New', { exact: true }).count()).toBe(0);
          await page.setViewportSize({ width: 320, height: 640 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
          await second.hangUp();
          await first.hangUp();
        },
        { failing: [400] },
      );
    });

    it('of a trunk, a new message and the disk are in the bell, and a rule names a webhook', async () => {
      const { bed } = telephones;
      const provider = await refusingProvider();
      try {
        const hook = { name: 'Help desk', url: 'https://hooks.example.com/', events: [], status: 'paused' };
        const { id: webhook } = (await bed.api('POST', '/v1/webhook', hook)).json;
        const box = (await bed.api('POST', '/v1/voicemail_box', { name: 'Night' })).json.id;
        await bed.api('POST', '/v1/number', { number: '300', destination: `voicemail||${box}` });
        await bed.api('POST', '/v1/trunk', {
          name: 'Provider',
          host: '127.0.0.1',
          port: provider.port,
          username: 'us',
          password: 'secret-of-the-trunk',
          register: true,
        });
        await telephones.visit('/notifications', async (page) => {
          const rule = page.getByRole('region', { name: 'Console' });
          await rule.getByLabel('Webhook').selectOption('Help desk');
          await rule.getByLabel('Nearly full below').fill('90');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByText('Unsaved').waitFor({ state: 'detached' });
          const [stored] = (await bed.api('GET', '/v1/settings')).json.notification_rules;
          expect(stored).toMatchObject({ webhook, disk_percent: 90 });

          const caller = await bed.reach('300');
          await caller.hears(1_000, { forMs: 60 });
          await caller.sendTone(700);
          await new Promise((resolve) => setTimeout(resolve, 2_000));
          await caller.hangUp();
          await page.getByRole('button', { name: /new notification/ }).click();
          const list = page.getByRole('region', { name: 'Notifications' });
          const wait = { timeout: 30_000 };
          await list.getByRole('link', { name: 'Trunk Provider is down' }).waitFor(wait);
          await list.getByRole('link', { name: 'New voicemail in Night' }).waitFor(wait);
          await list.getByRole('link', { name: /^The disk of .* is nearly full$/ }).waitFor(wait);
          await list.getByText(/403/).waitFor(wait);
          await list.getByText(/ free$/).waitFor(wait);
          expect(await axe(page)).toEqual([]);
        });
      } finally {
        provider.close();
      }
    }, 90_000);
  },
);
