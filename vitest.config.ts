import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { countedCopies } from './test/support/counted-copies.ts';
import { singleRetries } from './test/support/retries.ts';

/** Their ids follow the clock, which other files set forward. */
const DATABASES = ['src/{storage,sharing}/**/*.test.ts'];

const { retry = 0, ...reporting } = singleRetries();

/** Mostly waits, for a minute and a half, and is small: Vitest, which begins with large files, would end with it alone. */
const WAITING = 'webrtc-process.test.ts';

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(WAITING);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

const EACH = {
  // The built program, where a test runs a command within its process: as Node loads it.
  server: { deps: { external: [/\/dist\/[^/]+\.js$/] } },
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

// The everyday suite: everything that needs Node and npm alone and ends within minutes.
// Whole calls, pages in a browser and the slower suites have npm scripts of their own.
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
    ...reporting,
    projects: [
      {
        plugins: [countedCopies()],
        test: {
          ...EACH,
          name: 'units',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.ts'],
          exclude: DATABASES,
          // Hundreds of small files: two processes load the modules once each. What one file replaces, the next has again.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        test: {
          ...EACH,
          name: 'service',
          retry,
          include: ['test/**/*.test.ts', ...DATABASES],
          exclude: ['test/{long,faults,phones,hostile,attacks,calls,pages,nodes}/**'],
        },
      },
    ],
  },
});
