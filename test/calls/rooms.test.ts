// Conference rooms with real phones: each participant sends a tone of its own, hears those of the others, and never its own.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { REACHABLE } from '../support/receiver.ts';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(20_000, 'music', 'prompt');
const [A, B, C] = [1_400, 1_700, 2_100] as const;
const PIN = '480537';
const HOST_PIN = '916264';
const FIELDS = { announce: false, music_on_hold: 'recording||music', pin_recording: 'recording||prompt' };
let bed: PhoneBed;
const ids: Record<string, string> = {};

beforeAll(async () => {
  // Two media workers: the legs of a conference are in both.
  bed = await PhoneBed.open({ env: { ...REACHABLE, MEDIA_WORKERS: '2' }, recordings });
  const rooms = {
    open: { number: '200', max_participants: 4 },
    hosted: { number: '201', pin: PIN, host_pin: HOST_PIN, wait_for_host: true, end_with_host: true },
    recorded: { number: '202', record: true, announce: true },
    named: { number: '203', announce: 'name' },
  };
  for (const [name, { number, ...fields }] of Object.entries(rooms)) {
    const made = await bed.api('POST', '/v1/room', { name, ...FIELDS, ...fields });
    expect(made.status, made.text).toBe(201);
    ids[name] = made.json.id;
    const dialled = await bed.api('POST', '/v1/number', { number, destination: `room||${made.json.id}` });
    expect(dialled.status, dialled.text).toBe(201);
  }
});
afterEach(() => bed.idle());
afterAll(() => bed?.close());

const participants = async (room: string): Promise<Json> =>
  (await bed.api('GET', `/v1/room/${ids[room]}/participants`)).json;
const order = (room: string, what: string, body: object = {}) =>
  bed.api('POST', `/v1/room/${ids[room]}/${what}`, body);

/** Hears these two tones at once, which nothing else is mixed with. */
async function hearsPair(call: PhoneCall, low: number, high: number): Promise<void> {
  call.forget();
  const isPair = (pair: readonly number[] | undefined): boolean =>
    pair !== undefined && Math.abs((pair[0] ?? 0) - low) <= 25 && Math.abs((pair[1] ?? 0) - high) <= 25;
  await bed
    .until(`${low} and ${high} Hz`, async () =>
      call.heard().some(({ pair, fromMs, toMs }) => isPair(pair) && toMs - fromMs > 200),
    )
    .catch(() => {
      throw new Error(`${low} and ${high} Hz were not heard together, but ${call.heardText()}`);
    });
}

async function hearsOnly(call: PhoneCall, tone: number): Promise<void> {
  call.forget();
  await call.hears(tone, { forMs: 300 });
}

test('each participant hears the others and not itself; one is muted, removed, and the door is locked', async () => {
  const [a, b, c] = [await bed.reach('200'), await bed.reach('200'), await bed.reach('200')];
  await Promise.all([a.sendTone(A), b.sendTone(B), c.sendTone(C)]);
  await Promise.all([hearsPair(a, B, C), hearsPair(b, A, C), hearsPair(c, A, B)]);
  const { participants: people } = await participants('open');
  expect(people.map(({ caller }: Json) => caller)).toEqual([a, b, c].map(callerOf));
  const [, second, third] = people as { call_id: string }[];
  expect((await order('open', 'mute', { call_id: second?.call_id })).status).toBe(200);
  await Promise.all([hearsOnly(a, C), hearsPair(b, A, C)]);
  expect((await order('open', 'unmute', { call_id: second?.call_id })).status).toBe(200);
  await hearsPair(a, B, C);
  expect((await order('open', 'lock')).status).toBe(200);
  const refused = await bed.reach('200');
  expect((await participants('open')).participants).toHaveLength(3);
  await refused.hangUp();
  expect((await order('open', 'remove', { call_id: third?.call_id })).status).toBe(200);
  await c.ended();
  await Promise.all([hearsOnly(a, B), hearsOnly(b, A)]);
  const record = await bed.record(c);
  expect(record.end).toMatchObject({ code: 'room-removed', cause: 16 });
  expect(record).toMatchObject({ outcome: 'answered' });
  expect(record.talk_ms).toBeGreaterThan(500);
  await a.hangUp();
  await b.hangUp();
  expect((await order('open', 'unlock')).json).toMatchObject({ Success: false, Code: 'room_empty' });
});

test('callers enter the PIN, hear music until the host comes, and leave with the host', async () => {
  const guest = await bed.reach('201');
  await guest.hears(hz.prompt, { forMs: 40 });
  await guest.pressKeys(`1111#`);
  await guest.pressKeys(`${PIN}#`);
  await guest.hears(hz.music, { forMs: 200 });
  expect((await participants('hosted')).participants).toMatchObject([{ waiting: true, host: false }]);
  const host = await bed.reach('201');
  await host.hears(hz.prompt, { forMs: 40 });
  await host.pressKeys(HOST_PIN);
  await Promise.all([guest.sendTone(A), host.sendTone(B)]);
  await Promise.all([hearsOnly(guest, B), hearsOnly(host, A)]);
  await host.hangUp();
  await guest.ended();
  const record = await bed.record(guest);
  expect(record.end.code).toBe('room-closed');
  const text = JSON.stringify(record);
  expect(text).toContain('room-pin-wrong');
  expect([text.includes(PIN), text.includes('"1111"'), text.includes('•')]).toEqual([false, false, true]);
  expect(record.keys.map(({ key }: Json) => key).join('')).toMatch(/^•+$/);
});

test('a conference is recorded with all voices in one channel', async () => {
  const [a, b] = [await bed.reach('202'), await bed.reach('202')];
  await Promise.all([a.sendTone(A), b.sendTone(B)]);
  await Promise.all([hearsOnly(a, B), hearsOnly(b, A)]);
  expect((await participants('recorded')).recording).toBe(true);
  await a.hangUp();
  await b.hangUp();
  const found = await bed.until('the recording', async () => {
    const { json } = await bed.api('GET', '/v1/call/recordings');
    return json.data[0] ?? null;
  });
  expect(found.duration_ms).toBeGreaterThan(300);
  const record = await bed.record(b);
  expect(record.steps.map(({ code }: Json) => code)).toContain('recording-started');
});

/** Skips the prompt, says its name, which is a tone, and is silent: then it is let in. */
async function saysName(call: PhoneCall, tone: number): Promise<void> {
  await call.pressKeys('#');
  await call.sendTone(tone, 1_500);
  await bed.until('the caller in the room', async () =>
    (await participants('named')).participants.some(
      ({ caller, waiting }: Json) => caller === callerOf(call) && !waiting,
    ),
  );
}

test('the others hear the name of a caller who joins and of one who leaves; it is not among the recordings', async () => {
  const a = await bed.reach('203');
  await saysName(a, A);
  const b = await bed.reach('203');
  a.forget();
  await saysName(b, B);
  await a.hears(B, { forMs: 300 });
  a.forget();
  await b.hangUp();
  await a.hears(B, { forMs: 300 });
  await a.hangUp();
  const { id } = await bed.record(b);
  const { json } = await bed.api('GET', '/v1/call/recordings');
  expect(json.data.filter(({ call_id }: Json) => call_id === id)).toEqual([]);
});
