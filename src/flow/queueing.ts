// Waiting in a department's queue: what the caller hears, for how long, and how the wait ends. The queue itself lies outside the
// call: the machine joins it by an action, and events report its position and its turn.

import type { Phase, QueueRefusal, QueueVisit, SystemPrompt } from './call-state.ts';
import { resolve } from './flow.ts';
import type { DepartmentNode, QueueRules, Ref } from './node.ts';
import { apologise, failOver } from './parting.ts';
import type { Turn } from './turn.ts';

/** The queue is kept in memory; an answer later than this is lost. */
const ANSWER_MS = 1_000;
/** The last position that has a prompt of its own. */
const SPOKEN_POSITIONS = 10;

export type Joining = Extract<Phase, { name: 'joining' }>;
export type Queued = Extract<Phase, { name: 'queued' }>;

interface DepartmentQueue {
  readonly department: DepartmentNode;
  readonly rules: QueueRules;
}

export function joinQueue(turn: Turn, department: DepartmentNode, rules: QueueRules): null {
  const { ref: node, agents, strategy } = department;
  const queue = { request: turn.newId(), sinceMs: turn.atMs };
  turn.act({ type: 'join-queue', request: queue.request, node, agents, strategy, rules });
  return askForPosition(turn, node, queue, false);
}

function askForPosition(turn: Turn, node: Ref, queue: QueueVisit, returned: boolean): null {
  turn.startTimer('directory', ANSWER_MS);
  turn.to({ name: 'joining', node, queue, returned });
  return null;
}

/** No agent answered: the call keeps its position, unless its time is up. */
export function returnToQueue(turn: Turn, node: Ref, queue: QueueVisit): Ref | null {
  const joined = queueOf(turn, node);
  if (!joined) return apologise(turn, node, 'destination-missing');
  if (remainingMs(turn, joined.rules, queue) <= 0) return waitOver(turn, joined, queue);
  turn.act({ type: 'resume-queue', request: queue.request });
  return askForPosition(turn, node, queue, true);
}

/** The answer to join-queue, resume-queue or ask-position; null = none came in time. */
export function positionReported(turn: Turn, phase: Joining | Queued, position: number | null): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  if (phase.name === 'joining') return startWaiting(turn, joined, phase, position);
  if (phase.hears !== 'position' && position !== null) announce(turn, phase, position);
  return null;
}

function startWaiting(turn: Turn, joined: DepartmentQueue, phase: Joining, position: number | null): null {
  const { rules } = joined;
  turn.stopTimer('directory');
  if (position === null) {
    turn.note(phase.node, 'directory-silent', 'The queue did not answer: the caller waits all the same.');
  }
  const place = position === null ? 'a caller' : `number ${position}`;
  if (phase.returned) turn.note(phase.node, 'queue-returned', `Is back in line as ${place}.`);
  else turn.note(phase.node, 'queue-joined', `Waits in line as ${place}.`);
  turn.startTimer('queue-wait', remainingMs(turn, rules, phase.queue));
  if (rules.announceSeconds > 0) turn.startTimer('queue-announce', rules.announceSeconds * 1_000);
  return hearMusic(turn, phase, rules, !phase.returned);
}

function hearMusic(turn: Turn, { node, queue }: Joining | Queued, rules: QueueRules, first: boolean): null {
  const { music } = rules;
  const known = music === null ? undefined : turn.flow.recordings.get(music);
  const missing = music !== null && !known;
  if (missing && first) {
    const text = `Recording ${music} (the music) does not exist: the built-in music is played instead.`;
    turn.note(node, 'recording-missing', text, { recording: music });
  } else if (known && first) {
    turn.note(node, 'playing', `Plays the music: “${known.name}”.`, { recording: known.id });
  }
  const playback = turn.playMusic(known?.id ?? null);
  turn.to({ name: 'queued', node, queue, playback, hears: known ? 'music' : 'built-in-music' });
  return null;
}

/** Time to announce the position, which has to be asked for. */
export function announceDue(turn: Turn, phase: Queued): null {
  const rules = queueOf(turn, phase.node)?.rules;
  turn.act({ type: 'ask-position', request: phase.queue.request });
  if (rules) turn.startTimer('queue-announce', rules.announceSeconds * 1_000);
  return null;
}

