// Replays a recorded call on today's flow. Its events, fed to the same state machine, give the same call while the flow is the
// same. After a change of the flow they may not fit: then the call is simulated with the same keys at the same times of each
// menu, and the same phones busy or answering.

import type { CallEvent } from '../../../../src/flow/call-state.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import { HIDDEN_KEY } from '../../../../src/flow/hidden-keys.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import type { AgentBehaviour, Scenario } from '../../../../src/flow/simulation/scenario.ts';
import type { ScriptStep } from '../../../../src/flow/simulation/script.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { LIVE_TRAIL_CODES, type TrailEntry } from '../../../../src/flow/trail.ts';
import { TrailQuota } from '../../../../src/flow/trail-quota.ts';

/** The part of a call record that a replay needs; the API returns the stored events, too. */
export interface PastCall {
  readonly entry: Ref;
  readonly caller: string | null;
  readonly startedMs: number;
  readonly steps: readonly PastStep[];
  readonly events: readonly CallEvent[];
  /** Some keys are hidden (sensitive menu), so the call cannot be replayed. */
  readonly hidden: boolean;
  /** The record has the first events alone, so the call cannot be replayed. */
  readonly cut: boolean;
}

export interface PastStep {
  readonly at_ms: number;
  readonly code: string;
  readonly text: string;
  readonly node?: string | null;
  readonly keys?: string;
  readonly destination?: string;
  readonly rung?: readonly string[];
}

export interface Replay {
  readonly call: SimulatedCall;
  /** Null if the path is the same today. */
  readonly difference: Difference | null;
}

/** The first step that differs today. */
export interface Difference {
  readonly atMs: number;
  readonly before: string | null;
  readonly now: string | null;
}

/** Null for records without events, from before events were stored. */
export function pastCall(record: unknown): PastCall | null {
  if (typeof record !== 'object' || record === null) return null;
  const members = { ...record } as Record<string, unknown>;
  const { entry, caller, started_at: startedAt, steps, events, events_left_out: leftOut } = members;
  if (typeof entry !== 'string' || typeof startedAt !== 'string') return null;
  if (!Array.isArray(steps) || !Array.isArray(events) || !events.every(isEvent)) return null;
  const started = events.find((event) => event.type === 'call-started');
  if (!started) return null;
  return {
    entry,
    caller: typeof caller === 'string' ? caller : null,
    startedMs: Date.parse(startedAt),
    steps: steps as readonly PastStep[],
    events,
    hidden: events.some((event) => event.type === 'key-pressed' && event.key === HIDDEN_KEY),
    cut: typeof leftOut === 'number' && leftOut > 0,
  };
}

function isEvent(value: unknown): value is CallEvent {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'type' in value && typeof value.type === 'string' && 'atMs' in value && typeof value.atMs === 'number'
  );
}

export function replayOf(flow: Flow, past: PastCall): Replay {
  const scenario = startOf(past);
  const again = new SimulatedCall(flow, scenario, past.events);
  while (again.next());
  if (differenceOf(past.steps, again.steps) === null) {
    return { call: new SimulatedCall(flow, scenario, past.events), difference: null };
  }
  const anew = { ...scenario, agents: behavioursOf(past), script: scriptOf(past) };
  const trial = new SimulatedCall(flow, anew);
  while (trial.next());
  const ways = (steps: readonly Compared[]) => steps.filter(({ code }) => DECISIONS.has(code));
  const difference = differenceOf(ways(past.steps), ways(trial.steps));
  return { call: new SimulatedCall(flow, anew), difference };
}

function startOf({ entry, caller, startedMs, events }: PastCall): Scenario {
  const started = events.find((event) => event.type === 'call-started');
  return started
    ? { entry: started.entry, caller: started.caller, epochMs: started.epochMs, seed: started.seed }
    : { entry, caller, epochMs: startedMs };
}

type Compared = Pick<TrailEntry, 'text'> & {
  readonly at_ms?: number;
  readonly atMs?: number;
  readonly code: string;
  readonly node?: string | null;
  readonly keys?: string;
  readonly destination?: string;
};

