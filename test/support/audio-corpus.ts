// Sound files written by others, read in place (corpora.ts).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusFolder } from './corpora.ts';

const folder = corpusFolder('audio');

export function audioCorpus(): { readonly name: string; readonly bytes: Buffer }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => ({ name, bytes: readFileSync(join(folder, part, name)) })),
  );
}
