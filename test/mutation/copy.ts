// A copy of the working tree in a temporary folder, with a warm test process (runner.ts) of its own: mutants are written here.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';
import type { Order, Outcome, Ready } from './runner.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Test files that take longer run only against mutants that the quick ones have not killed. */
const QUICK_MS = 300;
/** A mutant that takes so much longer than the original loops for ever. */
const LIMIT_FACTOR = 6;
const LIMIT_MS = 10_000;

/** Tracked and new files below the given paths, relative to the root. */
export function listFiles(paths: readonly string[]): readonly string[] {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  });
  return output.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

export type Verdict = 'survived' | 'timeout' | `killed by ${string}`;

interface Stage {
  tests: readonly string[];
  limitMs: number;
}

export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-mutants-'));
  readonly #tests: readonly string[];
  #stages: Stage[] = [];
  #process: ChildProcess | undefined;
  /** Files that differ from what the process has loaded. */
  #changed: string[] = [];

  private constructor(tests: readonly string[]) {
    this.#tests = tests;
    for (const file of listFiles(['.'])) cpSync(join(root, file), join(this.#folder, file));
    for (const link of ['node_modules', 'dist'])
      if (existsSync(join(root, link))) symlinkSync(join(root, link), join(this.#folder, link));
  }

  /** With the original's own run: it must pass, and its durations are the measure. */
  static async make(tests: readonly string[]): Promise<Copy> {
    const copy = new Copy(tests);
    const files = await copy.#start();
    const durations: (readonly [file: string, ms: number])[] = [];
    for (const file of files) {
      const outcome = await copy.#ask({ changed: [], tests: [file] }, 600_000);
      if (outcome?.failure !== undefined)
        throw new Error(`Without any mutant ${file} fails (try ISOLATE=1): ${outcome.failure}`);
      durations.push([file, outcome?.durationsMs[file] ?? 0]);
    }
    durations.sort(([, a], [, b]) => a - b);
    for (const quick of [true, false]) {
      const members = durations.filter(([, ms]) => ms <= QUICK_MS === quick);
      const sum = members.reduce((total, [, ms]) => total + ms, 0);
      if (members.length > 0)
        copy.#stages.push({ tests: members.map(([file]) => file), limitMs: LIMIT_MS + LIMIT_FACTOR * sum });
    }
    return copy;
  }

  async judge(mutant: Mutant): Promise<Verdict> {
    const path = join(this.#folder, mutant.file);
    writeFileSync(path, mutant.text);
    this.#changed.push(path);
    const verdict = await this.#verdict();
    writeFileSync(path, readFileSync(join(root, mutant.file)));
    this.#changed.push(path);
    return verdict;
  }

  remove(): void {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #verdict(): Promise<Verdict> {
    for (const stage of this.#stages) {
      if (!this.#process) await this.#start();
      const outcome = await this.#ask({ changed: this.#changed, tests: stage.tests }, stage.limitMs);
      this.#changed = [];
      if (!outcome) return 'timeout';
      const { failure, file } = outcome;
      // Neighbouring mutants are often killed by the same file: it runs first from now on.
      if (file !== undefined) stage.tests = [file, ...stage.tests.filter((other) => other !== file)];
      if (failure !== undefined) return `killed by ${failure}`;
    }
    return 'survived';
  }

  async #start(): Promise<readonly string[]> {
    const runner = join(this.#folder, 'test/mutation/runner.ts');
    const child = fork(runner, [this.#folder, ...this.#tests], {
      cwd: this.#folder,
      execArgv: ['--import', 'tsx'],
    });
    this.#process = child;
    const ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('The test process ended before it was ready.')));
    });
    child.removeAllListeners('exit');
    return ready.tests;
  }

  /** Undefined: the time is over, or the process has died; the next order gets a new one. */
  #ask(order: Order, limitMs: number): Promise<Outcome | undefined> {
    const child = this.#process;
    return new Promise((resolve) => {
      const timer = setTimeout(() => child?.kill('SIGKILL'), limitMs);
      const settle = (outcome: Outcome | undefined) => {
        clearTimeout(timer);
        child?.removeAllListeners();
        if (!outcome) this.#process = undefined;
        resolve(outcome);
      };
      child?.once('message', settle);
      child?.once('exit', () => settle(undefined));
      child?.send(order);
    });
  }
}
