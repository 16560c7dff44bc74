// 3,000 INVITEs a second from strangers, while thirty callers listen to a tone and others call (R6).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import {
  hangUpAll,
  heardByAll,
  hearMore,
  type Listener,
  listeners,
  nowOf,
  Stalls,
  TONE_HZ,
  TONE_NUMBER,
  TONE_SERVICE,
} from './support/audio.ts';
import type { FloodAnswer } from './support/flood-process.ts';
import { residentBytes } from './support/metrics.ts';
import { namespacesMissing } from './support/needs.ts';
import { wait } from './support/stranger.ts';
import { Village } from './support/village.ts';

const CALLS = 30;
const PER_SECOND = 3_000;
const LEAST = PER_SECOND * Number(process.env['FLOOD_SECONDS'] ?? 10);
const CALLS_MADE = 20;
const FLOODERS = 200;
const MEGABYTE = 1024 * 1024;

describe.skipIf(namespacesMissing())('flood', () => {
  let village: Village;
  let pbx: Pbx;
  let callers: Listener[];
  let peer: string;
  let stalls: Stalls;

  beforeAll(async () => {
    village = new Village(FLOODERS);
    peer = village.guest(1);
    pbx = await startPbx({
      ...TONE_SERVICE,
      env: { SIP_HOST: village.here },
      trunks: { peer: { addresses: [peer] } },
    });
    stalls = new Stalls();
    callers = await listeners(pbx, CALLS, peer);
  });
  afterAll(async () => {
    stalls?.close();
    if (callers !== undefined) await hangUpAll(callers);
    await pbx?.remove();
    village?.remove();
  });

  /** What all callers hear while that happens. */
  async function heardDuring<Result>(work: () => Promise<Result>) {
    const sinceMs = nowOf(callers);
    const result = await work();
    return { result, ...heardByAll(callers, sinceMs, stalls) };
  }

  it(`${LEAST} INVITEs at ${PER_SECOND} a second: calls go on, and a known caller gets through while they come`, async () => {
    const calm = await heardDuring(() => wait(5_000));
    const bytesBefore = residentBytes(pbx);
    const hosts = Array.from({ length: FLOODERS }, (_, person) => village.there(person));
    const until = join(pbx.dataDir, 'flood-over');
    const question = { server: pbx.sip, hosts, perSecond: PER_SECOND, least: LEAST, until };
    let setUps: number[] = [];
    const flooded = await heardDuring(async () => {
      const flood = village.program<FloodAnswer>('flood-process', question, 600_000);
      await wait(2_000);
      // The flood goes on until they are over.
      setUps = await callsOneByOne(CALLS_MADE);
      await hearMore(callers, 100);
      writeFileSync(until, '');
      return flood;
    });
    const grownBytes = residentBytes(pbx) - bytesBefore;
    console.log({
      calm,
      flooded,
      setUps: setUps.map(Math.round).join(' '),
      grownMegabytes: grownBytes / MEGABYTE,
    });
    expect(flooded.result.sent).toBeGreaterThanOrEqual(LEAST);
    // Flooders are banned: almost none of it costs an answer.
    expect(flooded.result.answered).toBeLessThan(LEAST / 2);
    expect(setUps).toHaveLength(CALLS_MADE);
    expect([flooded.ended, flooded.wrong]).toEqual([0, []]);
    // What a queue of the kernel drops, which the flood shares with the sound, is the machine's.
    expect(flooded.lost).toBeLessThan((CALLS * flooded.packets) / 10);
    expect(grownBytes).toBeLessThan(50 * MEGABYTE);
  });

  /** Each is answered and hears its tone; the milliseconds until the answer are a figure. */
  async function callsOneByOne(count: number): Promise<number[]> {
    const phone = await Phone.open({ server: pbx.sip, host: peer });
    const all: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startMs = performance.now();
      const call = await phone.call(TONE_NUMBER);
      await call.answered();
      all.push(performance.now() - startMs);
      await call.hears(TONE_HZ);
      await call.hangUp();
      await wait(200);
    }
    phone.close();
    return all;
  }
});
