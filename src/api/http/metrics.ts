// Metrics of the API for Prometheus; those of the telephone side are in telephone-metrics.ts. A label is the route's pattern, never
// the path: a path is input.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type ExportCounts, watchExports } from './export-metrics.ts';

/** By default the event loop's lag is measured every 10 ms, which wakes an idle service a hundred times a second. */
export const LAG_PRECISION_MS = 100;

export interface Metrics {
  answered(method: string, route: string, status: number, seconds: number): void;
  readonly running: { count: number };
  readonly contentType: string;
  /** In the text format of Prometheus, with those of the telephone side. */
  text(): Promise<string>;
}

/** `telephoneMetrics`: those of the telephone side as text. `running`: where requests are counted. `spans`: where traces are sent. */
export function makeMetrics(
  telephoneMetrics: () => Promise<string>,
  running = { count: 0 },
  spans?: ExportCounts,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: LAG_PRECISION_MS,
    labels: { thread: 'api' },
  });
  // The telephone side already exports the metrics of the whole process and of the program.
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('process_') || name === 'nodejs_version_info') registry.removeSingleMetric(name);
  if (spans) watchExports(registry, 'traces', spans, { thread: 'api' });
  return {
    ...requestMetrics(registry, running),
    contentType: registry.contentType,
    text: async () => mergeMetrics(...(await Promise.all([registry.metrics(), telephoneMetrics()]))),
  };
}

/** Two texts as one: all samples of a metric must stand together. */
export function mergeMetrics(first: string, second: string): string {
  const blocks = new Map<string, string>();
  for (const block of `${first.trimEnd()}\n\n${second.trimEnd()}`.split('\n\n')) {
    const [help = '', type = '', ...samples] = block.split('\n');
    const [, , name = ''] = help.split(' ', 3);
    const before = blocks.get(name);
    blocks.set(name, [before ?? `${help}\n${type}`, ...samples].join('\n'));
  }
  blocks.delete('');
  return `${[...blocks.values()].join('\n\n')}\n`;
}

function requestMetrics(
  registry: Registry,
  running: Metrics['running'],
): Pick<Metrics, 'running' | 'answered'> {
  const requests = new Counter({
    name: 'dialtree_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'dialtree_http_request_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'dialtree_http_requests_running',
    help: 'Requests being answered now.',
    registers: [registry],
    collect() {
      this.set(running.count);
    },
  });
  // Children are looked up once per route and status. There are as many as routes, methods and codes: a fixed number.
  const counters = new Map<string, ReturnType<typeof requests.labels>>();
  const timers = new Map<string, ReturnType<typeof seconds.labels>>();
  return {
    running,
    answered(method, route, status, duration) {
      const key = `${method} ${route} ${status}`;
      let counter = counters.get(key);
      if (!counter) {
        counter = requests.labels(method, route, String(status));
        counters.set(key, counter);
      }
      counter.inc();
      let timer = timers.get(route);
      if (!timer) {
        timer = seconds.labels(route);
        timers.set(route, timer);
      }
      timer.observe(duration);
    },
  };
}
