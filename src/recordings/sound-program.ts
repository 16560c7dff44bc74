// SOUND_COMMAND: a program that makes WAV of sound files which are not decoded here, such as ffmpeg. It gets only files whose first bytes
// say that they are sound (convert/undecoded.ts): a playlist or a page would have it fetch what others chose.
import { FairGate, type Shares } from '../kit/fair-share.ts';
import { StorageError } from '../storage/storage.ts';
import { MAX_SECONDS } from './convert/unplayable.ts';
import { runProgram } from './program.ts';

export const PROGRAMS: Shares = { total: 2, perAccount: 1 };
export const WAITING: Shares = { total: 8, perAccount: 4, reserved: 2 };
const WAIT_MS = 10_000;
export const CONVERSION_MS = 20_000;
/** The longest recording, as WAV of 16 bit, 48 kHz and one channel, with its head. */
export const MAX_WAV_BYTES = MAX_SECONDS * 48_000 * 2 + 4_096;
/** Stands in the arguments for the path of the file; without it the file is on the standard input. */
export const INPUT = '{input}';

export interface SoundCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export type Conversion = 'converted' | 'unavailable' | 'late' | 'too_long' | 'failed';

export interface SoundProgramOptions {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export class SoundProgram {
  readonly #command: SoundCommand;
  readonly #env: NodeJS.ProcessEnv;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #closed = new AbortController();
  readonly #gate = new FairGate(
    PROGRAMS,
    WAITING,
    WAIT_MS,
    () => new StorageError('overloaded', 'Too many sound files wait to be converted.'),
  );

  /** `env`: all that the program sees of an environment. */
  constructor(command: SoundCommand, env: NodeJS.ProcessEnv, options: SoundProgramOptions = {}) {
    const { timeoutMs = CONVERSION_MS, maxBytes = MAX_WAV_BYTES } = options;
    this.#command = command;
    this.#env = env;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  /** Writes `output`, which the caller removes, whatever comes of it. Rejects with StorageError: too many wait. */
  convert(accountId: string, path: string, output: string): Promise<Conversion> {
    return this.#gate.run(accountId, async () => {
      const { program, args } = this.#command;
      const ended = await runProgram({
        program,
        args: args.map((arg) => arg.split(INPUT).join(path)),
        env: this.#env,
        input: args.some((arg) => arg.includes(INPUT)) ? { text: '' } : { path },
        output,
        maxBytes: this.#maxBytes,
        timeoutMs: this.#timeoutMs,
        signal: this.#closed.signal,
      });
      if (ended.end === 'exit') return ended.code === 0 ? 'converted' : 'failed';
      if (ended.end === 'absent') return 'unavailable';
      return ended.end === 'stopped' ? 'failed' : ended.end;
    });
  }

  /** Ends what runs. */
  close(): void {
    this.#closed.abort();
  }
}
