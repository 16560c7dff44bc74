import { defineConfig } from 'vitest/config';
import { WAITS } from './test/support/wait-ms.ts';

// Phones that we did not write, from Debian's packages: SIPp (sip-tester) and baresip. Most of the time is spent waiting for
// timers of the RFC, so whatever can wait together does.
export default defineConfig({
  test: {
    include: ['test/phones/**/*.test.ts'],
    ...WAITS,
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    maxConcurrency: 12,
  },
});
