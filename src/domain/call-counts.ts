// What one call adds to the statistics: numbers that are summed up per subject (the account, a menu, a step, an agent, a department) and
// quarter of an hour. All of it is counted at the call's start, so that statistics and records of a span of time agree.

import type { TrailEntry } from '../flow/trail.ts';
import { MENU_STEPS, type MenuStep, type MenuVisit, visitsOf } from './menu-visits.ts';
import { parkingSpot } from './parking-spot.ts';
import { callerLeft, type Outcome, offeredTo, outcomeOf, type PastCall, wasAnswered } from './past-call.ts';
import { type QueueVisit, queueResultOf, queueVisitsOf, waitClassOf, waitMeasure } from './queue-visits.ts';
import { countSteps } from './step-counts.ts';

export const QUARTER_MS = 900_000;
/** The subject that stands for all calls of the account. */
export const ALL_CALLS = 'account';

export interface Count {
  /** `account`, or a reference such as `ivr||main`. */
  readonly subject: string;
  readonly measure: string;
  readonly value: number;
}

/** Upper ends of the classes of time to the first key, in ms; a last class has no end. */
export const KEY_CLASSES_MS = [
  500, 1000, 1500, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 60_000,
] as const;

export const optionMeasure = (keys: string): string => `option ${keys}`;
export const leftMeasure = (step: MenuStep | 'queue' | 'ringing' | 'elsewhere'): string => `left ${step}`;
export const keyClassMeasure = (index: number): string => `key class ${index}`;
export const LEFT_STEPS = [...MENU_STEPS, 'queue', 'ringing', 'elsewhere'] as const;

/** Calls that were answered and whose outcome does not say so, and transferred ones that were not: see callStatistics(). */
export const ANSWERED_OTHERWISE = 'answered otherwise';
export const TRANSFERRED_UNANSWERED = 'transferred unanswered';

type Add = (subject: string, measure: string, value: number) => void;

export function countsOf(call: PastCall, outcome = outcomeOf(call)): Count[] {
  const counts: Count[] = [];
  const add: Add = (subject, measure, value) => {
    if (value !== 0) counts.push({ subject, measure, value });
  };
  countCall(call, outcome, add);
  for (const visit of visitsOf(call.trail, callerLeft(call))) countVisit(visit, add);
  countSteps(call.trail, add);
  countPeople(call, add);
  return counts;
}

function countCall(call: PastCall, outcome: Outcome, add: Add): void {
  add(ALL_CALLS, 'calls', 1);
  add(ALL_CALLS, call.direction, 1);
  add(ALL_CALLS, outcome, 1);
  if (outcome === 'transferred') add(ALL_CALLS, TRANSFERRED_UNANSWERED, wasAnswered(call) ? 0 : 1);
  else if (outcome !== 'answered') add(ALL_CALLS, ANSWERED_OTHERWISE, wasAnswered(call) ? 1 : 0);
  add(ALL_CALLS, 'wait_ms', Math.round(call.waitMs ?? 0));
  add(ALL_CALLS, 'ring_ms', Math.round(call.ringMs));
  add(ALL_CALLS, 'talk_ms', Math.round(call.talkMs));
  add(ALL_CALLS, 'duration_ms', Math.max(0, Math.round(call.endedAtMs - call.startedAtMs)));
}

function countVisit(visit: MenuVisit, add: Add): void {
  const { menu, keyMs, chosen, end, step, leftLater } = visit;
  add(menu, 'visits', 1);
  add(menu, 'invalid', visit.invalid);
  add(menu, 'timeouts', visit.timeouts);
  add(menu, 'typed_ahead', visit.typedAhead ? 1 : 0);
  if (chosen !== null) add(menu, optionMeasure(chosen), 1);
  add(menu, end === 'left' ? leftMeasure(step) : `end ${end}`, 1);
  if (leftLater !== null) add(menu, leftMeasure(leftLater), 1);
  if (keyMs === null) return;
  add(menu, 'keys', 1);
  add(menu, 'key_ms', keyMs);
  const fits = KEY_CLASSES_MS.findIndex((upperMs) => keyMs <= upperMs);
  add(menu, keyClassMeasure(fits < 0 ? KEY_CLASSES_MS.length : fits), 1);
}

const concernsPeople = ({ code, node }: TrailEntry): boolean =>
  code === 'ring-progressed' || node?.startsWith('department||') === true;

/** Each agent and department once per call, however often it came there. An agent whose phone did not ring was not offered it. */
function countPeople(call: PastCall, add: Add): void {
  // Many calls end in a menu.
  if (call.answeredBy === null && !call.trail.some(concernsPeople)) return;
  for (const { code, node } of call.trail)
    if (code === 'callback-asked' && node !== null) add(node, 'callbacks_asked', 1);
  for (const agent of offeredTo(call)) add(`extension||${agent}`, 'offered', 1);
  if (call.answeredBy !== null) {
    add(`extension||${call.answeredBy}`, 'answered', 1);
    add(`extension||${call.answeredBy}`, 'talk_ms', Math.round(call.talkMs));
  }
  const visits = queueVisitsOf(call, callerLeft(call));
  const whole = queueResultOf(visits);
  if (whole !== null) countQueue(ALL_CALLS, whole, add);
  for (const visit of visits) {
    const { department, result, waitMs } = visit;
    if (parkingSpot(department) !== null) continue;
    add(department, 'calls', 1);
    countQueue(department, visit, add);
    if (result === 'abandoned') add(department, 'abandoned', 1);
    if (result !== 'answered') continue;
    add(department, 'answered', 1);
    add(department, 'wait_ms', waitMs);
    add(department, 'talk_ms', Math.round(call.talkMs));
  }
}

/** The same for a department and for the account, whose `answered` and `abandoned` are outcomes of all calls. */
function countQueue(subject: string, { result, waitMs }: QueueVisit, add: Add): void {
  add(subject, 'queued', 1);
  if (result === 'left') return;
  add(subject, waitMeasure(result, waitClassOf(waitMs)), 1);
  add(subject, `queue ${result} ms`, waitMs);
}
