// What a simulated call has planned, and whether it still matters when its moment comes.

import type { CallEvent, CallState } from '../call-state.ts';
import { isAwaited } from '../phases.ts';
import type { CallerDeed } from './scripted-caller.ts';

export type Coming = CallEvent | { readonly type: 'caller'; readonly deed: CallerDeed | null };

/** Whether the machine would ignore it anyway: such events would only clutter the trace. */
export function isStale({ phase, timers }: CallState, coming: Coming): boolean {
  switch (coming.type) {
    case 'timer-expired':
      return timers[coming.timer] !== coming.generation;
    case 'playback-finished':
      return !('playback' in phase) || phase.playback !== coming.playback;
    case 'caller':
    case 'call-started':
    case 'call-recovered':
    case 'key-pressed':
    case 'party-replaced':
    case 'caller-hung-up':
      return false;
    default:
      return !isAwaited(phase, coming);
  }
}
