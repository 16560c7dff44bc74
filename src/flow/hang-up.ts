// How a call ends: always with a written reason, and never in silence (call rule 8).

import type { Phase } from './call-state.ts';
import type { Ref } from './node.ts';
import type { RoomPhase } from './room-phase.ts';
import { NO_TIMERS, type TimerName } from './timer.ts';
import { type EndCode, endReason } from './trail.ts';
import type { Turn } from './turn.ts';

const TIMERS = Object.keys(NO_TIMERS) as TimerName[];

/** A caller who was not answered pays nothing for a call that failed, unless the account says otherwise. */
export function apologise(turn: Turn, node: Ref, end: EndCode): null {
  const { apologyRecording, failedCalls } = turn.flow.settings;
  const { text } = endReason(end);
  if (!turn.state.answered && failedCalls === 'status') {
    turn.note(node, 'status-sent', `Nothing was answered: the caller gets the reason as a status. ${text}`);
    turn.to({ name: 'hang-up', node, playback: 0, end });
    return endCall(turn, end);
  }
  const isEarly = !turn.state.answered && failedCalls === 'announce';
  turn.note(node, 'apology', `An apology${isEarly ? ' before the answer' : ''}, then hang-up. ${text}`);
  const playback =
    apologyRecording !== null && turn.flow.recordings.has(apologyRecording)
      ? turn.playRecording(node, apologyRecording, 'the apology', isEarly)
      : turn.playPrompt(node, 'apology', isEarly);
  turn.to({ name: 'hang-up', node, playback, end });
  return null;
}

/** Goes where the node says calls go that it could not serve; nowhere given: apology (call rule 7). */
export function failOver(turn: Turn, node: Ref, failover: Ref | null, end: EndCode): Ref | null {
  if (failover === null) return apologise(turn, node, end);
  turn.note(node, 'failover', `Goes on to the failover destination ${turn.nameOf(failover)}.`, {
    destination: failover,
  });
  return failover;
}

/** Stops whatever goes on and hangs up. Nothing follows it. */
export function endCall(turn: Turn, code: EndCode): null {
  const end = endReason(code);
  const node = nodeOf(turn.state.phase);
  silence(turn);
  for (const timer of TIMERS) turn.stopTimer(timer);
  turn.note(node, 'ended', `${end.text} (${end.word}, cause ${end.cause})`);
  turn.act({ type: 'hang-up', end });
  turn.to({ name: 'ended', end });
  return null;
}

function silence(turn: Turn): void {
  const { phase } = turn.state;
  const plays = 'playback' in phase && (turn.state.timers.playback !== 0 || isMusic(phase));
  if (plays) turn.stopPlaying(phase.playback);
  if (phase.name === 'ringing') {
    const targets = phase.targets.map((target) => target.id);
    turn.act({ type: 'stop-ringing', attempt: phase.attempt, targets });
  }
  if ('queue' in phase && phase.queue !== null) {
    turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  }
  if (isAtRoom(phase)) turn.act({ type: 'leave-room', request: phase.request });
  if (phase.name === 'room-name' && phase.playback === 0)
    turn.act({ type: 'stop-recording', request: phase.request });
  if (phase.name === 'requesting') turn.act({ type: 'cancel-request', request: phase.request });
  if (phase.name === 'streaming' && phase.request !== 0)
    turn.act({ type: 'close-stream', request: phase.request });
  if (phase.name === 'recording') turn.act({ type: 'stop-recording', request: phase.request });
}

/** It has asked to join a room, and was not refused. */
export const isAtRoom = (phase: Phase): phase is Exclude<RoomPhase, { name: 'room-pin' }> =>
  phase.name === 'room-joining' ||
  phase.name === 'room-name' ||
  phase.name === 'room-waiting' ||
  phase.name === 'in-room';

const isMusic = (phase: Phase): boolean =>
  phase.name === 'queued' ||
  phase.name === 'room-waiting' ||
  (phase.name === 'requesting' && phase.playback !== 0) ||
  (phase.name === 'streaming' && phase.stage === 'opening' && phase.playback !== 0);

export function nodeOf(phase: Phase): Ref | null {
  if ('visit' in phase) return phase.visit.menu;
  return 'node' in phase ? phase.node : null;
}
