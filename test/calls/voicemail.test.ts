// Messages that callers leave and calls that are recorded, with real sound: what was said is what is heard again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import type { Segment } from '../support/phone/hearing.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { call as ask, type Json, type Service, startService } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { heardIn as heardAt, soundsOf } from './support/recorded-sound.ts';

const BEEP_HZ = 1_000;
const NOTICE_HZ = 1_400;
const { hz, recordings } = tones(300, 'prompt', 'greeting', 'caller');
/** Away from the notice. */
const SPOKEN = 1_780;
const ANSWERED = 2_260;
const ADDED = 2_600;
let bed: PhoneBed;
let box = '';

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    settings: { music_on_hold: 'recording||greeting' },
    agents: {
      '1001': { record_calls: true },
      '1002': {},
      '1003': {},
      '1004': { record_calls: true },
      '1005': {},
    },
    menus: {
      main: { timeout: 60, record_calls: true, option: ['1'], destination: [extension('1002')] },
    },
    numbers: {
      '100': 'ivr||main',
      '701': extension('1001'),
      '703': extension('1003'),
      '704': extension('1004'),
    },
  });
  const made = await bed.api('POST', '/v1/voicemail_box', {
    name: 'Sales',
    greeting: 'recording||greeting',
    max_seconds: 4,
    silence_seconds: 2,
    email: 'sales@example.com',
  });
  box = made.json.id;
  await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${box}` });
});

afterAll(() => bed.close());

/** A caller who has heard the greeting and the beep. */
async function afterBeep(): Promise<PhoneCall> {
  const call = await bed.reach('200');
  await call.hears(hz.greeting, { forMs: 60 });
  await call.hears(BEEP_HZ, { forMs: 60 });
  // Longer than a busy machine pauses in the middle of a beep.
  await call.hearsSilence(300);
  return call;
}

/** The newest message from this caller, as soon as it is stored. */
function messageFrom(call: PhoneCall): Promise<Json> {
  const caller = call.dialog.local.replace(/^<sip:([^@]*)@.*/, '$1');
  return bed.until(`a message of ${caller}`, async () => {
    const { json } = await bed.api('GET', `/v1/voicemails?box=${box}&caller=${caller}`);
    return json.data[0] ?? null;
  });
}

const heardIn = (audio: string): Promise<Segment[][]> => heardAt(`${bed.pbx.url}${audio}`);

describe.concurrent('a voicemail message', () => {
  it('is what was said between the beep and #, and nothing else', async () => {
    const call = await afterBeep();
    await call.sendTone(hz.caller, 1_500);
    await call.pressKeys('#');
    const message = await messageFrom(call);
    await call.ended();
    expect(message).toMatchObject({ box, heard: false, dialled: '200' });
    expect(message.duration_ms).toBeGreaterThan(1_300);
    expect(message.duration_ms).toBeLessThan(3_500);
    const [only, ...others] = await heardIn(message.audio);
    expect(others).toEqual([]);
    expect(soundsOf(only)).toEqual([hz.caller]);
    const record = await bed.record(call);
    expect(record).toMatchObject({ end_code: 'voicemail-left', voicemail: message.id, id: message.call_id });
  });

  it('ends with silence, which is not kept', async () => {
    const call = await afterBeep();
    await call.sendTone(hz.caller, 1_100);
    const message = await messageFrom(call);
    expect(message.duration_ms).toBeLessThan(2_500);
    expect(soundsOf((await heardIn(message.audio))[0])).toEqual([hz.caller]);
    await call.hangUp();
  });
});

describe.concurrent('a recorded call', () => {
  async function talk(call: PhoneCall, intercom: string): Promise<PhoneCall> {
    const phone = bed.phones.find(({ options }) => options.user === intercom);
    if (!phone) throw new Error(`${intercom} has no phone`);
    const agent = await phone.incoming();
    await agent.answer();
    await call.answered();
    return agent;
  }

  it('with an agent who wants it has both sides apart, after a notice that both hear, and no music on hold', async () => {
    await bed.agent('1001');
    const caller = await bed.dial('701');
    const agent = await talk(caller, '1001');
    await Promise.all([caller.hears(NOTICE_HZ, { forMs: 60 }), agent.hears(NOTICE_HZ, { forMs: 60 })]);
    await Promise.all([caller.sendTone(SPOKEN), agent.sendTone(ANSWERED)]);
    await Promise.all([caller.hears(ANSWERED, { forMs: 200 }), agent.hears(SPOKEN, { forMs: 200 })]);
    await agent.hold();
    await caller.hears(hz.greeting, { forMs: 200 });
    await agent.resume();
    await caller.hears(ANSWERED, { forMs: 100 });
    await agent.hangUp();
    const record = await bed.record(caller);
    const { json } = await bed.api('GET', `/v1/call/recordings?call_id=${record.id}`);
    expect(json.data).toMatchObject([{ id: record.recording, agent: '91001' }]);
    const [left, right] = await heardIn(json.data[0].audio);
    expect(soundsOf(left)).toEqual([SPOKEN]);
    expect(soundsOf(right)).toEqual([ANSWERED]);
  });

  it('has a third party who was added to it in the channel of the agent', async () => {
    await bed.agent('1004');
    const colleague = await bed.agent('1005');
    const caller = await bed.dial('704');
    const agent = await talk(caller, '1004');
    const { json: live } = await bed.api('GET', '/v1/live_calls?limit=100');
    const { id } = live.data.find(({ dialled }: Json) => dialled === '704');
    expect((await bed.api('POST', '/v1/call/add', { call_id: id, number: '1005' })).status).toBe(200);
    const third = await (await colleague.incoming()).answer();
    await Promise.all([caller.sendTone(SPOKEN), third.sendTone(ADDED)]);
    await Promise.all([caller.hears(ADDED, { forMs: 300 }), third.hears(SPOKEN, { forMs: 200 })]);
    await third.hangUp();
    await caller.hangUp();
    await agent.ended();
    const { recording } = await bed.record(caller);
    const { json } = await bed.api('GET', `/v1/call/recordings?call_id=${id}`);
    expect(json.data[0].id).toBe(recording);
    const [left, right] = await heardIn(json.data[0].audio);
    expect(soundsOf(left)).toEqual([SPOKEN]);
    expect(soundsOf(right)).toEqual([ADDED]);
  });

  it('that came through a menu which wants it is recorded, one that did not is not', async () => {
    await bed.agent('1002');
    await bed.agent('1003');
    const caller = await bed.choose('100', hz.prompt, '1');
    const agent = await talk(caller, '1002');
    await agent.hears(NOTICE_HZ, { forMs: 60 });
    const other = await bed.dial('703');
    const third = await talk(other, '1003');
    await Promise.all([caller.sendTone(SPOKEN), other.sendTone(SPOKEN)]);
    await third.hears(SPOKEN, { forMs: 200 });
    await Promise.all([caller.hangUp(), other.hangUp()]);
    const record = await bed.record(caller);
    expect(record.recording).toMatch(/^[0-9a-f-]{36}$/);
    expect((await bed.record(other)).recording).toBeNull();
    expect(third.heardText()).not.toContain(`${NOTICE_HZ} Hz`);
  });
});

it('a message whose service is killed in the middle is there when the next one has started', async () => {
  const doomed = await PhoneBed.open({ recordings });
  let next: Service | null = null;
  try {
    const made = await doomed.api('POST', '/v1/voicemail_box', {
      name: 'Doomed',
      greeting: 'recording||greeting',
    });
    await doomed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${made.json.id}` });
    const call = await doomed.reach('200');
    await call.hears(BEEP_HZ, { forMs: 60 });
    await call.hearsSilence(300);
    await call.sendTone(hz.caller, 3_500);
    await doomed.pbx.stop('SIGKILL');
    const started = await startService({ dataDir: doomed.pbx.dataDir });
    next = started;
    const message = await doomed.until('the message', async () => {
      const { json } = await ask(started.url, 'GET', `/v1/voicemails?box=${made.json.id}`);
      return json.data[0] ?? null;
    });
    // What had reached the disk: all but the last second or two.
    expect(message.duration_ms).toBeGreaterThan(900);
  } finally {
    await next?.stop('SIGKILL');
    for (const phone of doomed.phones) phone.close();
    await doomed.pbx.remove();
  }
});
