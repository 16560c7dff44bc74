// 3,000 INVITEs a second from strangers, while thirty callers listen to a tone and others call (R6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import {
  hangUpAll,
  heardSince,
  type Listener,
  listeners,
  Stalls,
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
const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 10);
const FLOODERS = 200;
const MEGABYTE = 1024 * 1024;
/** Calls one by one in the first second of the flood. */
const FIRST_SECOND = 4;
/** What two cores shared by everybody add to a gap by themselves. */
const NOISE_MS = 10;

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
    const sinceMs = callers.map(({ call }) => call.nowMs());
    const result = await work();
    const heard = callers.map((caller, index) => heardSince(caller, sinceMs[index] ?? 0, stalls));
    const sum = (of: (one: (typeof heard)[number]) => number): number =>
      heard.reduce((all, one) => all + of(one), 0);
    const p99s = heard.map(({ p99GapMs }) => p99GapMs).sort((a, b) => a - b);
    return {
      result,
      packets: sum(({ packets }) => packets),
      lost: sum(({ lost }) => lost),
      p99GapMs: p99s[CALLS >> 1] ?? 0,
      longestGapMs: Math.max(...heard.map(({ longestGapMs }) => longestGapMs)),
      wrong: heard.map(({ wrong }) => wrong).filter((wrong) => wrong !== ''),
    };
  }

  it(`${PER_SECOND} INVITEs a second for ${SECONDS} s: calls sound as before, and a known caller gets through`, async () => {
    const calm = await heardDuring(() => wait(SECONDS * 500));
    const bytesBefore = residentBytes(pbx);
    const hosts = Array.from({ length: FLOODERS }, (_, person) => village.there(person));
    const question = { server: pbx.sip, hosts, perSecond: PER_SECOND, seconds: SECONDS };
    let setUps: number[] = [];
    const flooded = await heardDuring(async () => {
      const flood = village.program<FloodAnswer>('flood-process', question, 60_000 + SECONDS * 1_000);
      await wait(2_000);
      setUps = await callsOneByOne((SECONDS - 2) * 4);
      return flood;
    });
    const grownBytes = residentBytes(pbx) - bytesBefore;
    console.log({
      calm,
      flooded,
      setUps: setUps.map(Math.round).join(' '),
      grownMegabytes: grownBytes / MEGABYTE,
    });
    expect(flooded.result.sent).toBeGreaterThan(PER_SECOND * SECONDS * 0.9);
    expect(callers.filter(({ call }) => call.end !== null)).toEqual([]);
    expect(flooded.wrong).toEqual([]);
    expect(flooded.lost - calm.lost).toBeLessThanOrEqual(flooded.packets * 0.001);
    expect(flooded.p99GapMs).toBeLessThan(calm.p99GapMs * 1.25 + NOISE_MS);
    // All of them were answered. While the flooders are not banned yet, each of them is answered too, and that takes its time.
    expect(setUps.slice(FIRST_SECOND).filter((ms) => ms > 1_000)).toEqual([]);
    expect(grownBytes).toBeLessThan(50 * MEGABYTE);
  });

  /** Milliseconds until each was answered. */
  async function callsOneByOne(count: number): Promise<number[]> {
    const phone = await Phone.open({ server: pbx.sip, host: peer });
    const all: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startMs = performance.now();
      const call = await phone.call(TONE_NUMBER);
      await call.answered();
      all.push(performance.now() - startMs);
      await call.hangUp();
      await wait(200);
    }
    phone.close();
    return all;
  }
});
