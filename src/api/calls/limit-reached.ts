// What a request is told that asks for a leg which a limit of the account does not allow: which limit it is (docs/limits.md).
import type { LegLimit } from '../../calls/call-caps.ts';
import { type Problem, problem } from '../../kinds/problem.ts';

export const OUTBOUND_FULL = problem(
  'outbound_limit_reached',
  'The account has as many calls outside as max_outbound_calls allows, or the trunk as many as its max_calls.',
);

const TEXTS: Readonly<Record<LegLimit, string>> = {
  max_calls_per_agent: 'This agent has as many calls as the limit max_calls_per_agent allows.',
  max_legs: 'The account has as many sides of calls as the limit max_legs allows.',
};

export const limitReached = (limit: LegLimit): Problem =>
  problem(limit === 'max_legs' ? 'outbound_limit_reached' : 'agent_unavailable', TEXTS[limit]);
