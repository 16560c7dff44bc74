// Whether a time group is open, and until when.
import { nextChange, openingAt } from '../flow/hours/opening.ts';
import { hoursNode } from '../kinds/nodes.ts';
import type { TimeGroup } from '../kinds/time-group.ts';

export interface OpenNow {
  readonly open_now: boolean;
  /** The name of the exception that decides today; null: the week does. */
  readonly exception_now: string | null;
}

export function openNow(group: TimeGroup, atMs: number): OpenNow {
  const { open, exception } = openingAt(hoursNode('', group), atMs);
  return { open_now: open, exception_now: exception };
}

/** When open turns to closed or back; null: not within the next 400 days. */
export function nextTurn(group: TimeGroup, atMs: number): string | null {
  const nextMs = nextChange(hoursNode('', group), atMs);
  return nextMs === null ? null : new Date(nextMs).toISOString();
}
