// A program that the operator names, and that is given what strangers sent: never through a shell, with an end to its time and its
// output. It runs in a process group of its own, so that what it starts ends with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const MAX_ERRORS = 1_000;

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  /** All that the program sees of an environment. */
  readonly env: NodeJS.ProcessEnv;
  /** A text, or the path of a file: what it reads on its standard input. */
  readonly input: { readonly text: string } | { readonly path: string };
  /** The file that its standard output becomes, for its owner alone. There must be none yet. */
  readonly output: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type ProgramEnd =
  /** `errors`: the first of what it wrote there; for decisions of ours, never for others to read. */
  | { readonly end: 'exit'; readonly code: number | null; readonly errors: string }
  | { readonly end: 'absent' | 'late' | 'too_long' | 'stopped' };

/** Rejects when the disk fails. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  // Before the program starts: its early output would be lost while the file is being opened.
  const output = await open(run.output, 'wx', 0o600);
  let input: FileHandle | null = null;
  try {
    if ('path' in run.input) input = await open(run.input.path, 'r');
    return await runBetween(run, input, output);
  } finally {
    await input?.close();
    await output.close();
  }
}

async function runBetween(
  { program, args, env, input, maxBytes, timeoutMs, signal }: ProgramRun,
  file: FileHandle | null,
  output: FileHandle,
): Promise<ProgramEnd> {
  if (signal?.aborted) return { end: 'stopped' };
  const child = spawn(program, args, {
    shell: false,
    env,
    stdio: [file?.fd ?? 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const ended = endOf(child);
  let stopped: 'late' | 'too_long' | 'stopped' | null = null;
  const stop = (why: NonNullable<typeof stopped>): void => {
    stopped ??= why;
    killGroup(child);
    // A process that left the group may hold them open.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const abort = (): void => stop('stopped');
  const timer = setTimeout(() => stop('late'), timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    child.stdin?.on('error', () => undefined);
    if ('text' in input) child.stdin?.end(input.text);
    let bytes = 0;
    for await (const piece of piecesOf(child)) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        stop('too_long');
        break;
      }
      await output.writeFile(piece);
    }
    const end = await ended;
    return stopped === null ? end : { end: stopped };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    if (child.exitCode === null && child.signalCode === null) abort();
  }
}

/** Ends early where the stream is destroyed, which `stop` does. */
async function* piecesOf({ stdout }: ChildProcess): AsyncIterable<Buffer> {
  const pieces = (stdout?.[Symbol.asyncIterator]() ?? null) as AsyncIterator<Buffer> | null;
  while (pieces) {
    const next = await pieces.next().catch(() => null);
    if (!next || next.done) return;
    yield next.value;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function endOf(child: ChildProcess): Promise<ProgramEnd> {
  let errors = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += bytes.toString('latin1', 0, MAX_ERRORS - errors.length);
  });
  return new Promise((resolve) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === 'ENOENT' || code === 'EACCES' ? { end: 'absent' } : { end: 'exit', code: null, errors },
      ),
    );
    child.once('close', (code) => resolve({ end: 'exit', code, errors }));
  });
}

/** Whether a program of this name would be found, as `spawn` looks for it. */
export function isInstalled(program: string, env: NodeJS.ProcessEnv): boolean {
  const variable = (name: string): string =>
    Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1] ?? '';
  const isPath = program.includes('/') || (process.platform === 'win32' && program.includes('\\'));
  const folders = isPath ? [''] : variable('PATH').split(delimiter);
  const endings = process.platform === 'win32' ? ['', ...variable('PATHEXT').split(';')] : [''];
  return folders.some((folder) => endings.some((ending) => isExecutable(join(folder, program + ending))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
