// The voicemail box: greeting, then a recording until #, silence, hang-up or the longest time. # also skips the greeting.

import type { CallEvent, Phase } from '../call-state.ts';
import { played } from '../facts.ts';
import { resolve } from '../flow.ts';
import { apologise, endCall } from '../hang-up.ts';
import { unsentEmail } from '../lint/capability.ts';
import type { VoicemailNode } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';

/** The recorder stops by itself at the longest time; this much later it counts as broken. */
const RECORDER_MARGIN_MS = 5_000;

type Greeting = Extract<Phase, { name: 'greeting' }>;
type Recording = Extract<Phase, { name: 'recording' }>;
type Recorded = Pick<Extract<CallEvent, { type: 'voicemail-recorded' }>, 'saved' | 'empty' | 'full'>;

function enterVoicemail(turn: Turn, box: VoicemailNode): null {
  turn.dropTypedAhead(box.ref);
  const playback =
    box.greeting === null
      ? turn.playPrompt(box.ref, 'voicemail-greeting')
      : turn.playRecording(box.ref, box.greeting, 'the greeting');
  turn.to({ name: 'greeting', node: box.ref, playback });
  return null;
}

function startRecording(turn: Turn, phase: Greeting): null {
  const box = resolve(turn.flow, phase.node);
  if (box?.kind !== 'voicemail') return apologise(turn, phase.node, 'destination-missing');
  const request = turn.newId();
  const maxMs = box.maxSeconds * 1_000;
  turn.note(box.ref, 'voicemail-started', `Records a message for “${box.name}”.`);
  const silenceMs = box.silenceSeconds === undefined ? null : box.silenceSeconds * 1_000;
  turn.act({ type: 'record-voicemail', request, mailbox: box.mailbox, maxMs, silenceMs });
  turn.startTimer('voicemail', maxMs + RECORDER_MARGIN_MS);
  turn.to({ name: 'recording', node: box.ref, request });
  return null;
}

function voicemailKeyPressed(turn: Turn, phase: Greeting | Recording, key: string): null {
  const keys = turn.shown(key);
  if (key !== '#') {
    turn.note(phase.node, 'key-ignored', `Key ${keys} has no meaning at the voicemail box.`, { keys });
    return null;
  }
  turn.note(phase.node, 'key-pressed', `The caller pressed ${keys}.`, { keys });
  if (phase.name === 'greeting') {
    turn.stopPlaying(phase.playback);
    return startRecording(turn, phase);
  }
  turn.act({ type: 'stop-recording', request: phase.request });
  // The recorder's report is due now, not at the end of the longest message.
  turn.startTimer('voicemail', RECORDER_MARGIN_MS);
  return null;
}

function voicemailRecorded(turn: Turn, phase: Recording, { saved, empty, full }: Recorded): null {
  turn.stopTimer('voicemail');
  if (full) {
    turn.note(phase.node, 'voicemail-full', 'The box is full: no message is taken.');
    return apologise(turn, phase.node, 'voicemail-full');
  }
  if (empty) {
    turn.note(phase.node, 'voicemail-empty', 'Nothing was said: no message is kept.');
    return endCall(turn, 'voicemail-empty');
  }
  if (!saved) {
    turn.note(phase.node, 'voicemail-failed', 'The message could not be recorded.');
    return apologise(turn, phase.node, 'voicemail-failed');
  }
  turn.note(phase.node, 'voicemail-saved', 'The message is saved.');
  const playback = turn.playPrompt(phase.node, 'message-saved');
  turn.to({ name: 'hang-up', node: phase.node, playback, end: 'voicemail-left' });
  return null;
}

/** Callers end most messages by hanging up: what was said until then is a message like any other. */
function callerLeftVoicemail(turn: Turn, phase: Recording): null {
  turn.note(phase.node, 'voicemail-saved', 'The caller hung up; what was said is kept.');
  return endCall(turn, 'voicemail-left');
}

export const voicemail: NodeRules<VoicemailNode, 'greeting' | 'recording'> = {
  enter: enterVoicemail,
  phases: {
    greeting: { key: voicemailKeyPressed, played: startRecording },
    recording: {
      key: voicemailKeyPressed,
      timers: {
        voicemail: (turn, phase) => {
          turn.act({ type: 'stop-recording', request: phase.request });
          return voicemailRecorded(turn, phase, { saved: false });
        },
      },
      on: { 'voicemail-recorded': voicemailRecorded, 'caller-hung-up': callerLeftVoicemail },
    },
  },
  edges: () => [],
  recordings: ({ greeting }) => played('/greeting', greeting),
  serves: () => true,
  lint: [unsentEmail],
};
