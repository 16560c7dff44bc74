// docs/call-rules.md 10 and 11: a call keeps what it started with, the next one sees the edit at once, and
// the record has every step.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'one', 'two', 'changed', 'invalid', 'retry', 'timeout');
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: { '1001': {} },
    menus: {
      main: { option: ['1'], destination: ['ivr||one'], timeout: 60 },
      other: { option: ['1'], destination: [extension('1001')], timeout: 60 },
      one: { recording: 'recording||one', timeout: 60 },
      two: { recording: 'recording||two', timeout: 60 },
    },
    numbers: { '100': 'ivr||main', '101': 'ivr||other' },
  });
});

afterAll(() => bed.close());

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
