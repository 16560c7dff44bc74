import { defineConfig } from 'vitest/config';
import { WAITS } from './test/support/wait-ms.ts';

// What happens when things break: processes killed, databases stopped, disks full, clients that never finish. FAULT_ROUNDS=100 is
// the long run. Those that only count what is left after a kill run two at a time; then the others, one at a time, since each of
// them measures or loads the whole machine.
/** In .ci/full alone. */
const LONG = ['rolling-upgrade', 'upgrade'].map((name) => `test/faults/${name}.test.ts`);
const KILLS = ['kill-9', 'sms-kill-9', 'webhooks', 'migrations'].map((name) => `test/faults/${name}.test.ts`);

const common = { ...WAITS, testTimeout: 15 * 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      { test: { ...common, name: 'kills', include: KILLS, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...common,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: [...KILLS, ...(process.env['EVERYDAY'] ? LONG : [])],
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
