// Asking to be called back while waiting in a queue: the caller's number is read back and confirmed, or typed. The place in the queue is
// kept all the while, and a turn that comes meanwhile is taken.

import type { AskingCallback, CallbackAnswer } from './callback-phase.ts';
import { queueTurn } from './department-plan.ts';
import { resolve } from './flow.ts';
import type { Ref } from './node.ts';
import { goOnWaiting, keyPrompt, type Queued, stopWaiting } from './queueing.ts';
import type { SystemPrompt } from './sound.ts';
import type { Turn } from './turn.ts';

const TRIES = 3;
const FIRST_KEY_MS = 10_000;
const DIGIT_MS = 5_000;
/** The request is stored; another node may have to be asked. */
const ANSWER_MS = 5_000;
const MIN_DIGITS = 3;
const MAX_DIGITS = 20;

export function isCallbackKey(turn: Turn, { node }: Queued, key: string): boolean {
  const department = resolve(turn.flow, node);
  return department?.kind === 'department' && department.queue?.callback?.key === key;
}

export function askForCallback(turn: Turn, phase: Queued, key: string): Ref | null {
  const keys = turn.shown(key);
  turn.note(phase.node, 'key-pressed', `The caller pressed ${keys} to be called back.`, { keys });
  turn.state.hops = 0;
  stopWaiting(turn, phase);
  const { node, queue } = phase;
  const asking: AskingCallback = { ...BEGIN, node, queue };
  const caller = turn.state.caller ?? '';
  return /^\+?[0-9]{3,20}$/.test(caller)
    ? confirm(turn, { ...asking, number: caller })
    : askNumber(turn, { ...asking, typed: true });
}

const BEGIN = {
  name: 'callback',
  playback: 0,
  rest: [],
  stage: 'confirm',
  number: '',
  typed: false,
  tries: 1,
  request: 0,
  turn: null,
} as const;

function confirm(turn: Turn, phase: AskingCallback): null {
  const digits = [...phase.number].filter((digit) => digit !== '+').map(keyPrompt);
  turn.note(phase.node, 'playing', `Asks whether ${turn.shown(phase.number)} is to be called back.`);
  return hear(turn, { ...phase, stage: 'confirm' }, ['callback-number', ...digits, 'callback-confirm']);
}

function askNumber(turn: Turn, phase: AskingCallback): null {
  turn.note(phase.node, 'playing', 'Asks for the number to call back.');
  return hear(turn, { ...phase, stage: 'entry', number: '', typed: true }, ['callback-entry']);
}

/** One prompt after the other. */
function hear(turn: Turn, phase: AskingCallback, [first, ...rest]: readonly SystemPrompt[]): null {
  if (first === undefined) {
    turn.startTimer('first-key', FIRST_KEY_MS);
    turn.to({ ...phase, playback: 0, rest: [] });
  } else turn.to({ ...phase, playback: turn.playPart(first), rest });
  return null;
}

export function callbackPromptEnded(turn: Turn, phase: AskingCallback): Ref | null {
  if (phase.playback === 0) return null;
  if (phase.stage === 'refused' && phase.rest.length === 0) return goOnWaiting(turn, phase);
  return hear(turn, phase, phase.rest);
}

export function callbackKeyPressed(turn: Turn, phase: AskingCallback, key: string): Ref | null {
  const keys = turn.shown(key);
  if (phase.stage === 'asking' || phase.stage === 'refused') {
    turn.note(phase.node, 'key-ignored', `Key ${keys} has no meaning now.`, { keys });
    return null;
  }
  turn.note(phase.node, 'key-pressed', `The caller pressed ${keys}.`, { keys });
  quiet(turn, phase);
  return phase.stage === 'entry' ? digitTyped(turn, phase, key) : choose(turn, phase, key);
}

function choose(turn: Turn, phase: AskingCallback, key: string): Ref | null {
  if (key === '1') return ask(turn, phase);
  if (key === '2') return askNumber(turn, phase);
  return key === '*' ? goOnWaiting(turn, phase) : again(turn, phase);
}

/** `#` ends the number, `*` begins it again or goes back to waiting. */
function digitTyped(turn: Turn, phase: AskingCallback, key: string): Ref | null {
  if (key === '#') return numberTyped(turn, phase);
  if (key === '*' && phase.number === '') return goOnWaiting(turn, phase);
  const number = key === '*' ? '' : phase.number + key;
  if (number.length >= MAX_DIGITS) return numberTyped(turn, { ...phase, number });
  turn.startTimer('inter-digit', DIGIT_MS);
  turn.to({ ...phase, playback: 0, rest: [], number });
  return null;
}

function numberTyped(turn: Turn, phase: AskingCallback): Ref | null {
  return phase.number.length < MIN_DIGITS ? again(turn, phase) : confirm(turn, phase);
}

/** No key came in time. */
export function callbackTimedOut(turn: Turn, phase: AskingCallback): Ref | null {
  if (phase.stage === 'asking') return callbackAnswered(turn, phase, 'failed');
  if (phase.stage === 'entry' && phase.number !== '') return numberTyped(turn, phase);
  return again(turn, phase);
}

function again(turn: Turn, phase: AskingCallback): Ref | null {
  if (phase.tries >= TRIES) return goOnWaiting(turn, phase);
  const next = { ...phase, tries: phase.tries + 1 };
  return phase.stage === 'entry' ? askNumber(turn, next) : confirm(turn, next);
}

function ask(turn: Turn, phase: AskingCallback): null {
  const { node, number, typed, queue } = phase;
  const request = turn.newId();
  turn.act({ type: 'ask-callback', request, queue: queue.request, node, number, typed });
  turn.startTimer('directory', ANSWER_MS);
  turn.to({ ...phase, stage: 'asking', playback: 0, rest: [], request });
  return null;
}

const REFUSALS: Readonly<Record<Exclude<CallbackAnswer, 'stored'>, string>> = {
  number: 'The number may not be called back.',
  open: 'The number is to be called back already.',
  limit: 'Too many call-backs were asked for in this hour.',
  failed: 'The call-back could not be stored.',
};

export function callbackAnswered(turn: Turn, phase: AskingCallback, answer: CallbackAnswer): Ref | null {
  if (phase.stage !== 'asking') return null;
  const { node, queue, turn: offered } = phase;
  turn.stopTimer('directory');
  if (answer === 'stored') {
    turn.note(node, 'callback-asked', `The caller is to be called back at ${turn.shown(phase.number)}.`);
    turn.act({ type: 'leave-queue', request: queue.request, servedBy: null });
    turn.to({ name: 'hang-up', node, playback: turn.playPart('callback-saved'), end: 'callback-asked' });
    return null;
  }
  turn.note(node, 'callback-refused', REFUSALS[answer]);
  if (offered) return queueTurn(turn, phase, offered);
  return hear(turn, { ...phase, stage: 'refused' }, ['callback-refused']);
}

/** An agent is free for the caller, who is served unless the request is on its way. */
export function callbackTurn(turn: Turn, phase: AskingCallback, agents: readonly Ref[]): Ref | null {
  if (phase.stage !== 'asking') return queueTurn(turn, phase, agents);
  turn.to({ ...phase, turn: agents });
  return null;
}

function quiet(turn: Turn, { playback }: AskingCallback): void {
  if (playback !== 0) turn.stopPlaying(playback);
  turn.stopTimer('first-key');
  turn.stopTimer('inter-digit');
}
