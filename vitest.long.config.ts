import { defineConfig } from 'vitest/config';

// The slow suites: the same properties as every day, many more times. Run by
// `npx vitest run --config vitest.long.config.ts`.
export default defineConfig({
  test: { include: ['test/long/**/*.test.ts'], testTimeout: 600_000, maxWorkers: 1 },
});
