// Metrics of the telephone side and of what leaves the service, for Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CallCounters } from '../../calls/call-log.ts';
import type { CallControl, TelephoneCounts } from '../../calls/control/call-control.ts';
import { type JobCounts, LANES, type Lane } from '../../domain/outbox-job.ts';
import { addTrunkGauge, callMetrics } from './call-metrics.ts';
import { type ExportCounts, watchExports } from './export-metrics.ts';
import { LAG_PRECISION_MS } from './metrics.ts';

export interface TelephoneMetrics extends CallCounters {
  text(): Promise<string>;
  watchCalls(control: Pick<CallControl, 'counts'>): void;
  smsSettled(outcome: 'sent' | 'failed'): void;
  jobSettled(lane: Lane, outcome: string): void;
  watchOutbox(storage: { countJobs(): Promise<JobCounts[]> }): void;
  watchCapture(counts: ExportCounts): void;
  watchTraces(counts: ExportCounts): void;
  watchDisk(disk: { readonly freeBytes: number; readonly isLow: boolean }): void;
}

const COUNT_MS = 500;
const NO_TRUNKS = { registered: 0, failing: 0, unregistered: 0, unreachable: 0 };

export function makeTelephoneMetrics(version: string): TelephoneMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
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
    text: () => registry.metrics(),
    ...callMetrics(registry),
    smsSettled: (outcome) => texts.inc({ outcome }),
    jobSettled: (lane, outcome) => jobs.inc({ lane, outcome }),
    watchOutbox: (storage) => watchOutbox(registry, storage),
    watchCapture: (counts) => watchExports(registry, 'hep', counts),
    watchTraces: (counts) => watchExports(registry, 'traces', counts, { thread: 'main' }),
    watchDisk: (disk) => addGauges(registry, diskGauges(disk)),
    watchCalls: (control) => watchCalls(registry, control),
  };
}

function watchOutbox(registry: Registry, storage: { countJobs(): Promise<JobCounts[]> }): void {
  new Gauge({
    name: 'dialtree_outbox_jobs',
    help: 'Jobs of the outbox that wait, and those that were given up.',
    labelNames: ['lane', 'state'],
    registers: [registry],
    async collect() {
      const counts = await inTime(storage.countJobs());
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

/** Null if there is no answer. A database or a telephone side without one must not hold up every other metric. */
function inTime<T>(work: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, COUNT_MS, null).unref());
  return Promise.race([work.catch(() => null), late]);
}

type GaugeRow = readonly [name: string, help: string, value: () => number | Promise<number | null>];

const diskGauges = (disk: Parameters<TelephoneMetrics['watchDisk']>[0]): readonly GaugeRow[] => [
  ['dialtree_disk_free_bytes', 'Free space on the disk of DATA_DIR.', () => disk.freeBytes],
  [
    'dialtree_recording_stopped',
    '1 while free space is below RESERVE_MB and nothing is recorded.',
    () => (disk.isLow ? 1 : 0),
  ],
];

function watchCalls(registry: Registry, control: Pick<CallControl, 'counts'>): void {
  let asked: Promise<TelephoneCounts | null> | null = null;
  // All gauges of one scrape are collected at once: they share an answer.
  const counts = (): Promise<TelephoneCounts | null> => {
    asked ??= inTime(control.counts()).finally(() => {
      asked = null;
    });
    return asked;
  };
  addTrunkGauge(registry, async () => ({ ...NO_TRUNKS, ...(await counts())?.report?.trunks }));
  addGauges(
    registry,
    CALL_GAUGES.map(([name, help, read]) => {
      const value = async (): Promise<number | null> => {
        const counted = await counts();
        return counted && read(counted);
      };
      return [name, help, value];
    }),
  );
}

const CALL_GAUGES: readonly (readonly [name: string, help: string, read: (of: TelephoneCounts) => number])[] =
  [
    ['dialtree_calls', 'Calls that live now.', ({ calls }) => calls],
    ['dialtree_queue_callers', 'Callers in queues.', ({ queued }) => queued.callers],
    [
      'dialtree_queue_longest_wait_seconds',
      'How long the first of them has waited.',
      ({ queued }) => queued.longestWaitMs / 1000,
    ],
    [
      'dialtree_call_records_waiting',
      'Call records not yet written.',
      ({ waitingRecords }) => waitingRecords,
    ],
    [
      'dialtree_call_records_failing',
      '1 while call records cannot be written.',
      ({ recordFailure }) => (recordFailure === null ? 0 : 1),
    ],
    ['dialtree_legs', 'Sides of calls that live now.', ({ report }) => report?.legs ?? 0],
    ['dialtree_sip_transactions', 'SIP transactions.', ({ report }) => report?.transactions ?? 0],
    ['dialtree_registrations', 'Registered phones.', ({ report }) => report?.registrations ?? 0],
    ['dialtree_sip_bans', 'Addresses banned since the start.', ({ report }) => report?.bans ?? 0],
    ['dialtree_media_streams', 'Open media streams.', ({ report }) => report?.streams ?? 0],
    [
      'dialtree_media_streams_ready',
      'Media streams for which ports are ready.',
      ({ report }) => report?.readyStreams ?? 0,
    ],
  ];

function addGauges(registry: Registry, gauges: readonly GaugeRow[]): void {
  for (const [name, help, value] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await value();
        if (now === null) this.remove();
        else this.set(now);
      },
    });
  }
}
