// Bundles the program before the tests, unless it is as new as its sources, so that they run what users run; and has one PostgreSQL
// server for all files that ask for it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../bin/build.js';
import { offerPostgres } from './postgres.ts';

export function setup(): Promise<() => Promise<void>> {
  if (!isFresh())
    execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
      stdio: 'inherit',
    });
  return offerPostgres();
}
