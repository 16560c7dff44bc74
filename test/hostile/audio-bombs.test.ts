// Everything that is wrong with sound files, uploaded while ten callers listen to a tone (T23, R23): each is converted or refused, the
// memory stays bounded, nothing is left on the disk, and calls are not affected.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audioCorpus } from '../support/audio-corpus.ts';
import { corpusMissing } from '../support/corpora.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call } from '../support/service.ts';
import { BOMBS, mp3Silence } from '../support/sound-bombs.ts';
import {
  hangUpAll,
  heardByAll,
  type Listener,
  listeners,
  nowOf,
  Stalls,
  TONE_SERVICE,
} from './support/audio.ts';

const CALLS = 10;
const MAX_GROWTH_MB = 50;
const QUIET_MS = 5_000;

describe.skipIf(corpusMissing('audio'))('sound files that mean harm', () => {
  let pbx: Pbx;
  let callers: Listener[];
  let stalls: Stalls;
  beforeAll(async () => {
    pbx = await startPbx(TONE_SERVICE);
    stalls = new Stalls();
    callers = await listeners(pbx, CALLS);
  });
  afterAll(async () => {
    stalls?.close();
    if (callers !== undefined) await hangUpAll(callers);
    await pbx?.remove();
  });

  const memoryMb = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pbx.process.pid}/status`, 'utf8'))?.[1]) / 1024;

  it('are converted or refused, and no call hears anything of it', async () => {
    const files = [
      ...audioCorpus(),
      ...Object.entries(BOMBS).map(([name, make]) => ({ name, bytes: make(), isBomb: true })),
    ];
    const upload = async (bytes: Buffer) => {
      const fromMs = performance.now();
      const reply = await call(pbx.url, 'POST', '/v1/recording', { body: recordingForm({}, bytes) });
      return { ...reply, tookMs: performance.now() - fromMs };
    };
    // A good file of each format first: the thread, with its decoders, is there for good.
    const sounds = new URL('../support/sounds/', import.meta.url);
    for (const name of readdirSync(sounds)) await upload(readFileSync(new URL(name, sounds)));
    // How long gaps are on this machine without any of it, in the same run.
    const quietSince = nowOf(callers);
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const quiet = heardByAll(callers, quietSince, stalls);
    const before = memoryMb();
    const sinceMs = nowOf(callers);
    const times: number[] = [];
    for (const { name, bytes, ...more } of files) {
      const { status, json, tookMs } = await upload(bytes);
      expect('isBomb' in more ? [413, 415, 422] : [201, 415, 422], `${name}: ${json.Message}`).toContain(
        status,
      );
      times.push(tookMs);
    }
    // What is garbage by now goes a moment later.
    if (process.platform === 'linux')
      await expect.poll(() => memoryMb() - before).toBeLessThan(MAX_GROWTH_MB);
    expect(readdirSync(join(pbx.dataDir, 'recordings')).filter((name) => name.endsWith('.part'))).toEqual([]);
    const { lost, wrong, ended, gaps } = heardByAll(callers, sinceMs, stalls);
    const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    console.log(
      `half of the files took ${Math.round(median)} ms; gaps in sound: ${gaps} (without files: ${quiet.gaps})`,
    );
    expect([lost, wrong, ended]).toEqual([0, [], 0]);
  });

  it('sent all at once are told to wait, and are dealt with when they come again', async () => {
    // Each takes a good part of a second to convert, and little to send.
    const bytes = mp3Silence(120);
    const many = Array.from({ length: 60 }, () =>
      call(pbx.url, 'POST', '/v1/recording', { body: recordingForm({}, bytes) }),
    );
    const replies = await Promise.all(many);
    const taken = replies.filter(({ status }) => status === 201);
    expect(taken.length).toBeGreaterThan(0);
    expect(replies.length - taken.length).toBe(replies.filter(({ status }) => status === 503).length);
    const refused = replies.filter(({ status }) => status === 503);
    for (const { headers, json } of refused)
      expect([headers.get('retry-after'), json.Code]).toEqual(['2', 'overloaded']);
    const again = await call(pbx.url, 'POST', '/v1/recording', { body: recordingForm() });
    expect(again.status, again.text).toBe(201);
  });
});
