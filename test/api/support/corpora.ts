// Test inputs written by others, read in place (test/support/corpora.ts).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusFolder } from '../../support/corpora.ts';

const folder = corpusFolder('api');

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
