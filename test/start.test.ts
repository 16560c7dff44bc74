// The first minute of a newcomer: what is printed, what works when pasted, and what is said when it cannot start.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from './support/postgres.ts';
import { call, runProcess, type Service, startService } from './support/service.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const NO_CERTIFICATE = { SIP_TLS_CERT: '/nowhere/cert.pem', SIP_TLS_KEY: '/nowhere/key.pem' };

/** In use until the tests are over. */
async function takenPort(protocol: 'udp' | 'tcp'): Promise<string> {
  if (protocol === 'udp') {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    afterAll(() => socket.close());
    return String(socket.address().port);
  }
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  afterAll(() => server.close());
  return String((server.address() as { port: number }).port);
}

async function withService<T>(
  env: Record<string, string>,
  dataDir: string,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ env, dataDir });
  try {
    return await work(service);
  } finally {
    await service.stop('SIGTERM');
  }
}

describe('the first start', () => {
  it('keeps a token for its owner alone, names its file, and every curl line works when pasted', async () => {
    const dataDir = newFolder();
    const secret = await withService({ ACCESS_TOKEN: '', DEMO: 'on' }, dataDir, async (service) => {
      const said = service.said.join('');
      const file = join(dataDir, 'access-token');
      const token = readFileSync(file, 'utf8').trim();
      expect(token).toMatch(/^dialtree_[\w-]{43}$/);
      expect(said).toContain(file);
      expect(said).not.toContain(token);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(service.log.join('')).not.toContain(token);
      const lines = said.split('\n').filter((line) => line.trim().startsWith('curl '));
      expect(lines.length).toBeGreaterThanOrEqual(2);
      for (const line of lines) {
        // Without curl on the machine the same request is made by hand.
        const hasCurl = spawnSync('curl', ['--version']).status === 0;
        const [, url = ''] = /(http:\S+)/.exec(line) ?? [];
        const text = hasCurl
          ? execFileSync('sh', ['-c', line], { encoding: 'utf8' })
          : (await call(url, 'GET', '', { token })).text;
        expect(JSON.parse(text)).not.toHaveProperty('Success', false);
      }
      return token;
    });
    await withService({ ACCESS_TOKEN: '' }, dataDir, async (service) => {
      expect(service.said.join('')).not.toContain(secret);
      expect((await call(service.url, 'GET', '/v1/agents', { token: secret })).json).toHaveLength(3);
    });
  });

  it('brings agents 1001 to 1003, departments, a menu without warnings, a number and recordings that really sound', async () => {
    const dataDir = newFolder();
    await withService({ DEMO: 'on' }, dataDir, async ({ url }) => {
      const agents = (await call(url, 'GET', '/v1/agents')).json as {
        intercom: string;
        departments: unknown[];
      }[];
      expect(agents.map(({ intercom }) => intercom)).toEqual(['1001', '1002', '1003']);
      expect(agents.every(({ departments }) => departments.length > 0)).toBe(true);
      expect((await call(url, 'GET', '/v1/ivr/main')).json.warnings).toEqual([]);
      expect((await call(url, 'POST', '/v1/team', { body: { name: 'second' } })).json.id).toBe(2);
      expect((await call(url, 'POST', '/v1/agent', { body: { name: 'fourth' } })).json).toMatchObject({
        eid: '100004',
        intercom: '1004',
      });
    });
    const sounds = readdirSync(join(dataDir, 'recordings'));
    expect(sounds).toHaveLength(4);
    for (const name of sounds) {
      const bytes = readFileSync(join(dataDir, 'recordings', name));
      expect(name).toBe(`${createHash('sha256').update(bytes).digest('hex')}.wav`);
      // µ-law, 8 kHz, one channel; and loud: not a file of silence (0xff).
      expect([bytes.toString('latin1', 0, 4), bytes.readUInt16LE(20), bytes.readUInt32LE(24)]).toEqual([
        'RIFF',
        7,
        8000,
      ]);
      expect(new Set(bytes.subarray(100)).size).toBeGreaterThan(100);
    }
  });

  it('what it writes is for its owner alone, also in a folder that others may enter', async () => {
    const dataDir = newFolder();
    chmodSync(dataDir, 0o755);
    await withService({ DEMO: 'on', ACCESS_TOKEN: '' }, dataDir, async ({ url }) => {
      await call(url, 'GET', '/v1/agents');
      for (const name of readdirSync(dataDir))
        expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    });
  });

  it('names the ports that were taken, where the system was to choose them', async () => {
    const env = { PORT: '0', DEMO: 'on', SIP: 'on', SIP_PORT: '0' };
    await withService(env, newFolder(), async ({ said, url }) => {
      const { host, port } = (await call(url, 'GET', '/v1/telephony')).json;
      const text = said.join('');
      expect(port).toBeGreaterThan(0);
      expect(text).toContain(`sip:100@${host}:${port})`);
      expect(text).toContain(`register a SIP phone at ${host}:${port} as`);
      expect(text).toContain(`running at ${url} for the first time`);
      expect(text).not.toMatch(/:0\b/);
    });
  });

  it('leaves nothing behind where a port or address cannot be used: the next start is the first', async () => {
    const dataDir = newFolder();
    const env = { PORT: '0', DEMO: 'on', SIP: 'on', SIP_PORT: '0', ACCESS_TOKEN: '' };
    for (const [broken, message] of [
      [
        { PORT: await takenPort('tcp') },
        /^PORT \d+ on 127\.0\.0\.1 is in use by another program\. .*set PORT/,
      ],
      [{ SIP_PORT: await takenPort('udp') }, /^UDP port \d+ .* is taken by another program\. .*set SIP_PORT/],
      [
        { WEBRTC_PORT: await takenPort('udp') },
        /^UDP port \d+ .* is taken by another program\. .*set WEBRTC_PORT/,
      ],
      [{ SIP_HOST: 'no-such-host.invalid' }, /^no-such-host.invalid cannot be resolved\. Set SIP_HOST /],
      [{ SIP_HOST: '192.0.2.1' }, /^192\.0\.2\.1 is no address of this machine\. Set SIP_HOST /],
      [{ SIP_TLS_PORT: '0', ...NO_CERTIFICATE }, /^SIP_TLS_CERT \S+ cannot be read/],
    ] as const) {
      const failed = await runProcess(['serve'], { env: { ...env, ...broken }, dataDir });
      expect(failed.code).toBe(1);
      // One line, and nothing of an account.
      expect(failed.err).toMatch(/^dialtree: .*\n$/);
      expect(failed.err.slice('dialtree: '.length)).toMatch(message);
      expect(readdirSync(dataDir).filter((name) => /^(access-token|recordings|secret)/.test(name))).toEqual(
        [],
      );
    }
    // A name as SIP_HOST, and the number of the demonstration is there from the start on.
    await withService({ ...env, SIP_HOST: 'localhost' }, dataDir, async ({ said, url }) => {
      expect(said.join('')).toContain(`running at ${url} for the first time`);
      expect(said.join('')).toContain('dialtree.js agent password');
      const token = readFileSync(join(dataDir, 'access-token'), 'utf8').trim();
      const { port } = (await call(url, 'GET', '/v1/telephony', { token })).json;
      const words = ['call', '100', '--seconds', '1', '--server', `localhost:${port}`];
      const { out, code } = await runProcess(words, { env: { SIP_HOST: 'localhost' } });
      expect([out, code]).toEqual([expect.stringContaining('answered'), 0]);
    });
    // Seven starts: seconds each where the processors are busy.
  }, 120_000);

  it('DEMO=off starts empty', async () => {
    await withService({ DEMO: 'off' }, newFolder(), async ({ url }) => {
      expect((await call(url, 'GET', '/v1/agents')).json).toEqual([]);
      expect((await call(url, 'GET', '/v1/ivrs')).json).toEqual({ data: [], next_cursor: null });
    });
  });

  it('ACCESS_TOKEN is the token instead of a made one, is not printed, and a new one replaces it', async () => {
    const dataDir = newFolder();
    await withService({ ACCESS_TOKEN: 'the-first-token-of-all' }, dataDir, async (service) => {
      expect((await call(service.url, 'GET', '/v1/agents', { token: 'the-first-token-of-all' })).status).toBe(
        200,
      );
      expect(service.said.join('')).not.toContain('the-first-token-of-all');
      expect(readdirSync(dataDir)).not.toContain('access-token');
    });
    await withService({ ACCESS_TOKEN: 'the-second-token-of-all' }, dataDir, async ({ url }) => {
      expect((await call(url, 'GET', '/v1/agents', { token: 'the-second-token-of-all' })).status).toBe(200);
      expect((await call(url, 'GET', '/v1/agents', { token: 'the-first-token-of-all' })).status).toBe(401);
    });
  });
});

