// What we do to the line: one case per action of the machine.
import type { Action, CallEvent } from '../flow/call-state.ts';
import type { Ref } from '../flow/node.ts';
import type { EndReason, TrailEntry } from '../flow/trail.ts';
import type { Line, Report } from './line.ts';

export interface Hands {
  readonly line: Line;
  readonly report: (event: Report) => void;
  readonly note: (entry: TrailEntry) => void;
  readonly directory: (node: Ref, agents: readonly Ref[]) => Pick<DirectoryTold, 'idleSince' | 'lastRung'>;
  readonly rang: (node: Ref, agent: Ref) => void;
  readonly connected: (owner: Ref) => void;
  readonly text: (action: Extract<Action, { type: 'queue-sms' }>) => void;
  readonly ended: (end: EndReason) => void;
}

type DirectoryTold = Extract<CallEvent, { type: 'directory-told' }>;

export function perform(action: Action, hands: Hands): void {
  const { line, report } = hands;
  switch (action.type) {
    case 'answer':
      line.answer();
      return;
    case 'play':
      line.play(action.playback, action.sound);
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
    case 'queue-sms':
      hands.text(action);
      return;
    case 'record-voicemail':
      // No record can lead here before voicemail destinations are accepted.
      report({ type: 'voicemail-recorded', request: action.request, saved: false });
      return;
    case 'stop-recording':
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
