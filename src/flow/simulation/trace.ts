// What came of a simulated call.

import type { CallEvent, CallState } from '../call-state.ts';
import { type Flow, nameOf, resolve } from '../flow.ts';
import { isConversation } from '../hidden-keys.ts';
import type { Ref } from '../node.ts';
import type { Sound } from '../sound.ts';
import type { TrailEntry } from '../trail.ts';
import { HIDDEN_VALUE } from '../variables.ts';
import { type ScriptStep, scriptText } from './script.ts';

export interface Heard {
  readonly atMs: number;
  /** How long it was heard before it ended or a key stopped it. */
  readonly ms: number;
  readonly sound: Sound;
}

export const OUTCOME_KINDS = ['connected', 'voicemail', 'hung-up', 'caller-hung-up', 'unfinished'] as const;

export interface Outcome {
  readonly kind: (typeof OUTCOME_KINDS)[number];
  readonly destination: Ref | null;
  /** A stable code: `connected`, `unfinished`, or the end's code. */
  readonly reason: string;
  readonly cause: number;
  readonly word: string;
  readonly text: string;
}

export interface Trace {
  readonly entry: Ref;
  readonly startedEpochMs: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly steps: readonly TrailEntry[];
  /** The names of the nodes in the steps, as far as they exist. */
  readonly names: Readonly<Record<Ref, string>>;
  readonly heard: readonly Heard[];
  readonly visited: readonly Ref[];
  readonly sms: readonly string[];
  /** At the end. */
  readonly variables: Readonly<Record<string, string>>;
  /** Steps of the script whose moment never came. */
  readonly unusedSteps: readonly ScriptStep[];
  /** Fed through step() again, these make the same call. */
  readonly events: readonly CallEvent[];
}

export function outcomeOf({ phase }: CallState, steps: readonly TrailEntry[], flow: Flow): Outcome {
  if (isConversation(phase)) {
    const text = `Connected to ${nameOf(flow, phase.node)}.`;
    const { node: destination } = phase;
    return {
      kind: 'connected',
      destination,
      reason: 'connected',
      cause: 16,
      word: 'normal-clearing',
      text,
    };
  }
  const destination = steps.at(-1)?.node ?? null;
  if (phase.name !== 'ended') {
    const text = 'The simulation was cut: too many events.';
    return {
      kind: 'unfinished',
      destination,
      reason: 'unfinished',
      cause: 31,
      word: 'normal-unspecified',
      text,
    };
  }
  const { code, ...end } = phase.end;
  const kind =
    code === 'caller-hung-up' ? 'caller-hung-up' : code === 'voicemail-left' ? 'voicemail' : 'hung-up';
  return { kind, destination, reason: code, ...end };
}

export function namesIn(steps: readonly TrailEntry[], flow: Flow): Record<Ref, string> {
  const names: Record<Ref, string> = {};
  for (const { node } of steps) {
    if (node === null || Object.hasOwn(names, node)) continue;
    const name = resolve(flow, node)?.name;
    if (name !== undefined) names[node] = name;
  }
  return names;
}

/** The trace as the API and `--json` show it: snake_case, times readable, nothing but data. */
export function traceJson(trace: Trace) {
  return {
    entry: trace.entry,
    started_at: new Date(trace.startedEpochMs).toISOString(),
    duration_ms: trace.durationMs,
    outcome: trace.outcome,
    steps: trace.steps.map(({ atMs, ...rest }) => ({
      at_ms: atMs,
      ...rest,
      node_name: rest.node === null ? null : (trace.names[rest.node] ?? null),
    })),
    heard: trace.heard.map(({ atMs, ms, sound }) => ({ at_ms: atMs, ms, ...soundJson(sound) })),
    visited: trace.visited,
    sms: trace.sms,
    variables: trace.variables,
    unused_steps: scriptText(trace.unusedSteps),
  };
}

function soundJson(
  sound: Sound,
): { recording: string } | { tone_instead_of: string } | { prompt: string } | { speech: string } {
  switch (sound.kind) {
    case 'recording':
      return { recording: sound.id };
    case 'tone':
      return { tone_instead_of: sound.insteadOf };
    case 'system':
      return { prompt: sound.prompt };
    case 'speech':
      return { speech: sound.sensitive ? HIDDEN_VALUE : sound.text };
    default:
      return sound satisfies never;
  }
}
