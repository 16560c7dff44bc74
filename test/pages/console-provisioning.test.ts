// A phone for an agent: the QR code that Linphone scans is the address that gives the file out, and Zoiper's link has its code.
import { expect, it } from 'vitest';
import { axe, type Console, describeConsole } from './support/console.ts';
import { button } from './support/forms.ts';

const SIP = { SIP: 'on', SIP_PORT: '0' };

describeConsole('a phone that is set up from the console', { env: SIP }, (console: Console) => {
  it('shows the addresses, Linphone’s QR code and the link to Zoiper’s', async () => {
    await console.visit('/agents/100001', async (page) => {
      await button(page, 'Set up a phone').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('img', { name: /QR code for Linphone/ }).waitFor();
      const texts = await dialog.innerText();
      const [address = ''] = /http:\S+\/linphone\.xml/.exec(texts) ?? [];
      expect(await dialog.getByRole('link').count()).toBe(0);
      await dialog.getByLabel(/provider ID/).fill('0123456789abcdef');
      const link = dialog.getByRole('link', { name: 'Show the QR code for Zoiper' });
      const href = new URL((await link.getAttribute('href')) ?? '');
      expect(href.searchParams.get('provider_id')).toBe('0123456789abcdef');
      expect(address).toContain(`/provisioning/${href.searchParams.get('t')}/`);
      expect(await link.getAttribute('rel')).toBe('noreferrer');
      expect(await axe(page)).toEqual([]);
      const file = await fetch(`${console.service.url}/provisioning/zoiper/${href.searchParams.get('t')}`);
      expect(await file.text()).toMatch(/<username>\d+<\/username>\s*<password>\w{20}<\/password>/);
      expect((await fetch(address)).status).toBe(404);
    });
  });
});
