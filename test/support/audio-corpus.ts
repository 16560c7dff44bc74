// Sound files written by others, read in place: ../shared/corpora/audio beside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shared/corpora/audio', import.meta.url));

/** For describe.skipIf: true where the corpus is missing, after a loud word about it. In CI that is a failure. */
export function audioCorpusMissing(): boolean {
  if (existsSync(folder)) return false;
  const words = `${folder} is missing: the tests on its inputs DO NOT RUN.`;
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

export function audioCorpus(): { readonly name: string; readonly bytes: Buffer }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => ({ name, bytes: readFileSync(join(folder, part, name)) })),
  );
}
