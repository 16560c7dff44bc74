import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';
import { WAITS } from './test/support/wait-ms.ts';

// Whole calls over real sockets, with a phone of our own that shares no code with src/. They mostly wait: for prompts, for silence,
// for phones that nobody picks up. So more of them run at once than there are cores.
export default defineConfig({
  test: {
    include: ['test/calls/**/*.test.ts'],
    server: BUILT_PROGRAM,
    ...WAITS,
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The phone and what fills a data folder are loaded once for each worker, not for each file.
    isolate: false,
    maxWorkers: 4,
  },
});
