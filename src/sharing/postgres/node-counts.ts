// Each node's counts as one row, written when they changed, twice a second at most; the others' rows are read as often.
import type { NodeCounts } from '../ports/node-counts.ts';
import type { SharedDatabase } from './database.ts';

/** A count is written by one timer and read by another: together a second. */
const EVERY_MS = 500;
/** Some 2 MB of text. Of more, those that were counted last are left out: they hold for this node alone. */
export const MAX_KEYS = 20_000;

const WRITE = `INSERT INTO node_counts (node, version, counts) VALUES ($1, 1, $2)
  ON CONFLICT (node) DO UPDATE SET version = node_counts.version + 1, counts = excluded.counts`;
const READ = 'SELECT node, version, counts FROM node_counts WHERE node <> $1';
const VERSIONS = 'SELECT node, version FROM node_counts WHERE node <> $1';

export interface PostgresNodeCountsParts {
  readonly database: Pick<SharedDatabase, 'run' | 'query'>;
  readonly node: string;
  readonly failed: (error: unknown) => void;
}

interface OtherNode {
  readonly version: string;
  readonly counts: ReadonlyMap<string, number>;
}

export class PostgresNodeCounts implements NodeCounts {
  readonly #parts: PostgresNodeCountsParts;
  readonly #own = new Map<string, number>();
  #others = new Map<string, OtherNode>();
  /** An earlier run of this node may have left a row. */
  #isChanged = true;
  #exchanging: Promise<void> | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: PostgresNodeCountsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      if (!this.#exchanging) void this.exchange();
    }, EVERY_MS).unref();
  }

  set(key: string, count: number): void {
    if (count > 0) this.#own.set(key, count);
    else this.#own.delete(key);
    this.#isChanged = true;
  }

  others(key: string): number {
    let sum = 0;
    for (const { counts } of this.#others.values()) sum += counts.get(key) ?? 0;
    return sum;
  }

  async nodeDied(node: string): Promise<void> {
    this.#others.delete(node);
    await this.#parts.database.run((tx) => tx.query('DELETE FROM node_counts WHERE node = $1', [node]));
  }

  /** Another node has removed this one's row. */
  claimAgain(): Promise<void> {
    this.#isChanged = true;
    return this.exchange();
  }

  /** One that runs may have begun before what is to be written or read: another one follows. */
  async exchange(): Promise<void> {
    while (this.#exchanging) await this.#exchanging;
    this.#exchanging = this.#exchange()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#exchanging = null;
      });
    await this.#exchanging;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #exchange(): Promise<void> {
    const { database, node } = this.#parts;
    if (this.#isChanged) {
      this.#isChanged = false;
      const counts: Record<string, number> = {};
      let keys = 0;
      for (const [key, count] of this.#own) if (keys++ < MAX_KEYS) counts[key] = count;
      const write = database.run((tx) => tx.query(WRITE, [node, JSON.stringify(counts)]));
      await write.catch((error: unknown) => {
        this.#isChanged = true;
        throw error;
      });
    }
    const versions = await database.query(VERSIONS, [node]);
    const isKnown = versions.every(
      (row) => this.#others.get(String(row['node']))?.version === row['version'],
    );
    if (isKnown && versions.length === this.#others.size) return;
    const others = new Map<string, OtherNode>();
    for (const row of await database.query(READ, [node])) {
      const known = this.#others.get(String(row['node']));
      const version = String(row['version']);
      others.set(
        String(row['node']),
        known?.version === version ? known : { version, counts: countsOf(String(row['counts'])) },
      );
    }
    this.#others = others;
  }
}

function countsOf(text: string): Map<string, number> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, number>));
}
