// The browser of the tests. Where it is missing they say so loudly; in CI they fail.
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
