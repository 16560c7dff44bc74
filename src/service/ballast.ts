// A little space that is given back when the disk is full: SQLite needs some to open a database, even to read it
// (docs/threat-model.md R28).
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'ballast';
/** The index of the write-ahead log takes 32 KiB. */
const BYTES = 256 * 1024;
/** It is made where there is much more than that. */
const PLENTY_BYTES = 16 * BYTES;

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** Whether there was any, and the disk was full. */
export function releaseBallast(folder: string): boolean {
  try {
    const file = join(folder, FILE);
    if (freeBytes(folder) >= BYTES || !statSync(file, { throwIfNoEntry: false })) return false;
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}

/** At each start with room for it. Without it the service runs as well. */
export function keepBallast(folder: string): void {
  try {
    const file = join(folder, FILE);
    if (statSync(file, { throwIfNoEntry: false })?.size === BYTES || freeBytes(folder) < PLENTY_BYTES) return;
    writeFileSync(file, Buffer.alloc(BYTES), { mode: 0o600 });
  } catch {
    // A file system without statfs, or one that has just become full.
  }
}
