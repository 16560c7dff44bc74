// A menu that is marked sensitive: its keys work, and can be read nowhere afterwards (docs/threat-model.md T35).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Json, TOKEN } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'invalid', 'inside');
/** Digits that no caller, number, id or time is likely to be made of. */
const RIGHT = '480537';
const WRONG = '91626*';
let bed: PhoneBed;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const menu = { option: [RIGHT], destination: ['ivr||inside'], timeout: 60, incorrect_count: 3 };
  bed = await PhoneBed.open({
    env: { ...REACHABLE, LOG_LEVEL: 'trace' },
    recordings,
    menus: {
      secret: { ...menu, sensitive: true },
      plain: menu,
      inside: { recording: 'recording||inside', timeout: 60 },
    },
    numbers: { '100': 'ivr||secret', '101': 'ivr||plain' },
  });
  const made = await bed.api('POST', '/v1/webhook', { name: 'all', url: `${receiver.url}/all` });
  expect(made.status, made.text).toBe(201);
});
afterAll(async () => {
  await bed?.close();
  await receiver?.close();
});

/** Record and events of a call with a wrong entry by INFO and the right one by RFC 4733. */
async function tellsOf(number: string): Promise<{ record: Json; texts: Record<string, string> }> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const events = await fetch(`${bed.pbx.url}/v1/live_calls/events`, { headers, signal: stop.signal });
  const call = await bed.reach(number);
  await call.hears(hz.prompt, { forMs: 40 });
  await call.pressKeys(`${WRONG}#`, { how: 'info' });
  await call.hears(hz.invalid, { forMs: 80 });
  await call.pressKeys(RIGHT);
  await call.hears(hz.inside, { forMs: 80 });
  await call.hangUp();
  let live = '';
  for await (const bytes of events.body ?? []) {
    live += Buffer.from(bytes).toString();
    if (live.includes('event: call.ended')) break;
  }
  stop.abort();
  const record = await bed.record(call);
  const ofCall = ({ event }: { event: Json }) => event.data.call?.id === record.id;
  await receiver.until(1, (one) => ofCall(one) && one.event.type === 'call.ended');
  const menu = number === '100' ? 'secret' : 'plain';
  const texts = {
    record: JSON.stringify(record),
    webhooks: receiver.deliveries
      .filter(ofCall)
      .map(({ text }) => text)
      .join('\n'),
    live,
    csv: (await bed.api('GET', `/v1/call/records.csv?caller=${callerOf(call)}`)).text,
    statistics: (await bed.api('GET', `/v1/ivr/${menu}/statistics?by=none`)).text,
    metrics: (await bed.api('GET', '/metrics')).text,
    log: bed.pbx.log.join('\n'),
    journal: journal(),
  };
  return { record, texts };
}

/** The journal of running calls. */
const journal = (): string =>
  readdirSync(bed.pbx.dataDir)
    .filter((name) => name.startsWith('running-calls'))
    .map((name) => readFileSync(join(bed.pbx.dataDir, name), 'utf8'))
    .join('\n');

/** The keys one by one, as in records and events. */
const pressed = (text: string): string[] =>
  [...text.matchAll(/The caller pressed (.)\./g)].map(([, key = '']) => key);

/** A live event has what happened twice: in `data`, and in members of before. */
const pressedIn = (texts: Readonly<Record<string, string>>, where: string): string[] =>
  where === 'live'
    ? (texts[where] ?? '').split('\n').flatMap((line) => pressed(line).slice(0, 1))
    : pressed(texts[where] ?? '');

test('a sensitive menu leaves no key that can be read, but how many came and by which way', async () => {
  const { record, texts } = await tellsOf('100');
  for (const [where, text] of Object.entries(texts)) {
    expect(text, where).not.toContain(RIGHT);
    expect(text, where).not.toContain('91626');
    expect(text, where).not.toMatch(/"keys?":"[0-9*#]/);
    expect(text, where).not.toMatch(/Signal ?=/i);
  }
  const signs = Array.from(`${WRONG}#${RIGHT}`, () => '•');
  for (const where of ['record', 'webhooks', 'live'] as const)
    expect(pressedIn(texts, where), where).toEqual(signs);
  expect(record.keys.map(({ key, source }: Json) => `${key} ${source}`)).toEqual([
    ...Array.from(`${WRONG}#`, () => '• info'),
    ...Array.from(RIGHT, () => '• rfc4733'),
  ]);
  expect(record.events.flatMap(({ key }: Json) => key ?? [])).toEqual(signs);
  expect(JSON.parse(texts['statistics'] ?? '{}').totals.options).toEqual({ '••••••': 1 });
  for (const where of ['csv', 'journal'] as const) expect(texts[where], where).toContain(record.id);
});

test('a menu that is not marked keeps its keys where there are any', async () => {
  const { record, texts } = await tellsOf('101');
  const keys = [...WRONG, '#', ...RIGHT];
  for (const where of ['record', 'webhooks', 'live'] as const)
    expect(pressedIn(texts, where), where).toEqual(keys);
  expect(record.keys.map(({ key }: Json) => key)).toEqual(keys);
  expect(record.events.flatMap(({ key }: Json) => key ?? [])).toEqual(keys);
  expect(JSON.parse(texts['statistics'] ?? '{}').totals.options).toEqual({ [RIGHT]: 1 });
  for (const where of ['csv', 'metrics', 'log', 'journal'] as const)
    expect(texts[where], where).not.toMatch(new RegExp(`${RIGHT}|"keys?":|Signal`));
});
