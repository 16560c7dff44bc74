// Waiting in a department's queue: what the caller hears, for how long, and how the wait ends. The queue itself lies outside the
// call: the machine joins it by an action, and events report its position and its turn.

import type { AskingCallback } from './callback-phase.ts';
import { resolve } from './flow.ts';
import { apologise, failOver } from './hang-up.ts';
import type { CallbackRules, DepartmentNode, QueueRules, Ref } from './node.ts';
import type {
  JoiningQueue,
  QueueAnnouncement,
  QueuedPhase,
  QueueRefusal,
  QueueVisit,
} from './queue-phase.ts';
import type { SystemPrompt } from './sound.ts';
import type { Turn } from './turn.ts';

/** The queue is kept in memory; an answer later than this is lost. */
const ANSWER_MS = 1_000;
/** The minutes that have a prompt. */
const SPOKEN_MINUTES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30] as const;
/** The last position that has a prompt of its own. */
const SPOKEN_POSITIONS = 10;

export type Joining = JoiningQueue;
export type Queued = QueuedPhase;

type Visit = Pick<Queued, 'node' | 'queue'>;

interface DepartmentQueue {
  readonly department: DepartmentNode;
  readonly rules: QueueRules;
}

export function joinQueue(turn: Turn, department: DepartmentNode, rules: QueueRules): null {
  const { ref: node, agents, strategy } = department;
  const queue = { request: turn.newId(), sinceMs: turn.atMs };
  const { priority } = turn.state;
  const order = { type: 'join-queue', request: queue.request, node, agents, strategy, rules } as const;
  turn.act(priority > 0 ? { ...order, priority } : order);
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

interface Place {
  readonly position: number;
  readonly estimateMs?: number;
}

/** The answer to join-queue, resume-queue or ask-position; null = none came in time. */
export function positionReported(turn: Turn, phase: Joining | Queued, place: Place | null): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  if (phase.name === 'joining') return startWaiting(turn, joined, phase, place);
  if (place === null || waitsForEnd(turn, phase, 'position')) return null;
  announce(turn, phase, joined.rules, place);
  return null;
}

function startWaiting(turn: Turn, { rules }: DepartmentQueue, phase: Joining, place: Place | null): null {
  turn.stopTimer('directory');
  if (place === null) {
    turn.note(phase.node, 'directory-silent', 'The queue did not answer: the caller waits all the same.');
  }
  const as = place === null ? 'a caller' : `number ${place.position}${about(place)}`;
  if (phase.returned) turn.note(phase.node, 'queue-returned', `Is back in the queue as ${as}.`);
  else turn.note(phase.node, 'queue-joined', `Waits in the queue as ${as}.`);
  return wait(turn, phase, rules, !phase.returned);
}

function wait(turn: Turn, visit: Visit, rules: QueueRules, first: boolean): null {
  turn.startTimer('queue-wait', remainingMs(turn, rules, visit.queue));
  if (rules.announceSeconds > 0) turn.startTimer('queue-announce', rules.announceSeconds * 1_000);
  const offerSeconds = rules.callback?.offerSeconds ?? 0;
  if (offerSeconds > 0) turn.startTimer('queue-offer', offerSeconds * 1_000);
  if (rules.message) turn.startTimer('queue-message', rules.message.seconds * 1_000);
  return hearMusic(turn, visit, rules, first);
}

/** Back from asking for a call-back: the place is as it was. */
export function goOnWaiting(turn: Turn, visit: Visit): Ref | null {
  const joined = queueOf(turn, visit.node);
  if (!joined) return apologise(turn, visit.node, 'destination-missing');
  if (remainingMs(turn, joined.rules, visit.queue) <= 0) return waitOver(turn, joined, visit.queue);
  turn.note(visit.node, 'queue-returned', 'Goes on waiting in the queue.');
  return wait(turn, visit, joined.rules, false);
}

