// A real S3 server: OpenStack Swift with its S3 API (Debian: python3-swift), in a folder of the test's own, ended by its id. Without it
// the tests that need one say so loudly; in CI that is a failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { S3Client } from '../../../src/sound-store/s3/s3-client.ts';

const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('server.py', import.meta.url));

export interface S3Server {
  readonly access: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** What a service needs in its environment for a new bucket. */
  newBucket(): Promise<Record<string, string>>;
  /** On the same port, with what it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** For describe.skipIf: true where Swift is missing, after a loud word about it. */
export function s3Missing(): boolean {
  if (existsSync('/usr/lib/python3/dist-packages/swift')) return false;
  const words =
    'OpenStack Swift is not installed (Debian: apt-get install python3-swift): tests of S3 DO NOT RUN.';
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-s3-'));
  const [accessKeyId, secretAccessKey] = ['test:tester', 'the-secret-of-the-tests'];
  let child: ChildProcess | undefined;
  let port = 0;
  let buckets = 0;
  const start = async (): Promise<void> => {
    const started = spawn(PYTHON, [SCRIPT, folder, String(port), accessKeyId, secretAccessKey], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    const said: string[] = [];
    started.stderr.on('data', (bytes) => said.push(String(bytes)));
    port = await new Promise<number>((resolve, reject) => {
      started.once('exit', (code) => reject(new Error(`The S3 server ended with ${code}: ${said.join('')}`)));
      createInterface({ input: started.stdout }).on('line', (line) => {
        const [, chosen] = /^listening (\d+)$/.exec(line) ?? [];
        if (chosen) resolve(Number(chosen));
      });
    });
  };
  const stop = async (): Promise<void> => {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  const access = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', accessKeyId, secretAccessKey };
  return {
    access,
    start,
    stop,
    newBucket: async () => {
      const bucket = `bucket-${++buckets}`;
      const client = new S3Client(access);
      (await client.ask({ method: 'PUT', path: `/${bucket}` }))?.body.resume();
      client.close();
      return {
        SOUND_STORE: `s3://${bucket}/recorded`,
        S3_ENDPOINT: access.endpoint,
        S3_REGION: access.region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      };
    },
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
