import { defineConfig } from 'vitest/config';
import { countedCopies } from './test/support/counted-copies.ts';
import { WAITS } from './test/support/wait-ms.ts';

// The telephones of the service among enemies and in bad networks: strangers, scanners, floods, loss, phones that vanish. One file
// at a time, since each of them measures or loads the whole machine. CALLS, LEAK_CALLS and MUTATIONS make the long run.
export default defineConfig({
  plugins: [countedCopies()],
  test: {
    include: ['test/hostile/**/*.test.ts'],
    ...WAITS,
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
});
