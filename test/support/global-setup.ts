// Bundles the program before the tests, unless it is as new as its sources, so that they run what users run.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../bin/build.js';

export function setup(): void {
  if (isFresh()) return;
  execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
    stdio: 'inherit',
  });
}
