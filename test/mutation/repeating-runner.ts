// Runs in vitest's worker thread, on instrumented sources: repeats each test, with its hooks, once for every mutant that it reaches
// and that no other test has killed. So a mutant costs the tests that reach it, and neither a process nor a module load.
import { setMaxListeners } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { RunnerTestCase } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';

declare global {
  var __mutant: ((id: number) => boolean) | undefined;
}

/** A test that evaluates so many more expressions than with the original loops for ever. */
const LOOP_FACTOR = 20;
const LOOP_HITS = 200_000;
const SLOW_MS = Number(process.env['SLOW_MS']);
/** Lines of a word and numbers or a name: what copy.ts reads. */
const LOG = process.env['MUTATION_LOG'] ?? '';

const log = (word: string, value: string | Iterable<number>) =>
  appendFileSync(LOG, `${word} ${typeof value === 'string' ? value : [...value].join(' ')}\n`);

// Each repetition listens once more to the test's abort signal.
setMaxListeners(0);

const killed = new Set<number>();
if (existsSync(LOG))
  for (const line of readFileSync(LOG, 'utf8').split('\n'))
    if (line.startsWith('killed ')) for (const id of line.split(' ').slice(1)) killed.add(Number(id));

let reached = new Set<number>();
let active = 0;
let before = 0;
let hits = 0;
let mostHits = Number.POSITIVE_INFINITY;

// A promise that a mutant leaves rejected, or a timer that throws, may show after its repetition: copy.ts judges it alone.
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, () => log('doubtful', [active, before]));

globalThis.__mutant = (id) => {
  if (++hits > mostHits) throw new Error('The mutant loops.');
  if (active === 0) reached.add(id);
  return id === active;
};

// biome-ignore lint/style/noDefaultExport: vitest imports a runner by its default export
export default class RepeatingRunner extends VitestTestRunner {
  #queue: number[] = [];
  #mine: number[] = [];
  #cpuBefore = process.cpuUsage();

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    // Reached while modules load or suites prepare: a repeated test does not judge it.
    if (reached.size > 0) log('static', reached);
    test.repeats = Number.MAX_SAFE_INTEGER;
    this.#cpuBefore = process.cpuUsage();
    reached = new Set();
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test);
    hits = 0;
  }

  /** After the hooks of each repetition. The first and the last run the original. */
  onAfterRetryTask({ result, name }: RunnerTestCase, { repeats }: { repeats: number }): void {
    if (!result) return;
    const failed = result.state === 'fail';
    if (repeats === 0) this.#begin(name, failed ? `${result.errors?.[0]?.message}` : undefined);
    else if (active > 0 && failed) this.#mine.push(active);
    // A mutant may have left something behind that fails the original, too: then copy.ts judges them one by one.
    else if (active === 0) {
      log(failed ? 'doubtful' : 'killed', this.#mine);
      if (!failed) for (const id of this.#mine) killed.add(id);
    }
    const finished = repeats === 0 ? this.#queue.length === 0 : active === 0;
    before = active;
    active = this.#queue.pop() ?? 0;
    if (active > 0) log('tries', [active]);
    // vitest ends the repetitions of a skipped test.
    result.state = finished ? 'skip' : 'run';
    delete result.errors;
    if (finished) {
      mostHits = Number.POSITIVE_INFINITY;
      reached = new Set();
    }
  }

  #begin(name: string, failure: string | undefined): void {
    const late = failure?.startsWith('Test timed out') === true;
    const slow = late || process.cpuUsage(this.#cpuBefore).user / 1_000 > SLOW_MS;
    if (failure !== undefined && !late) log('broken', `${name}: ${failure.split('\n')[0]}`);
    if (slow || failure !== undefined) log('slow', name);
    log('reached', reached);
    mostHits = hits * LOOP_FACTOR + LOOP_HITS;
    this.#queue = slow || failure !== undefined ? [] : [...reached].filter((id) => !killed.has(id));
    this.#mine = [];
  }
}
