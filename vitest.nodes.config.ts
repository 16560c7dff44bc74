import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';
import { WAITS } from './test/support/wait-ms.ts';

// Several nodes on one PostgreSQL: test/nodes/support/cluster.ts starts them. Those that mostly wait run two at a time; then those that
// measure, one at a time.
const MEASURED = ['agents', 'edge-drain', 'live-calls', 'queue-order', 'recovery'].map(
  (name) => `test/nodes/${name}.test.ts`,
);

/** In .ci/full alone. */
const LONG = ['test/nodes/rolling-upgrade.test.ts'];

const common = { ...WAITS, server: BUILT_PROGRAM, testTimeout: 240_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'nodes',
          include: ['test/nodes/**/*.test.ts'],
          exclude: [...MEASURED, ...(process.env['EVERYDAY'] ? LONG : [])],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'measured',
          include: MEASURED,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
