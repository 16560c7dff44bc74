import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SoundFile } from './sound-file.ts';

it('small and large pieces, in any order, are those of the file, and none are beyond its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  try {
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 31) & 0xff));
    writeFileSync(join(folder, 'sound'), bytes);
    const file = new SoundFile(join(folder, 'sound'));
    for (const at of [0, 16, 15, 16_380, 16_390, 3, 39_990, 39_999, 40_000, 50_000, 20_000])
      for (const length of [0, 1, 16, 64, 65, 20_000])
        expect(file.read(at, length).equals(bytes.subarray(at, at + length)), `${at} ${length}`).toBe(true);
    const piece = file.read(0, 8);
    piece.fill(0);
    expect(file.read(0, 8)).toEqual(bytes.subarray(0, 8));
    file.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