function hearMusic(turn: Turn, { node, queue }: Visit, rules: QueueRules, first: boolean): null {
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

export const isAnnouncement = (heard: Queued['hears']): heard is QueueAnnouncement =>
  heard !== 'music' && heard !== 'built-in-music';

/** No announcement cuts another short: it follows then, unless it is the same. */
function waitsForEnd(turn: Turn, phase: Queued, announcement: QueueAnnouncement): boolean {
  const { hears, due = [] } = phase;
  if (!isAnnouncement(hears)) return false;
  if (hears !== announcement && !due.includes(announcement))
    turn.to({ ...phase, due: [...due, announcement] });
  return true;
}

/** Time to announce the position, which has to be asked for. */
export function announceDue(turn: Turn, phase: Queued): null {
  const rules = queueOf(turn, phase.node)?.rules;
  if (rules) turn.startTimer('queue-announce', rules.announceSeconds * 1_000);
  // It is asked for when it can be announced: it may have changed by then.
  if (!waitsForEnd(turn, phase, 'position')) turn.act({ type: 'ask-position', request: phase.queue.request });
  return null;
}

function announce(
  turn: Turn,
  phase: Queued,
  { announceWait }: QueueRules,
  { position, estimateMs: known }: Place,
): void {
  const { node, queue, playback: music } = phase;
  const estimateMs = announceWait ? known : undefined;
  const wait = estimateMs === undefined ? '' : `, ${spokenWait(estimateMs)} to wait`;
  turn.note(node, 'queue-position', `The caller is told: ${spokenPosition(position)}${wait}.`);
  turn.stopPlaying(music);
  const playback = turn.playPrompt(node, positionPrompt(position));
  const heard = { name: 'queued', node, queue, playback, hears: 'position' } as const;
  turn.to(estimateMs === undefined ? heard : { ...heard, next: waitPrompt(estimateMs) });
}

const about = ({ estimateMs }: { readonly estimateMs?: number | undefined }): string =>
  estimateMs === undefined ? '' : `, about ${minutesOf(estimateMs)} min to wait`;

/** Rounded up: a wait that is shorter than announced is no disappointment. */
const minutesOf = (ms: number): number => Math.max(1, Math.ceil(ms / 60_000));

function spokenMinutes(ms: number): (typeof SPOKEN_MINUTES)[number] | 'many' {
  const minutes = minutesOf(ms);
  return SPOKEN_MINUTES.find((spoken) => spoken >= minutes) ?? 'many';
}

export const waitPrompt = (ms: number): SystemPrompt => `wait-${spokenMinutes(ms)}`;

/** As the prompts say it. */
function spokenWait(ms: number): string {
  const minutes = spokenMinutes(ms);
  return minutes === 'many' ? 'more than 30 min' : `about ${minutes} min`;
}

const spokenPosition = (position: number): string =>
  position > SPOKEN_POSITIONS
    ? `more than ${SPOKEN_POSITIONS} callers before`
    : `number ${position} in the queue`;

/** Time for the department's recording. */
export function messageDue(turn: Turn, phase: Queued): null {
  const message = queueOf(turn, phase.node)?.rules.message;
  if (!message) return null;
  turn.startTimer('queue-message', message.seconds * 1_000);
  if (waitsForEnd(turn, phase, 'message')) return null;
  turn.stopPlaying(phase.playback);
  return hearMessage(turn, phase, message.recording);
}

function hearMessage(turn: Turn, visit: Visit, recording: string): null {
  const { node, queue } = visit;
  const playback = turn.playRecording(node, recording, 'the announcement');
  turn.to({ name: 'queued', node, queue, playback, hears: 'message' });
  return null;
}

/** Time to offer a call-back. */
export function offerDue(turn: Turn, phase: Queued): null {
  const callback = queueOf(turn, phase.node)?.rules.callback;
  if (!callback) return null;
  turn.startTimer('queue-offer', callback.offerSeconds * 1_000);
  if (waitsForEnd(turn, phase, 'offer')) return null;
  turn.stopPlaying(phase.playback);
  return hearOffer(turn, phase, callback);
}

function hearOffer(turn: Turn, { node, queue }: Visit, { key, recording }: CallbackRules): null {
  turn.note(node, 'callback-offered', `A call-back is offered, by the key ${key}.`);
  if (recording !== null) {
    const playback = turn.playRecording(node, recording, 'the offer of a call-back');
    turn.to({ name: 'queued', node, queue, playback, hears: 'offer' });
  } else {
    const playback = turn.playPart('callback-offer');
    turn.to({ name: 'queued', node, queue, playback, hears: 'offer', next: keyPrompt(key) });
  }
  return null;
}

/** The position is followed by the wait, the built-in offer by the key's name. */
function hearNext(turn: Turn, { next: _, ...phase }: Queued, prompt: SystemPrompt): null {
  turn.to({ ...phase, playback: turn.playPart(prompt) });
  return null;
}

/** What became due while another announcement was heard. False: nothing. */
function hearDue(turn: Turn, phase: Queued, { message, callback }: QueueRules): boolean {
  const { due = [] } = phase;
  const left = (heard: QueueAnnouncement): void => {
    const rest = due.filter((each) => each !== heard);
    const { phase: now } = turn.state;
    if (rest.length > 0 && now.name === 'queued') turn.to({ ...now, due: rest });
  };
  if (message && due.includes('message')) {
    hearMessage(turn, phase, message.recording);
    left('message');
    return true;
  }
  if (callback && due.includes('offer')) {
    hearOffer(turn, phase, callback);
    left('offer');
    return true;
  }
  // The last one: its answer comes while the music is heard.
  if (due.includes('position')) turn.act({ type: 'ask-position', request: phase.queue.request });
  return false;
}

const KEY_NAMES: Readonly<Record<string, SystemPrompt>> = { '*': 'key-star', '#': 'key-hash' };

export const keyPrompt = (key: string): SystemPrompt => KEY_NAMES[key] ?? (`digit-${key}` as SystemPrompt);

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
  if (phase.next !== undefined) return hearNext(turn, phase, phase.next);
  if (hearDue(turn, phase, joined.rules)) return null;
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
  { department: { ref, failover }, rules }: DepartmentQueue,
  queue: QueueVisit,
): Ref | null {
  turn.note(ref, 'queue-timeout', `The caller has waited for ${waitedSeconds(turn, queue)} s: no longer.`);
  turn.act({ type: 'leave-queue', request: queue.request, servedBy: null });
  return failOver(turn, ref, rules.timeoutDestination ?? failover, 'queue-timeout');
}

