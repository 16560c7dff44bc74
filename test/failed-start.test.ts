// Whichever step of a start fails, nothing stays open: no socket, no thread, and the process ends by itself.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from './support/postgres.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
/** The gateway is the one step that waits for nothing outside: its socket is made to fail. */
const NO_CONNECTIONS = `data:text/javascript,${encodeURIComponent(
  `import net from 'node:net'; import { syncBuiltinESMExports } from 'node:module';
   net.connect = () => { throw new Error('no connection can be made'); }; syncBuiltinESMExports();`,
)}`;

/** Beside the threads of the program, which it starts. */
const PROGRAM = join(root, `dist/failed-start.${process.pid}.js`);
beforeAll(async () => {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/support/failed-start.ts'],
    outfile: PROGRAM,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
});
afterAll(() => rmSync(PROGRAM, { force: true }));

let folder: string;
let closers: (() => void)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  closers = [() => rmSync(folder, { recursive: true, force: true })];
});
afterEach(() => {
  for (const close of closers) close();
});

async function start(env: Record<string, string>, more: readonly string[] = []) {
  const { stdout } = await run(process.execPath, [...more, PROGRAM], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: folder,
      PORT: '0',
      SIP_PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      ...env,
    },
    timeout: 60_000,
  });
  return JSON.parse(stdout) as { message: string; open: string[] };
}

async function takenTcp(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : '');
}

async function takenUdp(): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closers.push(() => socket.close());
  return String(socket.address().port);
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const tls = (certificate: string): Record<string, string> => ({
  SIP_TLS_PORT: '0',
  SIP_TLS_CERT: certificate,
  SIP_TLS_KEY: certificate,
});

type Step = readonly [
  step: string,
  env: () => Promise<Record<string, string>> | Record<string, string>,
  message: RegExp,
  more?: readonly string[],
];
const STEPS: readonly Step[] = [
  [
    'the embedded database',
    () => ({ DATA_DIR: dirname(file('dialtree.sqlite', 'no database '.repeat(500))) }),
    /not a database/,
  ],
  [
    'PostgreSQL',
    async () => ({ DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/x` }),
    /^DATABASE_URL .* cannot be used/,
  ],
  ['the HTTP port', async () => ({ PORT: await takenTcp() }), /^PORT \d+ .* in use/],
  [
    'the first account',
    () => ({ DATA_DIR: dirname(file('recordings', 'in the way')), DEMO: 'on' }),
    /^DATA_DIR .* cannot be used/,
  ],
  ['SIP over UDP', async () => ({ SIP_PORT: await takenUdp() }), /UDP port \d+ .* is taken/],
  ['SIP over TCP', async () => ({ SIP_PORT: await takenTcp() }), /TCP port \d+ .* is taken/],
  [
    'SIP over TLS',
    async () => ({ ...tls(file('garbled.pem', 'no certificate')), SIP_TLS_PORT: await takenTcp() }),
    /TLS port \d+ .* cannot be opened/,
  ],
  [
    'the sound program',
    () => ({ SOUND_COMMAND: 'no-such-program -i {input}' }),
    /^SOUND_COMMAND: there is no program/,
  ],
  ['the certificate', () => tls(join(folder, 'missing.pem')), /^SIP_TLS_CERT .* cannot be read/],
  [
    'the SMPP gateway',
    () => ({ SMS_URL: 'smpp://u:p@127.0.0.1:9' }),
    /^no connection can be made$/,
    ['--import', NO_CONNECTIONS],
  ],
];

describe.skipIf(process.platform !== 'linux')('a start that fails leaves nothing open', () => {
  for (const [step, env, message, more] of STEPS)
    it(`at ${step}`, async () => {
      const result = await start(await env(), more);
      expect(result.message).toMatch(message);
      expect(result.open).toEqual([]);
    });
});
