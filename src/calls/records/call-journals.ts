// All that is noted of running calls for a process that is killed, in one value, and the records of what others left behind.
import type { Logger } from 'pino';
import type { NodeIdentity } from '../../storage/ports/nodes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CallerAnswer, CallJournal } from './call-journal.ts';
import type { Answer, CallFacts } from './call-record.ts';
import {
  type InterruptedCall,
  type InterruptedParts,
  recordInterruptedCalls,
  saveInterrupted,
} from './interrupted-calls.ts';
import { LiveCallRows, type LiveCallRowsParts } from './live-call-rows.ts';
import { type EndedCall, type JournalPlace, RunningCalls } from './running-calls.ts';

const RETRY_MS = 30_000;
/** A journal of a former version, whose process may still run, is looked at again. */
const FORMER_MS = 10_000;

export interface CallJournalsParts extends Pick<InterruptedParts, 'clock' | 'ends'> {
  readonly storage: Storage;
  readonly logger: Logger;
  /** Where the journal of running calls is kept, for a process that is killed; without it there is none. */
  readonly journal?: JournalPlace;
  /** This run of the node, if other nodes must know its calls. */
  readonly shared?: NodeIdentity;
}

export class CallJournals implements CallJournal {
  readonly #parts: CallJournalsParts & Pick<InterruptedParts, 'callEvents'>;
  readonly #file: RunningCalls | null;
  readonly #rows: LiveCallRows | null;
  readonly #all: readonly CallJournal[];
  #retry: NodeJS.Timeout | undefined;

  constructor(
    parts: CallJournalsParts & Pick<InterruptedParts, 'callEvents'>,
    calls: Pick<LiveCallRowsParts, 'describe' | 'store' | 'taken'>,
  ) {
    const { storage, logger, journal, shared } = parts;
    this.#parts = parts;
    const notWritten = (err: unknown): void => logger.warn({ err }, 'journal of running calls not written');
    this.#file = journal ? new RunningCalls(journal, notWritten) : null;
    const notShared = (err: unknown): void =>
      logger.warn({ err }, 'running calls not written for the other nodes; retrying');
    const taken = (ids: readonly string[]): void => {
      logger.warn({ calls: ids.length }, 'other nodes go on with calls of this one');
      calls.taken(ids);
    };
    this.#rows = shared
      ? new LiveCallRows({ storage, node: shared.id, run: shared.run, ...calls, taken, failed: notShared })
      : null;
    this.#all = [this.#file, this.#rows].filter((each) => each !== null);
  }

  began(facts: CallFacts): void {
    for (const journal of this.#all) journal.began(facts);
  }

  callerAnswered(id: string, atMs: number): void {
    for (const journal of this.#all) journal.callerAnswered(id, atMs);
  }

  answered(id: string, answer: Answer | CallerAnswer): void {
    for (const journal of this.#all) journal.answered(id, answer);
  }

  recorded(id: string): void {
    for (const journal of this.#all) journal.recorded(id);
  }

  /** It is over, and its record waits for the database. */
  ended(ended: EndedCall): void {
    this.#file?.ended(ended);
  }

  changed(id: string): void {
    this.#rows?.changed(id);
  }

  /** Begun at another node, that long ago. */
  recovered(facts: CallFacts, ageMs: number, answer: Answer | null): void {
    this.#file?.began(facts);
    this.#rows?.began(facts, ageMs);
    if (answer) this.answered(facts.id, answer);
  }

  legChanged(id: string): void {
    this.#rows?.legChanged(id);
  }

  /** Others took this node for dead: what they removed of its calls is written again. */
  writeAll(): void {
    this.#rows?.writeAll();
  }

  /** Records what killed processes left in the folder. Retries while the database is unavailable, or its disk full. */
  async recover(): Promise<void> {
    const { journal, logger, storage } = this.#parts;
    if (journal === undefined || !this.#file) return;
    try {
      await storage.probe();
      const { interrupted, ended, isLater } = await recordInterruptedCalls(
        journal,
        this.#parts,
        this.#file.name,
      );
      if (interrupted > 0)
        logger.warn({ calls: interrupted }, 'calls interrupted by a crash; their records are written');
      if (ended > 0) logger.info({ ended }, 'CDRs that waited for the database before a crash are written');
      if (isLater) this.#recoverIn(FORMER_MS);
    } catch (err) {
      logger.error({ err }, 'interrupted calls not recorded; retrying');
      this.#recoverIn(RETRY_MS);
    }
  }

  /** Calls that a dead node left behind, or a former run of this one: how many were not recorded yet. */
  async recordInterrupted(calls: readonly InterruptedCall[]): Promise<number> {
    return (await saveInterrupted(calls, this.#parts)).length;
  }

  stopRecovering(): void {
    clearTimeout(this.#retry);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    await this.#rows?.close();
  }

  #recoverIn(ms: number): void {
    this.#retry = setTimeout(() => void this.recover(), ms).unref();
  }
}
