// The calls of this process that are live now, as the API shows them.
import { splitReference } from '../../domain/reference.ts';
import type { Phase, PhaseName } from '../../flow/call-state.ts';
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
  parting: 'ending',
  connected: 'connected',
  ended: 'ending',
};

export interface LiveCall {
  readonly id: string;
  readonly state: LiveState;
  readonly node: string | null;
  /** eid of the connected agent. */
  readonly agent: string | null;
  readonly [member: string]: unknown;
}

/** With who calls now: another may have taken the place of the first caller. */
export function describeCall({ facts, phase, arrival, consultation }: Call): LiveCall {
  const live = describe(facts, STATES[phase.name], nodeOf(phase), agentOf(phase));
  const { caller, callerName: caller_name, lender } = arrival;
  const consults_for = lender?.isWaiting ? lender.heldId : null;
  return { ...live, caller, caller_name, consultation: consultation?.id ?? null, consults_for };
}

export function describeClick(facts: CallFacts): LiveCall {
  return describe(facts, 'calling_agent', null, null);
}

function describe(facts: CallFacts, state: LiveState, node: string | null, agent: string | null): LiveCall {
  const live = { id: facts.id, ...describeFacts(facts), state, node, agent };
  return { ...live, consultation: null, consults_for: null };
}

function nodeOf(phase: Phase): string | null {
  if ('visit' in phase) return phase.visit.menu;
  return 'node' in phase ? phase.node : null;
}

function agentOf(phase: Phase): string | null {
  if (phase.name !== 'connected') return null;
  const { kind, id } = splitReference(phase.target.owner);
  return kind === 'extension' ? id : null;
}
