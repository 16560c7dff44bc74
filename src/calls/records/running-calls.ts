// A journal of the calls that run (R5): what a killed process leaves in it becomes records of interrupted calls at the next start.
// One line per begin and per written record, appended every 200 ms for all calls together; nothing of a call waits for it. It is not
// synced: it survives the end of the process, not that of the machine.
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallRow } from '../../storage/ports/calls.ts';
import { NO_LADDER } from '../call/call-ladder.ts';
import { type CallFacts, type CallResult, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';

const WRITE_MS = 200;
/** Beyond it, and twice what is alive, the file is written anew with what is alive. */
const MAX_BYTES = 1_000_000;
const NAME = /^running-calls-(\d+)\.jsonl$/;

export class RunningCalls {
  readonly #file: string;
  readonly #failed: (error: unknown) => void;
  /** By id: those that have begun since the last lines were written. Many are put into words together. */
  readonly #begun = new Map<string, CallFacts>();
  /** By id: the line that began it. */
  readonly #alive = new Map<string, string>();
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #open: FileHandle | null = null;

  constructor(folder: string, failed: (error: unknown) => void) {
    this.#file = join(folder, `running-calls-${process.pid}.jsonl`);
    this.#failed = failed;
  }

  began(facts: CallFacts): void {
    this.#begun.set(facts.id, facts);
    this.#writeLater();
  }

  /** Its record is written, so the journal need not remember it. */
  recorded(id: string): void {
    if (this.#begun.delete(id) || !this.#alive.delete(id)) return;
    this.#lines += `"${id}"\n`;
    this.#writeLater();
  }

  /** Everything is recorded, or will be by the next start. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
    await this.#shut().catch(this.#failed);
    if (this.#alive.size === 0) await rm(this.#file, { force: true }).catch(this.#failed);
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
      this.#alive.set(id, line);
      lines += line;
    }
    this.#begun.clear();
    return lines;
  }

  /** Before the file is replaced or removed: not every system does that to one that is open. */
  async #shut(): Promise<void> {
    const file = this.#open;
    this.#open = null;
    await file?.close();
  }

  async #append(lines: string): Promise<void> {
    this.#bytes += lines.length;
    if (this.#bytes <= MAX_BYTES) {
      // Stays open: it is written to five times a second. After a failure the next lines open it anew.
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
    const alive = [...this.#alive.values()].join('');
    // What is alive now holds the lines above, and some that come again below: a begin that is read twice is one call.
    await writeFile(`${this.#file}.new`, alive, { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
    this.#bytes = Math.min(alive.length, MAX_BYTES / 2);
  }
}

export interface InterruptedCall {
  readonly facts: CallFacts;
  readonly result: CallResult;
  readonly row: CallRow;
}

/** Calls that ended with a process that is no more; `done` forgets them once their records are written. */
export async function interruptedCalls(
  folder: string,
): Promise<{ calls: InterruptedCall[]; done(): Promise<void> }> {
  const names = (await readdir(folder)).filter((name) => isLeft(Number(NAME.exec(name)?.[1] ?? 0)));
  const files = names.map((name) => join(folder, name));
  const calls = await Promise.all(files.map(callsIn));
  return {
    calls: calls.flat(),
    done: async () => void (await Promise.all(files.map((file) => rm(file, { force: true })))),
  };
}

/** A journal with our own number is not ours yet: in a container every process has the same one. */
function isLeft(pid: number): boolean {
  return pid > 0 && (pid === process.pid || !isRunning(pid));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function callsIn(file: string): Promise<InterruptedCall[]> {
  const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  const left = new Map<string, CallFacts>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (typeof entry === 'string') left.delete(entry);
    else if (entry) left.set(entry.id, entry);
  }
  // The last thing that the process wrote down is the last that is known of its calls.
  return [...left.values()].map((facts) => interrupted(facts, Math.max(0, mtimeMs - facts.startedAtMs)));
}

/** The last line of a process that was killed may be half a line. */
function readLine(line: string): CallFacts | string | null {
  try {
    const entry = JSON.parse(line) as CallFacts | string;
    return typeof entry === 'string' || typeof entry?.startedAtMs === 'number' ? entry : null;
  } catch {
    return null;
  }
}

function interrupted(facts: CallFacts, durationMs: number): InterruptedCall {
  const end = ownEnd('interrupted');
  const atMs = Math.round(durationMs);
  const trail = [
    {
      atMs: 0,
      node: null,
      code: 'call-started',
      text: `A call to ${facts.entry}.`,
      destination: facts.entry,
    },
    { atMs, node: null, code: 'ended', text: end.text },
  ] as const;
  const nothing = {
    answeredBy: null,
    ringMs: 0,
    talkMs: 0,
    queueMs: 0,
    recording: null,
    voicemail: null,
    events: [],
    keys: [],
    ladder: NO_LADDER,
    legs: [],
  };
  const result = { ...nothing, end, durationMs: atMs, trail };
  return { facts, result, row: callRow(facts, result) };
}
