// Sounds of an account on the machine of its service: found by their hash, and never taken for what they are not.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { makeToken } from '../kit/credentials.ts';
import { openStorage } from '../service/open-storage.ts';
import { hashOfSound } from '../storage/ports/whole-prompt.ts';
import { localSecrets } from './local-secrets.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('a file that is not what its hash says is no sound, and is replaced by the one of an archive', async () => {
  const config = readConfig({ DATA_DIR: dataDir });
  if ('faults' in config) throw new Error(config.faults.join());
  const storage = await openStorage(config, { isBrief: true });
  const account = { id: 'ours', name: 'Ours', createdAtMs: 0, settings: DEFAULT_SETTINGS };
  await storage.createAccount({ account, token: makeToken('ours', 'first', 0).token });
  const [stored] = await storage.listAccounts();
  if (!stored) throw new Error('There is no account.');
  const local = localSecrets({ storage, account: stored, config });
  const wav = Buffer.alloc(9_000, 7);
  const sha256 = hashOfSound(wav);
  const file = join(dataDir, 'recordings', `${sha256}.wav`);
  mkdirSync(join(dataDir, 'recordings'), { recursive: true });
  writeFileSync(file, wav.subarray(0, 5_000));
  expect(await local.sound(sha256)).toBeNull();
  await local.putSound(sha256, wav);
  expect(readFileSync(file).equals(wav)).toBe(true);
  expect(await local.sound(sha256)).toEqual(wav);
  expect(await local.sound('0'.repeat(64))).toBeNull();
  await storage.close();
});
