// Where a command reads its environment and where it prints: those of the process, unless a program runs commands within itself.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ownEnvironment } from '../config/config.ts';

export interface Io {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads along, who may want colours. */
  readonly isTerminal: boolean;
  /** What was asked for. False: wait for `drained` before more. */
  print(piece: string | Uint8Array): boolean;
  drained(): Promise<void>;
  /** What a person should know besides: it stays out of a pipe. */
  remark(text: string): void;
}

const OF_THE_PROCESS: Io = {
  environment: ownEnvironment(),
  isTerminal: process.stdout.isTTY === true,
  print: (piece) => process.stdout.write(piece),
  drained: () => new Promise((resolve) => process.stdout.once('drain', resolve)),
  remark: (text) => void process.stderr.write(text),
};

const ios = new AsyncLocalStorage<Io>();

/** The input and output of the command that is running. */
export const io = (): Io => ios.getStore() ?? OF_THE_PROCESS;

/** Runs `work`, and all that it awaits, with another. */
export const within = <T>(other: Io, work: () => T): T => ios.run(other, work);

export const print = (text: string): void => void io().print(text);
export const remark = (text: string): void => io().remark(text);
