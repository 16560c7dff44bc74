// baresip, a telephone that people use: it registers, calls, presses keys, is called, holds and resumes. The other end is our own
// phone; every tone has its frequency, so each side proves what it heard.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { extension, PASSWORD, type Pbx, type PbxOptions, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { call as ask, type Json, startService } from '../support/service.ts';
import { Baresip } from './support/baresip.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';
import { freePort, has } from './support/program.ts';

const TONES = toneCoded('prompt', 'baresip', 'phone', 'music');
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const sip = sipDigests('1001', SECRET, hash);

const OFFICE: PbxOptions = {
  recordings: { prompt: { hz: TONES.prompt, ms: 20_000 }, music: { hz: TONES.music, ms: 2_000 } },
  settings: { music_on_hold: 'recording||music' },
  menus: { main: { option: ['1', '2'], destination: [extension('1001'), extension('1002')] } },
  // 1001 is baresip, 1002 our phone.
  agents: { '1001': { sip }, '1002': {} },
  numbers: { '100': 'ivr||main' },
};

describe.runIf(has('baresip'))('baresip', () => {
  let pbx: Pbx;
  const opened: { close(): void | Promise<void> }[] = [];
  beforeAll(async () => {
    pbx = await startPbx(OFFICE);
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
    await nothingLeft(pbx);
  });
  afterAll(() => pbx.remove());

  async function baresip(answers: 'manual' | 'auto' = 'manual'): Promise<Baresip> {
    const started = await Baresip.start({
      server: pbx.sip,
      user: '1001',
      password: SECRET,
      toneHz: TONES.baresip,
      answers,
    });
    opened.push({ close: () => started.remove() });
    await started.registered();
    return started;
  }

  async function phone(user: string): Promise<Phone> {
    const started = await Phone.open({ server: pbx.sip, user, password: PASSWORD });
    opened.push(started);
    return started;
  }

  const registrations = (): Promise<number> => gauge(pbx, 'registrations');
  const menu = (): string => `sip:100@${pbx.sip.host}:${pbx.sip.port}`;

  it('registers with its password and takes the registration back when it quits', async () => {
    const device = await baresip();
    expect(await registrations()).toBe(1);
    await device.quit();
    expect(await registrations()).toBe(0);
  });

  it('hears the prompt, presses a key, talks with an agent, holds, resumes and hangs up', async () => {
    const device = await baresip();
    const agent = await phone('1002');
    expect(await agent.register()).toBe(200);
    device.tell('dial', menu());
    await device.happens('CALL_ESTABLISHED');
    await device.hears(TONES.prompt);
    device.tell('sndcode', '2');
    const call = await agent.incoming({ withinMs: 30_000 });
    await call.answer();
    await call.sendTone(TONES.phone);
    await device.hears(TONES.phone, { forMs: 500 });
    await call.hears(TONES.baresip, { forMs: 500 });

    device.tell('hold');
    await call.hears(TONES.music, { forMs: 500, withinMs: 30_000 });
    // It holds with sendonly: it does not listen, so nothing of the agent may reach it once what was under way is over.
    let heardMs = -1;
    while (heardMs !== device.heardMs()) {
      heardMs = device.heardMs();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }

    call.forget();
    device.tell('resume');
    await call.hears(TONES.baresip, { forMs: 3_000, withinMs: 30_000 });

    device.tell('hangup');
    await call.ended({ withinMs: 30_000 });
    const record = await recordOf(pbx, '1001');
    // The recorder of baresip 1.0 stays off after a hold, so what it was sent is counted: nearly 150 packets of the last three seconds.
    // What it had written before the hold is about what it was sent until then, or less.
    const { packets_sent: sent } = record.legs.find(({ role }: Json) => role === 'caller');
    expect(sent - heardMs / 20).toBeGreaterThan(75);
    expect(record).toMatchObject({ end_code: 'caller-hung-up', answered_by: '91002', direction: 'internal' });
  });

  it('pauses its agent by *46 and ends the pause by *47, each confirmed and hung up by the service', async () => {
    const device = await baresip();
    const agent = async (): Promise<Json> => (await ask(pbx.url, 'GET', '/v1/agent/91001/state')).json;
    for (const [code, state] of [
      ['*46', 'paused'],
      ['*47', 'free'],
    ] as const) {
      device.tell('dial', `sip:${code}@${pbx.sip.host}:${pbx.sip.port}`);
      await device.happens('CALL_ESTABLISHED');
      await device.happens('CALL_CLOSED');
      await expect.poll(async () => (await agent()).state).toBe(state);
      // The record is written a moment after the call.
      const record = async (): Promise<Json> => recordOf(pbx, '1001');
      await expect.poll(record).toMatchObject({ end_code: 'star-code-done', dialled: code });
    }
  });

  it('is called as the agent, accepts, and is hung up on', async () => {
    const device = await baresip();
    const caller = await phone('customer-1');
    const call = await caller.call('100');
    await call.answered();
    await call.hears(TONES.prompt);
    await call.pressKeys('1');
    await device.happens('CALL_INCOMING');
    device.tell('accept');
    await device.happens('CALL_ESTABLISHED');
    await call.sendTone(TONES.phone);
    await device.hears(TONES.phone, { forMs: 500 });
    await call.hears(TONES.baresip, { forMs: 500 });
    await call.hangUp();
    await device.happens('CALL_CLOSED');
    expect(await recordOf(pbx, 'customer-1')).toMatchObject({
      end_code: 'caller-hung-up',
      answered_by: '91001',
    });
  });

  it('answers by itself and hangs up: so does the service', async () => {
    const device = await baresip('auto');
    const caller = await phone('customer-2');
    const call = await caller.call('100');
    await call.answered();
    await call.pressKeys('1');
    await device.happens('CALL_ESTABLISHED');
    await call.hears(TONES.baresip, { forMs: 300 });
    device.tell('hangup');
    await call.ended({ withinMs: 30_000 });
    expect(await recordOf(pbx, 'customer-2')).toMatchObject({
      end_code: 'agent-hung-up',
      answered_by: '91001',
    });
  });

  it('rejects the call: it counts as busy', async () => {
    const device = await baresip();
    const caller = await phone('customer-3');
    const call = await caller.call('100');
    await call.answered();
    await call.pressKeys('1');
    await device.happens('CALL_INCOMING');
    device.tell('hangup');
    await device.happens('CALL_CLOSED');
    await call.ended({ withinMs: 30_000 });
    expect(await recordOf(pbx, 'customer-3')).toMatchObject({ end_code: 'agent-busy' });
  });
});

describe.runIf(has('baresip'))('baresip and a restart', () => {
  it('is still registered after a restart, and registers again by itself', async () => {
    const env = { SIP: 'on', SIP_PORT: String(await freePort()) };
    const before = await startPbx({ ...OFFICE, env });
    const device = await Baresip.start({
      server: before.sip,
      user: '1001',
      password: SECRET,
      toneHz: TONES.baresip,
    });
    try {
      await device.registered();
      expect(await before.stop()).toBe(0);
      const after = await startService({ env, dataDir: before.dataDir });
      try {
        const pbx = { ...after, sip: before.sip };
        expect(await gauge(pbx, 'registrations')).toBe(1);
        // Its registration holds for 60 s, and it comes a little before.
        await device.registered(2, 75_000);
        expect(await gauge(pbx, 'registrations')).toBe(1);
      } finally {
        await after.stop('SIGKILL');
      }
    } finally {
      await device.remove();
      await before.remove();
    }
  });
});
