// Calls at the agent's desk, whole: two browsers, the console as it is served, calls by SIP over WebSocket, sound by WebRTC.
import { describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { missing } from './support/browser.ts';
import {
  bed,
  deskOf,
  ended,
  hz,
  losesTone,
  ONE,
  recordOf,
  TWO,
  talk,
  visitor,
  wasTransferred,
  withDeskBed,
} from './support/desk-bed.ts';

withDeskBed();

describe.skipIf(missing !== null)('a call at the desk', () => {
  it('rings, is accepted, muted, held and resumed, and ends when the agent hangs up', async () => {
    const desk = await deskOf(ONE);
    const caller = await visitor();
    await desk.says('calls you');
    expect(await desk.page.title()).toContain('☎');
    await desk.press('Accept');
    await desk.says('connected');
    await caller.tone(hz.caller);
    await desk.tone(hz.agent);
    await Promise.all([caller.hears(hz.agent), desk.hears(hz.caller)]);
    expect(await desk.page.title()).not.toContain('☎');

    await desk.press('Mute');
    await losesTone(caller, hz.agent);
    await desk.press('Unmute');
    await caller.hears(hz.agent);

    await desk.press('Hold');
    await desk.says('on hold');
    await Promise.all([losesTone(caller, hz.agent), losesTone(desk, hz.caller)]);
    await desk.press('Resume');
    await desk.says('connected');
    await Promise.all([caller.hears(hz.agent), desk.hears(hz.caller)]);
    await expect.poll(() => desk.page.getByText(/^(?:good|bad) sound$|^some disturbance$/).count()).toBe(1);

    await desk.press('Hang up');
    await ended(caller);
    await desk.says('The call is over.');
    const record = await recordOf(caller);
    expect(record).toMatchObject({ entry: 'ivr||main', outcome: 'answered', answered_by: eidOf('1001') });
    expect(record.legs.map(({ encryption }: Json) => encryption)).toEqual(['dtls', 'dtls']);
    await Promise.all([desk.close(), caller.page.close()]);
  });

  it('ends when the caller hangs up, and is listed with the calls of the agent', async () => {
    const desk = await deskOf(ONE);
    const caller = await talk(desk);
    await caller.does('rtc.terminate()');
    await desk.says('The call is over.');
    expect(await recordOf(caller)).toMatchObject({ outcome: 'answered', answered_by: eidOf('1001') });
    await desk.press('Done');
    await expect.poll(() => desk.page.locator('.desk-list li').count()).toBeGreaterThan(0);
    await Promise.all([desk.close(), caller.page.close()]);
  });

  it('shows the earlier calls of who calls', async () => {
    const desk = await deskOf(ONE);
    const phone = await bed.phone();
    const first = await phone.call('201');
    await desk.press('Accept');
    await first.answered();
    await first.hangUp();
    await desk.says('The call is over.');
    await bed.record(first);
    const second = await phone.call('201');
    await desk.says('calls you');
    await desk.page.getByRole('tab', { name: 'Earlier calls', selected: true }).waitFor();
    await expect.poll(() => desk.page.locator('.desk-list li').count()).toBe(1);
    await second.hangUp();
    await desk.says('The caller hung up.');
    await desk.close();
  });

  it('is declined: the caller leaves a message, which the agent hears at the desk', async () => {
    const desk = await deskOf(ONE);
    const caller = await visitor();
    await desk.press('Decline');
    await desk.says('You declined the call.');
    await desk.press('Done');
    await caller.hears(hz.greeting);
    await caller.tone(hz.caller);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await caller.does('rtc.terminate()');
    expect(await recordOf(caller)).toMatchObject({ answered_by: null, outcome: 'voicemail' });
    await caller.page.close();
    await desk.page.getByRole('tab', { name: 'Voicemail' }).click();
    const message = desk.page.locator('.desk-list li');
    await message.getByText('new', { exact: true }).waitFor();
    await expect
      .poll(() => desk.page.evaluate(`document.querySelector('.desk-list audio')?.duration ?? 0`))
      .toBeGreaterThan(1);
    await desk.press('Mark as heard');
    await expect.poll(() => message.getByText('new', { exact: true }).count()).toBe(0);
    await desk.close();
  });

  it('goes to a colleague blindly', async () => {
    const [desk, colleague] = await Promise.all([deskOf(ONE), deskOf(TWO)]);
    const caller = await talk(desk);
    await desk.transfers('1002', 'Transfer now');
    await colleague.press('Accept');
    await colleague.tone(hz.colleague);
    await Promise.all([caller.hears(hz.colleague), colleague.hears(hz.caller)]);
    await desk.says('The call is over.');
    await colleague.press('Hang up');
    await ended(caller);
    await wasTransferred(caller, false);
    await Promise.all([desk.close(), colleague.close(), caller.page.close()]);
  });

  it('goes to a colleague who was asked first, while the caller waits', async () => {
    const [desk, colleague] = await Promise.all([deskOf(ONE), deskOf(TWO)]);
    const caller = await talk(desk);
    await desk.transfers('1002', 'Ask first');
    await colleague.press('Accept');
    await colleague.tone(hz.colleague);
    await Promise.all([desk.hears(hz.colleague), colleague.hears(hz.agent)]);
    await losesTone(caller, hz.agent);
    await desk.press(/^Connect with/);
    await Promise.all([caller.hears(hz.colleague), colleague.hears(hz.caller)]);
    await expect.poll(() => desk.page.getByText('The call is over.').count()).toBeGreaterThan(0);
    await caller.does('rtc.terminate()');
    await colleague.says('The call is over.');
    await wasTransferred(caller, true);
    await Promise.all([desk.close(), colleague.close(), caller.page.close()]);
  });

  it('is made from the desk, and sends the keys that are pressed', async () => {
    const [desk, colleague] = await Promise.all([deskOf(ONE), deskOf(TWO)]);
    await desk.page.getByLabel('Number to call').fill('100');
    await desk.press('Call');
    await desk.hears(hz.prompt);
    await desk.press('Keypad');
    await desk.press('2');
    await colleague.press('Accept');
    await colleague.tone(hz.colleague);
    await desk.hears(hz.colleague);
    await desk.press('Hang up');
    await colleague.says('The call is over.');
    await Promise.all([desk.close(), colleague.close()]);
  });
});
