// dialtree doctor: on a healthy machine, beside a running service, and where something is broken.
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../../src/sip/testing/test-certificate.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { runDialtree, runProcess, startService } from '../support/service.ts';

interface Check {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A range of its own for sound, away from those of other tests and of the system. */
const first = 11_000 + (process.pid % 20) * 200;
const ports = (from: number, to: number): string => `${first + from}-${first + to}`;
/** Beside whatever else runs here: nothing is asked of the usual ports. */
const quiet = { SIP: 'on', PORT: '0', SIP_PORT: '0', MAX_CALLS: '10', RTP_PORTS: ports(0, 99) };

async function doctor(
  env: Record<string, string>,
  dataDir: string,
  ...words: string[]
): Promise<{ code: number | null; checks: readonly Check[]; of(name: string): Check | undefined }> {
  // Without a call there is nothing that needs a process of its own.
  const run = words.includes('--no-call') ? runDialtree : runProcess;
  const { code, out, err } = await run(['doctor', '--json', ...words], {
    env: { ...quiet, ...env },
    dataDir,
  });
  expect(err).toBe('');
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  expect(ok).toBe(code === 0);
  return { code, checks, of: (name) => checks.find(({ check }) => check === name) };
}

let afterFirstStart = '';
beforeAll(async () => {
  afterFirstStart = newFolder();
  const service = await startService({ dataDir: afterFirstStart, env: { DEMO: 'on' } });
  await service.stop();
});

/** A data folder as the first start leaves it. */
function filledFolder(): string {
  const dataDir = newFolder();
  cpSync(afterFirstStart, dataDir, { recursive: true });
  return dataDir;
}

function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map(({ name, parentPath }) => {
      const bytes = readFileSync(join(parentPath, name));
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
    })
    .sort();
}

describe('dialtree doctor on a healthy machine', () => {
  it('finds no fault, calls itself with sound and keys both ways, and changes nothing', async () => {
    const dataDir = filledFolder();
    const before = contentOf(dataDir);
    const { code, checks } = await doctor({}, dataDir, '--ports', 'free');
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(code).toBe(0);
    const reported = checks
      .filter(({ check }) => check.startsWith('self call'))
      .map(({ check, state }) => [check, state]);
    expect(reported).toEqual(
      ['register', 'menu', 'key', 'sound', 'keys', 'end'].map((step) => [`self call: ${step}`, 'ok']),
    );
    expect(contentOf(dataDir)).toEqual(before);
  });

  it('before the first start there is nothing to fail, and nothing is made', async () => {
    const dataDir = join(newFolder(), 'not', 'there', 'yet');
    const { code, of } = await doctor({}, dataDir, '--no-call');
    expect(code).toBe(0);
    expect(of('data folder')?.message).toContain('will be made');
    expect(of('database')?.message).toContain('the first start fills it');
    expect(readdirSync(join(dataDir, '..', '..', '..'))).toEqual([]);
  });

  it('prints one line per check and a last one that counts', async () => {
    const env = { ...quiet, SIP: 'off' };
    const { code, out } = await runProcess(['doctor'], { env, dataDir: newFolder() });
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}configuration {8}Every variable can be used$/m);
    expect(out).toMatch(/^skip {2}telephones {11}SIP=off: the API runs alone, and nobody can call$/m);
    expect(out).toMatch(/\n\n\d+ checks well, \d+ warnings?, 0 faults\n$/);
  });
});

