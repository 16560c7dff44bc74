// strace on a running service: to watch its system calls, or to make them fail.
import { spawn } from 'node:child_process';

export interface Tracer {
  /** Lets go of the service, which runs on. */
  detach(): Promise<void>;
}

const ATTACH_MS = 10_000;

/** Attached to all threads when it resolves. */
export async function attach(pid: number, words: readonly string[]): Promise<Tracer> {
  const tracer = spawn('strace', ['-f', '-p', String(pid), '-e', 'signal=none', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise<void>((resolve) => tracer.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`strace did not attach: ${said}`)), ATTACH_MS);
    void ended.then(() => reject(new Error(`strace ended: ${said}`)));
    tracer.stderr.on('data', (bytes) => {
      said += String(bytes);
      if (!/attached/.test(said)) return;
      clearTimeout(late);
      resolve();
    });
  });
  return {
    detach: async () => {
      if (tracer.exitCode === null) tracer.kill('SIGINT');
      await ended;
    },
  };
}

export type Event = 'asked' | 'synced' | 'answered';

/**
 * What a trace of creations says about them, in the order in which it happened: a request counts once it is read, a
 * sync of the log once it has succeeded, an answer as soon as writing it begins.
 */
export function readEvents(trace: string): Event[] {
  const events: Event[] = [];
  /** By thread: the sync that it has begun. Another thread's line may come between the two halves. */
  const syncing = new Set<string>();
  for (const line of trace.split('\n')) {
    const thread = line.slice(0, line.indexOf(' '));
    if (/ (fdatasync|fsync)\(\d+<[^>]*-wal>/.test(line)) {
      if (line.includes('<unfinished')) syncing.add(thread);
      else if (/= 0$/.test(line)) events.push('synced');
    } else if (/<\.\.\. (fdatasync|fsync) resumed>.*= 0$/.test(line) && syncing.delete(thread)) {
      events.push('synced');
    } else if (/(read|recvfrom|recvmsg|readv)\b.*"POST \/v1\/ivr/.test(line)) events.push('asked');
    else if (/ (write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 201/.test(line)) events.push('answered');
  }
  return events;
}
