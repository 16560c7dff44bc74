// Thousands of short calls leave nothing behind (R16). LEAK_CALLS=100000 is the long run.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import { leftovers, metric, NOTHING_LEFT, openFiles, residentBytes } from './support/metrics.ts';
import type { ShortCallsAnswer } from './support/short-calls-process.ts';
import { wait } from './support/stranger.ts';

const LEAK_CALLS = Number(process.env['LEAK_CALLS'] ?? 3_000);
/** What is filled once: caches, pages of the database, compiled code. */
const WARM_UP = Math.min(10_000, LEAK_CALLS / 2);
const PER_SECOND = Number(process.env['LEAK_RATE'] ?? 200);
const MEGABYTE = 1024 * 1024;

describe.skipIf(!existsSync('/proc/self/fd'))('leaks', () => {
  let pbx: Pbx;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-heap-'));
    pbx = await startPbx({
      ...TONE_SERVICE,
      env: {
        // A snapshot is taken after everything that is not needed was thrown away: the only way to ask for that from outside.
        NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
        // Sockets of calls are made ahead of need and kept: in this range all of them are made before the first call.
        RTP_PORTS: '31000-31511',
        MEDIA_WORKERS: '2',
      },
      menus: { tone: { option: ['1'], destination: ['ivr||tone'] } },
    });
  });
  afterAll(async () => {
    await pbx?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function shortCalls(calls: number): Promise<ShortCallsAnswer> {
    const question = {
      server: pbx.sip,
      host: '127.0.0.1',
      number: TONE_NUMBER,
      calls,
      perSecond: PER_SECOND,
    };
    const words = [
      '--import',
      'tsx',
      'test/hostile/support/short-calls-process.ts',
      JSON.stringify(question),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 + calls * 20 });
    return JSON.parse(stdout) as ShortCallsAnswer;
  }

  /** Bytes that are still in use when nothing happens. */
  async function heapInUse(): Promise<number> {
    pbx.process.kill('SIGUSR2');
    let bytes = 0;
    for (let same = 0; same < 10; ) {
      await wait(100);
      const [file] = readdirSync(folder);
      const now = file === undefined ? 0 : statSync(join(folder, file)).size;
      same = now > 0 && now === bytes ? same + 1 : 0;
      bytes = now;
    }
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
    return metric(pbx, 'nodejs_heap_size_used_bytes');
  }

  async function state() {
    const left = await leftovers(pbx);
    const heap = await heapInUse();
    return { left, heap, files: openFiles(pbx), resident: residentBytes(pbx) };
  }

  it(`${LEAK_CALLS} calls after the first ${WARM_UP}: heap within 5 MB, no file, leg, stream or transaction more`, async () => {
    const warm = await shortCalls(WARM_UP);
    expect(warm.codes).toEqual({ 200: WARM_UP });
    const before = await state();
    const run = await shortCalls(LEAK_CALLS);
    const after = await state();
    console.log({ run, before, after, heapGrown: (after.heap - before.heap) / MEGABYTE });
    expect(run.codes).toEqual({ 200: LEAK_CALLS });
    expect([before.left, after.left]).toEqual([NOTHING_LEFT, NOTHING_LEFT]);
    expect(after.files).toBeLessThanOrEqual(before.files);
    expect(after.heap - before.heap).toBeLessThan(5 * MEGABYTE);
    expect(await metric(pbx, 'dialtree_calls_ended_total{end="caller-hung-up"}')).toBe(WARM_UP + LEAK_CALLS);
  });
});
