// The calls of this process that are live now, as the API shows them.

import type { Phase, PhaseName } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import { shownVariables } from '../../flow/variables.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Call } from '../call/call.ts';
import { describeFacts } from '../events/call-events.ts';
import type { CallFacts } from '../records/call-record.ts';

export const LIVE_STATES = [
  'calling_agent',
  'menu',
  'announcement',
  'queue',
  'ringing',
  'connected',
  'voicemail',
  'bot',
  'room',
  'ending',
] as const;
export type LiveState = (typeof LIVE_STATES)[number];

const STATES: Record<PhaseName, LiveState> = {
  new: 'menu',
  prompt: 'menu',
  waiting: 'menu',
  collecting: 'menu',
  retrying: 'menu',
  closing: 'menu',
  digits: 'menu',
  requesting: 'menu',
  streaming: 'bot',
  announcing: 'announcement',
  'looking-up': 'ringing',
  joining: 'queue',
  queued: 'queue',
  callback: 'queue',
  ringing: 'ringing',
  greeting: 'voicemail',
  recording: 'voicemail',
  'room-pin': 'room',
  'room-joining': 'room',
  'room-name': 'room',
  'room-waiting': 'room',
  'in-room': 'room',
  'hang-up': 'ending',
  connected: 'connected',
  ended: 'ending',
};

export interface LiveCall {
  readonly id: string;
  readonly state: LiveState;
  readonly node: string | null;
  /** eid of the connected agent. */
  readonly agent: string | null;
  /** eids of the agents whose phones ring for it. Absent: of a node of an earlier version. */
  readonly ringing?: readonly string[];
  readonly [member: string]: unknown;
}

/** With who calls now: another may have taken the place of the first caller. */
export function describeCall(call: Call): LiveCall {
  const { facts, phase, arrival, consultation } = call;
  const { times: counted } = call.history;
  const timeAt = (ms: number | null): string | null =>
    ms === null ? null : new Date(Math.round(facts.startedAtMs + ms)).toISOString();
  const waiting_since = timeAt(queuedMs(phase));
  const times = {
    waiting_since,
    waited_ms: waiting_since === null ? Math.round(counted.queueMs) : null,
    answered_at: timeAt(counted.connectedMs),
  };
  const ringing = ringingOf(phase);
  const live = { ...describe(facts, STATES[phase.name], nodeOf(phase), agentOf(phase)), ...times, ringing };
  const { caller, callerName: caller_name, consultationLeg } = arrival;
  const consults_for = consultationLeg?.isWaiting ? consultationLeg.heldId : null;
  const department = departmentOf(call.history.lastArrival);
  const variables = shownVariables(call.variables);
  const people = { department, caller, caller_name };
  return { ...live, ...people, variables, consultation: consultation?.id ?? null, consults_for };
}

/** The calls of an account, and the clicks that ring for them, by their ids. */
export function describeCalls(
  accountId: string,
  clicks: readonly CallFacts[],
  calls: Iterable<Call>,
): LiveCall[] {
  const live = clicks.map(describeClick);
  for (const call of calls)
    if (call.facts.accountId === accountId && !call.isOver) live.push(describeCall(call));
  return live.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function describeClick(facts: CallFacts): LiveCall {
  // A call that the API placed rings the number: no agent is called.
  return describe(facts, facts.madeBy === undefined ? 'ringing' : 'calling_agent', null, null);
}

function describe(facts: CallFacts, state: LiveState, node: string | null, agent: string | null): LiveCall {
  const live = { id: facts.id, ...describeFacts(facts), state, node, agent, ringing: [] };
  const times = { waiting_since: null, waited_ms: 0, answered_at: null };
  return { ...live, ...times, department: null, variables: {}, consultation: null, consults_for: null };
}

/** Its id, from the caller's arrival there until the arrival elsewhere: also in the conversation that follows. */
function departmentOf(node: Ref | null): string | null {
  if (node === null) return null;
  const { kind, id } = splitReference(node);
  return kind === 'department' ? id : null;
}

function nodeOf(phase: Phase): string | null {
  if ('visit' in phase) return phase.visit.menu;
  return 'node' in phase ? phase.node : null;
}

/** When the caller joined the queue, on the call's own clock; null: does not wait in one. */
function queuedMs(phase: Phase): number | null {
  return 'queue' in phase ? (phase.queue?.sinceMs ?? null) : null;
}

function agentOf(phase: Phase): string | null {
  if (phase.name !== 'connected') return null;
  const { kind, id } = splitReference(phase.target.owner);
  return kind === 'extension' ? id : null;
}

function ringingOf(phase: Phase): readonly string[] {
  if (phase.name !== 'ringing') return [];
  const owners = phase.targets.map(({ owner }) => splitReference(owner));
  return [...new Set(owners.filter(({ kind }) => kind === 'extension').map(({ id }) => id))];
}