it('a misspelt variable is named at the start, which goes on without it', async () => {
  await withService({ PROT: '1' }, newFolder(), async ({ said }) => {
    expect(said.join('')).toContain('warning: PROT is no variable of Dialtree. Did you mean PORT?\n');
    expect(said.join('').match(/is no variable/g)).toHaveLength(1);
  });
});

describe('a second process on one data folder', () => {
  it('is refused with the id of the first; commands work beside it, and a killed process leaves no lock', async () => {
    const dataDir = newFolder();
    const first = await startService({ dataDir });
    const second = () => runProcess(['serve'], { env: { PORT: '0' }, dataDir });
    const refused = await second();
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^dialtree: DATA_DIR ${dataDir} is in use by the Dialtree process ${first.process.pid}, which runs since \\S+\\. ` +
            'Stop that process, or set DATA_DIR to another folder\\.\\n$',
        ),
      ),
    ]);
    expect((await call(first.url, 'GET', '/v1/agents')).status).toBe(200);
    expect((await runProcess(['token', 'list'], { dataDir })).code).toBe(0);
    // After its own start failed, the second has not taken the lock along.
    expect((await second()).code).toBe(1);
    await first.stop('SIGKILL');
    const next = await startService({ dataDir });
    expect((await call(next.url, 'GET', '/v1/agents')).status).toBe(200);
    expect(await next.stop('SIGTERM')).toBe(0);
    expect(readdirSync(dataDir)).not.toContain('lock.json');
  });
});

describe('a start that cannot succeed ends with one clear line and code 1', () => {
  const start = async (env: Record<string, string>) => {
    const result = await runProcess(['serve'], { env: { DATA_DIR: newFolder(), PORT: '0', ...env } });
    expect(result.code).toBe(1);
    expect(result.err).not.toMatch(/^\s+at /m);
    return result.err;
  };

  it('when a variable has a value that is not allowed', async () => {
    expect(await start({ PORT: 'http' })).toBe(
      'dialtree: PORT is "http", but must be a whole number from 0 to 65535.\n',
    );
  });

  it('when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(await start({ PORT: String(port) })).toBe(
      `dialtree: PORT ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free one.\n`,
    );
    other.close();
  });

  it('when the address is not of this machine', async () => {
    expect(await start({ HOST: '192.0.2.1' })).toBe(
      'dialtree: HOST 192.0.2.1 is not an address of this machine.\n',
    );
  });

  it('when the data folder cannot be made or written', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    expect(await start({ DATA_DIR: file })).toMatch(/^dialtree: DATA_DIR \S+a-file cannot be used: .+\n$/);
    expect(await start({ DATA_DIR: '/proc/dialtree' })).toMatch(
      /^dialtree: DATA_DIR \/proc\/dialtree cannot be used: .+\n$/,
    );
    const locked = newFolder();
    chmodSync(locked, 0o500);
    // Root may write anyway; then the start is fine, and that is checked elsewhere.
    if (process.getuid?.() !== 0) expect(await start({ DATA_DIR: locked })).toContain('cannot be used');
  });

  it('when a file of the first start cannot be written', async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'recordings'), 'in the way');
    expect(await start({ DATA_DIR: dataDir, DEMO: 'on' })).toMatch(
      /^dialtree: DATA_DIR \S+ cannot be used: .+\n$/,
    );
  });

  it('when the file is not a database', async () => {
    const dataDir = newFolder();
    writeFileSync(
      join(dataDir, 'dialtree.sqlite'),
      'this is no database, but it is long enough to look like one'.repeat(50),
    );
    expect(await start({ DATA_DIR: dataDir })).toMatch(
      /^dialtree: DATA_DIR \S+ cannot be used: .*not a database\n$/,
    );
  });

  it('when the database does not answer, without showing its password', async () => {
    const port = await freePort();
    const line = await start({ DATABASE_URL: `postgres://me:hidden-word@127.0.0.1:${port}/x` });
    expect(line).toMatch(
      /^dialtree: DATABASE_URL postgres:\/\/me:\*\*\*@127\.0\.0\.1:\d+\/x cannot be used: .+\n$/,
    );
    expect(line).not.toContain('hidden-word');
  });
});
