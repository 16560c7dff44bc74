// The time group as a destination: open goes one way, closed the other. Nothing is heard.

import { unasked } from '../facts.ts';
import { failOver } from '../hang-up.ts';
import { openingAt } from '../hours/opening.ts';
import { openingHours } from '../lint/opening-hours.ts';
import type { HoursNode, Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';

function enterHours(turn: Turn, hours: HoursNode): Ref | null {
  const { open, exception } = openingAt(hours, turn.state.startedEpochMs + turn.atMs);
  const next = open ? hours.openDestination : hours.closedDestination;
  const code = open ? 'hours-open' : 'hours-closed';
  const because = exception === null ? 'by the week' : `because of “${exception}”`;
  const text = `“${hours.name}” is ${open ? 'open' : 'closed'} (${because}, ${hours.zone}).`;
  turn.note(hours.ref, code, text, next === null ? {} : { destination: next });
  return next ?? failOver(turn, hours.ref, null, 'destination-missing');
}

export const hours: NodeRules<HoursNode> = {
  enter: enterHours,
  phases: {},
  recordings: () => [],
  edges: ({ openDestination, closedDestination }) => [
    ...unasked('/open_destination', openDestination),
    ...unasked('/closed_destination', closedDestination),
  ],
  serves: ({ openDestination, closedDestination }, _flow, serves) =>
    serves(openDestination) || serves(closedDestination),
  answersLate: true,
  lint: [openingHours],
};
