// The hang-up as a destination, `hangup||<anything>`; `hangup||busy` ends it with cause 17, user busy.

import { played } from '../facts.ts';
import { endCall } from '../hang-up.ts';
import type { HangUpNode } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';

function enterHangUp(turn: Turn, node: HangUpNode): null {
  const end = node.busy ? 'busy-reached' : 'hang-up-reached';
  if (node.recording === null) {
    turn.to({ name: 'hang-up', node: node.ref, playback: 0, end });
    return endCall(turn, end);
  }
  const playback = turn.playRecording(node.ref, node.recording, 'the goodbye');
  turn.to({ name: 'hang-up', node: node.ref, playback, end });
  return null;
}

export const hangUp: NodeRules<HangUpNode> = {
  enter: enterHangUp,
  phases: {},
  edges: () => [],
  recordings: ({ recording }) => played('/recording', recording),
  serves: () => true,
};
