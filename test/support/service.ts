// A real Dialtree process on a port of its own, and a small client for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { askShared, type OwnAccount } from './shared.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const TOKEN = 'test-token-of-the-first-account';

export interface Service {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** JSON lines of standard output, and what was said on standard error. */
  readonly log: string[];
  readonly said: string[];
  /** Ends it and waits; the exit code, or null after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Also removes the data folder, if it was made here. */
  remove(): Promise<void>;
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** A program and its words to start it with, such as `taskset -c 0`. */
  readonly under?: readonly string[];
  /** A folder whose dist/ is run instead of this clone's: a former version. */
  readonly program?: string;
}

/** The built program, as `npm start` runs it (global-setup.ts has bundled it). */
export function spawnDialtree(words: readonly string[], options: ServiceOptions = {}): ChildProcess {
  const { under = [], program: folder = root } = options;
  const [program = process.execPath, ...rest] = [
    ...under,
    process.execPath,
    join(folder, 'dist/dialtree.js'),
    ...words,
  ];
  return spawn(program, rest, { cwd: folder, env: environmentOf(options) });
}

/** Many services run at once, and there is one port 5060 and one 30000: a test that telephones says so, with SIP_PORT=0. */
function environmentOf({ env, dataDir }: ServiceOptions): Record<string, string> {
  const inherited = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    SIP: 'off',
    WEBRTC_PORT: '0',
  };
  return { ...inherited, ...(dataDir ? { DATA_DIR: dataDir } : {}), ...env };
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dialtree-'));
  const env = {
    PORT: '0',
    ACCESS_TOKEN: TOKEN,
    DEMO: 'off',
    RATE_LIMIT: '0',
    // SMS can be turned on; a test that sends one has a gateway of its own.
    SMS_URL: 'http://127.0.0.1:9/none',
    // That of the examples; it does not exist.
    SIP_ADDRESS_HOSTS: 'pbx.example.com',
    ...options.env,
  };
  const child = spawnDialtree(['serve'], { ...options, env, dataDir });
  const log: string[] = [];
  const said: string[] = [];
  child.stderr?.on('data', (bytes) => said.push(String(bytes)));
  const closed = new Promise((resolve) => child.once('close', resolve));
  // What is in the pipe is read first: on a busy machine the timer may fire before this process has looked.
  const held = async (): Promise<void> => {
    await sleep(2000);
    for (let look = 0; look < 10; look++) await new Promise((resolve) => setImmediate(resolve));
  };
  // What it printed last is read before the end is reported; a program around it may hold the pipe for longer.
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => void Promise.race([closed, held()]).then(() => resolve(code))),
  );
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`The service ended with code ${code}: ${said.join('')}`)));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line);
      const { msg, address } = JSON.parse(line) as { msg?: string; address?: string };
      if (msg === 'listening' && address) resolve(address);
    });
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  return {
    url,
    dataDir,
    process: child,
    log,
    said,
    stop,
    remove: async () => {
      await stop('SIGKILL');
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The tokens for services on which the file has an account of its own. */
const ownTokens = new Map<string, string>();

/** What a file needs of a service where others use it, too. */
export type SharedService = Pick<Service, 'url' | 'remove'>;

/**
 * The service that the files of a run share, with an empty account of this file's own, as which `call` asks. Addresses of trunks are
 * those of all accounts: files choose different ones.
 */
export async function sharedService(): Promise<SharedService> {
  const shared = await askShared('account');
  if (!shared) return startService();
  ownTokens.set(shared.url, shared.token);
  return { url: shared.url, remove: async () => undefined };
}

/** The same with the records of the demonstration, for pages. */
export async function sharedDemonstration(): Promise<OwnAccount & Pick<Service, 'remove'>> {
  const shared = await askShared('demonstration');
  if (!shared) return { ...(await startService({ env: { DEMO: 'on' } })), account: 'default', token: TOKEN };
  ownTokens.set(shared.url, shared.token);
  return { ...shared, remove: async () => undefined };
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that ends by itself, within this process: the built program, without the third of a second that a process takes to start. */
export async function runDialtree(
  words: readonly string[],
  options: Pick<ServiceOptions, 'env' | 'dataDir'> = {},
): Promise<Ended> {
  // As the program sets it for itself.
  process.umask(0o077);
  const { runCommand }: typeof import('../../src/cli/run.ts') = await import(
    pathToFileURL(join(root, 'dist/run-command.js')).href
  );
  const printed = { out: [] as Buffer[], err: '' };
  const code = await runCommand(words, {
    environment: environmentOf(options),
    isTerminal: false,
    print: (piece) => printed.out.push(Buffer.from(piece)) > 0,
    drained: async () => {},
    remark: (text) => {
      printed.err += text;
    },
  });
  return { code, out: Buffer.concat(printed.out).toString(), err: printed.err };
}

/** The same as a process of its own: its exit code and what it printed. */
export async function runProcess(words: readonly string[], options: ServiceOptions = {}): Promise<Ended> {
  const child = spawnDialtree(words, options);
  const printed = { out: '', err: '' };
  child.stdout?.on('data', (bytes) => {
    printed.out += String(bytes);
  });
  child.stderr?.on('data', (bytes) => {
    printed.err += String(bytes);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...printed };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, for reading members in assertions. */
  readonly json: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of an answer is looked into by assertions, member by member
export type Json = any;

export interface CallOptions {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads no more than what comes first: of an answer without an end. */
  readonly firstPart?: boolean;
}

/** One request. A body that is text, bytes or a form is sent as it is, anything else as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  const { token = ownTokens.get(url) ?? TOKEN, body, headers = {}, firstPart = false } = options;
  const form = body instanceof FormData;
  const raw = typeof body === 'string' || body instanceof Uint8Array || form;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = firstPart ? await firstOf(response) : await response.text();
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}
