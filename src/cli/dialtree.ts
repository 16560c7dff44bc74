// The `dialtree` command as a process: its signals, its pipe, its exit code.
import { report, run } from './run.ts';

const words = process.argv.slice(2);

/** A fault that nobody waited for. */
const fail = (error: unknown): void => void report(error, words).then((code) => process.exit(code));

// The reader may close the pipe early: `dialtree export | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Whatever we write holds hashes, digests or recordings: for its owner alone, also in a folder that others may enter.
process.umask(0o077);
// `serve` replaces these once it runs.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
try {
  process.exitCode = await run(words);
} catch (error) {
  fail(error);
}
