// A real PostgreSQL server: a fresh cluster in a temporary folder, on loopback, ended by its id. One is shared by the files of a run;
// a file that stops, crashes or configures its server has one of its own. Without PostgreSQL on the machine the tests that need it
// say so loudly; in CI that is a failure.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { askShared } from './shared.ts';

export interface PostgresServer {
  readonly port: number;
  /** The id of the server's first process; changes with every start. */
  readonly pid: number;
  /** The address of a new database: empty, or with the schema where the server is shared. */
  newDatabase(): Promise<string>;
  start(): Promise<void>;
  /** 'immediate' is a crash: the next start recovers from the log. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

function findBinaries(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const folders = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...folders.map((folder) => join(versions, folder, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return candidates.find((folder) => existsSync(join(folder, 'initdb')));
}

const binaries = findBinaries();

/** The folder of initdb and its friends; undefined: PostgreSQL is not installed. */
export const postgresBinaries = (): string | undefined => binaries;

/** For describe.skipIf: true where PostgreSQL is missing, after a loud word about it. */
export function postgresMissing(): boolean {
  if (binaries) return false;
  const words =
    'PostgreSQL is not installed (Debian: apt-get install postgresql): its half of the tests DOES NOT RUN.';
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** PostgreSQL refuses to run as root; Debian's package has a user for it. */
function userIds(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const bin = binaries;
  if (!bin) throw new Error('PostgreSQL is not installed.');
  const ids = userIds();
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-pg-'));
  if (ids) chownSync(folder, ids.uid, ids.gid);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (ids) chownSync(data, ids.uid, ids.gid);
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'dialtree', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...ids, cwd: folder, stdio: 'ignore' },
  );
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const options = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      port: String(port),
      // Tests end servers, never the machine: what the kernel has is kept. A slow disk would otherwise decide what waits too long.
      fsync: 'off',
      ...settings,
    };
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(bin ?? '', 'postgres'), ['-D', data, ...args], {
      ...ids,
      cwd: folder,
      stdio: 'ignore',
    });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await answers(addressOf(port, 'postgres'))) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('PostgreSQL did not start within 10 s.');
  }

  async function stop(mode: 'fast' | 'immediate'): Promise<void> {
    const running = server;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
    server = undefined;
  }

  await start();
  return {
    port,
    get pid() {
      return server?.pid ?? 0;
    },
    start,
    stop,
    newDatabase: () => newDatabase(port),
    remove: async () => {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const addressOf = (port: number, name: string): string => `postgres://dialtree@127.0.0.1:${port}/${name}`;

async function newDatabase(port: number, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(addressOf(port, 'postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return addressOf(port, name);
}

/** The database with the schema, of which the shared server makes copies: each start would run a hundred steps. */
export async function makeTemplate({ port }: Pick<PostgresServer, 'port'>): Promise<string> {
  const url = await newDatabase(port);
  await migrate(url);
  return new URL(url).pathname.slice(1);
}

/**
 * The server that the files of a run share, whose new databases have the schema; where nothing offers one, one of the file's own.
 * No test stops it.
 */
export async function sharedPostgres(): Promise<Pick<PostgresServer, 'newDatabase' | 'remove'>> {
  const shared = await askShared('postgres');
  if (!shared) return startPostgres();
  return { newDatabase: () => newDatabase(shared.port, shared.template), remove: async () => undefined };
}

export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await query(url, 'SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** Whether something listens on the port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}