describe('dialtree doctor beside a running service', () => {
  let pbx: Pbx;
  beforeAll(async () => {
    pbx = await startPbx({
      recordings: { welcome: { hz: 1_270, ms: 20_000 } },
      menus: { main: { recording: 'recording||welcome' } },
      agents: { '1001': {} },
      numbers: { '100': 'ivr||main' },
      env: { RTP_PORTS: ports(100, 199) },
    });
  });
  afterAll(() => pbx?.remove());

  it('calls the first number that leads to a menu, and reports what it heard', async () => {
    // The TCP port differs where the system chooses, so TCP is free on the port of UDP.
    const env = {
      SIP_PORT: String(pbx.sip.port),
      PORT: new URL(pbx.url).port,
      RTP_PORTS: ports(100, 199),
    };
    const { of } = await doctor(env, pbx.dataDir);
    expect(of('HTTP port')?.message).toContain('A running Dialtree answers');
    expect(of('SIP UDP port')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('A running Dialtree answers'),
    });
    expect(of('self call')?.message).toMatch(/answered 100 after \d+ ms; heard: a tone of 1270 Hz$/);
    expect(of('self call')?.state).toBe('ok');
  });

  it('reports that the number is refused', async () => {
    const env = { SIP_PORT: String(pbx.sip.port), RTP_PORTS: ports(100, 199) };
    const { code, of } = await doctor(env, pbx.dataDir, '--number', '999');
    expect(of('self call')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('404 Not Found'),
    });
    expect(code).toBe(1);
  });
});

// The doctor finds a PostgreSQL that does not sync, as that of other tests.
onBothDatabases(
  (database) => {
    it('dialtree doctor reads the schema, and does not bring it up to date', async () => {
      const env = await database.environment();
      const { DATA_DIR: dataDir = '' } = env;
      expect((await doctor(env, dataDir, '--no-call')).of('database')?.message).toContain(
        'the first start fills it',
      );
      const service = await startService({ env, dataDir });
      await service.stop();
      expect((await doctor(env, dataDir, '--no-call')).of('database')).toMatchObject({
        state: 'ok',
        message: expect.stringContaining('schema current, writes are synced'),
      });
      expect((await doctor(env, dataDir, '--no-call')).of('numbers')?.message).toContain(
        'Nobody can call in',
      );
    });
  },
  { fsync: 'on' },
);

