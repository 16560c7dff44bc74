// A service with agents who have users, a menu, a department and a voicemail box; and a browser, in which each caller and each agent has a
// context of their own.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { invited, makeOwner } from '../../api/support/people.ts';
import { PhoneBed, tones } from '../../calls/support/phone-bed.ts';
import { eidOf, extension } from '../../support/pbx.ts';
import type { Json } from '../../support/service.ts';
import { closePages, missing, sharedBrowser } from './browser.ts';
import { DeskPage } from './desk-page.ts';
import { JssipPage } from './jssip-page.ts';
import { AUDIO_FLAGS } from './page-sound.ts';

const made = tones(60_000, 'prompt', 'caller', 'agent', 'second', 'colleague', 'greeting');
const { recordings } = made;
export const { hz } = made;
export const ONE = 'one@example.com';
export const TWO = 'two@example.com';

export let bed: PhoneBed;
export let browser: Browser;

/** For the tests of this file. */
export function withDeskBed(): void {
  beforeAll(async () => {
    if (missing !== null) return;
    bed = await PhoneBed.open({
      env: { WEBRTC_PORT: '0' },
      recordings: { ...recordings, greeting: { hz: hz.greeting, ms: 1_000 } },
      agents: { '1001': {}, '1002': {} },
      departments: { sales: { agents: [eidOf('1001')], queue: true, wrapup_seconds: 60 } },
      menus: {
        main: {
          recording: 'recording||prompt',
          option: ['1', '2', '3'],
          destination: [...['1001', '1002'].map(extension), 'department||sales'],
          timeout: 60,
        },
      },
      numbers: { '100': 'ivr||main', '201': extension('1001') },
      settings: { pause_reasons: ['Lunch'] },
    });
    const box = await bed.api('POST', '/v1/voicemail_box', { name: 'Asha', greeting: 'recording||greeting' });
    const change = { failover_destination: `voicemail||${box.json.id}` };
    expect((await bed.api('PATCH', `/v1/agent/${eidOf('1001')}`, change)).status).toBe(200);
    const owner = await makeOwner(bed.pbx);
    await invited(bed.pbx, owner, 'agent', { name: 'Asha', email: ONE, agent: eidOf('1001') });
    await invited(bed.pbx, owner, 'agent', { name: 'Ravi', email: TWO, agent: eidOf('1002') });
    browser = await sharedBrowser(AUDIO_FLAGS);
  });

  afterAll(async () => {
    await bed?.close();
  });

  /** What a failed test left behind rings in no other. */
  afterEach(async () => {
    await closePages(browser);
    await bed?.idle();
  });
}

export const deskOf = async (email: string): Promise<DeskPage> =>
  (await DeskPage.open(browser, bed.pbx.url, email)).ready();

/** A visitor's page that has called the menu and pressed a key: 1 is the agent. */
export async function visitor(key = '1'): Promise<JssipPage> {
  const { json: made } = await bed.api('POST', '/v1/phone_session', { to: 'ivr||main' });
  const caller = await JssipPage.open(browser, bed.pbx.url);
  await caller.start(made, bed.pbx.url, false);
  await caller.does(`call(${JSON.stringify(made.dial)})`);
  await caller.hears(hz.prompt);
  await caller.does(`keys("${key}")`);
  return caller;
}

/** The record of this caller's call; waits for it. */
export async function recordOf(caller: JssipPage): Promise<Json> {
  const id = await caller.callId();
  return bed.until('the record of the call', async () => {
    const newest = await bed.record('web');
    return newest.sip_call_id === id && newest;
  });
}

/** By the first agent to the second, in the records of both calls. */
export async function wasTransferred(caller: JssipPage, attended: boolean): Promise<void> {
  const id = await caller.callId();
  const read = async (call: string): Promise<Json | null> => {
    const { status, json } = await bed.api('GET', `/v1/call/records/${call}`);
    return status === 200 ? json : null;
  };
  const first = await bed.until('the record of the transferred call', async () => {
    const { json } = await bed.api('GET', '/v1/call/records?limit=10&outcome=transferred');
    const records = await Promise.all(json.data.map((row: Json) => read(row.id)));
    return records.find((record) => record?.sip_call_id === id) ?? null;
  });
  const by = { kind: 'agent', id: eidOf('1001') };
  expect(first).toMatchObject({ answered_by: eidOf('1001'), transferred_to: { attended, by } });
  const second = await bed.until('the record of the call that it became', () =>
    read(first.transferred_to.call_id),
  );
  expect(second).toMatchObject({ answered_by: eidOf('1002'), transferred_from: { call_id: first.id, by } });
}

export const ended = (caller: JssipPage) =>
  expect.poll(() => caller.states(), { timeout: 30_000 }).toContain('ended');

/** Both talk, each with a tone of its own. */
export async function talk(desk: DeskPage): Promise<JssipPage> {
  const caller = await visitor();
  await desk.press('Accept');
  await desk.says('connected');
  await caller.tone(hz.caller);
  await desk.tone(hz.agent);
  await Promise.all([caller.hears(hz.agent), desk.hears(hz.caller)]);
  return caller;
}

/** The tone is not what is heard any more. */
export const losesTone = (page: { heard(): Promise<{ hz: number; db: number }> }, lost: number) =>
  expect
    .poll(async () => {
      const heard = await page.heard();
      return heard.db > -60 && Math.abs(heard.hz - lost) < 25;
    })
    .toBe(false);
