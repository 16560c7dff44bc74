// What the contracts of all areas share: a database with a second connection to it, a record and a token.
import type { Token } from '../../domain/account.ts';
import { newId } from '../../domain/id.ts';
import type { Storage } from '../storage.ts';
import type { NewRecord } from './records.ts';

export interface Opened {
  readonly storage: Storage;
  another(): Promise<Storage>;
}

export const record = (changes: Partial<NewRecord> = {}): NewRecord => ({
  accountId: 'a',
  kind: 'ivr',
  id: newId(Date.now()),
  atMs: 1000,
  json: '{"name":"x"}',
  ...changes,
});

export const token = (id: string, accountId = 'acc'): Token => ({
  id,
  accountId,
  name: `token ${id}`,
  use: 'api',
  parentId: null,
  scopes: ['admin'],
  hash: `hash of ${id}`,
  createdAtMs: 5,
  expiresAtMs: null,
  lastUsedAtMs: null,
});
