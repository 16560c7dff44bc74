import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';

// Pages in a real browser, Debian's chromium: keyboard, screen sizes, light and dark, accessibility.
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    server: BUILT_PROGRAM,
    // The files of a worker share its modules, and with them one browser (test/pages/support/browser.ts).
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A page on a busy machine answers late; what never comes fails all the same.
    expect: { poll: { timeout: 30_000 } },
    // A page waits as often as it computes: more workers than processors keep both busy.
    maxWorkers: 3,
  },
});
