// Test inputs written by others, read in place: ../shared/corpora beside the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../shared/corpora/api', import.meta.url));

/** For describe.skipIf: true where the corpora are missing, after a loud word about it. In CI that is a failure. */
export function corporaMissing(): boolean {
  if (existsSync(folder)) return false;
  const words = `${folder} is missing: the tests on its inputs DO NOT RUN.`;
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

export interface JsonCase {
  readonly name: string;
  readonly bytes: Buffer;
}

/** JSONTestSuite: y_ must be accepted as JSON, n_ refused, i_ either. */
export function jsonTestSuite(): JsonCase[] {
  const unpacked = mkdtempSync(join(tmpdir(), 'dialtree-json-'));
  try {
    execFileSync('tar', ['-xJf', join(folder, 'JSONTestSuite-test_parsing.tar.xz'), '-C', unpacked]);
    return readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => ({ name: path.split('/').at(-1) ?? path, bytes: readFileSync(join(unpacked, path)) }));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

export function naughtyStrings(): string[] {
  return JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[];
}
