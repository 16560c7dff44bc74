// What a simulated call has planned, and whether it still matters when its moment comes.

import type { CallEvent, CallState } from '../call-state.ts';
import { isAtRoom } from '../parting.ts';
import type { CallerDeed } from './scripted-caller.ts';

export type Coming = CallEvent | { readonly type: 'caller'; readonly deed: CallerDeed | null };

/** Whether the machine would ignore it anyway: such events would only clutter the trace. */
export function isStale({ phase, timers }: CallState, coming: Coming): boolean {
  switch (coming.type) {
    case 'timer-expired':
      return timers[coming.timer] !== coming.generation;
    case 'playback-finished':
      return !('playback' in phase) || phase.playback !== coming.playback;
    case 'agent-answered':
    case 'agent-busy':
    case 'agent-unreachable':
    case 'agent-paused':
      return phase.name !== 'ringing' || phase.attempt !== coming.attempt;
    case 'queue-turn':
      return !('queue' in phase) || phase.name === 'ringing' || phase.queue.request !== coming.request;
    case 'queue-position':
    case 'queue-refused':
      return !(phase.name === 'joining' || phase.name === 'queued') || phase.queue.request !== coming.request;
    case 'request-answered':
      return phase.name !== 'requesting' || phase.request !== coming.request;
    case 'stream-opened':
    case 'stream-transfer':
    case 'stream-variables':
    case 'stream-ended':
      return phase.name !== 'streaming' || phase.request !== coming.request;
    case 'room-answered':
      return !isAtRoom(phase) || phase.name === 'in-room' || phase.request !== coming.request;
    default:
      return false;
  }
}
