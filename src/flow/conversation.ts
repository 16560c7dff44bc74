// Two sides that talk: whose keys they are, one of them is replaced, or the called one hangs up first.

import type { CallEvent, Phase } from './call-state.ts';
import { resolve } from './flow.ts';
import { apologise, endCall } from './hang-up.ts';
import { isConversation } from './hidden-keys.ts';
import { passKey } from './keys.ts';
import type { Ref } from './node.ts';
import { CONVERSATION_MS } from './nodes/stream.ts';
import { isHeardEarly } from './ringing.ts';
import type { PhaseRules } from './rules.ts';
import type { Turn } from './turn.ts';

/** After which a caller goes on: a circle of them would ring phones, and cost money, until the call's longest time. */
export const MAX_TALKS = 20;

/** The caller is heard by the called side, before or after its answer: keys are for it. */
export function isTalking(phase: Phase): boolean {
  if (phase.name === 'streaming') return phase.stage === 'talking';
  return isConversation(phase) || (phase.name === 'ringing' && isHeardEarly(phase));
}

/** One who comes from another call has been answered there. */
export function partyReplaced(
  turn: Turn,
  phase: Phase,
  { target, caller, priority = 0, text }: Extract<CallEvent, { type: 'party-replaced' }>,
): null {
  turn.note(target?.owner ?? null, 'party-replaced', text);
  if (target === null) {
    turn.state.caller = caller;
    turn.state.priority = Math.max(turn.state.priority, priority);
    turn.state.answered = true;
  } else if (phase.name === 'connected')
    turn.to({ name: 'connected', node: target.owner, target, sinceMs: phase.sinceMs });
  return null;
}

/** The called side hung up: the caller goes on where the department, or the agent who was called directly, says. */
function afterCall(turn: Turn, phase: Extract<Phase, { name: 'connected' }>): Ref | null {
  const rang = resolve(turn.flow, phase.via ?? phase.node);
  const next = rang?.kind === 'department' || rang?.kind === 'agent' ? rang.afterCall : undefined;
  if (next === undefined) return endCall(turn, 'agent-hung-up');
  turn.act({ type: 'end-talk' });
  if (turn.state.talks >= MAX_TALKS) {
    turn.note(phase.node, 'hop-limit', `${MAX_TALKS} conversations followed each other in this call.`);
    return apologise(turn, phase.node, 'hop-limit');
  }
  turn.state.talks += 1;
  turn.note(
    phase.node,
    'after-call',
    `The called side hung up: the caller goes on to ${turn.nameOf(next)}.`,
    {
      destination: next,
    },
  );
  // A conversation is more than a key (call rule 9); a phone that answers and hangs up at once is none.
  if (turn.atMs - phase.sinceMs >= CONVERSATION_MS) turn.state.hops = 0;
  return next;
}

export const connected: PhaseRules<Extract<Phase, { name: 'connected' }>> = {
  key: passKey,
  on: { 'agent-hung-up': afterCall },
};
