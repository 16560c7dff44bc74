// What became of a call in the queues of departments, and how long it waited there: the one definition for statistics, the search for
// calls, sheets and reports (docs/statistics.md).
import type { TrailEntry } from '../flow/trail.ts';
import { parkingSpot } from './parking-spot.ts';

/** `left`: it went on otherwise: to voicemail, another destination, a call-back. */
export const QUEUE_RESULTS = ['answered', 'abandoned', 'left'] as const;
export type QueueResult = (typeof QUEUE_RESULTS)[number];

/** Upper ends of the classes of waiting time, in seconds; a last class has no end. */
export const WAIT_CLASSES_S = [5, 10, 15, 20, 25, 30, 45, 60, 90, 120, 180, 240, 300, 600] as const;
/** What `service_level_seconds` can be: ends of classes, so that the past can be counted by another one, too. */
export const SERVICE_LEVEL_SECONDS = WAIT_CLASSES_S;
export type ServiceLevelSeconds = (typeof SERVICE_LEVEL_SECONDS)[number];

export interface QueueVisit {
  /** A reference such as `department||sales`. */
  readonly department: string;
  readonly result: QueueResult;
  /** From the first arrival to the answer, or to the end of the call where the caller hung up there; else 0. */
  readonly waitMs: number;
}

const isDepartment = (node: string | null): node is string => node?.startsWith('department||') === true;

interface QueuedPast {
  readonly trail: readonly TrailEntry[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isCallback?: boolean;
}

/**
 * Each department once, however often the call came there. At most one of them answered it, or lost it. A call-back has none: its
 * caller was in the queue before.
 */
export function queueVisitsOf(call: QueuedPast, callerLeft: boolean): QueueVisit[] {
  if (call.isCallback) return [];
  const arrivals = new Map<string, number>();
  let at: string | null = null;
  let answered: { readonly department: string; readonly atMs: number } | null = null;
  for (const { code, node, atMs } of call.trail) {
    if (code === 'arrived') {
      at = node;
      if (isDepartment(node) && !arrivals.has(node)) arrivals.set(node, atMs);
    }
    if (code === 'connected' && answered === null && at !== null && arrivals.has(at))
      answered = { department: at, atMs };
  }
  const lostBy = answered === null && callerLeft ? at : null;
  return [...arrivals].map(([department, arrivedMs]): QueueVisit => {
    const waited = (untilMs: number): number => Math.max(0, Math.round(untilMs - arrivedMs));
    if (answered?.department === department)
      return { department, result: 'answered', waitMs: waited(answered.atMs) };
    if (lostBy === department)
      return { department, result: 'abandoned', waitMs: waited(call.endedAtMs - call.startedAtMs) };
    return { department, result: 'left', waitMs: 0 };
  });
}

/** The result of the whole call: answered or lost by one of the departments, or else left. Null if it came to none. */
export function queueResultOf(visits: readonly QueueVisit[]): QueueVisit | null {
  const queues = visits.filter(({ department }) => parkingSpot(department) === null);
  return queues.find(({ result }) => result !== 'left') ?? queues[0] ?? null;
}

export function waitClassOf(waitMs: number): number {
  const fits = WAIT_CLASSES_S.findIndex((upperS) => waitMs <= upperS * 1000);
  return fits < 0 ? WAIT_CLASSES_S.length : fits;
}

/** The indexes of all classes, the last one included. */
const ALL_CLASSES = [...WAIT_CLASSES_S.keys(), WAIT_CLASSES_S.length];
export const classesWithin = (seconds: number): readonly number[] =>
  ALL_CLASSES.filter((index) => (WAIT_CLASSES_S[index] ?? Number.POSITIVE_INFINITY) <= seconds);
export const classesBeyond = (seconds: number): readonly number[] =>
  ALL_CLASSES.filter((index) => (WAIT_CLASSES_S[index] ?? Number.POSITIVE_INFINITY) > seconds);

export const waitMeasure = (result: 'answered' | 'abandoned', index: number): string =>
  `queue ${result} ${index}`;
export const WAIT_MEASURES = {
  answered: ALL_CLASSES.map((index) => waitMeasure('answered', index)),
  abandoned: ALL_CLASSES.map((index) => waitMeasure('abandoned', index)),
} as const;
