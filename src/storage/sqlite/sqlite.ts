// The embedded database: a SQLite file behind a worker thread that writes and one that reads; a command reads in its own. Threads that share the database share the
// writer: two would fight for SQLite's lock. Each has its own reader, so that none waits for the reads of another.
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { accountOf, type GroupLimits, grouped } from '../group.ts';
import type { Topic } from '../ports/revisions.ts';
import { probeWrite, type Runner, readSchema, storageOver } from '../sql/operations.ts';
import type { Tx } from '../sql/tx.ts';
import { type Storage, StorageError } from '../storage.ts';
import { type OnLost, watchLost } from '../watch-lost.ts';
import { WriteOutcomes } from '../write-outcomes.ts';
import { ThreadClient } from './client.ts';
import { openConnection } from './connection.ts';
import { type FileIdentity, lostError, lostPartLater } from './database-file.ts';
import { toError } from './fault.ts';
import { startThread } from './thread.ts';
import type { Order } from './worker.ts';

const LIMITS = { maxGroup: 256, maxPending: 10_000 };
/** Large groups do not speed up reads, and a short read should not wait for many long ones. */
const READ_LIMITS = { maxGroup: 16, maxPending: 10_000 };

/** How often it is checked that the file is still the one that was opened; the writer checks around each commit, too. */
const WATCH_MS = 500;

export const DATABASE_FILE = 'dialtree.sqlite';

/** What another thread needs to use the same database, beside the port that brings it the writer's. */
export interface SqliteShare {
  readonly dataDir: string;
  readonly identity: FileIdentity;
}

export interface SqliteStorage extends Storage {
  /** `writers`: brings the other thread the port of the writer, and another one after each restart. */
  share(writers: MessagePort): { readonly sqlite: SqliteShare };
}

/** Where reads happen: in a thread that is started for them, or, for a few of them, in this one. */
export type ReadsIn = 'a thread' | 'this thread';

/** The folder must exist. */
export async function openSqlite(
  dataDir: string,
  onLost: OnLost = () => undefined,
  readsIn: ReadsIn = 'a thread',
): Promise<SqliteStorage> {
  const file = join(dataDir, DATABASE_FILE);
  const thread = await startThread({ file, role: 'writer' });
  const { identity } = thread;
  const writer = new ThreadClient(file);
  thread.connect((port) => writer.use(port));
  const closed = () => thread.close();
  const storage = await over({ file, identity, writer, onLost, readsIn, closed }).catch(
    async (error: unknown) => {
      writer.close();
      await thread.close();
      throw error;
    },
  );
  return Object.assign(storage, {
    share: (writers: MessagePort) => {
      thread.connect((port) => writers.postMessage(port, [port]));
      return { sqlite: { dataDir, identity } };
    },
  });
}

/** In a thread beside the one that opened it: the same writer, and a reader of its own. Closed before that one. */
export async function joinSqlite(
  { dataDir, identity }: SqliteShare,
  writers: MessagePort,
  onLost: OnLost = () => undefined,
): Promise<Storage> {
  const file = join(dataDir, DATABASE_FILE);
  const writer = new ThreadClient(file);
  writers.on('message', (port: MessagePort) => writer.use(port));
  writers.unref();
  const closed = async () => writers.close();
  return over({ file, identity, writer, onLost, readsIn: 'a thread', closed });
}

interface Parts {
  readonly file: string;
  readonly identity: FileIdentity;
  readonly writer: ThreadClient;
  readonly onLost: OnLost;
  readonly readsIn: ReadsIn;
  /** Called when it is closed. */
  readonly closed: () => Promise<void>;
}

interface Reader {
  readonly read: Runner;
  close(): Promise<void>;
}

/** The orders of one turn of the event loop are sent together. */
function ordering({ send }: ThreadClient, limits: GroupLimits): Runner {
  const order = grouped<Order, unknown>(send, limits, ({ input }) => accountOf(input));
  // The cast holds: the worker answers an order with the output of the operation of that name.
  return async <Input, Output>(
    name: Order['name'],
    _: (tx: Tx, input: Input) => Promise<Output>,
    input: Input,
  ) => (await order({ name, input })) as Output;
}

async function readInThread(file: string, identity: FileIdentity): Promise<Reader> {
  const thread = await startThread({ file, role: 'reader', identity });
  const client = new ThreadClient(file);
  thread.connect((port) => client.use(port));
  return {
    read: ordering(client, READ_LIMITS),
    close: () => {
      client.close();
      return thread.close();
    },
  };
}

function readHere(file: string): Reader {
  const { tx, close } = openConnection(file, 'reader');
  return {
    read: async (_name, operation, input) => {
      try {
        return await operation(tx, input);
      } catch (error) {
        const { errcode: code = -1, message } = error as Error & { errcode?: number };
        throw toError({ code, message }, file);
      }
    },
    close: async () => close(),
  };
}

async function over({ file, identity, writer, onLost, readsIn, closed }: Parts): Promise<Storage> {
  const reader = readsIn === 'a thread' ? await readInThread(file, identity) : readHere(file);
  const toWriter = ordering(writer, LIMITS);
  const revisionReader = openRevisions(file);
  const writes = new WriteOutcomes(false);
  const watch = watchLost(WATCH_MS, onLost, async () => {
    const part = await lostPartLater(file, identity);
    return part === null ? null : lostError(file, part);
  });

  const write: Runner = async (name, operation, input) => {
    watch.check();
    try {
      return await toWriter(name, operation, input);
    } catch (error) {
      writes.failed(error);
      if (error instanceof StorageError && error.reason === 'lost') watch.lost(error);
      throw error;
    }
  };
  const read: Runner = async (name, operation, input) => {
    watch.check();
    return reader.read(name, operation, input);
  };

  return storageOver(read, write, {
    revisions: async (topics) => {
      watch.check();
      return revisionReader.revisions(topics);
    },
    probe: async () => {
      await watch.now();
      await read('readSchema', readSchema, undefined);
      if (!writes.mustTry()) return;
      await write('probeWrite', probeWrite, { atMs: Date.now() });
      writes.succeeded();
    },
    close: async () => {
      watch.stop();
      revisionReader.close();
      await reader.close();
      writer.close();
      await closed();
    },
  });
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
  // From its first read on a connection holds the file: a writer that ends is not the last one, which would remove the write-ahead log.
  first('SELECT count(*) FROM sqlite_schema');
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