function announce(turn: Turn, { node, queue, playback: music }: Queued, position: number): void {
  turn.note(node, 'queue-position', `The caller is told: number ${position} in line.`);
  turn.stopPlaying(music);
  const playback = turn.playPrompt(node, positionPrompt(position));
  turn.to({ name: 'queued', node, queue, playback, hears: 'position' });
}

/** Positions beyond the last spoken one share a prompt. */
export function positionPrompt(position: number): SystemPrompt {
  const spoken = POSITION_PROMPTS[position - 1];
  return spoken ?? 'position-many';
}

const POSITION_PROMPTS = Array.from(
  { length: SPOKEN_POSITIONS },
  (_, index) => `position-${index + 1}` as SystemPrompt,
);

/** Music loops: an end means that its file could not be read, and the built-in music takes over. */
export function queueSoundEnded(turn: Turn, phase: Queued): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  if (phase.hears === 'built-in-music') return null;
  return hearMusic(
    turn,
    phase,
    phase.hears === 'music' ? { ...joined.rules, music: null } : joined.rules,
    false,
  );
}

export function queueWaitExpired(turn: Turn, phase: Queued): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  stopWaiting(turn, phase);
  return waitOver(turn, joined, phase.queue);
}

function waitOver(
  turn: Turn,
  { department: { ref, failover } }: DepartmentQueue,
  queue: QueueVisit,
): Ref | null {
  turn.note(ref, 'queue-timeout', `The caller has waited for ${waitedSeconds(turn, queue)} s: no longer.`);
  turn.act({ type: 'leave-queue', request: queue.request, servedBy: null });
  return failOver(turn, ref, failover, 'queue-timeout');
}

export function queueRefused(turn: Turn, phase: Joining, why: QueueRefusal): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  const { ref, failover } = joined.department;
  turn.stopTimer('directory');
  turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  if (why === 'queue-full') turn.note(ref, why, 'The line is full.');
  else turn.note(ref, why, 'No agent is there to wait for.');
  return failOver(turn, ref, failover, why === 'queue-full' ? why : 'agents-unavailable');
}

/** The exit key leads to the failover; without a failover every key is ignored. */
export function queueKeyPressed(turn: Turn, phase: Queued, key: string): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  const { ref, failover } = joined.department;
  const keys = turn.shown(key);
  if (key !== joined.rules.exitKey || failover === null) {
    turn.note(ref, 'key-ignored', `Key ${keys} has no meaning in line.`, { keys });
    return null;
  }
  stopWaiting(turn, phase);
  turn.state.hops = 0;
  const text = `The caller pressed ${keys} after ${waitedSeconds(turn, phase.queue)} s and leaves the line.`;
  turn.note(ref, 'queue-left', text, { keys });
  turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  return failOver(turn, ref, failover, 'queue-timeout');
}

/** Stops what a queued caller hears, and the timers. It does not leave the queue. */
export function stopWaiting(turn: Turn, phase: Joining | Queued): void {
  turn.stopTimer('directory');
  turn.stopTimer('queue-wait');
  turn.stopTimer('queue-announce');
  if (phase.name === 'queued') turn.stopPlaying(phase.playback);
}

function queueOf(turn: Turn, node: Ref): DepartmentQueue | null {
  const department = resolve(turn.flow, node);
  if (department?.kind !== 'department' || department.queue === null) return null;
  return { department, rules: department.queue };
}

function remainingMs(turn: Turn, { maxWaitSeconds }: QueueRules, { sinceMs }: QueueVisit): number {
  // Without a limit of its own the call's is the limit, which then comes first.
  const longestMs = maxWaitSeconds > 0 ? maxWaitSeconds * 1_000 : turn.flow.settings.callLimitMs;
  return longestMs - (turn.atMs - sinceMs);
}

const waitedSeconds = (turn: Turn, { sinceMs }: QueueVisit): number =>
  Math.round((turn.atMs - sinceMs) / 1_000);
