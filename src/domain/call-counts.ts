// What one call adds to the statistics: numbers that are summed up per subject (the account, a menu, an agent, a department) and
// quarter of an hour. All of it is counted at the call's start, so that statistics and records of a span of time agree.

import type { TrailEntry } from '../flow/trail.ts';
import { MENU_STEPS, type MenuStep, type MenuVisit, visitsOf } from './menu-visits.ts';
import { callerLeft, type Outcome, outcomeOf, type PastCall, wasAnswered } from './past-call.ts';

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
  const offered = new Set<string>(call.answeredBy === null ? [] : [`extension||${call.answeredBy}`]);
  const departments = new Map<string, number>();
  let at: string | null = null;
  let answeredIn: string | null = null;
  for (const { code, node, atMs } of call.trail) {
    if (code === 'ring-progressed' && node?.startsWith('extension||')) offered.add(node);
    if (code === 'arrived') at = node;
    if (code === 'callback-asked' && node !== null) add(node, 'callbacks_asked', 1);
    if (code === 'arrived' && node?.startsWith('department||') && !departments.has(node))
      departments.set(node, atMs);
    if (code === 'connected' && at !== null && departments.has(at) && answeredIn === null) {
      answeredIn = at;
      add(at, 'answered', 1);
      add(at, 'wait_ms', atMs - (departments.get(at) ?? atMs));
      add(at, 'talk_ms', Math.round(call.talkMs));
    }
  }
  for (const agent of offered) add(agent, 'offered', 1);
  if (call.answeredBy !== null) {
    add(`extension||${call.answeredBy}`, 'answered', 1);
    add(`extension||${call.answeredBy}`, 'talk_ms', Math.round(call.talkMs));
  }
  for (const department of departments.keys()) add(department, 'calls', 1);
  if (answeredIn === null && at !== null && departments.has(at) && callerLeft(call)) add(at, 'abandoned', 1);
}
