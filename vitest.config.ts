import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';
import { countedCopies } from './test/support/counted-copies.ts';
import { WAITS } from './test/support/wait-ms.ts';

/** Their ids follow the clock, which other files set forward. */
const DATABASES = ['src/{storage,sharing}/**/*.test.ts'];

const EACH = {
  ...WAITS,
  server: BUILT_PROGRAM,
  globalSetup: ['test/support/global-setup.ts'],
  // What never ends fails; what is slow because the machine is busy does not.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

// The everyday suite: everything that needs Node and npm alone and ends within minutes.
// Whole calls, pages in a browser and the slower suites have npm scripts of their own.
export default defineConfig({
  test: {
    maxWorkers: 2,
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
        plugins: [countedCopies()],
        test: {
          ...EACH,
          name: 'service',
          include: ['test/**/*.test.ts', ...DATABASES],
          exclude: ['test/{long,faults,phones,hostile,attacks,calls,pages,nodes}/**'],
        },
      },
    ],
  },
});
