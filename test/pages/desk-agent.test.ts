// The agent's desk as a page: reload, several tabs, states of the agent, keyboard, sizes, and what agents may see.
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../api/support/people.ts';
import { eidOf } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { missing } from './support/browser.ts';
import { axe } from './support/console.ts';
import {
  bed,
  browser,
  deskOf,
  ended,
  hz,
  ONE,
  recordOf,
  TWO,
  talk,
  visitor,
  withDeskBed,
} from './support/desk-bed.ts';
import { DeskPage } from './support/desk-page.ts';

withDeskBed();

describe.skipIf(missing !== null)('a desk', () => {
  it('takes its call up after a reload', async () => {
    const desk = await deskOf(ONE);
    const caller = await talk(desk);
    await desk.page.reload();
    await desk.tone(hz.second);
    await Promise.all([caller.hears(hz.second), desk.hears(hz.caller)]);
    await desk.says('connected');
    await desk.press('Hang up');
    await ended(caller);
    expect(await recordOf(caller)).toMatchObject({ outcome: 'answered', answered_by: eidOf('1001') });
    await Promise.all([desk.close(), caller.page.close()]);
  });

  it('rings in one of two tabs; the other shows it, and its buttons work', async () => {
    const desk = await deskOf(ONE);
    const second = await desk.anotherTab();
    await second.page.getByText('Another tab is the phone').waitFor();
    const { json: phones } = await bed.api('GET', `/v1/agent/${eidOf('1001')}/phones`);
    expect(phones).toHaveLength(1);
    const caller = await visitor();
    await Promise.all([desk.says('calls you'), second.says('calls you')]);
    await second.press('Accept');
    await Promise.all([desk.says('connected'), second.says('connected')]);
    await desk.tone(hz.agent);
    await caller.hears(hz.agent);
    // The other tab goes on when the phone's is closed.
    await desk.page.close();
    await second.tone(hz.second);
    await caller.hears(hz.second);
    await second.press('Hang up');
    await ended(caller);
    await Promise.all([second.close(), caller.page.close()]);
  });

  it('lets the agent hear that it rings at the other side, and says why nobody came', async () => {
    const [desk, colleague] = await Promise.all([deskOf(ONE), deskOf(TWO)]);
    await desk.page.getByLabel('Number to call').fill('1002');
    await desk.press('Call');
    await colleague.says('calls you');
    await expect.poll(() => desk.tonesMade()).toContain(425);
    await colleague.press('Decline');
    await desk.says('Busy.');
    await Promise.all([desk.close(), colleague.close()]);
  });

  it('is in wrap-up after a call of a queue, and out of it when the agent says so', async () => {
    const desk = await deskOf(ONE);
    const first = await visitor('3');
    await desk.press('Accept');
    await desk.says('connected');
    await first.does('rtc.terminate()');
    await desk.says('The call is over.');
    const status = desk.page.getByRole('region', { name: 'Your state' });
    await status.getByText('wrap-up', { exact: true }).waitFor();
    const second = await visitor('3');
    await desk.press('End wrap-up');
    await desk.press('Accept');
    await desk.says('connected');
    await desk.press('Hang up');
    await ended(second);
    await desk.close();
    await bed.api('POST', `/v1/agent/${eidOf('1001')}/end_wrap_up`);
  });

  it('is where agents are who sign in there', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${bed.pbx.url}/desk`);
    await page.getByLabel('E-mail address').fill(ONE);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Ready for calls').waitFor();
    await context.close();
  });

  it('is worked by keys alone: accepting, muting, pressing keys, hanging up', async () => {
    const desk = await deskOf(ONE);
    const { keyboard } = desk.page;
    const caller = await visitor();
    await desk.says('calls you');
    await desk.tabTo('Accept');
    await keyboard.press('Enter');
    await desk.says('connected');
    await desk.tabTo('Mute');
    await keyboard.press('Space');
    await desk.page.getByRole('button', { name: 'Unmute' }).waitFor();
    await desk.tabTo('Keypad');
    await keyboard.press('Enter');
    await desk.tabTo('1');
    await keyboard.type('42#');
    await expect.poll(() => desk.page.getByLabel('Keys pressed').textContent()).toBe('42#');
    await desk.tabTo('Hang up');
    await keyboard.press('Enter');
    await ended(caller);
    await Promise.all([desk.close(), caller.page.close()]);
  });

  it('pauses with a reason, and ends the pause', async () => {
    const desk = await deskOf(ONE);
    const state = async () => (await bed.api('GET', `/v1/agent/${eidOf('1001')}/state`)).json;
    await desk.page.getByLabel('Reason to pause').selectOption('Lunch');
    await desk.press('Pause');
    await expect.poll(async () => (await state()).paused?.reason).toBe('Lunch');
    await desk.press('End the pause');
    await expect.poll(async () => (await state()).paused).toBeNull();
    await desk.close();
  });

  it('fits a telephone, breaks no rule of axe, and can be installed', async () => {
    const desk = await DeskPage.open(browser, bed.pbx.url, ONE, { viewport: { width: 320, height: 640 } });
    await desk.ready();
    const caller = await talk(desk);
    expect(await desk.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axe(desk.page)).toEqual([]);
    await desk.press('Hang up');
    await ended(caller);
    expect(await axe(desk.page)).toEqual([]);
    const href = await desk.page.locator('link[rel=manifest]').getAttribute('href');
    const manifest = await desk.context.request.get(`${bed.pbx.url}${href}`);
    expect(await manifest.json()).toMatchObject({ start_url: '/desk', display: 'standalone' });
    await Promise.all([desk.close(), caller.page.close()]);
  });
});

describe.skipIf(missing !== null)('an agent', () => {
  it('sees the own calls and messages alone, and no number that never called', async () => {
    const desk = await deskOf(ONE);
    const get = async (path: string): Promise<{ status: number; json: Json }> => {
      const answer = await desk.context.request.get(`${bed.pbx.url}${path}`, {
        headers: { 'dialtree-account': 'default' },
      });
      return { status: answer.status(), json: await answer.json() };
    };
    const own = `/v1/agent/${eidOf('1001')}`;
    const other = `/v1/agent/${eidOf('1002')}`;
    expect((await get(`${own}/calls`)).json.data.length).toBeGreaterThan(0);
    expect((await get(`${own}/earlier_calls?caller=1002`)).json.data).toEqual([]);
    // Visitors of web pages share it: it is no caller's.
    expect((await get(`${own}/earlier_calls?caller=web`)).json.data).toEqual([]);
    expect((await get(`${own}/earlier_calls?caller=%2B4930123456`)).json.data).toEqual([]);
    expect((await get(`${own}/voicemails`)).status).toBe(200);
    for (const path of ['calls', 'earlier_calls?caller=web', 'voicemails', 'voicemail/x/audio'])
      expect((await get(`${other}/${path}`)).json).toMatchObject({ Code: 'role_refused' });
    await desk.close();
  });
});
