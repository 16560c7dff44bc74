// The journal of running calls (docs/threat-model.md R5): interrupted-calls.ts makes records of what a killed process leaves in it. One line for each begin,
// answer and written record, appended every 200 ms for all calls together; no call waits for it. While calls run the file is touched every few
// seconds: its time is the last sign of life of all of them. It is not synced: it survives the end of the process, not that of the machine.
// Records that wait for the database are in it, too. It is named by the node: no other one adopts it while that node runs.
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import type { CallerAnswer, CallJournal, JournalBegin } from './call-journal.ts';
import type { Answer, CallFacts } from './call-record.ts';

const WRITE_MS = 200;
/** A killed process is missing so much of its calls at most. */
const TOUCH_MS = 2000;
/** Beyond it the file is rewritten with the running calls only. */
const MAX_BYTES = 1_000_000;
/** The size of all records that wait for the database; beyond it they wait in memory alone. */
const MAX_ENDED_BYTES = 64_000_000;
/** The node that writes it, and its start. */
export const JOURNAL_NAME = /^running-calls-([a-z0-9-]+)\.\d+\.jsonl$/;
/** The name in versions before nodes had ids: the pid of the process that writes it, and its start. */
export const FORMER_JOURNAL_NAME = /^running-calls-(\d+)(?:-\d+)?\.jsonl$/;

/** Where journals are kept, and how one is known to be left behind. */
export interface JournalPlace {
  readonly folder: string;
  /** The id of this node; no other process has it as long as this one runs. */
  readonly node: string;
  /** Null if that node runs. Otherwise it cannot start before the release. */
  readonly lockNode: (node: string) => { release(): void } | null;
}

/** A call that is over, with the deliveries of its end, until both are stored. */
export interface EndedCall {
  readonly row: CallRow;
  readonly jobs: readonly OutboxJob[];
}

/** How the line of an ended call begins. */
const ENDED = '{"ended":';

export class RunningCalls implements CallJournal {
  readonly name: string;
  readonly #file: string;
  readonly #failed: (error: unknown) => void;
  readonly #maxEndedBytes: number;
  /** By id: begun since the last write. Serialized together at the next. */
  readonly #begun = new Map<string, JournalBegin>();
  /** By id: the lines of its begin and its answer. */
  readonly #running = new Map<string, string>();
  #lines = '';
  #endedBytes = 0;
  #bytes = 0;
  /** At which the file is rewritten. */
  #maxBytes = MAX_BYTES;
  #timer: NodeJS.Timeout | null = null;
  readonly #touching: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();
  #open: FileHandle | null = null;

  constructor(
    { folder, node }: JournalPlace,
    failed: (error: unknown) => void,
    maxEndedBytes = MAX_ENDED_BYTES,
  ) {
    // A name of its own: a journal of an earlier process that could not be read stays for the next start.
    this.name = `running-calls-${node}.${Date.now()}.jsonl`;
    this.#file = join(folder, this.name);
    this.#failed = failed;
    this.#maxEndedBytes = maxEndedBytes;
    this.#touching = setInterval(() => this.#touch(), TOUCH_MS).unref();
  }

  began(facts: CallFacts): void {
    this.#begun.set(facts.id, facts);
    this.#writeLater();
  }

  /** Most calls are answered as soon as they begin: that is no line of its own. */
  callerAnswered(id: string, callerAnsweredMs: number): void {
    const begun = this.#begun.get(id);
    if (begun) this.#begun.set(id, { ...begun, callerAnsweredMs });
    else this.answered(id, { callerAnsweredMs });
  }

  answered(id: string, answer: Answer | CallerAnswer): void {
    const begun = this.#begun.get(id);
    const known = begun ? `${JSON.stringify(begun)}\n` : this.#running.get(id);
    if (known === undefined) return;
    const line = `${JSON.stringify([id, answer])}\n`;
    this.#begun.delete(id);
    this.#running.set(id, known + line);
    this.#lines += begun ? known + line : line;
    this.#writeLater();
  }

  /** It is over, and its record waits for the database. */
  ended({ row, jobs }: EndedCall): void {
    const { index: _, ...ended } = row;
    const line = `${JSON.stringify({ ended, jobs })}\n`;
    if (this.#endedBytes + line.length > this.#maxEndedBytes) return;
    this.#endedBytes += line.length;
    this.#begun.delete(row.id);
    this.#running.set(row.id, line);
    this.#lines += line;
    this.#writeLater();
  }

  /** Its record is written. */
  recorded(id: string): void {
    // A click to call begins twice, so both may have it.
    this.#begun.delete(id);
    const line = this.#running.get(id);
    if (line === undefined) return;
    this.#running.delete(id);
    if (line.startsWith(ENDED)) this.#endedBytes -= line.length;
    this.#lines += `"${id}"\n`;
    this.#writeLater();
  }

  /** Calls that are not recorded by now will be at the next start. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    clearInterval(this.#touching);
    this.#write();
    await this.#writing;
    await this.#shut().catch(this.#failed);
    if (this.#running.size === 0) await rm(this.#file, { force: true }).catch(this.#failed);
  }

  #touch(): void {
    const file = this.#open;
    if (!file || this.#running.size === 0) return;
    const now = new Date();
    // After the writes before it, which may close the file.
    this.#writing = this.#writing
      .then(() => (file === this.#open ? file.utimes(now, now) : undefined))
      .catch(this.#failed);
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MS).unref();
  }

  #write(): void {
    this.#timer = null;
    const lines = this.#begunLines() + this.#lines;
    if (lines === '') return;
    this.#lines = '';
    this.#writing = this.#writing.then(() => this.#append(lines)).catch(this.#failed);
  }

  #begunLines(): string {
    let lines = '';
    for (const [id, facts] of this.#begun) {
      const line = `${JSON.stringify(facts)}\n`;
      this.#running.set(id, line);
      lines += line;
    }
    this.#begun.clear();
    return lines;
  }

  /** Before the file is replaced or removed, which Windows refuses for an open file. */
  async #shut(): Promise<void> {
    const file = this.#open;
    this.#open = null;
    await file?.close();
  }

  async #append(lines: string): Promise<void> {
    this.#bytes += lines.length;
    if (this.#bytes <= this.#maxBytes) {
      // Stays open: it is written to five times a second. After a failure the next write opens it again.
      try {
        this.#open ??= await open(this.#file, 'a', 0o600);
        await this.#open.appendFile(lines);
      } catch (error) {
        await this.#shut().catch(() => undefined);
        throw error;
      }
      return;
    }
    await this.#shut();
    const running = [...this.#running.values()].join('');
    // Includes `lines`, and some that the next write repeats: a begin that is read twice is one call.
    await writeFile(`${this.#file}.new`, running, { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
    this.#bytes = running.length;
    this.#maxBytes = Math.max(MAX_BYTES, 2 * running.length);
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
