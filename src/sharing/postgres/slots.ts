// Slots over all nodes. A row of `slots` for each one held, with its node and call; `slot_totals` has their number by key, raised by a
// conditional update, so that one statement decides. Both change together. A node compares its rows with what it holds every few
// seconds: so what a lost answer, a pause or another node's mistaken reaping left behind is put right.
import { randomUUID } from 'node:crypto';
import { RollBack } from '../../storage/sql/tx.ts';
import type { NodeCounts } from '../ports/node-counts.ts';
import type { Release, SlotLimit, Slots } from '../ports/slots.ts';
import type { SharedDatabase } from './database.ts';

/** How long an outbound leg waits; then what this node knows decides. */
const WAIT_MS = 1_000;
const RECONCILE_MS = 5_000;

// In the order of the keys: two calls that want the same two never wait for each other.
const TAKE = `WITH wanted AS (
    SELECT key, most FROM unnest($1::text[], $2::bigint[]) AS each (key, most) WHERE most > 0 ORDER BY key),
  taken AS (
    INSERT INTO slot_totals (key, used) SELECT key, 1 FROM wanted
    ON CONFLICT (key) DO UPDATE SET used = slot_totals.used + 1
      WHERE slot_totals.used < (SELECT most FROM wanted WHERE wanted.key = slot_totals.key)
    RETURNING key)
  INSERT INTO slots (id, key, node, call_id) SELECT $3, key, $4, $5 FROM taken RETURNING key`;

/** Rows of several slots, whatever the limits. */
const ADD = `WITH added AS (
    INSERT INTO slots (id, key, node, call_id)
    SELECT id, key, $4, call_id FROM unnest($1::text[], $2::text[], $3::text[]) AS each (id, key, call_id)
    ON CONFLICT DO NOTHING RETURNING key),
  sums AS (SELECT key, count(*) AS number FROM added GROUP BY key ORDER BY key)
  INSERT INTO slot_totals (key, used) SELECT key, number FROM sums
  ON CONFLICT (key) DO UPDATE SET used = slot_totals.used + excluded.used`;

const REMOVE = (which: string): string => `WITH removed AS (DELETE FROM slots WHERE ${which} RETURNING key),
  sums AS (SELECT key, count(*) AS number FROM removed GROUP BY key),
  locked AS (
    SELECT totals.key, sums.number FROM slot_totals AS totals JOIN sums USING (key) ORDER BY totals.key FOR UPDATE OF totals)
  UPDATE slot_totals SET used = greatest(slot_totals.used - locked.number, 0) FROM locked WHERE slot_totals.key = locked.key`;

export interface PostgresSlotsParts {
  readonly database: Pick<SharedDatabase, 'run' | 'query'>;
  readonly node: string;
  readonly counts: NodeCounts;
  /** The database did not answer. */
  readonly failed: (error: unknown) => void;
}

interface Held {
  readonly keys: readonly string[];
  readonly call: string;
  /** Its row is on its way, in or out: it is not compared with what is stored. */
  change: Promise<unknown> | null;
}

export class PostgresSlots implements Slots {
  readonly isShared = true;
  readonly #parts: PostgresSlotsParts;
  /** By id; also those that are asked for, and those that are given back until their row is gone. */
  readonly #held = new Map<string, Held>();
  /** By key: those that this node holds. */
  readonly #own = new Map<string, number>();
  readonly #releasing = new Set<Promise<unknown>>();
  readonly #timer: NodeJS.Timeout;
  #isReconciling = false;

