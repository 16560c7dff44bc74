// The browser of the tests. Where it is missing they say so loudly; in CI they fail.
import type { Browser } from 'playwright-core';
import { it } from 'vitest';
import { findTools } from './browser-tools.ts';

export type { Tools } from './browser-tools.ts';

export const tools = await findTools();
export const missing = typeof tools === 'string' ? tools : null;

if (missing) {
  const line = '!'.repeat(100);
  console.warn(`\n${line}\n!! Pages are NOT tested: ${missing}.\n${line}\n`);
  it.skipIf(!process.env['CI'])('has a browser to test pages with', () => {
    throw new Error(`Pages cannot be tested: ${missing}.`);
  });
}

/** By their flags. Playwright ends them with the process. */
const browsers = new Map<string, Promise<Browser>>();

/** One for each set of flags, which all files of a worker share. A test closes the contexts that it opens. */
export async function sharedBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (typeof tools === 'string') throw new Error(tools);
  const key = flags.join(' ');
  const running = await browsers.get(key);
  // One that crashed in an earlier file fails no other.
  if (running?.isConnected()) return running;
  const launched = tools.launch(flags);
  browsers.set(key, launched);
  return launched;
}

/** At the end of a file: what a failed test left open. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
