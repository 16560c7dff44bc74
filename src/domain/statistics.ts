// From sums to what is shown: the statistics of a menu, of all calls, of an agent and of a department. Counts and sums are exact;
// rates and averages come from them; percentiles are the upper end of a class (docs/statistics.md).
import { AGENT_STATES, type AgentState, stateMeasure } from './agent-state.ts';
import {
  ANSWERED_OTHERWISE,
  KEY_CLASSES_MS,
  keyClassMeasure,
  LEFT_STEPS,
  leftMeasure,
  TRANSFERRED_UNANSWERED,
} from './call-counts.ts';
import { MENU_STEPS } from './menu-visits.ts';
import { OLD_OUTCOMES, OUTCOMES } from './past-call.ts';
import { classesWithin, WAIT_MEASURES, waitMeasure } from './queue-visits.ts';

/** The old ones, too: sums of calls that were recorded then stay as they are. */
export const COUNTED_OUTCOMES = [...OUTCOMES, ...OLD_OUTCOMES] as const;

/** By measure. */
export type Sums = ReadonlyMap<string, number>;

/** Put together once: they are asked for in every hour of a month. */
const LEFT_MEASURES = LEFT_STEPS.map(leftMeasure);
const KEY_MEASURES = KEY_CLASSES_MS.map((_, index) => keyClassMeasure(index));

const of = (sums: Sums, measure: string): number => sums.get(measure) ?? 0;
const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
const average = (sum: number, count: number): number | null => (count === 0 ? null : Math.round(sum / count));

export function menuStatistics(sums: Sums) {
  const [chosen, invalid, timeouts] = [of(sums, 'end chosen'), of(sums, 'invalid'), of(sums, 'timeouts')];
  const attempts = chosen + invalid + timeouts;
  const left = LEFT_MEASURES.map((measure) => of(sums, measure));
  // The steps of a menu come first.
  const abandoned = left.slice(0, MENU_STEPS.length).reduce((sum, count) => sum + count, 0);
  const visits = of(sums, 'visits');
  return {
    visits,
    chosen,
    options: optionsOf(sums),
    invalid,
    invalid_rate: ratio(invalid, attempts),
    invalid_final: of(sums, 'end invalid'),
    timeouts,
    timeout_rate: ratio(timeouts, attempts),
    timeout_final: of(sums, 'end timeout'),
    abandoned,
    abandoned_rate: ratio(abandoned, visits),
    abandoned_at: Object.fromEntries(LEFT_STEPS.map((step, index) => [step, left[index] ?? 0])),
    cut: of(sums, 'end cut'),
    typed_ahead: of(sums, 'typed_ahead'),
    time_to_key: timeToKey(sums),
  };
}