  constructor(parts: PostgresSlotsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.reconcile(), RECONCILE_MS).unref();
    // What an earlier run of this node left behind.
    void this.reconcile();
  }

  async acquire(limits: readonly SlotLimit[], call: string): Promise<Release | null> {
    if (!this.#hasRoom(limits)) return null;
    const id = randomUUID();
    const held: Held = { keys: limits.map(({ key }) => key), call, change: null };
    const asked = this.#takeAfterReleases(id, limits, call);
    this.#change(id, held, asked);
    let isTaken: boolean;
    try {
      isTaken = await inTime(asked);
    } catch (error) {
      this.#parts.failed(error);
      isTaken = this.#hasRoom(limits, true);
    }
    if (isTaken) return this.#hold(id, held);
    // A row that arrives nevertheless is removed by the next comparison.
    this.#held.delete(id);
    return null;
  }

  note(key: string, call: string): Release {
    const id = randomUUID();
    const held: Held = { keys: [key], call, change: null };
    this.#change(id, held, this.#add([[id, held]]).catch(this.#parts.failed));
    return this.#hold(id, held);
  }

  used(key: string): number {
    return (this.#own.get(key) ?? 0) + this.#parts.counts.others(key);
  }

  async nodeDied(node: string): Promise<void> {
    await this.#parts.database.run((tx) => tx.query(REMOVE('node = $1'), [node]));
  }

  /** Makes the rows of this node what it holds. */
  async reconcile(): Promise<void> {
    if (this.#isReconciling) return;
    this.#isReconciling = true;
    const { database, node, failed } = this.#parts;
    try {
      // Those that begin meanwhile are not compared.
      const held = [...this.#held].filter(([, { change }]) => change === null);
      const known = new Set(this.#held.keys());
      const rows = await database.query('SELECT id FROM slots WHERE node = $1', [node]);
      const stored = new Set(rows.map(({ id }) => String(id)));
      const missing = held.filter(
        ([id, { change }]) => !stored.has(id) && this.#held.has(id) && change === null,
      );
      const left = [...stored].filter((id) => !known.has(id) && !this.#held.has(id));
      if (missing.length > 0) await this.#add(missing);
      if (left.length > 0) await database.run((tx) => tx.query(REMOVE('id = ANY($1::text[])'), [left]));
    } catch (error) {
      failed(error);
    } finally {
      this.#isReconciling = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Slots that this node is giving back count as given back. */
  async #takeAfterReleases(id: string, limits: readonly SlotLimit[], call: string): Promise<boolean> {
    if (await this.#take(id, limits, call)) return true;
    if (this.#releasing.size === 0) return false;
    await Promise.all(this.#releasing);
    return this.#take(id, limits, call);
  }

  #take(id: string, limits: readonly SlotLimit[], call: string): Promise<boolean> {
    const { database, node } = this.#parts;
    const values = [limits.map(({ key }) => key), limits.map(({ most }) => most), id, node, call];
    return database.run(async (tx) => {
      const rows = await tx.query(TAKE, values);
      if (rows.length < limits.length) throw new RollBack(false);
      return true;
    });
  }

  /** By what this node holds itself; `orOthers`: and by what it knows of others, when the database cannot be asked. */
  #hasRoom(limits: readonly SlotLimit[], orOthers = false): boolean {
    return limits.every(({ key, most }) => (orOthers ? this.used(key) : (this.#own.get(key) ?? 0)) < most);
  }

  #hold(id: string, held: Held): Release {
    for (const key of held.keys) this.#count(key, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const key of held.keys) this.#count(key, -1);
      const remove = () => this.#parts.database.run((tx) => tx.query(REMOVE('id = $1'), [id]));
      const removed = (held.change ?? DONE).then(remove).catch(this.#parts.failed);
      this.#releasing.add(removed);
      this.#change(id, held, removed);
      void removed.then(() => {
        this.#releasing.delete(removed);
        this.#held.delete(id);
      });
    };
  }

  #change(id: string, held: Held, change: Promise<unknown>): void {
    const settled = change.then(nothing, nothing).then(() => {
      if (held.change === settled) held.change = null;
    });
    held.change = settled;
    this.#held.set(id, held);
  }

  #add(all: readonly (readonly [string, Held])[]): Promise<unknown> {
    const rows = all.flatMap(([id, { keys, call }]) => keys.map((key) => [id, key, call] as const));
    const column = (index: 0 | 1 | 2): string[] => rows.map((row) => row[index]);
    const values = [column(0), column(1), column(2), this.#parts.node];
    return this.#parts.database.run((tx) => tx.query(ADD, values));
  }

  #count(key: string, by: 1 | -1): void {
    const count = (this.#own.get(key) ?? 0) + by;
    if (count > 0) this.#own.set(key, count);
    else this.#own.delete(key);
    this.#parts.counts.set(key, count);
  }
}

const nothing = (): void => undefined;
const DONE = Promise.resolve();

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), WAIT_MS).unref();
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
