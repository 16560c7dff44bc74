// What a call can do: the one table. An event comes in, the state changes, actions go out as data for
// the caller of step() to perform. No clock, no I/O: the same events always make the same call.

import type { Action, CallEvent, CallState, Phase } from './call-state.ts';
import {
  askForCallback,
  callbackAnswered,
  callbackKeyPressed,
  callbackPromptEnded,
  callbackTimedOut,
  callbackTurn,
  isCallbackKey,
} from './callback.ts';
import { afterCall, partyReplaced } from './conversation.ts';
import { type Flow, resolve } from './flow.ts';
import { HIDDEN_KEY, hidesKeys, isConversation } from './hidden-keys.ts';
import type { FlowNode, Ref } from './node.ts';
import { enterAgent } from './nodes/agent.ts';
import { announcementKeyPressed, enterAnnouncement } from './nodes/announcement.ts';
import { digitsKeyPressed, digitsPlayed, digitsTimedOut, enterCollect } from './nodes/collect.ts';
import { directoryAnswered, directoryTimedOut, enterDepartment, queueTurn } from './nodes/department.ts';
import { enterHangUp } from './nodes/hang-up.ts';
import { enterHours } from './nodes/hours.ts';
import {
  enterMenu,
  interDigitExpired,
  menuKeyPressed,
  promptEnded,
  retryRecordingEnded,
  timedOut,
} from './nodes/menu.ts';
import { enterMessage } from './nodes/message.ts';
import { enterNumber } from './nodes/number.ts';
import { enterRequest, requestAnswered, requestTimer } from './nodes/request.ts';
import {
  enterRoom,
  type JoiningRoom,
  nameKeyPressed,
  pinOver,
  pinPromptEnded,
  roomAnswered,
  roomKeyPressed,
  roomLeft,
  roomMusicEnded,
  roomTimedOut,
  type SayingName,
  startName,
  type WaitingForHost,
} from './nodes/room.ts';
import { enterSipAddress } from './nodes/sip-address.ts';
import {
  disclosurePlayed,
  enterStream,
  streamKeyPressed,
  streamReported,
  streamTimer,
} from './nodes/stream.ts';
import { enterSwitch } from './nodes/switch.ts';
import {
  callerLeftVoicemail,
  enterVoicemail,
  startRecording,
  voicemailKeyPressed,
  voicemailRecorded,
} from './nodes/voicemail.ts';
import { apologise, endCall, nodeOf } from './parting.ts';
import {
  announceDue,
  type Joining,
  messageDue,
  offerDue,
  positionReported,
  type Queued,
  queueKeyPressed,
  queueRefused,
  queueSoundEnded,
  queueWaitExpired,
} from './queueing.ts';
import { recover } from './recovery.ts';
import { isHeardEarly, pickedUp, ringTimeExpired, targetReported } from './ringing.ts';
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
    case 'directory-told':
      if (phase.name !== 'looking-up' || phase.request !== event.request) return null;
      return directoryAnswered(turn, phase, event);
    case 'ring-progressed':
    case 'early-media':
    case 'agent-answered':
    case 'agent-busy':
    case 'agent-unreachable':
    case 'ring-failed':
    case 'agent-paused':
      return targetReported(turn, event);
    case 'agent-hung-up':
      return phase.name === 'connected' ? afterCall(turn, phase) : null;
    case 'picked-up':
      return phase.name === 'ringing' || phase.name === 'queued' || phase.name === 'joining'
        ? pickedUp(turn, phase, event.target)
        : null;
    case 'party-replaced':
      return partyReplaced(turn, phase, event);
    case 'voicemail-recorded':
      if (phase.name !== 'recording' || phase.request !== event.request) return null;
      return voicemailRecorded(turn, phase, event);
    case 'queue-turn':
      if (phase.name === 'callback' && phase.queue.request === event.request)
        return callbackTurn(turn, phase, event.agents);
      return isQueued(phase, event.request) ? queueTurn(turn, phase, event.agents) : null;
    case 'queue-position':
      return isQueued(phase, event.request) ? positionReported(turn, phase, event) : null;
    case 'queue-refused':
      if (phase.name !== 'joining' || phase.queue.request !== event.request) return null;
      return queueRefused(turn, phase, event.why);
    case 'callback-answered':
      if (phase.name !== 'callback' || phase.request !== event.request || phase.stage !== 'asking')
        return null;
      return callbackAnswered(turn, phase, event.answer);
    case 'room-answered':
      if (!isAtDoor(phase)) return null;
      return phase.request === event.request ? roomAnswered(turn, phase, event.answer) : null;
    case 'room-left':
      if (phase.name !== 'room-name' && phase.name !== 'room-waiting' && phase.name !== 'in-room')
        return null;
      return phase.request === event.request ? roomLeft(turn, event.why) : null;
    case 'request-answered':
      if (phase.name !== 'requesting' || phase.request !== event.request) return null;
      return requestAnswered(turn, phase, event.outcome);
    case 'stream-opened':
    case 'stream-transfer':
    case 'stream-variables':
    case 'stream-ended':
      if (phase.name !== 'streaming' || phase.request !== event.request) return null;
      return streamReported(turn, phase, event);
    case 'caller-hung-up':
      if (phase.name === 'recording') return callerLeftVoicemail(turn, phase);
      // The message, or the request, is stored: a caller who hangs up before hearing so has left it all the same.
      if (phase.name === 'parting' && (phase.end === 'voicemail-left' || phase.end === 'callback-asked'))
        return endCall(turn, phase.end);
      return endCall(turn, 'caller-hung-up');
    default:
      return event satisfies never;
  }
}

