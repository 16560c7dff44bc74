// A file that gets its name when it is whole. Until then it has a random name beside it: one that is known beforehand could be a link, or a file
// that others may read already, since the mode counts for a new file alone.
import { randomUUID } from 'node:crypto';
import { link, lstat, rename, rm } from 'node:fs/promises';

/** For `open` with the flag x. */
export const partOf = (out: string): string => `${out}.${randomUUID()}.part`;

/** What a file system without hard links answers. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** False: something else has the name, and keeps it. */
export async function giveName(part: string, out: string): Promise<boolean> {
  try {
    await link(part, out);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(error))) throw error;
    if (await isTaken(out)) return false;
    await rename(part, out);
  }
  await rm(part, { force: true });
  return true;
}

/** Also by a link that leads nowhere. */
export async function isTaken(out: string): Promise<boolean> {
  try {
    await lstat(out);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
