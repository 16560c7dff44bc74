// The embedded database: a SQLite file behind two worker threads, one that writes and one that reads.
import { join } from 'node:path';
import { accountOf, grouped } from '../group.ts';
import type { Topic } from '../ports/revisions.ts';
import { probeWrite, type Runner, readSchema, storageOver } from '../sql/operations.ts';
import { type Storage, StorageError } from '../storage.ts';
import { type OnLost, watchLost } from '../watch-lost.ts';
import { openConnection } from './connection.ts';
import { lostError, lostPartLater } from './database-file.ts';
import { startThread } from './thread.ts';
import type { Order } from './worker.ts';

const LIMITS = { maxGroup: 256, maxPending: 10_000 };
/** Large groups do not speed up reads, and a short read should not wait for many long ones. */
const READ_LIMITS = { maxGroup: 16, maxPending: 10_000 };

/** How often it is checked that the file is still the one that was opened; the writer checks around each commit, too. */
const WATCH_MS = 500;

export const DATABASE_FILE = 'dialtree.sqlite';

/** The folder must exist. */
export async function openSqlite(dataDir: string, onLost: OnLost = () => undefined): Promise<Storage> {
  const file = join(dataDir, DATABASE_FILE);
  const writer = await startThread({ file, role: 'writer' });
  const { identity } = writer;
  const reader = await startThread({ file, role: 'reader', identity });
  const toWriter = grouped<Order, unknown>(writer.send, LIMITS, ({ input }) => accountOf(input));
  const toReader = grouped<Order, unknown>(reader.send, READ_LIMITS, ({ input }) => accountOf(input));
  const revisionReader = openRevisions(file);
  // Not known before the first probe writes something. Other writes may find nothing to change, and succeed on a full disk.
  let writing = false;
  const watch = watchLost(WATCH_MS, onLost, async () => {
    const part = await lostPartLater(file, identity);
    return part === null ? null : lostError(file, part);
  });

  // The casts hold: the worker answers an order with the output of the operation of that name.
  const write: Runner =
    <Input, Output>(name: Order['name']) =>
    async (input: Input) => {
      watch.check();
      try {
        return (await toWriter({ name, input })) as Output;
      } catch (error) {
        writing = false;
        if (error instanceof StorageError && error.reason === 'lost') watch.lost(error);
        throw error;
      }
    };
  const read: Runner =
    <Input, Output>(name: Order['name']) =>
    async (input: Input) => {
      watch.check();
      return (await toReader({ name, input })) as Output;
    };
  const tryRead = read('readSchema', readSchema);
  const tryWrite = write('probeWrite', probeWrite);

  return {
    ...storageOver(read, write),
    revisions: async (topics) => {
      watch.check();
      return revisionReader.revisions(topics);
    },
    probe: async () => {
      await watch.now();
      await tryRead({});
      if (writing) return;
      await tryWrite({ atMs: Date.now() });
      writing = true;
    },
    close: async () => {
      watch.stop();
      revisionReader.close();
      await reader.close();
      await writer.close();
    },
  };
}

/**
 * Reads revisions on this thread, without a round trip to the reader. A reader of a write-ahead log never waits for a lock,
 * and data_version shows whether any connection has committed.
 */
function openRevisions(file: string): {
  revisions(topics: readonly Topic[]): Promise<number[]>;
  close(): void;
} {
  const { tx, close } = openConnection(file, 'reader');
  const first = (sql: string, values?: readonly string[]): number => {
    const [row] = tx.all(sql, values);
    return row ? Number(Object.values(row)[0]) : 0;
  };
  const known = new Map<Topic, number>();
  let dataVersion = -1;
  const revision = (topic: Topic): number => {
    const held = known.get(topic);
    if (held !== undefined) return held;
    const read = first('SELECT revision FROM revisions WHERE topic = $1', [topic]);
    known.set(topic, read);
    return read;
  };
  const check = (): void => {
    const now = first('PRAGMA data_version');
    if (now !== dataVersion) known.clear();
    dataVersion = now;
    checkedMs = performance.now();
  };
  // A single request checks at once. Under load, requests of one millisecond wait for one check, made after them.
  let checkedMs = 0;
  let nextCheck: Promise<void> | undefined;
  const checkLater = (): Promise<void> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        nextCheck = undefined;
        try {
          check();
          resolve();
        } catch (error) {
          reject(error);
        }
      }, 1);
    });
  return {
    async revisions(topics) {
      try {
        if (nextCheck || performance.now() - checkedMs < 1) {
          nextCheck ??= checkLater();
          await nextCheck;
        } else check();
        return topics.map(revision);
      } catch (error) {
        throw new StorageError(
          'unavailable',
          `The database ${file} cannot be read: ${(error as Error).message}`,
          {
            cause: error,
          },
        );
      }
    },
    close,
  };
}
