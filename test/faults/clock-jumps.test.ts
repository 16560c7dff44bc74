// R4, T36: the wall clock of the service jumps (libfaketime) while phones talk, wait in menus and are registered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PhoneBed, type Step, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { extension } from '../support/pbx.ts';
import { call, type Json } from '../support/service.ts';
import { faketimeLibrary } from './support/needs.ts';

const HOUR_S = 3600;
const JUMPS = { '+1 h': HOUR_S, '−1 h': -HOUR_S, '+10 years': 10 * 365 * 24 * HOUR_S };
/** How long the menu waits: a timer that followed the wall clock would end at once, or an hour later. */
const TIMEOUT_S = 3;
/** How far a step of a menu may be from its place without a jump; the machine may be busy. */
const TOLERANCE_MS = 2_000;

const library = faketimeLibrary();
const folder = mkdtempSync(join(tmpdir(), 'dialtree-clock-'));
const clockFile = join(folder, 'offset');
const setClock = (seconds: number): void =>
  writeFileSync(clockFile, `${seconds >= 0 ? '+' : ''}${seconds}\n`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { hz, recordings } = tones(300, 'prompt', 'retry', 'timeout', 'invalid', 'agent');

async function open(): Promise<PhoneBed> {
  setClock(0);
  return PhoneBed.open({
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_CACHE_DURATION: '1',
      // Real machines set the wall clock alone.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    recordings,
    agents: { '1001': {}, '1002': {} },
    menus: { main: { timeout: TIMEOUT_S } },
    numbers: { '100': 'ivr||main', '201': extension('1001'), '202': extension('1002') },
  });
}

/** The service's own clock, in seconds from ours. */
async function offsetOf(bed: PhoneBed): Promise<number> {
  const { headers } = await bed.api('GET', '/healthz');
  return Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / 1000);
}

/** libfaketime reads the file again after a second, and each thread of the service for itself. */
async function noticed(bed: PhoneBed, seconds: number): Promise<void> {
  await bed.until('the jump', async () => Math.abs((await offsetOf(bed)) - seconds) < 5);
}

/** A caller who presses nothing: the menu asks again and then hangs up. `during` runs after the prompt. */
async function silentCaller(bed: PhoneBed, during: () => Promise<void> | void): Promise<Json> {
  const caller = await bed.reach('100');
  await caller.hears(hz.prompt, { forMs: 40 });
  await during();
  expect(await caller.ended({ withinMs: 60_000 })).toMatchObject({ by: 'peer', how: 'bye' });
  return bed.record(caller);
}

const stepsOf = (record: Json): Step[] => record.steps;
const codesOf = (record: Json): string[] => stepsOf(record).map(({ code }) => code);

function drift(record: Json, plain: Json): number {
  expect(codesOf(record)).toEqual(codesOf(plain));
  const differences = stepsOf(record).map(({ at_ms }, index) =>
    Math.abs(at_ms - (stepsOf(plain)[index]?.at_ms ?? Number.NaN)),
  );
  return Math.max(...differences);
}

test.skipIf(library === null)(
  'R4, T36: calls, menus, registrations and durations do not follow a wall clock that jumps',
  async () => {
    const bed = await open();
    try {
      const [talking, idle] = [await bed.agent('1001'), await bed.agent('1002')];
      const caller = await bed.dial('201');
      const answered = await (await talking.incoming()).answer();
      await caller.answered();
      const made = await bed.api('POST', '/v1/token', { name: 'a day', expires_in_days: 1 });
      const withToken = async () =>
        (await call(bed.pbx.url, 'GET', '/v1/agents', { token: made.json.token })).status;
      const plain = await silentCaller(bed, () => undefined);
      const drifts: number[] = [];
      for (const [name, seconds] of Object.entries(JUMPS)) {
        const record = await silentCaller(bed, () => setClock(seconds));
        drifts.push(drift(record, plain));
        await noticed(bed, seconds);
        // The bridged call goes on, and a phone that registered before the jump rings.
        caller.forget();
        await answered.sendTone(hz.agent);
        await caller.hears(hz.agent, { forMs: 200 });
        const ringing = await bed.dial('202');
        const incoming = await idle.incoming();
        await ringing.hangUp();
        expect(await incoming.ended(), name).toMatchObject({ how: 'cancel' });
        // A digest nonce is made and used.
        expect(await talking.register(), name).toBe(200);
        expect(await withToken(), `a token of one day, ${name}`).toBe(seconds > 24 * HOUR_S ? 401 : 200);
        expect(Number(record.talk_ms ?? 0)).toBeGreaterThanOrEqual(0);
      }
      setClock(-HOUR_S);
      await noticed(bed, -HOUR_S);
      expect(await withToken(), 'a token of one day, after the clock went back').toBe(200);
      await caller.hangUp();
      const record = await bed.record(caller);
      // The ladder begins with the INVITE, which comes before the call does.
      expect(negativeIn({ ...record, ladder: null })).toEqual([]);
      expect(Date.parse(record.ended_at)).toBeGreaterThanOrEqual(Date.parse(record.started_at));
      expect(drifts.filter((ms) => ms > TOLERANCE_MS)).toEqual([]);
      figure('R4', `clock +1 h, −1 h, +10 years: no call lost, menus at most ${Math.max(...drifts)} ms off`);
    } finally {
      await bed.close();
    }
  },
);

/** Paths of numbers below zero. */
function negativeIn(value: unknown, path = ''): string[] {
  if (typeof value === 'number')
    return value < 0 && /_ms$|duration|seconds/.test(path) ? [`${path} ${value}`] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => negativeIn(each, `${path}/${name}`));
}
