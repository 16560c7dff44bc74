// What a call does in each phase, and what it knows there of each event.

import type { Phase, PhaseName } from './call-state.ts';
import { connected } from './conversation.ts';
import { endCall } from './hang-up.ts';
import { ignoreKey, passKey } from './keys.ts';
import { NODE_RULES } from './nodes/nodes.ts';
import { ringing } from './ringing.ts';
import type { AwaitedEvent, Next, PhaseOf, PhaseRules, PhaseTimer } from './rules.ts';
import type { Turn } from './turn.ts';

const hangUp: PhaseRules<PhaseOf<'hang-up'>> = {
  key: ignoreKey,
  played: (turn, { end }) => endCall(turn, end),
  on: {
    // The message, or the request, is stored: a caller who hangs up before hearing so has left it all the same.
    'caller-hung-up': (turn, { end }) =>
      endCall(turn, end === 'voicemail-left' || end === 'callback-asked' ? end : 'caller-hung-up'),
  },
};

export const PHASES: { readonly [Name in PhaseName]: PhaseRules<PhaseOf<Name>> } = {
  new: { key: passKey },
  ...NODE_RULES.menu.phases,
  ...NODE_RULES.announcement.phases,
  ...NODE_RULES.department.phases,
  ...NODE_RULES.voicemail.phases,
  ...NODE_RULES.room.phases,
  ...NODE_RULES.collect.phases,
  ...NODE_RULES.request.phases,
  ...NODE_RULES.stream.phases,
  ringing,
  connected,
  'hang-up': hangUp,
  ended: { key: passKey },
};

interface Rules {
  key(turn: Turn, phase: Phase, key: string): Next;
  played?(turn: Turn, phase: Phase): Next;
  readonly timers?: { readonly [T in PhaseTimer]?: (turn: Turn, phase: Phase) => Next };
  readonly on?: {
    readonly [T in AwaitedEvent['type']]?: (turn: Turn, phase: Phase, event: AwaitedEvent) => Next;
  };
}

/** The cast holds: the row of a phase is made for that phase, which its name says. */
export const rulesOf = (phase: Phase): Rules => PHASES[phase.name] as Rules;

/** Whether the call waits for the event where it is. */
export function isAwaited(phase: Phase, event: AwaitedEvent): boolean {
  return rulesOf(phase).on?.[event.type] !== undefined && isOfNow(phase, event);
}

/** What was asked for elsewhere, or before, is answered with another number. */
function isOfNow(phase: Phase, event: AwaitedEvent): boolean {
  if ('attempt' in event) return 'attempt' in phase && phase.attempt === event.attempt;
  if (!('request' in event)) return true;
  return event.request !== 0 && askedBy(phase, event) === event.request;
}

function askedBy(phase: Phase, { type }: AwaitedEvent): number | null {
  if (type === 'queue-turn' || type === 'queue-position' || type === 'queue-refused')
    return 'queue' in phase ? (phase.queue?.request ?? null) : null;
  return 'request' in phase ? phase.request : null;
}
