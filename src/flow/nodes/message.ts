// The message: a text is queued, and the call goes on at once.

import { inTemplate, unasked } from '../facts.ts';
import { fill } from '../filling.ts';
import type { MessageNode } from '../logic-nodes.ts';
import type { Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import { queueText } from '../texting.ts';
import type { Turn } from '../turn.ts';
import { variablesIn } from '../variables.ts';

function enterMessage(turn: Turn, { ref, smsTemplate, to, next }: MessageNode): Ref {
  const filled = fill(turn, ref, to);
  const number = filled.value.replace(/[\s()./-]/g, '');
  queueText(turn, ref, {
    template: smsTemplate,
    to: number === '' ? null : number,
    // The text goes to whom the flow says; the trail does not show a number that was given in secret.
    shownTo: filled.sensitive ? '•' : number,
    chosen: to.trim() !== '{caller}' && variablesIn(to).length > 0,
    keys: '',
    destination: next,
  });
  return next;
}

export const message: NodeRules<MessageNode> = {
  enter: enterMessage,
  phases: {},
  recordings: () => [],
  edges: ({ next }) => unasked('/next_destination', next),
  uses: ({ to }) => inTemplate('/to', to),
  serves: ({ next }, _flow, serves) => serves(next),
};
