// The program of a former commit, built in a temporary folder with this clone's node_modules. FORMER_COMMIT names it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The version before this one. Becomes the newest release once there is one. */
export const FORMER_COMMIT = process.env['FORMER_COMMIT'] ?? '12917eadd36e';

/** For describe.skipIf: a clone without history lacks the commit. With history that is a failure in CI. */
export function formerMissing(): boolean {
  if (succeeds('cat-file', '-e', `${FORMER_COMMIT}^{commit}`)) return false;
  const words = `The clone has no commit ${FORMER_COMMIT}: the test with the former version DOES NOT RUN.`;
  if (
    process.env['CI'] &&
    succeeds('rev-parse', 'HEAD') &&
    git('rev-parse', '--is-shallow-repository') === 'false'
  )
    throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

export interface FormerVersion {
  /** For `program` of startService. */
  readonly folder: string;
  remove(): void;
}

export function buildFormer(): FormerVersion {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-former-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', FORMER_COMMIT], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    // Its console is not looked at: one that seems to be newer than its sources is not built.
    const page = join(folder, 'dist/console/index.html');
    mkdirSync(join(folder, 'dist/console'), { recursive: true });
    writeFileSync(page, '');
    utimesSync(page, new Date('2100-01-01'), new Date('2100-01-01'));
    execFileSync(process.execPath, ['bin/build.js'], { cwd: folder, stdio: 'pipe' });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

function succeeds(...words: readonly string[]): boolean {
  try {
    execFileSync('git', words, { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
