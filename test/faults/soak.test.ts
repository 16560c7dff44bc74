// R15: a busy hour, compressed: calls at a steady rate, phones that register again, requests. SOAK_SECONDS=1800 is the long run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { TONE_NUMBER, TONE_SERVICE } from '../hostile/support/audio.ts';
import { callsLeft, NOTHING_LEFT, openFiles, residentBytes } from '../hostile/support/metrics.ts';
import type { ShortCallsAnswer } from '../hostile/support/short-calls-process.ts';
import { figure } from '../support/figure.ts';
import { menu } from '../support/payload.ts';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call } from '../support/service.ts';
import { ms, quantile, sleep } from './support/rounds.ts';

/** The first part fills caches; parts of the same length follow. */
const PARTS = 3;
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 24);
const PART_SECONDS = SECONDS / PARTS;
const CALLS_PER_SECOND = 10;
const MEGABYTE = 1024 * 1024;
/** The heap is collected when it likes: a short run sees that, a long one the slope. */
const MAX_GROWTH_MB = Math.max(32, SECONDS / 60);
const INTERCOMS = ['1001', '1002', '1003', '1004', '1005'];

async function shortCalls(pbx: Pbx): Promise<ShortCallsAnswer> {
  const question = {
    server: pbx.sip,
    host: '127.0.0.1',
    number: TONE_NUMBER,
    calls: Math.round(PART_SECONDS * CALLS_PER_SECOND),
    perSecond: CALLS_PER_SECOND,
  };
  const words = ['--import', 'tsx', 'test/hostile/support/short-calls-process.ts', JSON.stringify(question)];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    timeout: (PART_SECONDS + 60) * 1000,
  });
  return JSON.parse(stdout) as ShortCallsAnswer;
}

/** Registers every second, as a thousand phones with `expires` of an hour would. Returns statuses other than 200. */
async function register(phones: readonly Phone[], isOver: () => boolean): Promise<number[]> {
  const others: number[] = [];
  for (let index = 0; !isOver(); index++) {
    const status = (await phones[index % phones.length]?.register(60)) ?? 0;
    if (status !== 200) others.push(status);
    await sleep(200);
  }
  return others;
}

/** The times of requests, in milliseconds; those that failed are statuses in `others`. */
async function request(pbx: Pbx, isOver: () => boolean): Promise<{ times: number[]; others: number[] }> {
  const times: number[] = [];
  const others: number[] = [];
  for (let index = 0; !isOver(); index++) {
    const startedMs = performance.now();
    const { status } =
      index % 10 === 0
        ? await call(pbx.url, 'POST', '/v1/ivr', { body: menu({ name: `soak ${index}` }) })
        : await call(pbx.url, 'GET', '/v1/agents');
    times.push(performance.now() - startedMs);
    if (status >= 300) others.push(status);
    await sleep(20);
  }
  return { times, others };
}

async function part(pbx: Pbx, phones: readonly Phone[]) {
  let isOver = false;
  const beside = Promise.all([register(phones, () => isOver), request(pbx, () => isOver)]);
  const { completed, codes } = await shortCalls(pbx);
  isOver = true;
  const [unregistered, { times, others }] = await beside;
  return {
    completed,
    codes,
    unregistered,
    others,
    p99Ms: quantile(times, 0.99),
    resident: residentBytes(pbx),
  };
}

it(`R15: ${SECONDS} seconds of calls, registrations and requests leave nothing behind`, async () => {
  const pbx = await startPbx({
    ...TONE_SERVICE,
    agents: Object.fromEntries(INTERCOMS.map((intercom) => [intercom, {}])),
    menus: { tone: { option: ['1'], destination: ['hangup||hangup'] } },
    env: { RTP_PORTS: '31600-31999' },
  });
  const phones = await Promise.all(
    INTERCOMS.map((user) => Phone.open({ user, password: PASSWORD, server: pbx.sip })),
  );
  try {
    const parts = [];
    let files = 0;
    for (let index = 0; index < PARTS; index++) {
      parts.push(await part(pbx, phones));
      if (index === 0) files = openFiles(pbx);
    }
    // Transactions of UDP stay for half a minute: test/hostile/leak.test.ts waits for them.
    expect(await callsLeft(pbx)).toEqual(NOTHING_LEFT);
    const calls = Math.round(PART_SECONDS * CALLS_PER_SECOND);
    for (const { completed, codes, unregistered, others } of parts) {
      expect(completed, JSON.stringify(codes)).toBe(calls);
      expect([...unregistered, ...others]).toEqual([]);
    }
    const [first, second, last] = parts;
    const growthMb = ((last?.resident ?? 0) - (second?.resident ?? 0)) / MEGABYTE;
    expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
    // Sockets for media are made ahead of need.
    expect(openFiles(pbx)).toBeLessThanOrEqual(files + 20);
    figure(
      'R15',
      `${PARTS * calls} calls in ${SECONDS} s, 0 failed; memory ${growthMb.toFixed(1)} MB in the last third; p99 of requests ${ms(first?.p99Ms ?? 0)}, then ${ms(last?.p99Ms ?? 0)}`,
    );
  } finally {
    for (const phone of phones) phone.close();
    await pbx.remove();
  }
});
