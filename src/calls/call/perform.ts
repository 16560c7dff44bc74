// The table of actions: what each action of the state machine does to the call.
import type { Action } from '../../flow/call-state.ts';
import { ANSWERED_ELSEWHERE } from '../../telephony/telephony.ts';
import type { Effects } from './effects.ts';

export function perform(action: Action, effects: Effects): void {
  const { legs } = effects;
  switch (action.type) {
    case 'answer':
      effects.answerCaller();
      return;
    case 'progress':
      legs.caller.progress();
      return;
    case 'play':
      legs.caller.play(action.playback, action.sound, action.loop ?? false);
      return;
    case 'stop-playing':
      legs.caller.stopPlaying();
      return;
    case 'start-timer':
      legs.timers.start(action.timer, action.generation, action.ms);
      return;
    case 'stop-timer':
      legs.timers.stop(action.timer, action.generation);
      return;
    case 'ask-directory':
      effects.answerDirectory(action);
      return;
    case 'ring': {
      const last = action.targets.at(-1);
      if (last) effects.rang(action.node, last.owner);
      legs.ring(action);
      return;
    }
    case 'stop-ringing':
      legs.stopRinging(action.targets, action.elsewhere ? ANSWERED_ELSEWHERE : undefined);
      return;
    case 'connect-early':
      legs.connectEarly(action.target);
      return;
    case 'connect':
      legs.connect(action.target, effects.holdSound);
      effects.connected(action.target);
      return;
    case 'join-queue':
      effects.joinQueue(action);
      return;
    case 'resume-queue':
      effects.resumeQueue();
      return;
    case 'ask-position':
      effects.askPosition();
      return;
    case 'leave-queue':
      effects.leaveQueue(action.servedBy);
      return;
    case 'end-talk':
      effects.endTalk();
      return;
    case 'note':
      effects.note(action.entry);
      return;
    case 'hang-up':
      legs.end(action.end);
      effects.ended(action.end);
      return;
    default:
      performBeyondLegs(action, effects);
  }
}

type BeyondLegs = Extract<
  Action,
  {
    type:
      | 'queue-sms'
      | 'record-voicemail'
      | 'stop-recording'
      | 'join-room'
      | 'record-name'
      | 'leave-room'
      | 'send-request'
      | 'cancel-request'
      | 'open-stream'
      | 'send-stream-key'
      | 'close-stream'
      | 'ask-callback';
  }
>;

/** What reaches beyond the legs: texts, recorders, rooms, systems of the account. */
function performBeyondLegs(action: BeyondLegs, effects: Effects): void {
  switch (action.type) {
    case 'queue-sms':
      effects.queueSms(action);
      return;
    case 'record-voicemail':
      effects.recordMessage(action);
      return;
    case 'stop-recording':
      effects.legs.stopRecording();
      return;
    case 'join-room':
      effects.joinRoom(action);
      return;
    case 'record-name':
      effects.recordName(action);
      return;
    case 'leave-room':
      effects.leaveRoom();
      return;
    case 'send-request':
      effects.sendRequest(action);
      return;
    case 'cancel-request':
      effects.cancelRequest();
      return;
    case 'open-stream':
      effects.stream.open(action);
      return;
    case 'send-stream-key':
      effects.stream.sendKey(action.key);
      return;
    case 'close-stream':
      effects.stream.close();
      return;
    case 'ask-callback':
      effects.askCallback(action);
      return;
    default:
      action satisfies never;
  }
}
