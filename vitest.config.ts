import { defineConfig } from 'vitest/config';

// The everyday suite: everything that needs Node and npm alone and ends within minutes.
// Whole calls, pages in a browser and the slower suites have npm scripts of their own.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/{long,faults,phones,hostile,attacks,calls,pages}/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
