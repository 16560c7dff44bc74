// R3: the disk of the database fills up and is freed again. Writes are refused meanwhile, reads are not, and nothing
// has to be restarted. R28: it is full when the service starts.
import { chownSync, closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { Phone } from '../support/phone/phone.ts';
import { postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { Creations, listIvrs, NOTHING_WRONG } from './support/creations.ts';
import { type Answer, ask, faultOfRefusal, keepAlive } from './support/http.ts';
import { mountMissing, mountSmallDisk } from './support/needs.ts';
import { ms, report, waitUntil } from './support/rounds.ts';
import { integrityOf, sqliteFile } from './support/sqlite-file.ts';

const DISK_MB = 48;
const BEFORE = 50;
/** A database has room of its own to use up before it asks the disk for more. */
const MAX_UNTIL_REFUSED = 20_000;
const WHILE_FULL = 40;

describe.skipIf(mountMissing())('the disk is full', () => {
  it('SQLite refuses writes, reads on, and recovers by itself when space is freed', async () => {
    const disk = mountSmallDisk(DISK_MB);
    let service: Service | undefined;
    try {
      service = await startService({ dataDir: disk.folder });
      await fillAndFree('SQLite', service, join(disk.folder, 'filler'));
      expect(await service.stop()).toBe(0);
      expect(integrityOf(disk.folder)).toBe('ok');
    } finally {
      await service?.remove();
      disk.remove();
    }
  });

  it.skipIf(postgresMissing())(
    'PostgreSQL with a full tablespace refuses writes, reads on, and recovers by itself when space is freed',
    async () => {
      const disk = mountSmallDisk(DISK_MB);
      const server = await startPostgres();
      let service: Service | undefined;
      try {
        const url = await server.newDatabase();
        // The tables alone: PostgreSQL stops itself when there is no room for its log, which is another fault.
        const [directory] = await query(url, "SELECT current_setting('data_directory') AS path");
        const { uid, gid } = statSync(String(directory?.['path']));
        chownSync(disk.folder, uid, gid);
        await query(url, `CREATE TABLESPACE small LOCATION '${disk.folder}'`);
        await query(url, 'CREATE DATABASE small TABLESPACE small');
        service = await startService({ env: { DATABASE_URL: new URL('/small', url).href } });
        await fillAndFree('PostgreSQL', service, join(disk.folder, 'filler'));
      } finally {
        await service?.remove();
        await server.remove();
        disk.remove();
      }
    },
  );
});

describe.skipIf(mountMissing())('a start on a full disk', () => {
  const env = { SIP: 'on', SIP_PORT: '0', DEMO: 'on' };

  it.each([
    ['after a clean end', []],
    ['without the log of the database and its index', ['-wal', '-shm']],
  ])(
    'R28: %s: takes calls, says what is missing, and writes their records when space is freed',
    async (_, parts) => {
      const disk = mountSmallDisk(DISK_MB);
      let service: Service | undefined;
      let phone: Phone | undefined;
      try {
        service = await startService({ dataDir: disk.folder, env });
        expect(await service.stop()).toBe(0);
        for (const part of parts) rmSync(`${sqliteFile(disk.folder)}${part}`, { force: true });
        fill(join(disk.folder, 'filler'));
        service = await startService({ dataDir: disk.folder, env });
        const { url } = service;
        phone = await Phone.open({ user: '5550001', server: sipOf(service) });
        const talk = await (await phone.call('100')).answered();
        await talk.hangUp();
        // The second time a little space was given back for the start, and the record may fit.
        if (parts.length === 0) await saysWhatIsMissing(service);
        expect((await call(url, 'GET', '/v1/ivrs')).status).toBe(200);
        rmSync(join(disk.folder, 'filler'));
        const greenMs = await waitUntil(
          'ready',
          async () => (await call(url, 'GET', '/readyz')).status === 200,
          60_000,
        );
        const records = async (): Promise<Json[]> => (await call(url, 'GET', '/v1/call/records')).json.data;
        await waitUntil('the record of the call', async () => (await records()).length === 1, 60_000);
        figure('R28', `started on a full disk, a call answered; ready ${ms(greenMs)} after space is freed`);
        expect(await service.stop()).toBe(0);
        expect(integrityOf(disk.folder)).toBe('ok');
      } finally {
        phone?.close();
        await service?.remove();
        disk.remove();
      }
    },
  );

  it('R28: below the reserve it is ready, and says that nothing is recorded', async () => {
    const disk = mountSmallDisk(DISK_MB);
    let service: Service | undefined;
    try {
      service = await startService({ dataDir: disk.folder, env: { RESERVE_MB: '1000' } });
      const { url } = service;
      const { status, json } = await call(url, 'GET', '/readyz');
      expect([status, json.warnings]).toEqual([
        200,
        [
          {
            code: 'disk_reserve',
            message: expect.stringMatching(/not recorded: \d+ MB are free, the reserve is 1000 MB/),
          },
        ],
      ]);
      expect(await metrics(url)).toMatch(/dialtree_disk_free_bytes \d{7}/);
    } finally {
      await service?.remove();
      disk.remove();
    }
  });
});

async function saysWhatIsMissing({ url, log }: Service): Promise<void> {
  const isFailing = async (): Promise<boolean> => /dialtree_call_records_failing 1/.test(await metrics(url));
  await waitUntil('records that cannot be written', isFailing, 60_000);
  const red = await call(url, 'GET', '/readyz');
  expect([red.status, red.json.Code]).toEqual([507, 'storage_full']);
  expect(red.json.Message).toMatch(/Cannot write records: no space left on device/);
  expect(await metrics(url)).toMatch(/dialtree_recording_stopped 1/);
  expect(log.join('\n')).toMatch(/free space is below RESERVE_MB/);
  const isLogged = (): boolean =>
    log.some((line) => /CDRs not written/.test(line) && /no space left/.test(line));
  await waitUntil('a line of the log', isLogged, 60_000);
}

const metrics = async (url: string): Promise<string> => (await call(url, 'GET', '/metrics')).text;

function sipOf({ log }: Service): { host: string; port: number } {
  const { sip = [] } = JSON.parse(log.find((line) => line.includes('"listening"')) ?? '{}') as {
    sip?: string[];
  };
  const [host = '', port] = (sip.find((each) => each.startsWith('udp ')) ?? '')
    .slice('udp '.length)
    .split(':');
  return { host, port: Number(port) };
}

async function fillAndFree(
  name: string,
  { url, process: child, said }: Service,
  filler: string,
): Promise<void> {
  const agent = keepAlive(4);
  const creations = new Creations(`disk ${name}`);
  const readiness = async (): Promise<number> => (await ask(agent, url, '/readyz')).status;
  for (let count = 0; count < BEFORE; count++) {
    expect((await creations.create(agent, url)).status).toBe(201);
  }
  const [known = ''] = creations.acknowledged.values();
  expect(await readiness()).toBe(200);

  fill(filler);
  const refused: Answer[] = [];
  for (let count = 0; count < MAX_UNTIL_REFUSED && refused.length === 0; count++) {
    const answer = await creations.create(agent, url);
    if (answer.status !== 201) refused.push(answer);
  }
  expect([503, 507], 'ready after a write that failed').toContain(await readiness());
  const reads: number[] = [];
  for (let count = 0; count < WHILE_FULL; count++) {
    const answer = await creations.create(agent, url);
    if (answer.status !== 201) refused.push(answer);
    reads.push((await ask(agent, url, `/v1/ivr/${known}`)).status);
    reads.push((await ask(agent, url, '/v1/ivrs?limit=5')).status);
  }
  const statuses = [...new Set(refused.map(({ status, failed }) => failed ?? status))];
  expect(child.exitCode, said.join('')).toBeNull();
  expect(refused.length).toBeGreaterThan(WHILE_FULL / 2);
  expect([503, 507]).toEqual(expect.arrayContaining(statuses));
  expect(refused.map(faultOfRefusal).filter((fault) => fault !== null)).toEqual([]);
  expect(reads.filter((status) => status !== 200)).toEqual([]);

  rmSync(filler);
  // Nothing is written now: the service finds out by itself.
  const greenMs = await waitUntil('/readyz green', async () => (await readiness()) === 200, 60_000);
  const first = await creations.create(agent, url);
  expect(first.status, first.text).toBe(201);
  const promised = creations.acknowledged.size;
  await creations.settle(agent, url);
  const wrong = creations.compare((await listIvrs(agent, url)).ivrs);
  agent.destroy();
  report(
    `disk full ${name}: ${refused.length} writes refused with ${statuses.join(' and ')}, ${reads.length} reads answered; ` +
      `ready ${ms(greenMs)} after space is freed; ` +
      `${promised} acknowledged, ${wrong.lost.length} lost, ${wrong.duplicates.length} duplicates`,
  );
  expect(wrong).toEqual(NOTHING_WRONG);
}

/** Takes every byte there is: large pieces first, then small ones into the gaps. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1 << 20, 4096, 1]) {
      const piece = Buffer.alloc(size, 1);
      for (let count = 0; count < (DISK_MB << 20) / size; count++) {
        try {
          if (writeSync(descriptor, piece) < size) break;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          break;
        }
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
