// SIPp with one of our scenarios: started, waited for, and asked what it saw.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/phone/eventually.ts';
import { freePort } from './program.ts';

export interface SippOptions {
  /** A file of test/phones/sipp, without its ending. */
  readonly scenario: string;
  readonly server: { readonly host: string; readonly port: number };
  /** Whom it calls, or who it is. */
  readonly user?: string;
  readonly host?: string;
  /** The words before its own that start it in another namespace, whose ports cannot be looked at from here. */
  readonly inside?: readonly string[];
  readonly port?: number;
  readonly calls?: number;
  readonly perSecond?: number;
  readonly transport?: 'udp' | 'tcp';
  /** [keywords] of the scenario. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
  readonly seconds?: number;
}

export interface SippMessage {
  readonly way: 'sent' | 'received';
  readonly atMs: number;
  readonly first: string;
  readonly text: string;
}

export interface SippResult {
  readonly code: number | null;
  readonly successful: number;
  readonly failed: number;
  readonly messages: readonly SippMessage[];
  /** The response times of scenarios with `rtd`, where `-trace_rtt` asks for it. */
  readonly responseMs: readonly number[];
  /** What it complained about, and the ladder: for error messages. */
  readonly story: string;
}

const folder = fileURLToPath(new URL('../sipp/', import.meta.url));

/** SIPp's exit code for a port that it cannot have. */
const CANNOT_BIND = 254;
const SETTLED_MS = 100;
const TRIES = 3;

export class Sipp {
  readonly port: number;
  readonly mediaPort: number;
  readonly ended: Promise<SippResult>;
  readonly #child: ChildProcess;
  readonly #notes: string;

  static async start(options: SippOptions): Promise<Sipp> {
    const { host = '127.0.0.1' } = options;
    for (let left = TRIES; ; left--) {
      const here = options.inside === undefined ? host : undefined;
      const port = options.port ?? (await freePort(here));
      const sipp = new Sipp(options, host, port, await freePort(here));
      if (options.inside === undefined) await sipp.#settled(options);
      if (left === 0 || !sipp.#foundPortTaken()) return sipp;
    }
  }

  /** Another program may have taken a port between our look and SIPp's start. */
  #foundPortTaken(): boolean {
    return this.#child.exitCode === CANNOT_BIND;
  }

  private constructor(options: SippOptions, host: string, port: number, mediaPort: number) {
    const { server, scenario, user = '100', calls = 1, perSecond = 10, seconds = 60 } = options;
    this.port = port;
    this.mediaPort = mediaPort;
    this.#notes = mkdtempSync(join(tmpdir(), 'dialtree-sipp-'));
    const note = (name: string): string => join(this.#notes, name);
    const words = [
      `${server.host}:${server.port}`,
      ...['-sf', join(folder, `${scenario}.xml`), '-s', user, '-i', host, '-mi', host, '-bind_local'],
      ...['-p', String(port), '-mp', String(mediaPort), '-t', options.transport === 'tcp' ? 't1' : 'u1'],
      ...['-m', String(calls), '-r', String(perSecond), '-l', '2000', '-nostdin', '-skip_rlimit'],
      ...['-timeout', `${seconds}s`, '-timeout_error', '-trace_stat', '-stf', note('stat'), '-fd', '1'],
      ...['-trace_err', '-error_file', note('errors'), '-cid_str', `%u-%p-${port}@%s`],
      ...(calls > 20 ? [] : ['-trace_msg', '-message_file', note('messages')]),
      ...Object.entries(options.keys ?? {}).flatMap(([name, value]) => ['-key', name, value]),
      ...(options.more ?? []),
    ];
    const [program = 'sipp', ...before] = [...(options.inside ?? []), 'sipp'];
    this.#child = spawn(program, [...before, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: this.#notes,
    });
    let said = '';
    this.#child.stderr?.on('data', (bytes) => {
      said += String(bytes);
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => resolve(this.#result(code, said)));
    });
  }

  /** For one that would wait for ever. */
  async stop(): Promise<SippResult> {
    this.#child.kill('SIGKILL');
    return this.ended;
  }

  /** Everything on the wire so far. */
  messages(): readonly SippMessage[] {
    return readMessages(this.#read('messages'));
  }

  /** Until it has its port, or is gone: that the port is taken does not say that SIPp has it. Ports for sound come at once after it. */
  async #settled({ transport }: SippOptions): Promise<void> {
    await eventually(
      () =>
        this.#child.exitCode !== null || transport === 'tcp' || udpPortsOf(this.#child.pid).has(this.port),
      { withinMs: 30_000 },
      () => 'SIPp did not start',
    );
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  }

  #result(code: number | null, said: string): SippResult {
    const messages = this.messages();
    const [names = '', ...rows] = this.#read('stat').trim().split('\n');
    const last = rows.at(-1)?.split(';') ?? [];
    const count = (name: string): number => Number(last[names.split(';').indexOf(name)] ?? Number.NaN);
    const ladder = messages.map(({ way, first }) => `${way === 'sent' ? '→' : '←'} ${first}`).join('\n');
    const story = `SIPp ended with ${code}\n${said}${this.#read('errors')}\n${ladder}`;
    const result = {
      code,
      successful: count('SuccessfulCall(C)'),
      failed: count('FailedCall(C)'),
      messages,
      responseMs: this.#responseMs(),
      story,
    };
    rmSync(this.#notes, { recursive: true, force: true });
    return result;
  }

  #responseMs(): number[] {
    const file = readdirSync(this.#notes).find((name) => name.endsWith('_rtt.csv'));
    const rows = file === undefined ? [] : this.#read(file).trim().split('\n').slice(1);
    return rows.map((row) => Number(row.split(';')[1]));
  }

  #read(name: string): string {
    const path = join(this.#notes, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}

/** Runs a scenario to its end. */
export async function runSipp(options: SippOptions): Promise<SippResult> {
  return (await Sipp.start(options)).ended;
}

/** The value of a header, in a message as SIPp wrote it down; every line of it. */
export function headersOf({ text }: SippMessage, name: string): string[] {
  const start = `${name.toLowerCase()}:`;
  return text
    .split(/\r?\n/)
    .filter((line) => line.toLowerCase().startsWith(start))
    .map((line) => line.slice(start.length).trim());
}

/** SIPp's log: a line of dashes with the time, a line that says which way, and the message. */
function readMessages(log: string): SippMessage[] {
  return log
    .split(/^-{20,} /m)
    .slice(1)
    .flatMap((piece): SippMessage[] => {
      const [date = '', ...lines] = piece.split('\n');
      const about = lines.findIndex((line) => / message (sent|received)/.test(line));
      if (about < 0) return [];
      const text = lines
        .slice(about + 1)
        .join('\n')
        .trimStart();
      const way = lines[about]?.includes('received') ? 'received' : 'sent';
      const atMs = new Date(date.trim().split('\t')[0] ?? '').getTime();
      return [{ way, atMs, first: (text.split('\n')[0] ?? '').trim(), text }];
    });
}

function udpPortsOf(pid = 0): ReadonlySet<number> {
  const own = new Set(filesOf(pid));
  const rows = readFileSync('/proc/net/udp', 'utf8').split('\n').slice(1);
  return new Set(
    rows.flatMap((row) => {
      const [, local = '', , , , , , , , inode] = row.trim().split(/\s+/);
      return own.has(`socket:[${inode}]`) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
    }),
  );
}

/** None of one that is gone. */
function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
}
