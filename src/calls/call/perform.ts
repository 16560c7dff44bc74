// What we do to the line: one case per action of the machine.
import type { Action, CallEvent } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import type { EndReason, TrailEntry } from '../../flow/trail.ts';
import type { QueueOrder } from '../queues/queue.ts';
import type { CallLegs, Report } from './call-legs.ts';

export interface Effects {
  readonly line: CallLegs;
  readonly report: (event: Report) => void;
  readonly note: (entry: TrailEntry) => void;
  readonly directory: (node: Ref, agents: readonly Ref[]) => Pick<DirectoryTold, 'idleSince' | 'lastRung'>;
  readonly queue: QueueHands;
  readonly rang: (node: Ref, agent: Ref) => void;
  readonly connected: (owner: Ref) => void;
  readonly recordMessage: (action: Extract<Action, { type: 'record-voicemail' }>) => void;
  readonly text: (action: Extract<Action, { type: 'queue-sms' }>) => void;
  readonly ended: (end: EndReason) => void;
}

/** The call's place in line. */
export interface QueueHands {
  readonly join: (order: QueueOrder) => void;
  readonly resume: () => void;
  readonly askPosition: () => void;
  readonly leave: (servedBy: Ref | null) => void;
}

type DirectoryTold = Extract<CallEvent, { type: 'directory-told' }>;

export function perform(action: Action, hands: Effects): void {
  const { line, report } = hands;
  switch (action.type) {
    case 'answer':
      line.answer();
      return;
    case 'play':
      line.play(action.playback, action.sound, action.loop ?? false);
      return;
    case 'stop-playing':
      line.stopPlaying();
      return;
    case 'start-timer':
      line.startTimer(action.timer, action.generation, action.ms);
      return;
    case 'stop-timer':
      line.stopTimer(action.timer, action.generation);
      return;
    case 'ask-directory':
      report({
        type: 'directory-told',
        request: action.request,
        ...hands.directory(action.node, action.agents),
      });
      return;
    case 'ring': {
      const last = action.targets.at(-1);
      if (last) hands.rang(action.node, last.owner);
      line.ring(action);
      return;
    }
    case 'stop-ringing':
      line.stopRinging(action.targets);
      return;
    case 'connect':
      line.connect(action.target);
      hands.connected(action.target.owner);
      return;
    case 'join-queue':
      hands.queue.join(action);
      return;
    case 'resume-queue':
      hands.queue.resume();
      return;
    case 'ask-position':
      hands.queue.askPosition();
      return;
    case 'leave-queue':
      hands.queue.leave(action.servedBy);
      return;
    case 'queue-sms':
      hands.text(action);
      return;
    case 'record-voicemail':
      hands.recordMessage(action);
      return;
    case 'stop-recording':
      line.stopRecording();
      return;
    case 'note':
      hands.note(action.entry);
      return;
    case 'hang-up':
      line.hangUp(action.end.cause);
      hands.ended(action.end);
      return;
    default:
      action satisfies never;
  }
}
