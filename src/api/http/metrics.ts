// Metrics for Prometheus. A label is the route's pattern, never the path: a path is input.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallCounters } from '../../calls/call-log.ts';
import { type JobCounts, LANES, type Lane } from '../../domain/outbox-job.ts';
import { addTrunkGauge, callMetrics } from './call-metrics.ts';

const LAG_PRECISION_MS = 100;

export interface Metrics extends CallCounters {
  readonly registry: Registry;
  answered(method: string, route: string, status: number, seconds: number): void;
  readonly running: { count: number };
  watchCalls(callService: Watched): void;
  smsSettled(outcome: 'sent' | 'failed'): void;
  jobSettled(lane: Lane, outcome: string): void;
  watchOutbox(storage: { countJobs(): Promise<JobCounts[]> }): void;
  watchDisk(disk: { readonly freeBytes: number; readonly isLow: boolean }): void;
}

export interface Watched {
  readonly calls: number;
  readonly queued: { readonly callers: number; readonly longestWaitMs: number };
  readonly waitingRecords: number;
  readonly recordFailure: unknown;
  report(): TelephonyCounts | null;
}

interface TelephonyCounts {
  readonly legs: number;
  readonly transactions: number;
  readonly registrations: number;
  readonly trunks: { readonly registered: number; readonly failing: number; readonly unregistered: number };
  readonly bans: number;
  readonly streams: number;
  readonly readyStreams: number;
}

const COUNT_MS = 500;
const NO_TRUNKS = { registered: 0, failing: 0, unregistered: 0 };

export function makeMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // By default the event loop's lag is measured every 10 ms, which wakes an idle service a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  const requests = requestMetrics(registry);
  new Gauge({
    name: 'dialtree_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const jobs = new Counter({
    name: 'dialtree_outbox_tries_total',
    help: 'Tries to deliver a job of the outbox, by lane and what came of them: done, retry or dead.',
    labelNames: ['lane', 'outcome'],
    registers,
  });
  const texts = new Counter({
    name: 'dialtree_sms_total',
    help: 'Text messages that the gateway took, and those that were given up.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    registry,
    ...requests,
    ...callMetrics(registry),
    smsSettled: (outcome) => texts.inc({ outcome }),
    jobSettled: (lane, outcome) => jobs.inc({ lane, outcome }),
    watchOutbox: (storage) => watchOutbox(registry, storage),
    watchDisk: (disk) => addGauges(registry, diskGauges(disk)),
    watchCalls: (callService) => watchCalls(registry, callService),
  };
}

function requestMetrics(registry: Registry): Pick<Metrics, 'running' | 'answered'> {
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
  const running = { count: 0 };
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

function watchOutbox(registry: Registry, storage: { countJobs(): Promise<JobCounts[]> }): void {
  new Gauge({
    name: 'dialtree_outbox_jobs',
    help: 'Jobs of the outbox that wait, and those that were given up.',
    labelNames: ['lane', 'state'],
    registers: [registry],
    async collect() {
      // A database that does not answer must not hold up every other metric.
      const late = new Promise<null>((resolve) => setTimeout(resolve, COUNT_MS, null).unref());
      const counts = await Promise.race([storage.countJobs().catch(() => null), late]);
      this.reset();
      if (counts === null) return;
      for (const lane of LANES) for (const state of ['waiting', 'dead']) this.set({ lane, state }, 0);
      for (const { lane, waiting, dead } of counts) {
        this.set({ lane, state: 'waiting' }, waiting);
        this.set({ lane, state: 'dead' }, dead);
      }
    },
  });
}

type GaugeRow = readonly [name: string, help: string, value: () => number];

const diskGauges = (disk: Parameters<Metrics['watchDisk']>[0]): readonly GaugeRow[] => [
  ['dialtree_disk_free_bytes', 'Free space on the disk of DATA_DIR.', () => disk.freeBytes],
  [
    'dialtree_recording_stopped',
    '1 while free space is below RESERVE_MB and nothing is recorded.',
    () => (disk.isLow ? 1 : 0),
  ],
];

function watchCalls(registry: Registry, callService: Watched): void {
  addTrunkGauge(registry, () => ({ ...NO_TRUNKS, ...callService.report()?.trunks }));
  addGauges(registry, [
    ['dialtree_calls', 'Calls that live now.', () => callService.calls],
    ['dialtree_queue_callers', 'Callers in queues.', () => callService.queued.callers],
    [
      'dialtree_queue_longest_wait_seconds',
      'How long the first of them has waited.',
      () => callService.queued.longestWaitMs / 1000,
    ],
    ['dialtree_call_records_waiting', 'Call records not yet written.', () => callService.waitingRecords],
    [
      'dialtree_call_records_failing',
      '1 while call records cannot be written.',
      () => (callService.recordFailure === null ? 0 : 1),
    ],
    ['dialtree_legs', 'Sides of calls that live now.', () => callService.report()?.legs ?? 0],
    ['dialtree_sip_transactions', 'SIP transactions.', () => callService.report()?.transactions ?? 0],
    ['dialtree_registrations', 'Registered phones.', () => callService.report()?.registrations ?? 0],
    ['dialtree_sip_bans', 'Addresses banned since the start.', () => callService.report()?.bans ?? 0],
    ['dialtree_media_streams', 'Open media streams.', () => callService.report()?.streams ?? 0],
    [
      'dialtree_media_streams_ready',
      'Media streams for which ports are ready.',
      () => callService.report()?.readyStreams ?? 0,
    ],
  ]);
}

function addGauges(registry: Registry, gauges: readonly GaugeRow[]): void {
  for (const [name, help, value] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  }
}
