// For monitoring: is the process alive, should it get traffic, its metrics.
import { BYTES_PER_MB } from '../../domain/account-limits.ts';
import { problem } from '../../domain/problem.ts';
import { StorageError } from '../../storage/storage.ts';
import type { ApiContext, FreeSpace, Handler } from '../http/handler.ts';

const PROBE_MS = 2000;

/** Alive means that this line runs. No dependency is checked: a database outage is no reason to restart the process. */
export const healthz: Handler = () => ({ status: 200, json: { status: 'alive' } });

export const readyz: Handler = async (_ask, context) => {
  const { state } = context.lifecycle;
  if (state !== 'running') return problem(state, `The service is ${state}.`);
  try {
    await probeInTime(context);
  } catch (error) {
    return isFull(error) ? NO_SPACE : Promise.reject(error);
  }
  const failure = context.callService()?.recordFailure ?? null;
  if (failure !== null) return isFull(failure) ? NO_SPACE : NOT_WRITTEN;
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

async function probeInTime({ storage }: ApiContext): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StorageError('unavailable', 'The database does not answer in time.')),
      PROBE_MS,
    );
  });
  try {
    await Promise.race([storage.probe(), late]);
  } finally {
    clearTimeout(timer);
  }
}

export const metrics: Handler = async (_ask, context) => ({
  status: 200,
  headers: { 'content-type': context.metrics.registry.contentType },
  bytes: await context.metrics.registry.metrics(),
});
