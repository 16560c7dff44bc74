// How a call ends: always with a written reason, and never in silence (call rule 8).

import { NO_TIMERS, type Phase, type TimerName } from './call-state.ts';
import type { Ref } from './node.ts';
import { type EndCode, endReason } from './trail.ts';
import type { Turn } from './turn.ts';

const TIMERS = Object.keys(NO_TIMERS) as TimerName[];

export function apologise(turn: Turn, node: Ref, end: EndCode): null {
  const { apologyRecording } = turn.flow.settings;
  turn.note(node, 'apology', `An apology, then hang-up. ${endReason(end).text}`);
  const playback =
    apologyRecording !== null && turn.flow.recordings.has(apologyRecording)
      ? turn.playRecording(node, apologyRecording, 'the apology')
      : turn.playPrompt(node, 'apology');
  turn.to({ name: 'parting', node, playback, end });
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
  const plays = 'playback' in phase && (turn.state.timers.playback !== 0 || phase.name === 'queued');
  if (plays) turn.stopPlaying(phase.playback);
  if (phase.name === 'ringing') {
    const targets = phase.targets.map((target) => target.id);
    turn.act({ type: 'stop-ringing', attempt: phase.attempt, targets });
  }
  if ('queue' in phase && phase.queue !== null) {
    turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  }
  if (phase.name === 'recording') turn.act({ type: 'stop-recording', request: phase.request });
}

export function nodeOf(phase: Phase): Ref | null {
  if ('visit' in phase) return phase.visit.menu;
  return 'node' in phase ? phase.node : null;
}
