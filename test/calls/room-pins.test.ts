// Threat T54: the PIN of a conference room, guessed with keys over many calls. The phones here press them as tones of RFC 4733.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WRONG_PINS_PER_CALLER, WRONG_PINS_PER_ROOM } from '../../src/calls/rooms/pin-guesses.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { REACHABLE } from '../support/receiver.ts';
import type { Json } from '../support/service.ts';
import { callerOf, codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(20_000, 'prompt');
const PIN = '480537';
const ATTEMPTS = 3;
const ids: Record<string, string> = {};
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({ env: REACHABLE, recordings, agents: { '1001': {} } });
  for (const [number, name] of Object.entries({ '200': 'one', '201': 'all' })) {
    const body = { name, pin: PIN, announce: false, pin_recording: 'recording||prompt' };
    const made = await bed.api('POST', '/v1/room', body);
    expect(made.status, made.text).toBe(201);
    ids[number] = made.json.id;
    await bed.api('POST', '/v1/number', { number, destination: `room||${made.json.id}` });
  }
});
afterAll(() => bed?.close());

const records = async (): Promise<Json[]> => (await bed.api('GET', '/v1/call/records?limit=100')).json.data;

/** Hears the question, presses these keys, and is shown the door. */
async function refused(phone: Phone, number: string, keys: string): Promise<PhoneCall> {
  const call = await (await phone.call(number)).answered();
  await call.hears(hz.prompt, { forMs: 40 });
  await call.pressKeys(keys);
  await call.ended();
  return call;
}

/** The trails of this many calls, once all of them are written down. */
async function trailsOf(callers: readonly PhoneCall[]): Promise<string[][]> {
  const numbers = callers.map(callerOf);
  const rows = await bed.until('the records', async () => {
    const found = (await records()).filter(({ caller }) => numbers.includes(caller));
    return found.length === callers.length ? found : null;
  });
  const read = rows.map(async ({ id }) => codes((await bed.api('GET', `/v1/call/records/${id}`)).json));
  return Promise.all(read);
}
const wrong = (trails: readonly string[][]): number =>
  trails.flat().filter((code) => code === 'room-pin-wrong').length;

async function enters(phone: Phone, number: string): Promise<void> {
  const call = await (await phone.call(number)).answered();
  await call.hears(hz.prompt, { forMs: 40 });
  await call.pressKeys(`${PIN}#`);
  await bed.until('the caller in the room', async () => {
    const { json } = await bed.api('GET', `/v1/room/${ids[number]}/participants`);
    return json.participants.length === 1;
  });
  await call.hangUp();
}

test('one caller guesses over several calls; then the right PIN is refused, too, and other callers enter', async () => {
  const phone = await bed.phone();
  const calls: PhoneCall[] = [];
  for (let at = 0; at < WRONG_PINS_PER_CALLER / ATTEMPTS; at++)
    calls.push(await refused(phone, '200', '1111#2222#3333#'));
  calls.push(await refused(phone, '200', `${PIN}#`));
  const trails = await trailsOf(calls);
  expect(wrong(trails)).toBe(WRONG_PINS_PER_CALLER);
  await enters(await bed.phone(), '200');
});

test('many callers guess, each a little; then the right PIN of another is refused, but not of an agent’s phone', async () => {
  const guessing = Array.from({ length: WRONG_PINS_PER_ROOM / ATTEMPTS }, async () =>
    refused(await bed.phone(), '201', '1111#2222#3333#'),
  );
  const calls = await Promise.all(guessing);
  calls.push(await refused(await bed.phone(), '201', `${PIN}#`));
  expect(wrong(await trailsOf(calls))).toBe(WRONG_PINS_PER_ROOM);
  await enters(await bed.agent('1001'), '201');
});
