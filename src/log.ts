// The log: JSON lines on standard output.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

const FLUSH_MS = 200;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface Log {
  readonly logger: Logger;
  /** A ready line, for those who write thousands per second; undefined when nobody wants them. */
  readonly logLine: ((line: string) => void) | undefined;
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
    // Left alone, it would try to write what is left when the process exits, and wait for a reader for ever.
    abandonLog: () => destination.destroy(),
  };
}
