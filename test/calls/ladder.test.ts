// The messages and keys of a real call in its record: who sent what when, and the source of each key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extension } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'invalid');
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: { '1001': {} },
    menus: {
      main: {
        recording: 'recording||prompt',
        invalid_recording: 'recording||invalid',
        timeout: 60,
        incorrect_count: 5,
        option: ['1'],
        destination: [extension('1001')],
      },
    },
    numbers: { '100': 'ivr||main' },
  });
});
afterAll(() => bed?.close());

const ofLeg = (record: Json, role: string): string[] => {
  const index = record.legs.findIndex((leg: Json) => leg.role === role);
  return record.ladder
    .filter(({ leg }: Json) => leg === index)
    .map(({ direction, what }: Json) => `${direction} ${what}`);
};

test('a whole call: each message in order, each key with the way it came', async () => {
  const phone = await bed.agent('1001');
  const call = await bed.reach('100', {
    headers: [['User-Agent', `<script>alert(1)</script>${'x'.repeat(200)}`]],
  });
  await call.hears(hz.prompt, { forMs: 40 });
  await call.pressKeys('9', { how: 'info' });
  await call.hears(hz.invalid, { forMs: 80 });
  await call.pressKeys('1');
  const incoming = await phone.incoming();
  incoming.ring();
  await incoming.answer();
  await bed.until('a connected call', async () => (await bed.metric('dialtree_legs')) === 2);
  await call.hangUp();
  const record = await bed.record(call);

  expect(record.keys.map(({ key, source }: Json) => [key, source])).toEqual([
    ['9', 'info'],
    ['1', 'rfc4733'],
  ]);
  expect(ofLeg(record, 'caller')).toEqual([
    'in INVITE',
    'out 200 INVITE',
    'in ACK',
    'in INFO',
    'out 200 INFO',
    'in BYE',
    'out 200 BYE',
  ]);
  expect(ofLeg(record, 'called')).toEqual([
    'out INVITE',
    'in 100 INVITE',
    'in 180 INVITE',
    'in 200 INVITE',
    'out ACK',
    'out BYE',
    'in 200 BYE',
  ]);
  const times = record.ladder.map(({ at_ms }: Json) => at_ms);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(record.ladder[0]).toMatchObject({ what: 'INVITE', transport: 'udp' });
  expect(record.ladder[0].user_agent).toMatch(/^<script>alert\(1\)<\/script>x+$/);
  expect(record.ladder[0].user_agent).toHaveLength(128);
  expect(record.ladder_left_out).toBe(0);
});

test('two phones of one agent that are cancelled: each to its last ACK', async () => {
  // The one of the test before is registered still.
  const phone = await bed.agent('1001');
  const call = await bed.choose('100', hz.prompt, '1');
  (await phone.incoming()).ring();
  await bed.until('a phone that rings', async () => (await bed.metric('dialtree_legs')) === 2);
  await call.hangUp();
  const record = await bed.record(call);
  const ofPhone = (number: number): string[] =>
    record.ladder
      .filter((line: Json) => line.phone === number)
      .map(({ direction, what }: Json) => `${direction} ${what}`);
  for (const number of [1, 2]) {
    const all = ofPhone(number);
    expect(all.slice(0, 2)).toEqual(['out INVITE', 'in 100 INVITE']);
    expect(all).toEqual(expect.arrayContaining(['out CANCEL', 'in 200 CANCEL', 'in 487 INVITE', 'out ACK']));
  }
  expect([...ofPhone(1), ...ofPhone(2)].filter((line) => line === 'in 180 INVITE')).toHaveLength(1);
});

test('what a caller repeats is not listed, and beyond the bound messages are counted', async () => {
  const call = await bed.reach('100');
  await call.hears(hz.prompt, { forMs: 40 });
  for (let at = 0; at < 35; at++) await call.dialog.request('OPTIONS');
  await call.hangUp();
  const record = await bed.record(call);
  expect(record.ladder).toHaveLength(60);
  expect(record.ladder_left_out).toBe(3 + 70 + 2 - 60);
});
