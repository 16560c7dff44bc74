// The conference room: asks for the PIN, waits for the host, then the caller is in the conference. The conference itself lies outside
// the call: the machine asks to join it by an action, and events report how that went and how it ends.

import type { CallEvent } from '../call-state.ts';
import { played, unasked } from '../facts.ts';
import { resolve } from '../flow.ts';
import { apologise, endCall, failOver } from '../hang-up.ts';
import { ignoreKey, passKey } from '../keys.ts';
import type { Ref, RoomNode } from '../node.ts';
import type { RoomAnswer, RoomPhase, TypedPin } from '../room-phase.ts';
import type { NodeRules, PhaseOf } from '../rules.ts';
import type { EndCode } from '../trail.ts';
import type { Turn } from '../turn.ts';

const PIN_ATTEMPTS = 3;
/** For the first key, and between two: a PIN is read off a piece of paper. */
const PIN_WAIT_MS = 10_000;
const PIN_KEY_MS = 4_000;
/** For a name, from the tone on; a caller who has finished presses `#` or is silent. */
const NAME_MS = 3_000;
const NAME_SILENCE_MS = 1_500;
/** The recorder ends by itself: this much later it counts as broken. */
const NAME_MARGIN_MS = 5_000;
/** Another node may have to be asked. */
const ANSWER_MS = 5_000;
/** A caller pays for the music: a host who is that late does not come. */
const HOST_WAIT_MS = 30 * 60_000;

type AskingPin = PhaseOf<'room-pin'>;
type JoiningRoom = PhaseOf<'room-joining'>;
type SayingName = PhaseOf<'room-name'>;
type WaitingForHost = PhaseOf<'room-waiting'>;

