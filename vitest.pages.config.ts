import { defineConfig } from 'vitest/config';

// Pages in a real browser, Debian's chromium: keyboard, screen sizes, light and dark, accessibility.
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
