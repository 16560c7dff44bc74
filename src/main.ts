// Opens storage and HTTP, closes them in reverse. The only file that names adapters.
import pino, { type Logger } from 'pino';
import type { App, Lifecycle } from './api/answer.ts';
import { Access } from './api/auth.ts';
import { Directories } from './api/directory.ts';
import { KEEP_MS } from './api/idempotency.ts';
import { makeMetrics } from './api/metrics.ts';
import { makeServer } from './api/server.ts';
import { Flows } from './calls/flows.ts';
import { type Config, withoutPassword } from './config.ts';
import { makeDataFolder } from './data-folder.ts';
import { firstStart } from './first-start.ts';
import { makeSealer } from './sealing.ts';
import { openPostgres } from './storage/postgres/postgres.ts';
import { openSqlite } from './storage/sqlite/sqlite.ts';
import type { Storage } from './storage/storage.ts';

const SWEEP_MS = 10 * 60 * 1000;
const SWEEP_ROWS = 1000;
const CLOSE_MS = 5000;
const LOG_MS = 200;
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** A fault of the surroundings that a person can mend: told in one line, without a stack. */
export class StartError extends Error {}

export async function openStorage(config: Config, logger?: Logger): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  try {
    if (databaseUrl === undefined) return await openSqlite(dataDir);
    return await openPostgres({
      url: databaseUrl,
      onIdleError: (err) => logger?.warn({ err }, 'database connection lost'),
    });
  } catch (error) {
    const where =
      databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
    throw new StartError(`${where} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

export interface Service {
  readonly address: string;
  /** Lets running requests finish, for at most DRAIN_SECONDS, then closes everything. */
  drain(): Promise<void>;
}

export async function serve(config: Config, say: (text: string) => void): Promise<Service> {
  const { logger, logLine, abandonLog } = makeLogger(config);
  const storage = await openStorage(config, logger);
  const access = new Access(storage);
  const lifecycle: Lifecycle = { state: 'starting' };
  const app: App = {
    storage,
    directories: new Directories(storage),
    flows: new Flows(storage),
    sealer: makeSealer(config),
    metrics: makeMetrics(),
    lifecycle,
  };
  const server = makeServer({ app, access, logger, logLine, ...config });

  const giveUp = async (error: unknown): Promise<never> => {
    await server.close();
    await storage.close();
    throw error;
  };
  const address = await server
    .listen({ port: config.port, host: config.host })
    .catch((error) => giveUp(listenError(error, config)));
  await firstStart(config, storage, address, say).catch((error) => giveUp(dataError(error, config)));
  const sweeping = setInterval(() => void forgetOldClaims(storage, logger), SWEEP_MS);
  sweeping.unref();
  lifecycle.state = 'running';
  logger.info({ address, database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql' }, 'listening');

  async function drain(): Promise<void> {
    lifecycle.state = 'draining';
    logger.info({ running: app.metrics.running.count }, 'draining');
    const deadlineMs = performance.now() + config.drainSeconds * 1000;
    while (app.metrics.running.count > 0 && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    clearInterval(sweeping);
    await server.close();
    // A database that hangs or a log that nobody reads must not keep the process: it has nothing left to lose.
    await within(CLOSE_MS, async () => {
      await access.close();
      await storage.close();
      logger.info('closed');
      await new Promise<void>((resolve) => logger.flush(() => resolve()));
    });
    abandonLog();
  }
  return { address, drain };
}

/**
 * Lines are written many at a time: a write each would cost a request as much again. A reader who stops reading loses
 * lines, not the service.
 */
function makeLogger({ logLevel }: Config): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    periodicFlush: LOG_MS,
    maxLength: MAX_LOG_BYTES,
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

interface Log {
  readonly logger: Logger;
  readonly logLine: ((line: string) => void) | undefined;
  readonly abandonLog: () => void;
}

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work(), late]);
  clearTimeout(timer);
}

async function forgetOldClaims(storage: Storage, logger: Logger): Promise<void> {
  try {
    // In small bites, so that a large backlog delays nobody's write for long.
    for (let bite = 0; bite < 1000; bite++) {
      const { forgotten } = await storage.forgetClaims({ beforeMs: Date.now() - KEEP_MS, limit: SWEEP_ROWS });
      if (forgotten < SWEEP_ROWS) return;
    }
  } catch (err) {
    logger.warn({ err }, 'old idempotency keys were not removed; trying again later');
  }
}

function listenError(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT ${port} on ${host} is in use by another program. Stop it, or set PORT to a free one.`,
      );
    case 'EACCES':
      return new StartError(`PORT ${port} may not be opened by this user. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** Files of the first start that cannot be written are the data folder's fault; anything else is ours. */
function dataError(error: unknown, { dataDir }: Config): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined
    ? error
    : new StartError(`DATA_DIR ${dataDir} cannot be used: ${message}`, { cause: error });
}