function isQueued(phase: Phase, request: number): phase is Joining | Queued {
  return (phase.name === 'joining' || phase.name === 'queued') && phase.queue.request === request;
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

function enter(turn: Turn, node: FlowNode): Ref | null {
  switch (node.kind) {
    case 'menu':
      return enterMenu(turn, node);
    case 'agent':
      return enterAgent(turn, node);
    case 'department':
      return enterDepartment(turn, node);
    case 'announcement':
      return enterAnnouncement(turn, node);
    case 'hours':
      return enterHours(turn, node);
    case 'number':
      return enterNumber(turn, node);
    case 'voicemail':
      return enterVoicemail(turn, node);
    case 'room':
      return enterRoom(turn, node);
    case 'collect':
      return enterCollect(turn, node);
    case 'request':
      return enterRequest(turn, node);
    case 'stream':
      return enterStream(turn, node);
    case 'switch':
      return enterSwitch(turn, node);
    case 'message':
      return enterMessage(turn, node);
    case 'sip-address':
      return enterSipAddress(turn, node);
    case 'hang-up':
      return enterHangUp(turn, node);
    default:
      return node satisfies never;
  }
}

function keyPressed(turn: Turn, phase: Phase, key: string): Ref | null {
  // Telephones with the keys A to D exist; menus for them do not.
  if (!/^[0-9*#]$/.test(key) && !isTalking(phase)) return ignoreKey(turn, phase, key);
  switch (phase.name) {
    case 'prompt':
    case 'waiting':
    case 'collecting':
    case 'retrying':
      return menuKeyPressed(turn, phase, key);
    case 'announcing':
    case 'requesting':
      return announcementKeyPressed(turn, phase, key);
    case 'digits':
      return digitsKeyPressed(turn, phase, key);
    case 'streaming':
      return streamKeyPressed(turn, phase, key);
    case 'greeting':
    case 'recording':
      return voicemailKeyPressed(turn, phase, key);
    case 'queued':
      return isCallbackKey(turn, phase, key)
        ? askForCallback(turn, phase, key)
        : queueKeyPressed(turn, phase, key);
    case 'callback':
      return callbackKeyPressed(turn, phase, key);
    case 'room-pin':
      return roomKeyPressed(turn, phase, key);
    case 'room-name':
      return nameKeyPressed(turn, phase, key);
    case 'closing': // The decision has been made: a late key must not be taken for the next menu's.
    case 'looking-up':
    case 'joining':
    case 'room-joining':
    case 'room-waiting':
    case 'parting':
      return ignoreKey(turn, phase, key);
    case 'ringing':
      return isTalking(phase) ? null : ignoreKey(turn, phase, key);
    case 'in-room':
    case 'connected': // Keys belong to the conversation now, and may be a PIN: not even a note.
    case 'new':
    case 'ended':
      return null;
    default:
      return phase satisfies never;
  }
}

/** The caller is heard by the called side, before or after its answer: keys are for it. */
export function isTalking(phase: Phase): boolean {
  if (phase.name === 'streaming') return phase.stage === 'talking';
  return isConversation(phase) || (phase.name === 'ringing' && isHeardEarly(phase));
}

const isAtDoor = (phase: Phase): phase is JoiningRoom | SayingName | WaitingForHost =>
  phase.name === 'room-joining' || phase.name === 'room-name' || phase.name === 'room-waiting';

function ignoreKey(turn: Turn, phase: Phase, key: string): null {
  const keys = hidesKeys(turn.flow, turn.state) ? HIDDEN_KEY : key;
  turn.note(nodeOf(phase), 'key-ignored', `Key ${keys} has no meaning now.`, { keys });
  return null;
}

function played(turn: Turn, phase: Extract<Phase, { playback: number }>): Ref | null {
  switch (phase.name) {
    case 'prompt':
      return promptEnded(turn, phase);
    case 'retrying':
      return retryRecordingEnded(turn, phase);
    case 'closing':
    case 'announcing':
      return phase.next;
    case 'greeting':
      return startRecording(turn, phase);
    case 'queued':
      return queueSoundEnded(turn, phase);
    case 'callback':
      return callbackPromptEnded(turn, phase);
    case 'room-pin':
      return pinPromptEnded(turn, phase);
    case 'room-name':
      return startName(turn, phase);
    case 'room-waiting':
      return roomMusicEnded(turn, phase);
    case 'digits':
      return digitsPlayed(turn, phase);
    case 'streaming':
      return disclosurePlayed(turn, phase);
    case 'requesting': // It is looped, or there is none.
      return null;
    case 'parting':
      return endCall(turn, phase.end);
    default:
      return phase satisfies never;
  }
}

function expired(turn: Turn, phase: Phase, timer: TimerName): Ref | null {
  switch (timer) {
    case 'playback':
      if (!('playback' in phase)) return null;
      turn.note(nodeOf(phase), 'playback-overdue', 'The end of a sound was not reported: the call goes on.');
      turn.act({ type: 'stop-playing', playback: phase.playback });
      return played(turn, phase);
    case 'first-key':
      if (phase.name === 'callback') return callbackTimedOut(turn, phase);
      if (phase.name === 'room-pin') return pinOver(turn, phase);
      if (phase.name === 'digits') return digitsTimedOut(turn, phase);
      return phase.name === 'waiting' ? timedOut(turn, phase.visit) : null;
    case 'inter-digit':
      if (phase.name === 'callback') return callbackTimedOut(turn, phase);
      if (phase.name === 'room-pin') return pinOver(turn, phase);
      if (phase.name === 'digits') return digitsTimedOut(turn, phase);
      return phase.name === 'collecting' ? interDigitExpired(turn, phase) : null;
    case 'ring':
      return phase.name === 'ringing' ? ringTimeExpired(turn, phase) : null;
    case 'directory':
      if (phase.name === 'joining') return positionReported(turn, phase, null);
      if (phase.name === 'callback') return callbackTimedOut(turn, phase);
      return phase.name === 'looking-up' ? directoryTimedOut(turn, phase) : null;
    case 'queue-wait':
      return phase.name === 'queued' ? queueWaitExpired(turn, phase) : null;
    case 'queue-announce':
      return phase.name === 'queued' ? announceDue(turn, phase) : null;
    case 'queue-offer':
      return phase.name === 'queued' ? offerDue(turn, phase) : null;
    case 'queue-message':
      return phase.name === 'queued' ? messageDue(turn, phase) : null;
    case 'request':
      return phase.name === 'requesting' ? requestTimer(turn, phase) : null;
    case 'stream':
      return phase.name === 'streaming' ? streamTimer(turn, phase) : null;
    case 'room':
      return isAtDoor(phase) ? roomTimedOut(turn, phase) : null;
    case 'voicemail':
      if (phase.name !== 'recording') return null;
      turn.act({ type: 'stop-recording', request: phase.request });
      return voicemailRecorded(turn, phase, { saved: false });
    case 'call-limit':
      return endCall(turn, 'call-limit');
    default:
      return timer satisfies never;
  }
}
