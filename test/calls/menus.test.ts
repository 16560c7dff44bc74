// What callers hear in menus, and what their keys do there (docs/call-rules.md 1, 2, 8, 10 and 11): whole prompts, keys in each form, recordings
// that are uploaded, replaced or lost, and edits during calls. The rules that need no sound are in src/flow/nodes/menu.test.ts.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call as ask, type Json } from '../support/service.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(
  300,
  ...(['prompt', 'long', 'lasting', 'one', 'two', 'changed', 'invalid', 'retry', 'timeout', 'lost'] as const),
);
const [FIRST_HZ, SECOND_HZ] = [1_860, 2_260];
/** The short tone that stands for a recording that is not there. */
const MISSING_HZ = 400;
let bed: PhoneBed;

beforeAll(async () => {
  const one = { option: ['1'], destination: ['ivr||one'], timeout: 60 };
  bed = await PhoneBed.open({
    recordings: { ...recordings, long: { hz: hz.long, ms: 1_500 }, lasting: { hz: hz.lasting, ms: 30_000 } },
    agents: { '1001': {} },
    menus: {
      main: one,
      other: { option: ['1'], destination: [extension('1001')], timeout: 60 },
      long: {
        recording: 'recording||long',
        option: ['1', '12'],
        destination: ['ivr||one', 'ivr||two'],
        timeout: 60,
      },
      lasting: {
        recording: 'recording||lasting',
        option: ['1', '12'],
        destination: ['ivr||one', 'ivr||two'],
        timeout: 60,
      },
      one: { recording: 'recording||one', timeout: 60 },
      two: { recording: 'recording||two', timeout: 60 },
      lost: { recording: 'recording||lost', timeout: 60 },
    },
    numbers: {
      '100': 'ivr||main',
      '101': 'ivr||other',
      '102': 'ivr||long',
      '103': 'ivr||lost',
      '104': 'ivr||lasting',
    },
  });
});

afterAll(() => bed.close());

const isTone = (wanted: number, { hz: heard }: { hz: unknown }): boolean =>
  typeof heard === 'number' && Math.abs(heard - wanted) < 15;
const heardMs = (caller: PhoneCall, wanted: number): number =>
  caller
    .heard()
    .filter((each) => isTone(wanted, each))
    .reduce((ms, { fromMs, toMs }) => ms + toMs - fromMs, 0);

describe.concurrent('rules 1 and 2, the prompt and the keys', () => {
  it('is answered and heard whole when no key is pressed', async () => {
    const caller = await bed.reach('102');
    await caller.hears(hz.long);
    await bed.until('the whole prompt', async () => heardMs(caller, hz.long) > 1_400);
    await caller.hearsSilence(300);
    expect(heardMs(caller, hz.long)).toBeLessThan(1_600);
    await caller.hangUp();
    const record = await bed.record(caller);
    expect(codes(record)).toEqual(['call-started', 'arrived', 'answered', 'playing', 'waiting', 'ended']);
  });

  it('stops at the first key', async () => {
    const caller = await bed.choose('104', hz.lasting, '12');
    await caller.hears(hz.two, { forMs: 80 });
    expect(heardMs(caller, hz.lasting)).toBeLessThan(15_000);
    await caller.hangUp();
  });

  it('are the same by SIP INFO, and in the sound when the caller has no telephone-event', async () => {
    const [info, inBand] = await Promise.all([
      bed.reach('102', { sdp: { events: null } }),
      bed.reach('102', { sdp: { events: null } }),
    ]);
    await Promise.all([
      info.pressKeys('12', { how: 'info' }).then(() => info.hears(hz.two)),
      inBand.pressKeys('12', { how: 'in-band' }).then(() => inBand.hears(hz.two)),
    ]);
    await Promise.all([info.hangUp(), inBand.hangUp()]);
  });
});

async function put(id: string, changes: object): Promise<void> {
  const { json } = await bed.api('GET', `/v1/ivr/${id}`);
  const { status, text } = await bed.api('PUT', `/v1/ivr/${id}`, { ...json, ...changes });
  expect(status, text).toBe(200);
}

describe('rule 10, versions', () => {
  it('leaves a running call what it started with, and the very next call sees the edit', async () => {
    const before = await bed.reach('100');
    await before.hears(hz.prompt, { forMs: 80 });
    await put('main', { recording: 'recording||changed', destination: ['ivr||two'] });
    const after = await bed.reach('100');
    await after.hears(hz.changed, { forMs: 80 });
    await Promise.all([before.pressKeys('1'), after.pressKeys('1')]);
    await Promise.all([before.hears(hz.one, { forMs: 80 }), after.hears(hz.two, { forMs: 80 })]);
    await Promise.all([before.hangUp(), after.hangUp()]);
  });

  it('takes a number and a menu that were created a moment ago', async () => {
    const { id: _, ...json } = (await bed.api('GET', '/v1/ivr/main')).json;
    const created = await bed.api('POST', '/v1/ivr', {
      ...json,
      name: 'fresh',
      recording: 'recording||changed',
    });
    expect(created.status, created.text).toBe(201);
    const id = created.headers.get('location')?.split('/').at(-1);
    const number = await bed.api('POST', '/v1/number', { number: '777', destination: `ivr||${id}` });
    expect(number.status, number.text).toBe(201);
    const call = await bed.reach('777');
    await call.hears(hz.changed, { forMs: 80 });
    await call.hangUp();
  });
});

