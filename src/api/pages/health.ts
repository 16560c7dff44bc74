// For monitoring: is the process alive, should it get traffic, its metrics.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RecordFailure } from '../../calls/control/call-control.ts';
import { BYTES_PER_MB } from '../../domain/account-limits.ts';
import { problem } from '../../kinds/problem.ts';
import { StorageError } from '../../storage/storage.ts';
import { TOKEN_INVALID } from '../http/auth.ts';
import type { ApiContext, FreeSpace, Handler } from '../http/handler.ts';

const PROBE_MS = 2000;

/** Alive means that both threads run. No dependency is checked: a database outage is no reason to restart the process. */
export const healthz: Handler = async (_ask, context) => {
  await context.pingTelephones();
  return { status: 200, json: { status: 'alive' } };
};

export const readyz: Handler = async (_ask, context) => {
  const { state } = context.lifecycle;
  if (state !== 'running') return problem(state, `The service is ${state}.`);
  let failure: RecordFailure | null;
  try {
    failure = await inTime(probe(context));
  } catch (error) {
    return isFull(error) ? NO_SPACE : Promise.reject(error);
  }
  if (failure !== null) return failure === 'full' ? NO_SPACE : NOT_WRITTEN;
  return { status: 200, json: { status: 'ready', warnings: warningsOf(context.disk) } };
};

const isFull = (error: unknown): boolean => error instanceof StorageError && error.reason === 'full';
const RETRY = { headers: { 'retry-after': '2' } };
const NO_SPACE = problem(
  'storage_full',
  'Cannot write records: no space left on device. Calls go on.',
  RETRY,
);
const NOT_WRITTEN = problem(
  'storage_unavailable',
  'Cannot write call records; they wait in memory. Calls go on.',
  RETRY,
);

/** What does not keep it from answering calls. */
function warningsOf({ isLow, freeBytes, reserveBytes }: FreeSpace): object[] {
  if (!isLow) return [];
  const mb = (bytes: number): number => Math.floor(bytes / BYTES_PER_MB);
  const message = `Calls and voicemail are not recorded: ${mb(freeBytes)} MB are free, the reserve is ${mb(reserveBytes)} MB.`;
  return [{ code: 'disk_reserve', message }];
}

async function probe({ storage, callControl }: ApiContext): Promise<RecordFailure | null> {
  await storage.probe();
  return (await callControl()?.recordFailure()) ?? null;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StorageError('unavailable', 'The database does not answer in time.')),
      PROBE_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const metrics: Handler = async ({ headers: { authorization = '' } }, context) => {
  const { metrics: all, metricsToken } = context;
  if (metricsToken !== null && !isToken(authorization, metricsToken)) return TOKEN_INVALID;
  return { status: 200, headers: { 'content-type': all.contentType }, bytes: await all.text() };
};

/** Hashed, so that both have one length, and compared in constant time. */
const isToken = (authorization: string, token: string): boolean => {
  const given = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(token).digest(),
  );
};
