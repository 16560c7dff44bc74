// What a call can do. An event comes in, the state changes, actions go out as data for the caller of step() to perform. What an event
// means is said by the phase that the call is in (phases.ts), and by the node it arrives at (nodes/). No clock, no I/O: the same events
// always make the same call.

import type { Action, CallEvent, CallState, Phase } from './call-state.ts';
import { isTalking, partyReplaced } from './conversation.ts';
import { type Flow, resolve } from './flow.ts';
import { apologise, endCall, nodeOf } from './hang-up.ts';
import { ignoreKey } from './keys.ts';
import type { Ref } from './node.ts';
import { enter } from './nodes/nodes.ts';
import { isAwaited, rulesOf } from './phases.ts';
import { recover } from './recovery.ts';
import type { TimerName } from './timer.ts';
import { Turn } from './turn.ts';
import { givenVariables } from './variables.ts';

export interface Step {
  readonly state: CallState;
  readonly actions: readonly Action[];
}

export function step(flow: Flow, state: CallState, event: CallEvent): Step {
  // Nothing follows the end, and nothing comes before the start.
  if (state.phase.name === 'ended') return { state, actions: [] };
  const isBegin = event.type === 'call-started' || event.type === 'call-recovered';
  if ((state.phase.name === 'new') !== isBegin) return { state, actions: [] };
  const turn = new Turn(flow, state, event.atMs);
  let next = react(turn, event);
  while (next !== null) next = goOn(turn, next);
  return { state: turn.state, actions: turn.actions };
}

/** Every handler says where the call goes on to at once, or null if it stays and waits. */
function react(turn: Turn, event: CallEvent): Ref | null {
  const { phase } = turn.state;
  switch (event.type) {
    case 'call-started':
      return start(turn, event);
    case 'call-recovered':
      return recover(turn, event);
    case 'key-pressed':
      return keyPressed(turn, phase, event.key);
    case 'playback-finished':
      if (!('playback' in phase) || phase.playback !== event.playback) return null;
      turn.stopTimer('playback');
      return played(turn, phase);
    case 'timer-expired':
      if (event.generation === 0 || turn.state.timers[event.timer] !== event.generation) return null;
      turn.forgetTimer(event.timer);
      return expired(turn, phase, event.timer);
    case 'party-replaced':
      return partyReplaced(turn, phase, event);
    default: {
      if (isAwaited(phase, event)) return rulesOf(phase).on?.[event.type]?.(turn, phase, event) ?? null;
      return event.type === 'caller-hung-up' ? endCall(turn, 'caller-hung-up') : null;
    }
  }
}

function start(turn: Turn, event: Extract<CallEvent, { type: 'call-started' }>): Ref {
  turn.state.startedEpochMs = event.epochMs;
  turn.state.caller = event.caller;
  turn.state.priority = event.priority ?? 0;
  turn.state.random = event.seed | 0;
  turn.state.variables = givenVariables(event.variables);
  turn.state.known = event.known ?? {};
  turn.state.answered = event.answered === true;
  // The entry itself is not a hop.
  turn.state.hops = -1;
  const from = event.caller ?? 'a caller without a number';
  turn.note(null, 'call-started', `A call from ${from} to ${turn.nameOf(event.entry)}.`, {
    destination: event.entry,
  });
  turn.startTimer('call-limit', turn.flow.settings.callLimitMs);
  return event.entry;
}

/** Arrives at a destination, unless too many followed each other without caller input (call rule 9). */
function goOn(turn: Turn, ref: Ref): Ref | null {
  const { hopLimit } = turn.flow.settings;
  if (turn.state.hops >= hopLimit) {
    turn.note(ref, 'hop-limit', `${hopLimit} destinations followed each other without caller input.`);
    return apologise(turn, ref, 'hop-limit');
  }
  turn.state.hops += 1;
  const node = resolve(turn.flow, ref);
  if (!node) {
    turn.note(ref, 'destination-missing', `${ref} does not exist.`, { destination: ref });
    return apologise(turn, ref, 'destination-missing');
  }
  turn.note(ref, 'arrived', `Arrives at the ${node.kind} “${node.name}”.`);
  return enter(turn, node);
}

function keyPressed(turn: Turn, phase: Phase, key: string): Ref | null {
  // Telephones with the keys A to D exist; menus for them do not.
  if (!/^[0-9*#]$/.test(key) && !isTalking(phase)) return ignoreKey(turn, phase, key);
  return rulesOf(phase).key(turn, phase, key);
}

const played = (turn: Turn, phase: Phase): Ref | null => rulesOf(phase).played?.(turn, phase) ?? null;

function expired(turn: Turn, phase: Phase, timer: TimerName): Ref | null {
  if (timer === 'call-limit') return endCall(turn, 'call-limit');
  if (timer !== 'playback') return rulesOf(phase).timers?.[timer]?.(turn, phase) ?? null;
  if (!('playback' in phase)) return null;
  turn.note(nodeOf(phase), 'playback-overdue', 'The end of a sound was not reported: the call goes on.');
  turn.act({ type: 'stop-playing', playback: phase.playback });
  return played(turn, phase);
}
