// R19: backup and restore of a running service: calls go on, and a kill at any moment leaves the service, the backup and the
// folder that is restored into in a clear state.
import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../../src/calls/records/call-recording-file.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { hangUpAll, heardByAll, listeners, nowOf, Stalls, TONE_SERVICE } from '../hostile/support/audio.ts';
import { onBothDatabases } from '../support/databases.ts';
import { fillEveryKind } from '../support/every-kind.ts';
import { figure } from '../support/figure.ts';
import { ACCOUNT, startPbx } from '../support/pbx.ts';
import { call, runProcess, spawnDialtree, startService } from '../support/service.ts';
import { allFiles, allRows } from '../support/whole-service.ts';
import { between, ms, quantile, ROUNDS, sleep } from './support/rounds.ts';

/** Megabytes of recorded calls while calls listen; BACKUP_MB=1000 is the figure of docs/reliability.md. */
const MEGABYTES = Number(process.env['BACKUP_MB'] ?? 100);
const FILE_MB = 2;
const CALLS = 10;

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Recorded calls as the service would have left them. */
async function fillRecordings(
  storage: Storage,
  dataDir: string,
  accountId: string,
  megabytes: number,
): Promise<void> {
  const audio = Buffer.alloc(FILE_MB * 1_000_000, 0x55);
  const below = join(dataDir, 'captures', accountId);
  await mkdir(below, { recursive: true });
  for (let index = 0; index < megabytes / FILE_MB; index += 1) {
    const id = `recorded-${index}`;
    audio.writeUInt32LE(index, 0);
    const file = createWriteStream(join(below, `${id}.wav`));
    file.write(wavHeader(2, audio.length));
    await new Promise<void>((resolve) => file.end(audio, () => resolve()));
    await storage.saveCallRecording({
      accountId,
      id,
      kind: 'call',
      callId: id,
      box: null,
      eid: '1',
      caller: '030',
      callerName: '',
      dialled: '100',
      startedAtMs: index,
      durationMs: 125_000,
      bytes: audio.length + 58,
      heardAtMs: null,
      place: null,
    });
  }
}

const opened = ({ DATA_DIR = '', DATABASE_URL: url }: Record<string, string>): Promise<Storage> =>
  url === undefined ? openSqlite(DATA_DIR) : openPostgres({ url });

/** Kills it so long after it has `begun`; whether it was still running. */
async function killed(
  words: readonly string[],
  env: Record<string, string>,
  begun: () => boolean,
  afterMs: number,
): Promise<boolean> {
  const child = spawnDialtree(words, { env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !begun()) await sleep(2);
  await Promise.race([sleep(afterMs), ended]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return isRunning;
}

onBothDatabases((database) => {
  it(`R19: a backup and a restore that are killed ${ROUNDS} times each leave nothing half-done`, async () => {
    const env = await database.environment();
    const service = await startService({ env: { ...env, DEMO: 'on' } });
    try {
      await fillEveryKind(service.url);
      const storage = await opened(env);
      await fillRecordings(storage, env['DATA_DIR'] ?? '', (await storage.listAccounts())[0]?.id ?? '', 20);
      await storage.close();
      const backups = mkdtempSync(join(folder, 'backups-'));
      const startedMs = performance.now();
      const good = join(backups, 'good.tar');
      expect((await runProcess(['backup', good], { env })).code).toBe(0);
      const tookMs = performance.now() - startedMs;

      let cutBackups = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const out = join(backups, `killed-${round}.tar`);
        if (await killed(['backup', out], env, () => existsSync(`${out}.part`), between(0, 0.4) * tookMs))
          cutBackups += 1;
        // Under its name only when it is whole: reading it back is a restore's first step.
        if (existsSync(out))
          expect((await runProcess(['restore', out], { env: await database.environment() })).code).toBe(0);
        expect((await call(service.url, 'GET', '/readyz')).status).toBe(200);
      }

      const [rows, files] = [await allRows(env), allFiles(env['DATA_DIR'] ?? '')];
      let there = await database.environment();
      let cutRestores = 0;
      const isUnfinished = (): boolean => existsSync(join(there['DATA_DIR'] ?? '', 'restore-unfinished'));
      const isWhole = (): boolean =>
        !isUnfinished() && existsSync(join(there['DATA_DIR'] ?? '', 'installation'));
      for (let round = 0; round < ROUNDS; round += 1) {
        if (isWhole()) there = await database.environment();
        await killed(['restore', good], there, isUnfinished, between(0, 0.5) * tookMs);
        if (!isUnfinished()) continue;
        cutRestores += 1;
        const start = await runProcess(['serve'], { env: { ...there, PORT: '0' } });
        expect([start.code, start.err]).toEqual([1, expect.stringContaining('was not finished')]);
      }
      if (!isWhole()) expect((await runProcess(['restore', good], { env: there })).code).toBe(0);
      const after = await allRows(there);
      for (const table of ['accounts', 'records', 'captures', 'record_keys'])
        expect(after[table]).toEqual(rows[table]);
      expect(allFiles(there['DATA_DIR'] ?? '')).toEqual(files);
      figure(
        'R19',
        `${database.name}: ${cutBackups} backups and ${cutRestores} restores killed half-way; no file under a backup's name was damaged, no service started on half a restore, and the restore after it was whole`,
      );
    } finally {
      await service.remove();
    }
  });
});

describe('a backup of a service with calls', () => {
  it(`R19: ${MEGABYTES} MB of recordings: no call hears it`, async () => {
    const pbx = await startPbx(TONE_SERVICE);
    const stalls = new Stalls();
    const callers = await listeners(pbx, CALLS);
    try {
      const storage = await openSqlite(pbx.dataDir);
      await fillRecordings(storage, pbx.dataDir, ACCOUNT, MEGABYTES);
      await storage.close();
      const calm = await during(callers, stalls, pbx.url, sleep(3_000));
      const out = join(folder, 'calls.tar');
      const startedMs = performance.now();
      const backup = runProcess(['backup', out], { dataDir: pbx.dataDir });
      const busy = await during(callers, stalls, pbx.url, backup);
      const tookMs = performance.now() - startedMs;
      expect((await backup).code).toBe(0);
      figure(
        'R19',
        `backup of ${MEGABYTES} MB in ${ms(tookMs)} beside ${CALLS} calls: gaps in the audio ${busy.gaps} (calm ${calm.gaps}), ` +
          `packets lost ${busy.lost}, /healthz p99 ${ms(busy.healthMs)} (calm ${ms(calm.healthMs)})`,
      );
      expect([busy.lost, busy.wrong, busy.ended]).toEqual([0, [], 0]);
    } finally {
      stalls.close();
      await hangUpAll(callers);
      await pbx.remove();
    }
  });
});

async function during(
  callers: Awaited<ReturnType<typeof listeners>>,
  stalls: Stalls,
  url: string,
  work: Promise<unknown>,
) {
  const sinceMs = nowOf(callers);
  const tookMs: number[] = [];
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const askedMs = performance.now();
    expect((await call(url, 'GET', '/healthz')).status).toBe(200);
    tookMs.push(performance.now() - askedMs);
    await sleep(20);
  }
  return { ...heardByAll(callers, sinceMs, stalls), healthMs: quantile(tookMs, 0.99) };
}
