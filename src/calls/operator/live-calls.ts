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
  ringing: 'ringing',
  greeting: 'voicemail',
  recording: 'voicemail',
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

export function describeCall({ facts, phase }: Call): LiveCall {
  return describe(facts, STATES[phase.name], nodeOf(phase), agentOf(phase));
}

export function describeClick(facts: CallFacts): LiveCall {
  return describe(facts, 'calling_agent', null, null);
}

function describe(facts: CallFacts, state: LiveState, node: string | null, agent: string | null): LiveCall {
  return { id: facts.id, ...describeFacts(facts), state, node, agent };
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
