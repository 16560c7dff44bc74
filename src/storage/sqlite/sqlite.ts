// The embedded database: a SQLite file behind two worker threads, one that writes and one that reads.
import { join } from 'node:path';
import { grouped } from '../group.ts';
import type { Topic } from '../ports/revisions.ts';
import { probeWrite, type Runner, storageOver } from '../sql/operations.ts';
import { revisions } from '../sql/revision.ts';
import type { SqlRow } from '../sql/tx.ts';
import { type Storage, StorageError } from '../storage.ts';
import { openConnection } from './connection.ts';
import { startThread } from './thread.ts';
import type { Order } from './worker.ts';

const LIMITS = { maxGroup: 256, maxWaiting: 10_000 };
/** Reads gain nothing by large groups, and a short one should not wait for many long ones. */
const READ_LIMITS = { maxGroup: 16, maxWaiting: 10_000 };

/** The folder must be there. */
export async function openSqlite(dataDir: string): Promise<Storage> {
  const file = join(dataDir, 'dialtree.sqlite');
  const writer = await startThread({ file, role: 'writer' });
  const reader = await startThread({ file, role: 'reader' });
  const toWriter = grouped<Order, unknown>(writer.send, LIMITS);
  const toReader = grouped<Order, unknown>(reader.send, READ_LIMITS);
  const peek = openPeek(file);
  let writing = true;

  // A cast each: the worker answers an order with the output of the operation of that name.
  const write: Runner =
    <Input, Output>(name: Order['name']) =>
    async (input: Input) => {
      try {
        const output = (await toWriter({ name, input })) as Output;
        writing = true;
        return output;
      } catch (error) {
        writing = false;
        throw error;
      }
    };
  const read: Runner =
    <Input, Output>(name: Order['name']) =>
    (input: Input) =>
      toReader({ name, input }) as Promise<Output>;
  const readRevisions = read('revisions', revisions);
  const tryWrite = write('probeWrite', probeWrite);

  return {
    ...storageOver(read, write),
    revisions: peek.revisions,
    probe: async () => {
      await readRevisions(['access']);
      if (!writing) await tryWrite({ atMs: Date.now() });
    },
    close: async () => {
      peek.close();
      await reader.close();
      await writer.close();
    },
  };
}

/**
 * Revisions are read on this thread, without a message to the reader and back. A reader of a write-ahead log waits for
 * nobody, and data_version tells whether anybody has committed anything at all.
 */
function openPeek(file: string): { revisions(topics: readonly Topic[]): Promise<number[]>; close(): void } {
  const { tx, close } = openConnection(file, 'reader');
  const first = (sql: string, values?: readonly string[]): number => {
    const [row] = tx.all(sql, values) as SqlRow[];
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
  const look = (): void => {
    const now = first('PRAGMA data_version');
    if (now !== dataVersion) known.clear();
    dataVersion = now;
    lookedMs = performance.now();
  };
  // A lone request looks at once. Under load those that arrive within a millisecond wait for one look, made after them.
  let lookedMs = 0;
  let waiting: Promise<void> | undefined;
  const lookLater = (): Promise<void> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        waiting = undefined;
        try {
          look();
          resolve();
        } catch (error) {
          reject(error);
        }
      }, 1);
    });
  return {
    async revisions(topics) {
      try {
        if (waiting || performance.now() - lookedMs < 1) {
          waiting ??= lookLater();
          await waiting;
        } else look();
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
