import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { soundStoreContract } from '../sound-store.contract.ts';
import { FolderStore } from './folder-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

soundStoreContract({
  open: async () => new FolderStore(folder),
  away: () => new FolderStore(join(folder, 'not mounted')),
});

it('a folder has sounds alone, no parts, and is not made where it is absent', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(names).not.toContain('not mounted');
});
