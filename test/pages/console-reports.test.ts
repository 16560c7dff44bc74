// The report by mail and the page of the service: seen, sent and tried as an operator would, with a mail server that keeps what comes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailServer } from '../support/mail-server.ts';
import { describeConsole } from './support/console.ts';
import { expectCleanLooks } from './support/looks.ts';
import { seedCalls } from './support/seeded-calls.ts';

const mail = await startMailServer();
afterAll(() => mail.close());

const DAY_MS = 86_400_000;
const env = {
  SMTP_URL: mail.url.replace('//', '//dora:hunter2@'),
  MAIL_FROM: 'calls@example.com',
  SIP_PORT: '0',
};

describeConsole('reports in the console', { env }, (console) => {
  beforeAll(() => {
    const noon = new Date(Date.now() - DAY_MS).setUTCHours(12, 0, 0, 0);
    return seedCalls(console.service, [
      { fate: 'answered', startedAtMs: noon },
      { fate: 'rang', startedAtMs: noon + 60_000 },
    ]);
  });

  it('the report of yesterday is seen before it is sent, and arrives with the same figures', async () => {
    await console.visit('/report', async (page) => {
      const preview = page.getByRole('article', { name: 'What the mail says' });
      await preview.getByRole('rowheader', { name: 'Sales', exact: true }).waitFor();
      const level = preview.getByRole('row').filter({ hasText: 'Service level' }).first();
      expect((await level.innerText()).split(/\s*\t\s*/)).toEqual(['Service level', '50%', '–']);
      await page.getByLabel('Send to').fill('boss@example.com');
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByText('The report is on its way to boss@example.com.').waitFor();
      const sent = await mail.received((text) => text.includes('To: boss@example.com'));
      expect(sent).toContain('Service level: Value: 50%');
      await page.getByLabel('Report of').selectOption({ label: 'the last week' });
      await preview.getByRole('heading', { name: / to / }).waitFor();
      await expectCleanLooks(page);
    });
  });

  it('recipients are set in the settings; what is no address is said at its field', async () => {
    await console.visit(
      '/settings',
      async (page) => {
        await page.getByLabel('Time zone').fill('Asia/Kolkata');
        await page.getByLabel('Report of each week to').fill('not an address');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('must be an e-mail address').first().waitFor();
        await page.getByLabel('Report of each week to').fill('boss@example.com\nops@example.com\n');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved').first().waitFor();
      },
      { failing: [400] },
    );
  });

  it('the operator sees what the environment fixes, no secret, and tries mail', async () => {
    await console.visit('/service', async (page) => {
      const part = page.getByRole('region', { name: /^Mail/ });
      await part.getByText('SMTP_URL').waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toContain(mail.url);
      expect(text).toContain('Fixed by the environment. The rest is secret.');
      expect(text).toContain('Default: not set.');
      expect(text).not.toMatch(/hunter2|dora/);
      await part.getByLabel('Test mail to').fill('ops@example.com');
      await part.getByRole('button', { name: 'Send a test mail' }).click();
      await page.getByText('It is on its way to ops@example.com.').waitFor();
      await mail.received((source) => source.includes('Mail from Dialtree works'));
      await page.getByRole('region', { name: /^SMS/ }).getByLabel('Test SMS to').waitFor();
      await expectCleanLooks(page);
    });
  });

  it('what the environment leaves open is set, with faults at their fields, and waits for the next start', async () => {
    await console.visit(
      '/service',
      async (page) => {
        const part = page.getByRole('region', { name: /^Network/ });
        await part.getByRole('button', { name: 'Change network' }).click();
        const dialog = page.getByRole('dialog', { name: 'Change network' });
        await dialog.getByLabel('Address of the console in e-mail').fill('phones');
        // Ports and what is trusted are for the environment alone.
        expect(await dialog.getByRole('textbox').count()).toBe(2);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText('Must be of the form https://phones.example.com.').waitFor();
        await dialog.getByLabel('Address of the console in e-mail').fill('https://phones.example.com');
        await expectCleanLooks(page);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Stored. It holds after the next start of the service.').waitFor();
        await part.getByText('After the next start of the service: https://phones.example.com').waitFor();
        await part.getByText('Waits for a restart').waitFor();
        const text = await page.locator('main').innerText();
        expect(text).toContain('It names a program: it can be set in the environment alone.');
        await expectCleanLooks(page);
      },
      { failing: [400] },
    );
  });

  it('the same in Hindi', async () => {
    await console.visit(
      '/service',
      async (page) => {
        await page.getByRole('heading', { name: 'ई-मेल, SMS, आवाज़ और नेटवर्क' }).waitFor();
        await page.getByText('परिवेश से तय। बाकी गोपनीय है।').first().waitFor();
        await page.getByRole('button', { name: 'नेटवर्क बदलें' }).waitFor();
        await page.getByText('सेवा के अगली बार शुरू होने पर: https://phones.example.com').waitFor();
        await expectCleanLooks(page);
      },
      { language: 'hi' },
    );
  });
});

// What startService() sets is left open here.
describeConsole('a service without mail and SMS', { env: { SMS_URL: '' } }, (console) => {
  it('an address with a password is not shown again: empty keeps it, and it can be removed', async () => {
    await console.visit('/service', async (page) => {
      const part = page.getByRole('region', { name: /^SMS Not set up/ });
      await part.waitFor();
      await expectCleanLooks(page);
      await part.getByRole('button', { name: 'Change SMS' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change SMS' });
      await dialog.getByLabel('SMS gateway').fill('smpp://dora:hunter2@127.0.0.1:9');
      await dialog.getByLabel('Sender of SMS').fill('Dialtree');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await part.getByText('After the next start of the service: smpp://127.0.0.1:9').waitFor();
      await part.getByRole('button', { name: 'Change SMS' }).click();
      expect(await dialog.getByLabel('SMS gateway').inputValue()).toBe('');
      expect(await dialog.getByLabel('Sender of SMS').inputValue()).toBe('Dialtree');
      expect(await page.content()).not.toMatch(/hunter2|dora/);
      await dialog.getByLabel('Remove what is stored').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await part
        .getByText('After the next start of the service: smpp://127.0.0.1:9')
        .waitFor({ state: 'detached' });
      await part.getByText('After the next start of the service: Dialtree').waitFor();
    });
  });
});
