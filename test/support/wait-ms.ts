export const WAIT_MS = 30_000;

/** For the `test` of a vitest config. */
export const WAITS = { expect: { poll: { timeout: WAIT_MS } }, setupFiles: ['test/support/waits.ts'] };