function optionsOf(sums: Sums): Record<string, number> {
  const options: [keys: string, count: number][] = [];
  for (const [measure, count] of sums)
    if (measure.startsWith('option ')) options.push([measure.slice(7), count]);
  return Object.fromEntries(options.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function timeToKey(sums: Sums) {
  const count = of(sums, 'keys');
  const below = (share: number): number | null => {
    let seen = 0;
    for (const [index, upperMs] of KEY_CLASSES_MS.entries()) {
      seen += of(sums, KEY_MEASURES[index] ?? '');
      if (count > 0 && seen >= count * share) return upperMs;
    }
    return null;
  };
  return {
    count,
    average_ms: average(of(sums, 'key_ms'), count),
    p50_ms: below(0.5),
    p90_ms: below(0.9),
  };
}

const total = (sums: Sums, measures: readonly string[]): number =>
  measures.reduce((sum, measure) => sum + of(sums, measure), 0);

/** The figures of a department, or of all together, where each call counts once. None of them includes calls of earlier versions. */
export function queueStatistics(sums: Sums, serviceLevelSeconds: number) {
  const calls = of(sums, 'queued');
  const answered = total(sums, WAIT_MEASURES.answered);
  const abandoned = total(sums, WAIT_MEASURES.abandoned);
  const inTime = total(
    sums,
    classesWithin(serviceLevelSeconds).map((index) => waitMeasure('answered', index)),
  );
  return {
    calls,
    answered,
    answered_in_time: inTime,
    abandoned,
    left: calls - answered - abandoned,
    service_level: ratio(inTime, calls),
    average_answer_ms: average(of(sums, 'queue answered ms'), answered),
    abandoned_rate: ratio(abandoned, calls),
    average_abandon_ms: average(of(sums, 'queue abandoned ms'), abandoned),
  };
}

export function callStatistics(sums: Sums) {
  const calls = of(sums, 'calls');
  // The outcomes, corrected by the calls of which they are not true. Sums of earlier versions have no corrections and stay as they
  // were; in every mixture each call counts once at most.
  const byOutcome = of(sums, 'answered') + of(sums, 'transferred');
  const talked = byOutcome + of(sums, ANSWERED_OTHERWISE) - of(sums, TRANSFERRED_UNANSWERED);
  const talkMs = of(sums, 'talk_ms');
  return {
    calls,
    inbound: of(sums, 'inbound'),
    internal: of(sums, 'internal'),
    outbound: of(sums, 'outbound'),
    ...(Object.fromEntries(COUNTED_OUTCOMES.map((outcome) => [outcome, of(sums, outcome)])) as Record<
      (typeof COUNTED_OUTCOMES)[number],
      number
    >),
    talked,
    answer_rate: ratio(talked, calls),
    wait_ms: of(sums, 'wait_ms'),
    ring_ms: of(sums, 'ring_ms'),
    talk_ms: talkMs,
    average_talk_ms: average(talkMs, talked),
    average_duration_ms: average(of(sums, 'duration_ms'), calls),
  };
}

/** At work with a phone that can ring, or paused. */
const SIGNED_IN_STATES = [
  'talking',
  'ringing',
  'wrap_up',
  'free',
  'paused',
] as const satisfies readonly AgentState[];
const WORKING_STATES = SIGNED_IN_STATES.filter((state) => state !== 'paused');
const OCCUPIED_STATES = WORKING_STATES.filter((state) => state !== 'free');

export function agentStatistics(sums: Sums) {
  const [offered, answered, talkMs] = [of(sums, 'offered'), of(sums, 'answered'), of(sums, 'talk_ms')];
  const inState = (states: readonly AgentState[]): number => total(sums, states.map(stateMeasure));
  return {
    offered,
    answered,
    not_answered: offered - answered,
    talk_ms: talkMs,
    average_talk_ms: average(talkMs, answered),
    signed_in_ms: inState(SIGNED_IN_STATES),
    paused_ms: inState(['paused']),
    occupancy: ratio(inState(OCCUPIED_STATES), inState(WORKING_STATES)),
    state_ms: Object.fromEntries(
      AGENT_STATES.map((state) => [state, of(sums, stateMeasure(state))]),
    ) as Record<AgentState, number>,
  };
}

/** The figures of a collect, a request or a stream. */
export function stepStatistics(sums: Sums) {
  const [visits, failed] = [of(sums, 'visits'), of(sums, 'failed')];
  return {
    visits,
    failed,
    failed_rate: ratio(failed, visits),
    average_ms: average(of(sums, 'took_ms'), of(sums, 'timed')),
  };
}

export function departmentStatistics(sums: Sums) {
  const [calls, answered, talkMs] = [of(sums, 'calls'), of(sums, 'answered'), of(sums, 'talk_ms')];
  return {
    calls,
    answered,
    not_answered: calls - answered,
    abandoned: of(sums, 'abandoned'),
    talk_ms: talkMs,
    average_talk_ms: average(talkMs, answered),
    average_wait_ms: average(of(sums, 'wait_ms'), answered),
    callbacks_asked: of(sums, 'callbacks_asked'),
    callbacks_done: of(sums, 'callbacks_done'),
    callbacks_failed: of(sums, 'callbacks_failed'),
  };
}
