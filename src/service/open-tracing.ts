// Traces, where a collector is configured: each thread exports its own.
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { version } from '../kit/version.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Resources } from './resources.ts';

/** Undefined: none are wanted, and the code for them is not loaded. Opened first, so that it is closed last. */
export async function openTracing(
  { traces }: Config,
  nodeId: string,
  logger: Logger,
  resources: Resources,
): Promise<Tracing | undefined> {
  if (!traces) return undefined;
  const { Tracing } = await import('../tracing/tracing.ts');
  const tracing = new Tracing({
    ...traces,
    resource: {
      'service.name': traces.serviceName,
      'service.version': version(),
      'service.instance.id': nodeId,
    },
    scopeVersion: version(),
    onFailure: (reason, dropped) => logger.warn({ reason, dropped }, 'traces not taken by the collector'),
  });
  return resources.add(tracing, (opened) => opened.close());
}
