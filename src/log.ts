// The log: JSON lines on standard output.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

const FLUSH_MS = 200;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface Log {
  readonly logger: Logger;
  /** Writes a line that is serialized already, for thousands per second; undefined when the level leaves them out. */
  readonly logLine: ((line: string) => void) | undefined;
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
    flushLog: () => new Promise((resolve) => logger.flush(() => resolve())),
    abandonLog: () => destination.destroy(),
  };
}
