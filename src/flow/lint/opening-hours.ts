// Opening hours that are probably a slip of the pen.

import type { Flow } from '../flow.ts';
import { isKnownZone } from '../hours/zone.ts';
import type { HoursNode, WeeklyRange } from '../node.ts';
import type { Finding } from './finding.ts';

/** A shorter break is a typing error, such as 12:59 for 13:00. */
const SHORTEST_BREAK_MINUTES = 15;
/** The days 1 to 5 of a week. */
const WORKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

export function* openingHours(_flow: Flow, node: HoursNode): Iterable<Finding> {
  if (!isKnownZone(node.zone)) {
    const message = `The time zone ${node.zone} does not exist: UTC is used.`;
    yield { code: 'hours-zone-unknown', severity: 'error', node: node.ref, pointer: '/timezone', message };
  }
  const everOpen =
    node.weekly.some(({ days }) => days.length > 0) ||
    node.exceptions.some(({ ranges }) => ranges.length > 0);
  if (!everOpen) {
    const message = `“${node.name}” is never open.`;
    yield { code: 'hours-never-open', severity: 'error', node: node.ref, pointer: '/weekly', message };
    return;
  }
  yield* shortBreaks(node);
  yield* forgottenDay(node);
}

function* shortBreaks(node: HoursNode): Iterable<Finding> {
  for (const [index, range] of node.weekly.entries()) {
    const next = node.weekly.find((other) => breakMinutes(range, other) !== null);
    if (!next) continue;
    const message = `“${node.name}” closes at ${clock(range.to)} and opens again at ${clock(next.from)}: ${breakMinutes(range, next)} minutes.`;
    yield { code: 'hours-gap', severity: 'warning', node: node.ref, pointer: `/weekly/${index}`, message };
  }
}

/** The minutes between two ranges of a day, if they are too few to be meant. */
function breakMinutes(range: WeeklyRange, next: WeeklyRange): number | null {
  const minutes = next.from - range.to;
  const sameDay = range.from < range.to && range.days.some((day) => next.days.includes(day));
  return sameDay && minutes > 0 && minutes < SHORTEST_BREAK_MINUTES ? minutes : null;
}

function* forgottenDay(node: HoursNode): Iterable<Finding> {
  const without = WORKDAYS.filter((_, index) => !node.weekly.some(({ days }) => days.includes(index + 1)));
  const [day, ...more] = without;
  if (day === undefined || more.length > 0) return;
  const message = `“${node.name}” is open on every working day but ${day}.`;
  yield { code: 'hours-gap', severity: 'warning', node: node.ref, pointer: '/weekly', message };
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