/** Entries that only live calls have, and those about audio rather than routing. */
const ASIDES: ReadonlySet<string> = new Set([...LIVE_TRAIL_CODES, 'ended']);
/** The steps that decide the path. */
const DECISIONS: ReadonlySet<string> = new Set([
  'arrived',
  'option-matched',
  'invalid-retry',
  'invalid-final',
  'timeout-retry',
  'timeout-final',
  'hours-open',
  'hours-closed',
  'destination-missing',
  'agent-blocked',
  'agent-outside-hours',
  'do-not-disturb',
  'forwarded',
  'failover',
  'hop-limit',
  'connected',
  'voicemail-started',
  'room-pin-wrong',
  'room-refused',
]);

function differenceOf(past: readonly Compared[], today: readonly Compared[]): Difference | null {
  const then = past.filter(({ code }) => !ASIDES.has(code));
  const quota = new TrailQuota();
  const now = today.filter(({ code }) => !ASIDES.has(code) && quota.take(code));
  for (let index = 0; index < Math.max(then.length, now.length); index += 1) {
    const [one, other] = [then[index], now[index]];
    if (one && other && keyOf(one) === keyOf(other)) continue;
    const atMs = one?.at_ms ?? other?.atMs ?? 0;
    return { atMs, before: one?.text ?? null, now: other?.text ?? null };
  }
  return null;
}

const keyOf = ({ code, node, keys = '', destination = '' }: Compared): string =>
  [code, node ?? '', keys, destination].join(' ');

/** What each phone did when it rang; the last ring counts. A phone that rang without an event did not answer. */
function behavioursOf({ events, steps }: PastCall): { [owner: Ref]: AgentBehaviour } {
  const behaviours: { [owner: Ref]: AgentBehaviour } = {};
  let rungMs = 0;
  for (const step of steps) {
    for (const owner of step.rung ?? []) behaviours[owner] ??= { do: 'no-answer' };
  }
  for (const event of events) {
    if (!('attempt' in event)) continue;
    const slash = event.target.lastIndexOf('/');
    const owner = slash < 0 ? event.target : event.target.slice(0, slash);
    if (event.type === 'agent-busy') behaviours[owner] = { do: 'busy' };
    if (event.type === 'agent-paused') behaviours[owner] = { do: 'paused' };
    if (event.type === 'agent-unreachable' || event.type === 'ring-failed') {
      behaviours[owner] = { do: 'unreachable' };
    }
    if (event.type === 'agent-answered') {
      rungMs =
        steps.findLast(({ code, at_ms: atMs }) => code === 'ringing' && atMs <= event.atMs)?.at_ms ?? 0;
      behaviours[owner] = { do: 'answer', afterMs: Math.max(0, Math.round(event.atMs - rungMs)) };
    }
  }
  return behaviours;
}

/** The first key of an attempt is timed from the start of its prompt, the following ones from each other. */
function scriptOf({ steps, events }: PastCall): ScriptStep[] {
  const script: ScriptStep[] = [];
  const marks = steps.filter(
    ({ code }) => code === 'playing' || code === 'timeout-retry' || code === 'timeout-final',
  );
  let heardMs = 0;
  let lastKeyMs: number | null = null;
  let mark = 0;
  for (const event of events) {
    for (let next = marks[mark]; next && next.at_ms <= event.atMs; next = marks[mark]) {
      mark += 1;
      if (next.code === 'playing') [heardMs, lastKeyMs] = [next.at_ms, null];
      else script.push({ do: 'wait' });
    }
    if (event.type === 'key-pressed' && /^[0-9*#]$/.test(event.key)) {
      if (lastKeyMs === null) {
        script.push({ do: 'press', keys: event.key, afterMs: Math.max(0, Math.round(event.atMs - heardMs)) });
      } else {
        const gapMs = Math.max(0, Math.round(event.atMs - lastKeyMs));
        script.push({ do: 'wait', ms: gapMs }, { do: 'press', keys: event.key });
      }
      lastKeyMs = event.atMs;
    }
    if (event.type === 'caller-hung-up') {
      const gapMs = Math.max(0, Math.round(event.atMs - (lastKeyMs ?? heardMs)));
      script.push({ do: 'wait', ms: gapMs }, { do: 'hang-up' });
    }
  }
  return script;
}