describe('dialtree doctor where something is broken', () => {
  it('an older schema is reported, and stays as it is', async () => {
    const dataDir = filledFolder();
    const database = new DatabaseSync(join(dataDir, 'dialtree.sqlite'));
    database.exec('DELETE FROM migrations WHERE version > 10');
    database.close();
    for (const _time of ['first', 'second']) {
      const { code, of } = await doctor({}, dataDir, '--no-call');
      expect(of('database')).toMatchObject({
        state: 'warn',
        message: expect.stringMatching(/lacks \d+ steps? of \d+/),
      });
      expect(of('recordings')).toBeUndefined();
      expect(code).toBe(0);
    }
  });

  it('variables that cannot be used are faults, one line each', async () => {
    const { code, checks } = await doctor({ SIP_PORT: 'many', MAX_CALLS: '0' }, newFolder());
    expect(code).toBe(1);
    expect(checks.map(({ check, state }) => [check, state])).toEqual([
      ['configuration', 'fail'],
      ['configuration', 'fail'],
    ]);
  });

  it('a misspelt variable is a warning, beside faults, too', async () => {
    const message = 'PROT is no variable of Dialtree. Did you mean PORT?';
    const warning = { check: 'configuration', state: 'warn', message };
    const { code, checks } = await doctor({ PROT: '1', SIP: 'off' }, newFolder());
    expect(code).toBe(0);
    expect(checks).toContainEqual(warning);
    const faulty = await doctor({ PROT: '1', MAX_CALLS: '0' }, newFolder());
    expect(faulty.checks).toContainEqual(warning);
  });

  it('a port that another program holds is named with its setting, and no call is made', async () => {
    const udp = createSocket('udp4');
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const tcp = createServer();
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    try {
      const env = { SIP_PORT: String(udp.address().port), PORT: String((tcp.address() as AddressInfo).port) };
      const { code, of } = await doctor(env, newFolder());
      expect(code).toBe(1);
      expect(of('SIP UDP port')).toMatchObject({
        state: 'fail',
        message: `UDP port ${env.SIP_PORT} of 127.0.0.1 is taken by another program. Stop it, or set SIP_PORT to a free port.`,
      });
      expect(of('HTTP port')).toMatchObject({
        state: 'fail',
        message: expect.stringContaining('set PORT to a free port'),
      });
      expect(of('self call')?.state).toBe('skip');
    } finally {
      udp.close();
      tcp.close();
    }
  });

  it('a file that is no database is reported, and not touched', async () => {
    const dataDir = newFolder();
    const file = join(dataDir, 'dialtree.sqlite');
    writeFileSync(file, 'this is no database, but long enough to be read as one. '.repeat(100));
    const before = contentOf(dataDir);
    const { code, of } = await doctor({}, dataDir, '--no-call');
    expect(of('database')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('cannot be read'),
    });
    expect(code).toBe(1);
    expect(contentOf(dataDir)).toEqual(before);
  });

  it('a data folder that cannot be written to is reported', async () => {
    // A file in its place stops root, too, whom rights do not stop.
    const dataDir = join(newFolder(), 'taken');
    writeFileSync(dataDir, '');
    const { of } = await doctor({}, dataDir, '--no-call');
    expect(of('data folder')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('DATA_DIR'),
    });
  });

  it('recordings without their file, or in another format, are named', async () => {
    const dataDir = filledFolder();
    const recordings = join(dataDir, 'recordings');
    const sound = (name: string): string => {
      const bytes = readFileSync(new URL(`../../examples/recordings/${name}.wav`, import.meta.url));
      return join(recordings, `${createHash('sha256').update(bytes).digest('hex')}.wav`);
    };
    rmSync(sound('welcome'));
    writeFileSync(sound('invalid'), 'ID3, some MP3');
    const { code, of } = await doctor({}, dataDir, '--no-call');
    expect(code).toBe(1);
    expect(of('recordings')?.message).toContain(
      `welcome (“Welcome and choices”): ${sound('welcome')} is missing`,
    );
    expect(of('recordings')?.message).toContain(`${sound('invalid')} cannot be played: no RIFF WAVE file`);
  });

  it('a certificate and a key that do not belong together', async () => {
    const folder = newFolder();
    const [one, other] = [testCertificate('localhost'), testCertificate('localhost')];
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, one.certificate);
    writeFileSync(key, other.key);
    const env = { SIP_TLS_PORT: '0', SIP_TLS_CERT: cert, SIP_TLS_KEY: key };
    const mismatched = await doctor(env, folder);
    expect(mismatched.of('TLS certificate')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('does not belong to the certificate'),
    });
    expect(mismatched.of('self call')?.state).toBe('skip');
    expect(mismatched.code).toBe(1);
    writeFileSync(key, one.key);
    const matched = await doctor(env, folder, '--no-call');
    // It is made for one day, and so runs out soon.
    expect(matched.of('TLS certificate')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('runs out'),
    });
    expect(matched.code).toBe(0);
  });

  it('a range for sound that is too small for MAX_CALLS, or for a single conversation', async () => {
    const small = await doctor({ MAX_CALLS: '100', RTP_PORTS: ports(0, 19) }, newFolder(), '--no-call');
    expect(small.of('sound ports')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('Widen it to 200 ports'),
    });
    expect(small.code).toBe(0);
    const tiny = await doctor({ RTP_PORTS: ports(1, 4) }, newFolder(), '--no-call');
    expect(tiny.of('sound ports')?.state).toBe('fail');
    expect(tiny.code).toBe(1);
  });

  it('words that make no sense are answered with the usage and code 2', async () => {
    for (const words of [
      ['doctor', 'now'],
      ['doctor', '--ports', '5060'],
    ]) {
      const { code, err } = await runDialtree(words);
      expect([words, code]).toEqual([words, 2]);
      expect(err).toContain('dialtree doctor');
    }
  });
});