describe('rule 11, the record', () => {
  it('holds each step with its time, prompt, keys, decision and why, who answered and how long they talked', async () => {
    const agent = await bed.agent('1001');
    const call = await bed.reach('101');
    await call.hears(hz.prompt, { forMs: 80 });
    await call.pressKeys('7#');
    await call.hears(hz.invalid, { forMs: 80 });
    await call.hears(hz.prompt, { forMs: 80 });
    await call.pressKeys('1');
    const incoming = await agent.incoming();
    incoming.ring();
    await call.hears('dual', { forMs: 200 });
    await incoming.answer();
    await incoming.sendTone(hz.one, 300);
    await call.hears(hz.one, { forMs: 80 });
    await call.hangUp();
    const record: Json = await bed.record(call);
    expect(codes(record).filter((code) => !['key-pressed', 'waiting'].includes(code))).toEqual([
      'call-started',
      'arrived',
      'answered',
      'playing',
      'invalid-retry',
      'playing',
      'playing',
      'option-matched',
      'arrived',
      'ringing',
      'ring-progressed',
      'connected',
      'ended',
    ]);
    expect(step(record, 'playing')).toMatchObject({ recording: 'prompt' });
    expect(step(record, 'invalid-retry')).toMatchObject({ keys: '7' });
    expect(step(record, 'option-matched')).toMatchObject({ keys: '1', destination: extension('1001') });
    const times = record.steps.map(({ at_ms }: { at_ms: number }) => at_ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(record).toMatchObject({
      direction: 'inbound',
      dialled: '101',
      entry: 'ivr||other',
      end_code: 'caller-hung-up',
      cause: 16,
      answered_by: eidOf('1001'),
      sip_call_id: call.dialog.callId,
    });
    expect(record.talk_ms).toBeGreaterThan(200);
    expect(record.ring_ms).toBeGreaterThan(0);
    expect(record.ring_ms + record.talk_ms).toBeLessThanOrEqual(record.duration_ms);
    expect(record.legs.map(({ role }: { role: string }) => role).sort()).toEqual(['called', 'caller']);
    for (const leg of record.legs) {
      expect(leg.packets_received).toBeGreaterThan(5);
      expect(leg.one_way).toBe(false);
    }
    const listed = (await bed.api('GET', '/v1/call/records?limit=1')).json.data[0];
    expect(listed).toMatchObject({ id: record.id, talk_ms: record.talk_ms, ring_ms: record.ring_ms });
  });
});

describe('an uploaded recording', () => {
  let path: string;
  beforeAll(async () => {
    const made = await ask(bed.pbx.url, 'POST', '/v1/recording', {
      body: recordingForm({ name: 'Prompt' }, toneWav(FIRST_HZ, 30_000)),
    });
    path = made.headers.get('location') ?? '';
    const menu = await bed.api('POST', '/v1/ivr', {
      name: 'Uploaded',
      description: '',
      recording: `recording||${made.json.id}`,
      timeout: 5,
      option: ['1'],
      destination: ['hangup||now'],
      incorrect_count: 0,
      invalid_recording: 'recording||invalid',
      invalid_destination: 'hangup||now',
      timeout_retry_recording: 'recording||retry',
      timeout_recording: 'recording||timeout',
      timeout_destination: 'hangup||now',
      timeout_tries: 0,
    });
    const destination = `ivr||${menu.headers.get('location')?.split('/').at(-1)}`;
    await bed.api('POST', '/v1/number', { number: '700', destination });
  });

  const replace = async (body: FormData): Promise<void> => {
    const replaced = await ask(bed.pbx.url, 'PUT', path, { body });
    expect(replaced.status, replaced.text).toBe(200);
  };

  it('is heard by a caller', async () => {
    const caller = await bed.reach('700');
    await caller.hears(FIRST_HZ, { forMs: 200 });
    await caller.hangUp();
  });

  it('goes on in a call that began with it when it is replaced; the next call hears the new one', async () => {
    const before = await bed.reach('700');
    await before.hears(FIRST_HZ, { forMs: 100 });
    await replace(recordingForm({}, toneWav(SECOND_HZ, 3_000)));
    const after = await bed.reach('700');
    await after.hears(SECOND_HZ, { forMs: 200 });
    before.forget();
    await before.hears(FIRST_HZ, { forMs: 100 });
    expect(
      before
        .heard()
        .some((segment) => typeof segment.hz === 'number' && Math.abs(segment.hz - SECOND_HZ) < 30),
    ).toBe(false);
    expect(hz.invalid).not.toBe(SECOND_HZ);
    await Promise.all([before.hangUp(), after.hangUp()]);
  });

  it('that was restored is heard again', async () => {
    expect((await bed.api('POST', `${path}/restore/1`)).status).toBe(200);
    const caller = await bed.reach('700');
    await caller.hears(FIRST_HZ, { forMs: 200 });
    await caller.hangUp();
  });

  it.each(['tone-1000.mp3', 'tone-1000.opus'])('from %s is heard as its tone', async (name) => {
    await replace(recordingForm({}, readFileSync(new URL(`../support/sounds/${name}`, import.meta.url))));
    const caller = await bed.reach('700');
    await caller.hears(1_000, { forMs: 200 });
    await caller.hangUp();
  });
});

// The last one: no recording is there afterwards.
describe('rule 8, a recording whose file is gone', () => {
  it('is a short tone, and the trail says so', async () => {
    rmSync(join(bed.pbx.dataDir, 'recordings'), { recursive: true, force: true });
    const caller = await bed.reach('103');
    await caller.hears(MISSING_HZ, { forMs: 80 });
    await caller.hangUp();
    expect(step(await bed.record(caller), 'recording-missing').text).toContain('cannot be read');
  });
});
