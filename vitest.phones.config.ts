import { defineConfig } from 'vitest/config';

// Phones that we did not write, from Debian's packages: SIPp (sip-tester) and baresip. Most of the time is spent waiting for
// timers of the RFC, so whatever can wait together does.
export default defineConfig({
  test: {
    include: ['test/phones/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    maxConcurrency: 12,
  },
});
