// The figures of today by department. They change when a call ends, and when a new day begins: then they are read again.
import type { Wallboard } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useRenewed } from '../../data/renewed.ts';
import { dayOf, viewerZone } from '../statistics/range.ts';
import type { DayFigures } from './figures.ts';

export interface Day {
  /** What the service level of the figures counts: calls answered within. */
  readonly serviceLevelSeconds: number;
  /** A department without calls is not there. */
  readonly byDepartment: ReadonlyMap<string, DayFigures>;
}

const RENEWAL = { events: ['call.ended'] };

/** Null if not read yet, or the last read failed. Before a snapshot of the live calls some may have been missed; settings change the figures. */
export function useToday(snapshots: number, board: Wallboard): Day | null {
  return useRenewed(read, RENEWAL, [snapshots, board]).value;
}

async function read(signal: AbortSignal): Promise<Day> {
  const timezone = viewerZone();
  const from = dayOf(new Date(), timezone);
  const answer = await client.getStatistics({ query: { from, by: 'none', timezone }, signal });
  return {
    serviceLevelSeconds: answer.service_level_seconds,
    byDepartment: new Map(
      answer.departments.map((each) => [each.id, { ...each, service_level: each.queue.service_level }]),
    ),
  };
}
