// A copy of the working tree in a temporary folder, with a test process of its own: mutants are written here. All mutants at once,
// behind switches (repeat), for what tests reach while they run; one at a time (judge) for what runs while modules load.
import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORPORA } from '../support/corpora.ts';
import { apply, instrument, type Mutant } from './mutants.ts';
import type { Order, Outcome, Ready } from './test-process.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A mutant that takes so much longer than the original loops for ever. */
const LIMIT_FACTOR = 10;
const LIMIT_MS = 30_000;
/** A repeated test that tries no other mutant for so long hangs. */
const HUNG_MS = 60_000;
const NEVER_MS = 2 ** 31 - 1;

/** Tracked and new files below the given paths, relative to the root. */
export function listFiles(paths: readonly string[]): readonly string[] {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  });
  return output.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** A test that waits for an event in real time notices a mutant by its time-out: what others kill in milliseconds is dead by then. */
const WAITS = /waitFor|waitUntil|node:(net|dgram|tls|http)|open-transports/;
const quickFirst = (tests: readonly string[]): readonly string[] => {
  const waits = new Map(tests.map((test) => [test, WAITS.test(readFileSync(test, 'utf8')) ? 1 : 0]));
  return tests.toSorted((a, b) => (waits.get(a) ?? 0) - (waits.get(b) ?? 0));
};

const besides = (file: string, word: string): string => file.replace(/\.ts$/, `.${word}.ts`);

export interface Repeated {
  readonly killed: ReadonlySet<number>;
  /** Reached while modules load, or by tests that cannot be repeated: judge() decides. */
  readonly unsure: ReadonlySet<number>;
  readonly reached: ReadonlySet<number>;
  readonly slowTests: readonly string[];
}

export type Verdict = 'survived' | 'killed' | 'timeout';

