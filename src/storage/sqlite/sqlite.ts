// The embedded database: a SQLite file behind two worker threads, one that writes and one that reads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { grouped } from '../group.ts';
import { askTogether } from '../revisions.ts';
import type { InputOf, OutputOf, ReadName, WriteName } from '../sql/operations.ts';
import { type Storage, StorageError } from '../storage.ts';
import { startThread } from './thread.ts';
import type { Order } from './worker.ts';

const LIMITS = { maxGroup: 256, maxWaiting: 10_000 };

export async function openSqlite(dataDir: string): Promise<Storage> {
  makeFolder(dataDir);
  const file = join(dataDir, 'dialtree.sqlite');
  const writer = await startThread({ file, role: 'writer' });
  const reader = await startThread({ file, role: 'reader' });
  const toWriter = grouped<Order, unknown>(writer.send, LIMITS);
  const toReader = grouped<Order, unknown>(reader.send, LIMITS);
  let writing = true;

  const write =
    <N extends WriteName>(name: N) =>
    async (input: InputOf<N>): Promise<OutputOf<N>> => {
      try {
        const output = (await toWriter({ name, input })) as OutputOf<N>;
        writing = true;
        return output;
      } catch (error) {
        writing = false;
        throw error;
      }
    };
  const read =
    <N extends ReadName>(name: N) =>
    (input: InputOf<N>): Promise<OutputOf<N>> =>
      toReader({ name, input }) as Promise<OutputOf<N>>;
  const probeWrite = write('probeWrite');

  return {
    createRecord: write('createRecord'),
    updateRecord: write('updateRecord'),
    deleteRecord: write('deleteRecord'),
    takeNumber: write('takeNumber'),
    createAccount: write('createAccount'),
    putSettings: write('putSettings'),
    createToken: write('createToken'),
    revokeToken: write('revokeToken'),
    touchTokens: write('touchTokens'),
    forgetClaims: write('forgetClaims'),
    getRecord: read('getRecord'),
    listRecords: read('listRecords'),
    listVersions: read('listVersions'),
    getVersion: read('getVersion'),
    findReferrers: read('findReferrers'),
    listAccounts: () => read('listAccounts')(undefined),
    listTokens: () => read('listTokens')(undefined),
    findClaim: read('findClaim'),
    revisions: askTogether(read('revisions')),
    probe: async () => {
      await read('revisions')(['access']);
      if (!writing) await probeWrite({ atMs: Date.now() });
    },
    close: async () => {
      await reader.close();
      await writer.close();
    },
  };
}

function makeFolder(dataDir: string): void {
  try {
    // The folder holds tokens' hashes and recordings: for its owner alone.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StorageError('unavailable', `DATA_DIR ${dataDir} cannot be made: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
