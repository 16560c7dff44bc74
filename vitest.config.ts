import { defineConfig } from 'vitest/config';

// The everyday suite: everything that needs Node and npm alone and ends within minutes.
// Slower suites live in test/long and have npm scripts of their own.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/long/**', 'test/faults/**', 'test/phones/**', 'test/hostile/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