export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-mutants-'));
  readonly #log = join(this.#folder, 'mutation.log');
  readonly #filters: readonly string[];
  /** The text of each mutated file, as it was when the copy was made: the working tree may change meanwhile. */
  readonly #sources: ReadonlyMap<string, string>;
  readonly #slowMs: number;
  #tests: readonly string[] = [];
  #slowTests: readonly string[] = [];
  #limitMs = NEVER_MS;
  #process: ChildProcess | undefined;
  /** Files that differ from what the process has loaded. */
  #changed: string[] = [];

  constructor(sources: ReadonlyMap<string, string>, filters: readonly string[], slowMs: number) {
    this.#sources = sources;
    this.#filters = filters;
    this.#slowMs = slowMs;
    for (const file of listFiles(['.'])) cpSync(join(root, file), join(this.#folder, file));
    for (const link of ['node_modules', 'dist'])
      if (existsSync(join(root, link))) symlinkSync(join(root, link), join(this.#folder, link));
  }

  /** Each test against all mutants that it reaches. */
  async repeat(mutants: ReadonlyMap<number, Mutant>): Promise<Repeated> {
    const files = new Set([...mutants.values()].map(({ file }) => file));
    for (const file of files) {
      const here = new Map([...mutants].filter(([, mutant]) => mutant.file === file));
      writeFileSync(join(this.#folder, file), instrument(this.#original(file), here));
    }
    writeFileSync(this.#log, '');
    for (let complete = false; !complete; ) {
      const tests = await this.#start({ MUTATION_LOG: this.#log, SLOW_MS: String(this.#slowMs) });
      const watchdog = setInterval(() => {
        if (Date.now() - statSync(this.#log).mtimeMs > HUNG_MS) this.#process?.kill('SIGKILL');
      }, 1_000);
      const outcome = await this.#ask({ changed: [], tests: quickFirst(tests), without: [] }, NEVER_MS);
      clearInterval(watchdog);
      if (outcome?.failure !== undefined)
        throw new Error(`The instrumented sources fail: ${outcome.failure}`);
      complete = outcome !== undefined;
      if (!complete) writeFileSync(this.#log, `killed ${this.#logged('tries').at(-1)}\n`, { flag: 'a' });
    }
    for (const file of files) writeFileSync(join(this.#folder, file), this.#original(file));
    this.#end();
    for (const broken of this.#logged('broken')) console.log(`left out, fails without any mutant: ${broken}`);
    this.#slowTests = [...new Set(this.#logged('slow'))];
    const ids = (word: string) => this.#logged(word).flatMap((line) => line.split(' ').map(Number));
    return {
      killed: new Set(ids('killed')),
      unsure: new Set([...ids('static'), ...ids('doubtful')]),
      reached: new Set([...ids('static'), ...ids('reached')]),
      slowTests: this.#slowTests,
    };
  }

  /** One mutant against the tests that are quick enough, loaded anew. */
  async judge(mutant: Mutant): Promise<Verdict> {
    if (this.#limitMs === NEVER_MS) await this.#measure();
    const path = join(this.#folder, mutant.file);
    writeFileSync(path, apply(this.#original(mutant.file), mutant));
    this.#changed.push(path);
    if (!this.#process) await this.#start();
    const order = { changed: this.#changed, tests: this.#nearestFirst(path), without: this.#slowTests };
    const outcome = await this.#ask(order, this.#limitMs);
    writeFileSync(path, this.#original(mutant.file));
    this.#changed = [path];
    if (!outcome) return 'timeout';
    const { failure, file } = outcome;
    // Neighbouring mutants are often killed by the same file: it runs first from now on.
    if (file !== undefined) this.#tests = [file, ...this.#tests.filter((other) => other !== file)];
    return failure === undefined ? 'survived' : 'killed';
  }

  /** Those with which the sources do not compile. Each stands in a copy of its file, beside it, so that one run judges all of them. */
  async refusedByCompiler(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
    const plain = new Set(mutants.map(({ file }) => file));
    const texts = new Map([...plain].map((file) => [besides(file, 'copy'), this.#original(file)]));
    const places = mutants.map(({ file }, index) => besides(file, `mutant-${index}`));
    for (const [index, mutant] of mutants.entries())
      texts.set(places[index] ?? '', apply(this.#original(mutant.file), mutant));
    for (const [file, text] of texts) writeFileSync(join(this.#folder, file), text);
    const wrong = await this.#filesWithErrors([...texts.keys()]);
    for (const file of texts.keys()) rmSync(join(this.#folder, file));
    // The private members of a class, for instance, are not those of its copy.
    const inPlace = mutants.filter(({ file }) => wrong.has(besides(file, 'copy')));
    const refused = mutants.filter(
      (mutant, index) => wrong.has(places[index] ?? '') && !inPlace.includes(mutant),
    );
    return new Set([...refused, ...(await this.#refusedInPlace(inPlace))]);
  }

  /** One mutant of each file at a time: the errors of a file are those of its mutant. */
  async #refusedInPlace(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
    const refused = new Set<Mutant>();
    const waiting = new Set(mutants);
    while (waiting.size > 0) {
      const round = new Map<string, Mutant>();
      for (const mutant of waiting) if (!round.has(mutant.file)) round.set(mutant.file, mutant);
      for (const mutant of round.values()) waiting.delete(mutant);
      for (const [file, mutant] of round)
        writeFileSync(join(this.#folder, file), apply(this.#original(file), mutant));
      for (const file of await this.#filesWithErrors([...round.keys()])) {
        const mutant = round.get(file);
        if (mutant) refused.add(mutant);
      }
      for (const file of round.keys()) writeFileSync(join(this.#folder, file), this.#original(file));
    }
    return refused;
  }

  /** Checks these and what they import. A value that is not used any more is no error: what used it is what the mutant changed. */
  #filesWithErrors(files: readonly string[]): Promise<ReadonlySet<string>> {
    const project = join(this.#folder, 'tsconfig.mutants.json');
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
    writeFileSync(
      project,
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: [], files }),
    );
    return new Promise((resolve) => {
      execFile(
        join(this.#folder, 'node_modules/.bin/tsc'),
        ['--noEmit', '--pretty', 'false', '-p', project],
        { cwd: this.#folder, maxBuffer: 2 ** 26 },
        (_, output) =>
          resolve(
            new Set(output.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? [])),
          ),
      );
    });
  }

  remove(): void {
    this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The original must pass; its durations are the measure. */
  async #measure(): Promise<void> {
    const durations: (readonly [file: string, ms: number])[] = [];
    for (const file of await this.#start()) {
      const outcome = await this.#ask({ changed: [], tests: [file], without: this.#slowTests }, NEVER_MS);
      if (outcome?.failure !== undefined)
        throw new Error(`Without any mutant ${file} fails (try ISOLATE=1): ${outcome.failure}`);
      durations.push([file, outcome?.durationsMs[file] ?? 0]);
    }
    durations.sort(([, a], [, b]) => a - b);
    this.#tests = durations.map(([file]) => file);
    this.#limitMs = LIMIT_MS + LIMIT_FACTOR * durations.reduce((total, [, ms]) => total + ms, 0);
  }

  /** What killed the mutant before, then the test beside the file, then those of its folder, then the others. */
  #nearestFirst(path: string): readonly string[] {
    const beside = path.replace(/\.ts$/, '.test.ts');
    const distance = (test: string) => (test === beside ? 0 : dirname(test) === dirname(path) ? 1 : 2);
    const [last = beside, ...others] = this.#tests;
    return [last, ...others.toSorted((a, b) => distance(a) - distance(b))];
  }

  #original(file: string): string {
    return this.#sources.get(file) ?? '';
  }

  #logged(word: string): readonly string[] {
    const lines = readFileSync(this.#log, 'utf8').split('\n');
    return lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
  }

  async #start(environment: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const program = join(this.#folder, 'test/mutation/test-process.ts');
    const child = fork(program, [this.#folder, ...this.#filters], {
      cwd: this.#folder,
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, DIALTREE_CORPORA: CORPORA, ...environment },
    });
    this.#process = child;
    this.#changed = [];
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

  #end(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }
}
