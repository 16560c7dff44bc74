// The yardstick that measures any SIP server (ivrbench.c, compiled here; DIALTREE_YARDSTICK names the file).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pbx } from '../test/support/pbx.ts';

const SOURCE =
  process.env['DIALTREE_YARDSTICK'] ??
  fileURLToPath(new URL('../../shared/bench/ivrbench.c', import.meta.url));
export const AGENT_PORT = 5090;
/** Out of the way of the server's own RTP range. */
const PEER_RTP_PORT = 45_000;

export interface Measured {
  readonly calls: number;
  readonly completed: number;
  readonly failed: number;
  readonly offered_cps: number;
  readonly pdd_ms: { readonly p50: number; readonly p99: number };
  readonly gap_ms?: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly bridge_fwd_ms?: { readonly p50: number; readonly p99: number };
  readonly dtmf_start_to_agent_ms?: { readonly p50: number };
  readonly cpu: { readonly secs: number; readonly server_pct: number; readonly foreign_pct: number };
  readonly rss_mb: { readonly before: number; readonly during: number };
  readonly [more: string]: unknown;
}

export type Words = Readonly<Record<string, string | number>>;

export class Yardstick {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-bench-'));
  readonly #program = join(this.#folder, 'ivrbench');
  readonly #under: readonly string[];

  /** `under`: a program to start it with, such as `taskset -c 1`. */
  constructor(under: readonly string[] = []) {
    this.#under = under;
    if (!existsSync(SOURCE))
      throw new Error(`The yardstick ${SOURCE} is not there: DIALTREE_YARDSTICK names its file.`);
    execFileSync('gcc', ['-O2', '-o', this.#program, SOURCE, '-lm']);
  }

  async measure(pbx: Pick<Pbx, 'sip' | 'process'>, ext: string, words: Words): Promise<Measured> {
    const args = Object.entries({
      server: `${pbx.sip.host}:${pbx.sip.port}`,
      pid: pbx.process.pid ?? 0,
      ext,
      'rtp-port': PEER_RTP_PORT,
      'agent-port': AGENT_PORT,
      ...words,
    }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const [program = '', ...rest] = [...this.#under, this.#program, ...args];
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    for await (const bytes of child.stdout) out += String(bytes);
    return JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Measured;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
