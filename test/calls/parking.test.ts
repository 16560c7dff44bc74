// Calls that go to another phone than the one that rings or talks: by the lamp of a colleague, by star codes, and by parking spots. Two media
// workers, so that the sides that are connected are in different ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz } = tones(500, 'caller', 'colleague');
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008'];
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    env: { MEDIA_WORKERS: '2' },
    agents: Object.fromEntries(AGENTS.map((each) => [each, {}])),
    numbers: { '7001': extension('1001'), '7004': extension('1004'), '7006': extension('1006') },
  });
});

afterAll(() => bed.close());

async function hearEachOther(one: PhoneCall, other: PhoneCall): Promise<void> {
  for (const call of [one, other]) call.forget();
  await one.sendTone(hz.caller);
  await other.sendTone(hz.colleague);
  await Promise.all([one.hears(hz.colleague, { forMs: 200 }), other.hears(hz.caller, { forMs: 200 })]);
}

/** Replaces as a phone makes it from the dialog that its lamp shows (RFC 4235, 3891). */
function replacesOf(dialogInfo: string): string {
  const [, callId, local, remote] =
    /call-id="([^"]+)" local-tag="([^"]+)" remote-tag="([^"]+)"/.exec(dialogInfo) ?? [];
  return `${callId};to-tag=${local};from-tag=${remote}`;
}

describe('a lamp that shows a ringing colleague', () => {
  it('lets its phone answer the call, once, and tells no tag of the dialog', async () => {
    const [rung, watcher] = [await bed.agent('1001'), await bed.agent('1002')];
    const lamp = await watcher.subscribe('1001', 'dialog');
    const caller = await bed.dial('7001');
    const ringing = await rung.incoming();
    ringing.ring();
    const { body } = await watcher.notified(lamp, /<state>early<\/state>/);
    for (const tag of [ringing.dialog.localTag, ringing.dialog.remoteTag]) expect(body).not.toContain(tag);
    const headers = [['Replaces', replacesOf(body)]] as const;
    const taken = await (await watcher.call('1001', { headers })).answered();
    expect(await ringing.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await caller.answered();
    await hearEachOther(caller, taken);
    const again = await rung.call('1001', { headers });
    expect(await again.finished()).toBe(481);
    await caller.hangUp();
    expect(await bed.record(caller)).toMatchObject({ answered_by: eidOf('1002') });
  });
});

describe('a star code', () => {
  it('answers the call that rings at a colleague', async () => {
    const [rung, taker] = [await bed.agent('1004'), await bed.agent('1005')];
    const caller = await bed.dial('7004');
    const ringing = await rung.incoming();
    ringing.ring();
    const taken = await (await taker.call('**1004')).answered();
    expect(await ringing.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await caller.answered();
    await hearEachOther(caller, taken);
    await taken.hangUp();
    const nothing = await taker.call('**1004');
    expect(await nothing.finished()).toBe(480);
  });
});

describe('intercom', () => {
  it('asks the phone of the colleague to answer by itself, in the forms that phones know (RFC 5373)', async () => {
    const [rung, caller] = [await bed.agent('1003'), await bed.agent('1005')];
    const call = await caller.call('*801003');
    const incoming = await rung.incoming();
    expect(incoming.invite?.headers).toEqual(
      expect.arrayContaining([
        ['answer-mode', 'Auto'],
        ['call-info', expect.stringContaining(';answer-after=0')],
        ['alert-info', expect.stringContaining('info=alert-autoanswer')],
      ]),
    );
    await incoming.answer();
    await call.answered();
    await hearEachOther(call, incoming);
    await call.hangUp();
    const plain = await caller.call('1003');
    expect((await rung.incoming()).invite?.headers.map(([name]) => name)).not.toContain('answer-mode');
    await plain.cancel();
  });
});

describe('a parking spot', () => {
  it('takes a call, lights its lamp, and gives the call to the phone that dials it', async () => {
    const [agent, taker, watcher] = await Promise.all(
      ['1006', '1007', '1008'].map((each) => bed.agent(each)),
    );
    if (!agent || !taker || !watcher) return;
    const lamp = await watcher.subscribe('701', 'dialog');
    expect(lamp.status).toBe(200);
    await watcher.notified(lamp, /<state>terminated<\/state>/);
    const caller = await bed.dial('7006');
    const leg = await (await agent.incoming()).answer();
    await caller.answered();
    expect(await leg.refer(`sip:701@${bed.pbx.sip.host}`)).toBe(202);
    await leg.ended();
    const lit = await watcher.notified(lamp, /<state>confirmed<\/state>/);
    expect(header(lit, 'event')).toBe('dialog');
    const outside = await bed.dial('701');
    expect(await outside.finished()).toBe(404);
    const taken = await (await taker.call('701')).answered();
    await hearEachOther(caller, taken);
    const before = watcher.notifies.length;
    await bed.until('the lamp off', async () =>
      watcher.notifies.slice(before - 1).some(({ body }) => body.includes('<state>terminated</state>')),
    );
    const empty = await watcher.call('701');
    expect(await empty.finished()).toBe(404);
    await caller.hangUp();
    await taken.ended();
  });
});
