// R32: a call is recorded for two hours. The audio is fed at the speed of the disk through the path that calls use; then the
// service lists it, sends parts and all of it, completes one whose process was killed, and deletes it in time.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HEADER_BYTES, wavHeader } from '../../src/calls/records/call-recording-file.ts';
import { type CallRecordingFacts, CallRecordings } from '../../src/calls/records/call-recordings.ts';
import { ownFolder } from '../../src/calls/records/recorded-sound.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { withMethods } from '../../src/storage/testing/with-methods.ts';
import { figure } from '../support/figure.ts';
import { ACCOUNT } from '../support/pbx.ts';
import { call, type Service, startService, TOKEN } from '../support/service.ts';
import { sleep, waitUntil } from './support/rounds.ts';

const HOURS = 2;
const SECONDS = HOURS * 3600;
const CHANNELS = 2;
const SECOND_BYTES = 8000 * CHANNELS;
const AUDIO_BYTES = SECONDS * SECOND_BYTES;
const MEGABYTE = 1024 * 1024;
/** The growth of the process that records, and of the service that sends 115 MB. */
const MAX_GROWTH = 64 * MEGABYTE;
/** The longest call: docs/limits.md. */
const LONGEST_HOURS = 12;
const DAY_MS = 86_400_000;

const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
const captures = join(dataDir, 'captures');
let service: Service | undefined;
afterAll(async () => {
  await service?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const facts = (id: string): CallRecordingFacts => ({
  id,
  kind: 'call',
  call: {
    id: `call-${id}`,
    accountId: ACCOUNT,
    callId: id,
    direction: 'inbound',
    caller: '030',
    callerName: '',
    dialled: '100',
    entry: 'ivr||main',
    startedAtMs: Date.now(),
  },
  box: null,
  eid: null,
  startedAtMs: Date.now(),
});

/** Each second has its number in its first bytes. */
function second(index: number): Buffer {
  const audio = Buffer.alloc(SECOND_BYTES, 0xff);
  audio.writeUInt32LE(index, 0);
  return audio;
}

const ROOMY = { isLow: false };

/** A piece each second, as the media worker sends them; no faster than the disk. */
async function feed(recordings: CallRecordings, id: string) {
  const recording = recordings.begin(facts(id), CHANNELS, { messages: 0, bytes: Number.POSITIVE_INFINITY });
  const part = join(captures, ACCOUNT, `${id}.part`);
  for (let index = 0; index < SECONDS; index++) {
    recording.wrote(second(index), 0, 0);
    if (index % 50 !== 49) continue;
    const bytes = HEADER_BYTES + (index + 1) * SECOND_BYTES;
    while ((statSync(part, { throwIfNoEntry: false })?.size ?? 0) < bytes) await sleep(1);
  }
  return recording;
}

const residentOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

async function range(id: string, from: number, to: number): Promise<Buffer> {
  const path = `${service?.url}/v1/call/recording/${id}/audio`;
  const headers = { authorization: `Bearer ${TOKEN}`, range: `bytes=${from}-${to}` };
  const response = await fetch(path, { headers });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to}/${HEADER_BYTES + AUDIO_BYTES}`);
  return Buffer.from(await response.arrayBuffer());
}

it(`R32: ${HOURS} hours of a call are recorded, listed, sent in parts, recovered and deleted`, async () => {
  // The first start makes the account.
  const env = { SIP: 'on', SIP_PORT: '0' };
  await (await startService({ dataDir, env })).stop();
  const storage = await openSqlite(dataDir);
  const problems: unknown[] = [];
  const recordings = new CallRecordings({
    sound: ownFolder(captures, storage),
    storage,
    disk: ROOMY,
    failed: (error) => problems.push(error),
  });
  const before = process.memoryUsage.rss();
  const recording = await feed(recordings, 'long');
  recording.ended('stopped');
  expect(await recording.outcome).toBe('saved');
  await feed(recordings, 'killed');
  const growth = process.memoryUsage.rss() - before;
  expect(problems).toEqual([]);
  expect(growth).toBeLessThan(MAX_GROWTH);
  const note = join(captures, ACCOUNT, 'killed.json');
  const written = JSON.parse(readFileSync(note, 'utf8'));
  // As if its process were gone.
  writeFileSync(note, JSON.stringify({ ...written, maker: { ...written.maker, pid: 2 ** 22 + 1 } }));
  await storage.close();

  service = await startService({ dataDir, env });
  const { url, process: child } = service;
  const list = async () => (await call(url, 'GET', '/v1/call/recordings')).json.data;
  await waitUntil('both recordings', async () => (await list()).length === 2, 60_000);
  for (const { duration_ms, bytes } of await list()) {
    expect(duration_ms).toBe(SECONDS * 1000);
    expect(bytes).toBe(HEADER_BYTES + AUDIO_BYTES);
  }
  for (const id of ['long', 'killed']) {
    const header = await range(id, 0, HEADER_BYTES - 1);
    expect(header).toEqual(wavHeader(CHANNELS, AUDIO_BYTES));
    for (const index of [0, 3599, SECONDS - 1]) {
      const from = HEADER_BYTES + index * SECOND_BYTES;
      expect((await range(id, from, from + 3)).readUInt32LE(0)).toBe(index);
    }
  }
  const resident = residentOf(child.pid);
  const whole = await fetch(`${url}/v1/call/recording/long/audio`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  let sent = 0;
  for await (const piece of whole.body ?? []) sent += piece.length;
  expect(sent).toBe(HEADER_BYTES + AUDIO_BYTES);
  const served = residentOf(child.pid) - resident;
  expect(served).toBeLessThan(MAX_GROWTH);
  await service.stop();

  const again = await openSqlite(dataDir);
  const [account] = await again.listAccounts();
  if (!account) throw new Error('There is no account.');
  const kept = withMethods(again, {
    listAccounts: async () => [{ ...account, settings: { ...account.settings, keep_recordings_days: 1 } }],
  });
  await new CallRecordings({
    sound: ownFolder(captures, storage),
    storage: kept,
    disk: ROOMY,
    failed: () => undefined,
  }).forgetOld(Date.now() + 2 * DAY_MS);
  expect(statSync(join(captures, ACCOUNT, 'long.wav'), { throwIfNoEntry: false })).toBeUndefined();
  expect(await again.listCallRecordings({ accountId: ACCOUNT, kind: 'call', limit: 10 })).toEqual([]);
  await again.close();
  figure(
    'R32',
    `${Math.round(AUDIO_BYTES / MEGABYTE)} MB recorded with ${Math.round(growth / MEGABYTE)} MB more memory, sent with ${Math.round(served / MEGABYTE)} MB`,
  );
});

it(`R32: the WAV header holds the longest call, ${LONGEST_HOURS} hours`, () => {
  const bytes = LONGEST_HOURS * 3600 * SECOND_BYTES;
  expect(wavHeader(CHANNELS, bytes).readUInt32LE(54)).toBe(bytes);
});
