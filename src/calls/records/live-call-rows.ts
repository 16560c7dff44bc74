// The running calls of this node in the database, for the other nodes: the live list, and the records of its calls if it dies. A row is
// written when a call has begun and when its state, place or agent has changed; some times a second for all calls together, and no
// call waits for it. A short call has none. While the database is away the latest of each call waits.
import type { LiveCallRow, LiveCallStorage, StoredLiveCall } from '../../storage/ports/live-calls.ts';
import type { LiveCall } from '../operator/live-calls.ts';
import type { CallerAnswer, CallJournal, JournalBegin } from './call-journal.ts';
import type { Answer, CallFacts } from './call-record.ts';
import { type InterruptedCall, interrupted } from './interrupted-calls.ts';

const WRITE_MS = 400;
const RETRY_MS = 1000;
/** Rows of one write; the next follows at once. */
const BATCH = 500;
/** Ids that wait for their removal; beyond it all rows of the node are dropped and written again. */
const MAX_REMOVED = 20_000;

export interface LiveCallRowsParts {
  readonly storage: Pick<LiveCallStorage, 'saveLiveCalls' | 'dropLiveCalls'>;
  readonly node: string;
  readonly run: string;
  /** Null if it is not connected to a caller yet, or has ended and waits for its record. */
  readonly describe: (accountId: string, id: string) => LiveCall | null;
  /** What another node needs to go on with it; null: none can. */
  readonly store: (id: string) => string | null;
  /** Another node has these calls: this one was taken for dead. */
  readonly taken: (ids: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
}

interface Noted {
  facts: JournalBegin;
  answer: Answer | null;
  readonly beganMs: number;
  /** What the database has; null: nothing. */
  written: string | null;
  /** It has been described. */
  wasLive: boolean;
  /** What another node needs of its legs may have changed. */
  isMoved: boolean;
}

export class LiveCallRows implements CallJournal {
  readonly #parts: LiveCallRowsParts;
  readonly #calls = new Map<string, Noted>();
  /** Ids of calls that may differ from their row. */
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #mustDrop = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: LiveCallRowsParts) {
    this.#parts = parts;
  }

  began(facts: CallFacts, ageMs = 0): void {
    const known = this.#calls.get(facts.id);
    // A click to call begins twice.
    if (known) known.facts = { ...known.facts, ...facts };
    else
      this.#calls.set(facts.id, {
        facts,
        answer: null,
        beganMs: performance.now() - ageMs,
        written: null,
        wasLive: false,
        isMoved: false,
      });
    this.changed(facts.id);
  }

  callerAnswered(id: string, callerAnsweredMs: number): void {
    this.answered(id, { callerAnsweredMs });
  }

  answered(id: string, answer: Answer | CallerAnswer): void {
    const noted = this.#calls.get(id);
    if (!noted) return;
    if ('atMs' in answer) noted.answer = answer;
    else noted.facts = { ...noted.facts, ...answer };
    this.changed(id);
  }

  /** Its state, place or agent may be another. Runs for every trail entry of every call. */
  changed(id: string): void {
    this.#changed.add(id);
    this.#writeIn(WRITE_MS);
  }

  /** Its legs are other ones, or elsewhere. */
  legChanged(id: string): void {
    const noted = this.#calls.get(id);
    if (!noted) return;
    noted.isMoved = true;
    this.changed(id);
  }

  recorded(id: string): void {
    const noted = this.#calls.get(id);
    this.#calls.delete(id);
    this.#changed.delete(id);
    if (noted?.written === undefined || noted.written === null) return;
    if (this.#removed.size < MAX_REMOVED) this.#removed.add(id);
    else this.#mustDrop = true;
    this.#writeIn(WRITE_MS);
  }

  /** Others took this node for dead, and its rows are gone. */
  writeAll(): void {
    for (const [id, noted] of this.#calls) {
      noted.written = null;
      this.#changed.add(id);
    }
    this.#writeIn(0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#writing;
    await this.#write().catch(this.#parts.failed);
  }

  #writeIn(ms: number): void {
    if (this.#timer || this.#writing || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    this.#timer = null;
    let nextMs = WRITE_MS;
    this.#writing = this.#write().catch((error: unknown) => {
      nextMs = RETRY_MS;
      this.#parts.failed(error);
    });
    await this.#writing;
    this.#writing = null;
    if (this.#changed.size > 0 || this.#removed.size > 0 || this.#mustDrop) this.#writeIn(nextMs);
  }

  async #write(): Promise<void> {
    const { storage, node, run } = this.#parts;
    if (this.#mustDrop) {
      await storage.dropLiveCalls({ node, exceptRun: null });
      this.#mustDrop = false;
      this.#removed.clear();
      for (const [id, noted] of this.#calls) {
        noted.written = null;
        this.#changed.add(id);
      }
    }
    while (this.#changed.size > 0 || this.#removed.size > 0) {
      const { saved, states } = this.#takeChanged();
      const removed = [...this.#removed].slice(0, BATCH);
      if (saved.length === 0 && removed.length === 0) continue;
      let taken: readonly string[] = [];
      try {
        ({ taken } = await storage.saveLiveCalls({ node, run, saved, removed }));
      } catch (error) {
        for (const { id } of saved) if (this.#calls.has(id)) this.#changed.add(id);
        throw error;
      }
      for (const id of removed) this.#removed.delete(id);
      for (const { id } of saved) {
        const noted = this.#calls.get(id);
        if (noted) noted.written = states.get(id) ?? null;
        // It ended during the write.
        else this.#removed.add(id);
      }
      if (taken.length > 0) this.#parts.taken(taken);
    }
  }

  #takeChanged(): { saved: LiveCallRow[]; states: Map<string, string> } {
    const saved: LiveCallRow[] = [];
    const states = new Map<string, string>();
    for (const id of this.#changed) {
      if (saved.length === BATCH) break;
      this.#changed.delete(id);
      const noted = this.#calls.get(id);
      if (!noted) continue;
      const { facts, answer, beganMs } = noted;
      const live = this.#parts.describe(facts.accountId, id);
      noted.wasLive ||= live !== null;
      const absent = noted.wasLive ? 'ending' : 'calling_agent';
      const { state = absent, node: at = null, agent = null } = live ?? {};
      const json = JSON.stringify({ facts, answer });
      const written = `${state} ${at} ${agent} ${json.length}`;
      if (written === noted.written && !noted.isMoved) continue;
      noted.isMoved = false;
      saved.push({
        id,
        accountId: facts.accountId,
        state,
        at,
        agent,
        ageMs: performance.now() - beganMs,
        json,
        recovery: this.#parts.store(id),
      });
      states.set(id, written);
    }
    return { saved, states };
  }
}

/** The calls of a node that died. `lastSeenMs`: its last sign of life, by the database's clock. */
export function interruptedByDeath(rows: readonly StoredLiveCall[], lastSeenMs: number): InterruptedCall[] {
  return rows.map(({ json, ageMs, writtenAtMs }) => {
    const { facts, answer } = JSON.parse(json) as { facts: JournalBegin; answer: Answer | null };
    return interrupted(facts, ageMs + Math.max(0, lastSeenMs - writtenAtMs), answer);
  });
}
