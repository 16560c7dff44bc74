// Bundles the program once before the tests, so that they run what users run.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
    stdio: 'inherit',
  });
}
