// The journal of running calls (docs/threat-model.md R5): interrupted-calls.ts makes records of what a killed process leaves in it. One line for each begin,
// answer and written record, appended every 200 ms for all calls together; no call waits for it. While calls run the file is touched every few
// seconds: its time is the last sign of life of all of them. It is not synced: it survives the end of the process, not that of the machine.
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, CallFacts } from './call-record.ts';

const WRITE_MS = 200;
/** A killed process is missing so much of its calls at most. */
const TOUCH_MS = 2000;
/** Beyond it the file is rewritten with the running calls only. */
const MAX_BYTES = 1_000_000;
/** The pid of the process that writes it, and its start: in a container every process has the same pid. */
export const JOURNAL_NAME = /^running-calls-(\d+)(?:-\d+)?\.jsonl$/;

/** With the service's own answer, if it came before the line was written. */
export type JournalBegin = CallFacts & Partial<CallerAnswer>;
export type CallerAnswer = Pick<Answer, 'callerAnsweredMs'>;

export class RunningCalls {
  readonly name: string;
  readonly #file: string;
  readonly #failed: (error: unknown) => void;
  /** By id: begun since the last write. Serialized together at the next. */
  readonly #begun = new Map<string, JournalBegin>();
  /** By id: the lines of its begin and its answer. */
  readonly #running = new Map<string, string>();
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #touching: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();
  #open: FileHandle | null = null;

  constructor(folder: string, failed: (error: unknown) => void) {
    // A name of its own: a journal of an earlier process that could not be read stays for the next start.
    this.name = `running-calls-${process.pid}-${Date.now()}.jsonl`;
    this.#file = join(folder, this.name);
    this.#failed = failed;
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

  /** Its record is written. */
  recorded(id: string): void {
    // Of a click to call both may have it: it begins twice.
    this.#begun.delete(id);
    if (!this.#running.delete(id)) return;
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
    if (this.#bytes <= MAX_BYTES) {
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
    this.#bytes = Math.min(running.length, MAX_BYTES / 2);
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
