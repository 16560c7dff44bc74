import { defineConfig } from 'vitest/config';

// What happens when things break: processes killed, databases stopped, disks full, clients that never finish.
// One file at a time, since each of them measures or loads the whole machine. FAULT_ROUNDS=100 is the long run.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 15 * 60_000,
    hookTimeout: 60_000,
  },
});
