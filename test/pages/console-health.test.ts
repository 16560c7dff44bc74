// Health and the overview, with real phones: findings come and go by themselves, and are mended from the page.
import { expect, it } from 'vitest';
import { HEALTH_CODES } from '../../src/domain/health.ts';
import { tones } from '../calls/support/phone-bed.ts';
import { eidOf } from '../support/pbx.ts';
import { axe } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { recordings } = tones(400, 'prompt', 'invalid', 'retry', 'timeout');

describeTelephones(
  'health',
  { recordings, agents: { '1001': { name: 'Asha' }, '1002': { name: 'Ben' } } },
  (telephones) => {
    it('says which department nobody answers, and is well again when a phone registers', async () => {
      const { bed } = telephones;
      const sales = { name: 'Sales', agents: [eidOf('1001')], queue: true };
      const { id } = (await bed.api('POST', '/v1/department', sales)).json;
      await bed.api('POST', '/v1/number', { number: '400', destination: `department||${id}` });
      await telephones.visit('/health', async (page) => {
        const lost = page.getByRole('region', { name: 'Callers lose calls' });
        await lost.getByText('Nobody in “Sales” can answer.').waitFor();
        await page.getByRole('region', { name: 'Can wait' }).getByText('2 agents have no phone').waitFor();
        expect(await axe(page)).toEqual([]);
        await bed.agent('1001');
        await lost.waitFor({ state: 'detached' });
        await page.getByText('Ben has no phone that answers.').waitFor();
        await bed.agent('1002');
        await page.getByText('Everything is all right.').waitFor();
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      });
    });

    it('has a sentence, a reason and a page for everything that the checks of the machine find', async () => {
      const values = {
        port: 'UDP 5060',
        range: 'RTP_PORTS 20000-20039',
        pairs: '20',
        calls: '100',
        address: '127.0.0.1',
        date: '2026-11-17T10:00:00.000Z',
        seconds: '-3600',
        limit: '1024',
        needed: '4500',
        place: '/mnt/sounds',
      };
      const codes = Object.keys(HEALTH_CODES).filter((code) =>
        /^(?:sip-port|sound-(?:ports|store)|address|clock|open-files)-/.test(code),
      ) as (keyof typeof HEALTH_CODES)[];
      const data = codes.map((code) => ({
        code,
        severity: HEALTH_CODES[code],
        concerns: [],
        count: 0,
        pointer: '',
        message: '',
        values,
      }));
      expect(codes.length).toBe(14);
      await telephones.visit('/health', async (page) => {
        const json = { checked_at: values.date, state: 'error', data };
        await page.route('**/v1/health', (route) => route.fulfill({ json }));
        await page.getByRole('button', { name: 'Check again' }).click();
        await page.getByText('Nothing answers SIP on port UDP 5060.').waitFor();
        await page.getByText('The clock of the machine was set by -3600 seconds.').waitFor();
        const findings = page.locator('.health-finding');
        expect(await findings.count()).toBe(codes.length);
        for (const text of await findings.allInnerTexts())
          expect(text).not.toMatch(/[{}]|undefined|health\./);
        expect(await findings.getByRole('link', { name: 'Open' }).count()).toBe(codes.length);
        expect(await axe(page)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      });
    });

    it('mends a destination that was deleted by one press', async () => {
      const { bed } = telephones;
      const box = (await bed.api('POST', '/v1/voicemail_box', { name: 'Night' })).json.id;
      const night = { name: 'Repairs', agents: [eidOf('1001')], failover_destination: `voicemail||${box}` };
      const { id } = (await bed.api('POST', '/v1/department', night)).json;
      await bed.api('DELETE', `/v1/voicemail_box/${box}?force=true`);
      await telephones.visit('/health', async (page) => {
        await page.getByText('“Repairs” sends callers to something that does not exist.').waitFor();
        await page.getByRole('button', { name: 'Remove the destination' }).click();
        await page.getByText('Everything is all right.').waitFor();
      });
      const { json } = await bed.api('GET', `/v1/department/${id}`);
      expect(json.failover_destination).toBeNull();
    });

    it('gives the account the built-in music again when its own was deleted', async () => {
      const { bed } = telephones;
      const set = await bed.api('PATCH', '/v1/settings', { music_on_hold: 'recording||timeout' });
      expect(set.status, set.text).toBe(200);
      await bed.api('DELETE', '/v1/recording/timeout?force=true');
      await telephones.visit('/health', async (page) => {
        const finding = page.getByRole('listitem').filter({ hasText: 'The music on hold of the account' });
        await finding.getByText('Callers hear a short tone instead; on hold, the built-in music.').waitFor();
        await finding.getByRole('link', { name: 'Open' }).waitFor();
        await finding.getByRole('button', { name: 'Use the built-in sound' }).click();
        await page.getByText('Everything is all right.').waitFor();
      });
      expect((await bed.api('GET', '/v1/settings')).json.music_on_hold).toBeNull();
    });

    it('the overview shows who waits and how long, and names a caller whom nobody answered', async () => {
      const { bed } = telephones;
      await telephones.visit('/', async (page) => {
        const figure = (name: string) => page.locator('.home-figure').filter({ hasText: name });
        await figure('Waiting now').getByText('nobody in a queue').waitFor();
        await figure('To call back').getByText('every caller was reached').waitFor();
        await page.getByText('Everything is all right.').waitFor();
        expect(await axe(page)).toEqual([]);
        const asha = await bed.agent('1001');
        const talked = await bed.dial('400');
        await (await asha.incoming()).answer();
        await talked.answered();
        const call = await bed.reach('400');
        await figure('Waiting now').locator('strong').getByText('1', { exact: true }).waitFor();
        await figure('Waiting now').locator('time').waitFor();
        await figure('Calls now').locator('strong').getByText('2', { exact: true }).waitFor();
        await call.hangUp();
        await talked.hangUp();
        await figure('To call back').locator('strong').getByText('1', { exact: true }).waitFor();
        await page.getByRole('link', { name: /^Call back / }).waitFor();
        await figure('Calls today').locator('svg').waitFor();
        expect(await axe(page)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      });
    });
  },
);
