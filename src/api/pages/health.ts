// For monitoring: is the process alive, should it get traffic, its metrics.
import { problem } from '../../domain/problem.ts';
import { StorageError } from '../../storage/storage.ts';
import type { ApiContext, Handler } from '../http/handler.ts';

const PROBE_MS = 2000;

/** Alive means that this line runs. No dependency is checked: a database outage is no reason to restart the process. */
export const healthz: Handler = () => ({ status: 200, json: { status: 'alive' } });

export const readyz: Handler = async (_ask, context) => {
  const { state } = context.lifecycle;
  if (state !== 'running') return problem(state, `The service is ${state}.`);
  await probeInTime(context);
  return { status: 200, json: { status: 'ready' } };
};

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
