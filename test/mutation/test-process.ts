// The test process of copy.ts: it keeps one vitest, and runs tests each time that files have changed. A process of its own, since a
// mutant may loop for ever.
import { join } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import { BUILT_PROGRAM } from '../support/built-program.ts';
import { countedCopies } from '../support/counted-copies.ts';

export interface Ready {
  readonly tests: readonly string[];
}

export interface Order {
  /** What has changed since the last order. */
  readonly changed: readonly string[];
  /** Test files, in the order in which they run. The first failure ends the run. */
  readonly tests: readonly string[];
  /** Names of tests that do not run. */
  readonly without: readonly string[];
}

export interface Outcome {
  /** The name of the first failed test; absent where all pass. */
  readonly failure?: string;
  readonly file?: string;
  readonly durationsMs: Readonly<Record<string, number>>;
}

class GivenOrder {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

const repeating = process.env['MUTATION_LOG'] !== undefined;
const [root = '', ...filters] = process.argv.slice(2);
// Without vitest.config.ts: its projects would have settings of their own in place of these.
const given = {
  root,
  config: false as const,
  include: ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
  server: BUILT_PROGRAM,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  watch: false,
  reporters: [{ onTestModuleEnd }],
  globalSetup: [],
  pool: 'threads',
  isolate: process.env['ISOLATE'] === '1',
  maxWorkers: 1,
  maxConcurrency: 1,
  fileParallelism: false,
  sequence: { sequencer: GivenOrder },
  ...(repeating
    ? { runner: join(root, 'test/mutation/repeating-runner.ts'), testTimeout: 5_000 }
    : { bail: 1, testTimeout: 60_000 }),
};
const vitest = await createVitest('test', given, { plugins: [countedCopies()] });
const found = await vitest.globTestSpecifications(filters);
const specifications = new Map(found.map((specification) => [specification.moduleId, specification]));

function onTestModuleEnd(module: TestModule): void {
  if (repeating) console.log(`  ${module.relativeModuleId}`);
}

async function run({ changed, tests, without }: Order): Promise<Outcome> {
  for (const file of changed) vitest.invalidateFile(file);
  const names = without.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  if (names.length > 0) vitest.setGlobalTestNamePattern(new RegExp(`^(?!.*(${names.join('|')})$)`));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    tests.flatMap((test) => specifications.get(test) ?? []),
    false,
  );
  vitest.state.clearErrors();
  const durationsMs: Record<string, number> = {};
  for (const module of testModules) durationsMs[module.moduleId] = module.diagnostic().duration;
  const failed = testModules.find((module) => module.state() === 'failed');
  if (failed) {
    const [test] = failed.children.allTests('failed');
    const failure = test?.fullName ?? `a file that does not load: ${failed.errors()[0]?.message}`;
    return { failure, file: failed.moduleId, durationsMs };
  }
  // The errors of repeated tests are reported by repeating-runner.ts, with the mutant.
  const unhandled = repeating ? undefined : unhandledErrors[0];
  return unhandled === undefined
    ? { durationsMs }
    : { failure: `unhandled: ${(unhandled as Error).message}`, durationsMs };
}

process.on('message', (order: Order) => void run(order).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => process.exit());
process.send?.({ tests: [...specifications.keys()] } satisfies Ready);
