// The announcement: played to its end whatever the caller presses, since it may be one the law demands.
// Keys pressed meanwhile are kept for the next menu.

import type { Phase } from '../call-state.ts';
import { inTemplate, played, unasked } from '../facts.ts';
import type { AnnouncementNode } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import { sayOrPlay } from '../speaking.ts';
import type { Turn } from '../turn.ts';
import { LONGEST_INPUT } from './menu.ts';

function enterAnnouncement(turn: Turn, announcement: AnnouncementNode): null {
  const { ref, next } = announcement;
  const playback = sayOrPlay(turn, ref, announcement, 'the announcement');
  turn.to({ name: 'announcing', node: ref, playback, next });
  return null;
}

export function announcementKeyPressed(
  turn: Turn,
  phase: Extract<Phase, { name: 'announcing' | 'requesting' | 'streaming' }>,
  key: string,
): null {
  const keys = turn.shownAhead(key);
  if (turn.state.typedAhead.length >= LONGEST_INPUT) {
    turn.note(phase.node, 'key-ignored', `Key ${keys} is ignored: too many were typed ahead.`, { keys });
    return null;
  }
  turn.state.typedAhead += key;
  turn.note(phase.node, 'key-kept', `Key ${keys} is kept for the next menu.`, { keys });
  return null;
}

export const announcement: NodeRules<AnnouncementNode, 'announcing'> = {
  enter: enterAnnouncement,
  phases: { announcing: { key: announcementKeyPressed, played: (_turn, { next }) => next } },
  edges: ({ next }) => unasked('/destination', next),
  recordings: ({ recording }) => played('/recording', recording),
  uses: ({ text = '' }) => inTemplate('/text', text),
  serves: ({ next }, _flow, serves) => serves(next),
};
