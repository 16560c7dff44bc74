import { defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/support/built-program.ts';
import { singleRetries } from './test/support/retries.ts';

// Pages in a real browser, Debian's chromium: keyboard, screen sizes, light and dark, accessibility.
const { retry = 0, ...reporting } = singleRetries();
/** A page on a busy machine answers late; what never comes fails all the same. */
const expect = { poll: { timeout: 30_000 } };
// The files of a worker share its modules, and with them one browser (test/pages/support/browser.ts).
const common = {
  server: BUILT_PROGRAM,
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 60_000,
  retry,
  expect,
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    ...reporting,
    projects: [
      {
        test: {
          ...common,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          // A page waits as often as it computes: more workers than processors keep both busy.
          maxWorkers: 3,
        },
      },
    ],
  },
});
