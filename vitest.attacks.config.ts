import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';
import { WAITS } from './test/support/wait-ms.ts';

// Attacks on the running service, as a tenant, as a stranger: each test name begins with its number in docs/threat-model.md. One file
// at a time, since each of them measures or loads the whole machine.
export default defineConfig({
  test: {
    include: ['test/attacks/**/*.test.ts'],
    server: BUILT_PROGRAM,
    ...WAITS,
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 10 * 60_000,
    hookTimeout: 60_000,
  },
});
