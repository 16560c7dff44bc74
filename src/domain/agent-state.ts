// The states of an agent: the one list that phones, API, events, statistics and the console use, and the one function that decides.

/** The order decides: when two are true at once, the earlier one is shown. */
export const AGENT_STATES = [
  'talking',
  'ringing',
  'blocked',
  'off_duty',
  'paused',
  'unreachable',
  'wrap_up',
  'free',
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

export interface AgentFacts {
  /** A call of the agent, also one that the agent dials or that waits for the other side. */
  readonly isTalking: boolean;
  /** A phone of the agent rings. */
  readonly isRinging: boolean;
  /** custom_status of the record. */
  readonly isBlocked: boolean;
  /** Outside the agent's time group. */
  readonly isOffDuty: boolean;
  readonly isPaused: boolean;
  /** A phone that answers, or a follow-me number that a trunk routes. */
  readonly hasPhone: boolean;
  /** In the time after a call from a queue. */
  readonly isWrappingUp: boolean;
}

export function agentState(facts: AgentFacts): AgentState {
  if (facts.isTalking) return 'talking';
  if (facts.isRinging) return 'ringing';
  if (facts.isBlocked) return 'blocked';
  if (facts.isOffDuty) return 'off_duty';
  if (facts.isPaused) return 'paused';
  if (!facts.hasPhone) return 'unreachable';
  return facts.isWrappingUp ? 'wrap_up' : 'free';
}

/** A pause without a phone that can ring is no work: the agent went home. All show the pause; statistics and health do not count it. */
export const workState = (state: AgentState, canRing: () => boolean): AgentState =>
  state === 'paused' && !canRing() ? 'unreachable' : state;

/** The measure in the statistics: milliseconds in a state. */
export const stateMeasure = (state: AgentState): string => `state ${state}`;

/** The state that is shown when several nodes see different states of one agent. */
export const shownState = (one: AgentState, other: AgentState): AgentState =>
  AGENT_STATES.indexOf(one) <= AGENT_STATES.indexOf(other) ? one : other;
