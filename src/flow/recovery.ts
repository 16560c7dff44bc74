// How a call begins that another node had before.

import type { CallEvent } from './call-state.ts';
import type { Ref } from './node.ts';
import type { Turn } from './turn.ts';
import { NO_VARIABLES } from './variables.ts';

/** A caller begins again where the call was; two sides that talked are connected. */
export function recover(turn: Turn, event: Extract<CallEvent, { type: 'call-recovered' }>): Ref | null {
  turn.state.startedEpochMs = event.epochMs;
  turn.state.caller = event.caller;
  turn.state.priority = event.priority ?? 0;
  turn.state.random = event.seed | 0;
  turn.state.variables = event.variables ?? NO_VARIABLES;
  turn.state.known = event.known ?? {};
  turn.state.answered = true;
  turn.state.hops = -1;
  turn.startTimer('call-limit', Math.max(1, turn.flow.settings.callLimitMs - event.atMs));
  if (event.talkedTo === null) return event.node;
  turn.to({ name: 'connected', node: event.node, target: event.talkedTo, sinceMs: turn.atMs });
  return null;
}