function enterRoom(turn: Turn, room: RoomNode): Ref | null {
  turn.state.sensitive = true;
  if (room.pin === null && room.hostPin === null) {
    turn.dropTypedAhead(room.ref);
    return join(turn, room, false, 'none', 1);
  }
  const typed = turn.state.typedAhead;
  turn.state.typedAhead = '';
  if (typed === '') return ask(turn, room, 1);
  const shown = turn.shownAhead(typed);
  turn.note(room.ref, 'keys-typed-ahead', `The keys ${shown} were typed ahead: no prompt.`, { keys: shown });
  return check(turn, room, typed.split(/[*#]/, 1)[0] ?? '', 1);
}

function ask(turn: Turn, room: RoomNode, attempt: number): null {
  const playback =
    attempt === 1 && room.pinRecording !== null
      ? turn.playRecording(room.ref, room.pinRecording, 'the question for the PIN')
      : turn.playPrompt(room.ref, attempt === 1 ? 'room-pin' : 'room-pin-wrong');
  turn.to({ name: 'room-pin', node: room.ref, playback, keys: '', attempt });
  return null;
}

function pinPromptEnded(turn: Turn, phase: AskingPin): null {
  // A key has stopped the prompt: nothing is played that could end.
  if (phase.playback === 0) return null;
  turn.startTimer('first-key', PIN_WAIT_MS);
  turn.to({ ...phase, playback: 0 });
  return null;
}

function roomKeyPressed(turn: Turn, phase: AskingPin, key: string): Ref | null {
  const room = roomOf(turn, phase.node);
  if (!room) return apologise(turn, phase.node, 'destination-missing');
  const shown = turn.shown(key);
  turn.note(room.ref, 'key-pressed', `The caller pressed ${shown}.`, { keys: shown });
  return pinKey(turn, room, phase, key);
}

/** `#` ends the PIN, `*` begins it again; without `#` it ends with the longest PIN's last key, or after a pause. */
function pinKey(turn: Turn, room: RoomNode, phase: AskingPin, key: string): Ref | null {
  if (phase.playback !== 0) turn.stopPlaying(phase.playback);
  turn.stopTimer('first-key');
  if (key === '#') return check(turn, room, phase.keys, phase.attempt);
  const keys = key === '*' ? '' : phase.keys + key;
  const longest = Math.max(room.pin?.length ?? 0, room.hostPin?.length ?? 0);
  if (keys.length >= longest) return check(turn, room, keys, phase.attempt);
  turn.startTimer('inter-digit', PIN_KEY_MS);
  turn.to({ ...phase, playback: 0, keys });
  return null;
}

/** No further key came. */
function pinOver(turn: Turn, phase: AskingPin): Ref | null {
  const room = roomOf(turn, phase.node);
  return room
    ? check(turn, room, phase.keys, phase.attempt)
    : apologise(turn, phase.node, 'destination-missing');
}

function check(turn: Turn, room: RoomNode, keys: string, attempt: number): Ref | null {
  turn.stopTimer('inter-digit');
  // Without a key the chain of destinations without caller input goes on (call rule 9).
  if (keys !== '') turn.state.hops = 0;
  // Where only the host has a PIN, others enter none.
  if (keys === '')
    return room.pin === null ? join(turn, room, false, 'none', attempt) : wrongPin(turn, room, attempt);
  const isHost = isSame(keys, room.hostPin);
  const isRight = isSame(keys, room.pin) || isHost;
  return join(turn, room, isHost, isRight ? 'right' : 'wrong', attempt);
}

function wrongPin(turn: Turn, room: RoomNode, attempt: number): Ref | null {
  turn.note(room.ref, 'room-pin-wrong', `The PIN is wrong: attempt ${attempt} of ${PIN_ATTEMPTS}.`);
  if (attempt < PIN_ATTEMPTS) return ask(turn, room, attempt + 1);
  return failOver(turn, room.ref, room.failover, 'room-refused');
}

/** Takes as long for any keys of one length: no part of a PIN is found by measuring. */
function isSame(keys: string, pin: string | null): boolean {
  if (pin === null || pin.length !== keys.length) return false;
  let differs = 0;
  for (let at = 0; at < pin.length; at++) differs |= pin.charCodeAt(at) ^ keys.charCodeAt(at);
  return differs === 0;
}

function join(turn: Turn, room: RoomNode, isHost: boolean, pin: TypedPin, attempt: number): null {
  const request = turn.newId();
  turn.answer();
  turn.act({ type: 'join-room', request, room, isHost, pin });
  turn.startTimer('room', ANSWER_MS);
  turn.to({ name: 'room-joining', node: room.ref, request, attempt });
  return null;
}

type RoomRefusal = Exclude<RoomAnswer, 'entered' | 'waits' | 'name' | 'wrong-pin'>;

const REFUSALS: Readonly<Record<RoomRefusal, readonly [EndCode, string]>> = {
  'pins-refused': [
    'room-refused',
    'Too many wrong PINs of this room were entered of late: none is taken for up to ten minutes.',
  ],
  full: ['room-full', 'The room is full.'],
  locked: ['room-refused', 'The room is locked.'],
  elsewhere: ['room-refused', 'The conference is at another node of the service.'],
  failed: ['room-refused', 'The conference could not be joined.'],
};

function roomAnswered(
  turn: Turn,
  phase: JoiningRoom | SayingName | WaitingForHost,
  { answer }: Pick<Extract<CallEvent, { type: 'room-answered' }>, 'answer'>,
): Ref | null {
  const room = roomOf(turn, phase.node);
  if (!room) return apologise(turn, phase.node, 'destination-missing');
  if (answer === 'name' && phase.name !== 'room-joining') return null;
  turn.stopTimer('room');
  const { request } = phase;
  if (answer === 'name') {
    const playback = turn.playPrompt(room.ref, 'room-name');
    turn.to({ name: 'room-name', node: room.ref, request, playback });
    return null;
  }
  if (phase.name !== 'room-joining' && phase.playback !== 0) turn.stopPlaying(phase.playback);
  if (answer === 'entered') {
    turn.note(room.ref, 'connected', `Is in the conference “${room.name}”.`);
    turn.to({ name: 'in-room', node: room.ref, request });
    return null;
  }
  if (answer === 'waits') {
    turn.note(room.ref, 'room-waiting', 'Hears music until the host comes.');
    turn.startTimer('room', HOST_WAIT_MS);
    const known = room.music !== null && turn.flow.recordings.has(room.music);
    const playback = turn.playMusic(known ? room.music : null);
    turn.to({ name: 'room-waiting', node: room.ref, request, playback });
    return null;
  }
  if (answer === 'wrong-pin')
    return wrongPin(turn, room, phase.name === 'room-joining' ? phase.attempt : PIN_ATTEMPTS);
  const [end, text] = REFUSALS[answer];
  turn.note(room.ref, 'room-refused', text);
  return failOver(turn, room.ref, room.failover, end);
}

/** The prompt is over, or was skipped. */
function startName(turn: Turn, phase: SayingName): null {
  // A name is being recorded: nothing is played that could end.
  if (phase.playback === 0) return null;
  const { request } = phase;
  turn.act({ type: 'record-name', request, maxMs: NAME_MS, silenceMs: NAME_SILENCE_MS });
  turn.startTimer('room', NAME_MS + NAME_MARGIN_MS);
  turn.to({ ...phase, playback: 0 });
  return null;
}

/** `#` skips the prompt, and ends the name. */
function nameKeyPressed(turn: Turn, phase: SayingName, key: string): null {
  const keys = turn.shown(key);
  if (key !== '#') {
    turn.note(phase.node, 'key-ignored', `Key ${keys} has no meaning now.`, { keys });
    return null;
  }
  turn.note(phase.node, 'key-pressed', `The caller pressed ${keys}.`, { keys });
  if (phase.playback !== 0) {
    turn.stopPlaying(phase.playback);
    return startName(turn, phase);
  }
  turn.act({ type: 'stop-recording', request: phase.request });
  return null;
}

/** The answer to join-room or to record-name did not come, or the host did not. */
function roomTimedOut(turn: Turn, phase: JoiningRoom | SayingName | WaitingForHost): Ref | null {
  const room = roomOf(turn, phase.node);
  turn.act({ type: 'leave-room', request: phase.request });
  if (phase.name === 'room-name') turn.act({ type: 'stop-recording', request: phase.request });
  if (!room) return apologise(turn, phase.node, 'destination-missing');
  if (phase.name !== 'room-waiting') return roomAnswered(turn, phase, { answer: 'failed' });
  turn.stopPlaying(phase.playback);
  turn.note(room.ref, 'room-refused', `The host did not come within ${HOST_WAIT_MS / 60_000} minutes.`);
  return failOver(turn, room.ref, room.failover, 'room-refused');
}

/** Music loops: an end means that its file could not be read, and the built-in music takes over. */
function roomMusicEnded(turn: Turn, phase: WaitingForHost): null {
  turn.to({ ...phase, playback: turn.playMusic(null) });
  return null;
}

type RoomLeft = Extract<CallEvent, { type: 'room-left' }>;

const LEFT: Readonly<Record<RoomLeft['why'], EndCode>> = {
  closed: 'room-closed',
  removed: 'room-removed',
  failed: 'room-failed',
};

function roomLeft(turn: Turn, _phase: RoomPhase, { why }: RoomLeft): null {
  return endCall(turn, LEFT[why]);
}

/** Null only if a caller of step() swapped the flow under a living call, against call rule 10. */
function roomOf(turn: Turn, node: Ref): RoomNode | null {
  const room = resolve(turn.flow, node);
  return room?.kind === 'room' ? room : null;
}

export const room: NodeRules<RoomNode, RoomPhase['name']> = {
  enter: enterRoom,
  phases: {
    'room-pin': {
      key: roomKeyPressed,
      played: pinPromptEnded,
      timers: { 'first-key': pinOver, 'inter-digit': pinOver },
    },
    'room-joining': {
      key: ignoreKey,
      timers: { room: roomTimedOut },
      on: { 'room-answered': roomAnswered },
    },
    'room-name': {
      key: nameKeyPressed,
      played: startName,
      timers: { room: roomTimedOut },
      on: { 'room-answered': roomAnswered, 'room-left': roomLeft },
    },
    'room-waiting': {
      key: ignoreKey,
      played: roomMusicEnded,
      timers: { room: roomTimedOut },
      on: { 'room-answered': roomAnswered, 'room-left': roomLeft },
    },
    'in-room': { key: passKey, on: { 'room-left': roomLeft } },
  },
  edges: ({ failover }) => unasked('/failover_destination', failover),
  recordings: ({ pinRecording, music }) => [
    ...played('/pin_recording', pinRecording),
    ...played('/music_on_hold', music),
  ],
  serves: () => true,
};
