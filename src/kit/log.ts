// The log: JSON lines on standard output.
import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';

const FLUSH_MS = 200;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface Log {
  readonly logger: Logger;
  /** Writes a line that is serialized already, for thousands per second; undefined when the level leaves them out. */
  readonly logLine: ((line: string) => void) | undefined;
  /** Writes lines of another thread, whatever their level. */
  readonly writeLines: (lines: string) => void;
  /** Settles when all lines so far are written. */
  readonly flushLog: () => Promise<void>;
  /** Drops what waits. Otherwise the exit of the process would write it, and wait for a reader for ever. */
  readonly abandonLog: () => void;
}

/**
 * Lines are written many at a time: a write each would cost a request as much again. A reader who stops reading loses
 * lines, not the service.
 */
export function makeLog({ logLevel }: Pick<Config, 'logLevel'>): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING_BYTES,
  });
  destination.on('error', () => undefined);
  const logger = pino({ level: logLevel, base: null }, destination);
  return {
    logger,
    logLine: logger.isLevelEnabled('info') ? (line) => void destination.write(line) : undefined,
    writeLines: (lines) => void destination.write(lines),
    flushLog: () => new Promise((resolve) => logger.flush(() => resolve())),
    abandonLog: () => destination.destroy(),
  };
}

/** Lines of a thread go to the main thread by so many characters, or after FLUSH_MS. */
const BATCH_LENGTH = 16 * 1024;

/** The log of a thread beside the main one, which alone writes to standard output: lines of two writers would mix. */
export function makeThreadLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  send: (lines: string) => Promise<unknown>,
): Pick<Log, 'logger' | 'logLine' | 'flushLog'> {
  let batch = '';
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const sending = new Set<Promise<unknown>>();
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (batch === '') return;
    const lines = batch;
    batch = '';
    waiting += lines.length;
    const sent = send(lines)
      .catch(() => undefined)
      .finally(() => {
        waiting -= lines.length;
        sending.delete(sent);
      });
    sending.add(sent);
  };
  const write = (line: string): void => {
    if (waiting > MAX_WAITING_BYTES) return;
    batch += line;
    if (batch.length >= BATCH_LENGTH) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };
  const logger = pino({ level: logLevel, base: null }, { write });
  return {
    logger,
    logLine: logger.isLevelEnabled('info') ? write : undefined,
    flushLog: async () => {
      flush();
      await Promise.all(sending);
    },
  };
}
