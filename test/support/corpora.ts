// Test inputs that others wrote (torture messages, hostile JSON, sound files), read in place: DIALTREE_CORPORA is their folder,
// ../shared/corpora without it. Where one is absent its tests are skipped with a line on stderr; in CI that is a failure.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type CorpusName = 'api' | 'audio' | 'dtmf' | 'sip';

export const CORPORA =
  process.env['DIALTREE_CORPORA'] ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url));

const reported = new Set<CorpusName>();

export function corpusFolder(name: CorpusName): string {
  return join(CORPORA, name);
}

/** For describe.skipIf. */
export function corpusMissing(name: CorpusName): boolean {
  if (existsSync(corpusFolder(name))) return false;
  const message = `SKIPPED: the tests on the ${name} corpus, since ${corpusFolder(name)} does not exist. Set DIALTREE_CORPORA to the folder that has it (CONTRIBUTING.md).`;
  if (process.env['CI']) throw new Error(message);
  if (!reported.has(name)) process.stderr.write(`${message}\n`);
  reported.add(name);
  return true;
}