export function queueRefused(turn: Turn, phase: Joining, why: QueueRefusal): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  const { ref, failover } = joined.department;
  turn.stopTimer('directory');
  turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  if (why === 'queue-full') {
    turn.note(ref, why, 'The queue is full.');
    return failOver(turn, ref, joined.rules.fullDestination ?? failover, why);
  }
  turn.note(ref, why, 'No agent is there to wait for.');
  return failOver(turn, ref, failover, 'agents-unavailable');
}

/** The exit key leads to the failover; without a failover every key is ignored. */
export function queueKeyPressed(turn: Turn, phase: Queued, key: string): Ref | null {
  const joined = queueOf(turn, phase.node);
  if (!joined) return apologise(turn, phase.node, 'destination-missing');
  const { ref, failover } = joined.department;
  const keys = turn.shown(key);
  if (key !== joined.rules.exitKey || failover === null) {
    turn.note(ref, 'key-ignored', `Key ${keys} has no meaning in the queue.`, { keys });
    return null;
  }
  stopWaiting(turn, phase);
  turn.state.hops = 0;
  const text = `The caller pressed ${keys} after ${waitedSeconds(turn, phase.queue)} s and leaves the queue.`;
  turn.note(ref, 'queue-left', text, { keys });
  turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: null });
  return failOver(turn, ref, failover, 'queue-timeout');
}

/** Stops what a queued caller hears, and the timers. It does not leave the queue. */
export function stopWaiting(turn: Turn, phase: Joining | Queued | AskingCallback): void {
  turn.stopTimer('directory');
  turn.stopTimer('queue-wait');
  turn.stopTimer('queue-announce');
  turn.stopTimer('queue-offer');
  turn.stopTimer('queue-message');
  if (phase.name === 'callback') {
    turn.stopTimer('first-key');
    turn.stopTimer('inter-digit');
  }
  if (phase.name !== 'joining' && phase.playback !== 0) turn.stopPlaying(phase.playback);
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
