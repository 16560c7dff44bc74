// Opening hours as the form holds them ↔ as the API takes them.
import type { TimeGroup as Stored } from '../../../../client/operations.ts';
import { nextTurn, type OpenNow, openNow } from '../../../../src/domain/open-now.ts';
import type { HoursException, TimeGroup, WeeklyTime } from '../../../../src/kinds/time-group.ts';
import { isDay } from '../../../../src/kinds/weekdays.ts';
import { readTimes } from './week-grid.ts';

export interface DateDraft {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** As `10:00-13:00, 14:00-16:00`. */
  readonly times: string;
}

export interface HoursDraft {
  readonly name: string;
  readonly timezone: string;
  readonly weekly: readonly WeeklyTime[];
  readonly exceptions: readonly DateDraft[];
  readonly open_destination: string;
  readonly closed_destination: string;
  /** ISO 8601; null: not closed by hand. */
  readonly closed_until: string | null;
}

export const draftOf = (group: Stored): HoursDraft => ({
  name: group.name,
  timezone: group.timezone,
  weekly: group.weekly,
  exceptions: group.exceptions.map(({ name, from, to, hours }) => ({
    name,
    from,
    to: to === from ? '' : to,
    times: hours.map((time) => `${time.from}-${time.to}`).join(', '),
  })),
  open_destination: group.open_destination ?? '',
  closed_destination: group.closed_destination ?? '',
  closed_until: group.closed_until,
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Invalid times are sent unchanged: the service reports the fault. */
const hoursOf = (text: string) => readTimes(text) ?? [{ from: text.trim(), to: text.trim() }];

export const bodyOf = (draft: HoursDraft) => ({
  name: draft.name,
  timezone: draft.timezone,
  weekly: draft.weekly.map(({ days, from, to }) => ({ days: [...days], from, to })),
  exceptions: draft.exceptions.map(({ name, from, to, times }) => ({
    name,
    from: from.trim(),
    to: orNull(to),
    hours: hoursOf(times),
  })),
  open_destination: orNull(draft.open_destination),
  closed_destination: orNull(draft.closed_destination),
  closed_until: draft.closed_until,
});

/** The draft as a flow node; incomplete exceptions are left out. */
function groupOf(draft: HoursDraft): TimeGroup {
  const exceptions = draft.exceptions.flatMap(({ name, from, to, times }): HoursException[] => {
    const hours = readTimes(times);
    const end = to.trim() === '' ? from.trim() : to.trim();
    if (hours === null || !isDay(from.trim()) || !isDay(end) || from.trim().length !== end.length) return [];
    return [{ name, from: from.trim(), to: end, hours }];
  });
  return { ...draft, exceptions, open_destination: null, closed_destination: null };
}

export interface Preview extends OpenNow {
  /** The next change; null: none within 400 days. */
  readonly next: string | null;
}

/** Evaluated by the service's own code. */
export function previewOf(draft: HoursDraft, atMs: number): Preview {
  const group = groupOf(draft);
  return { ...openNow(group, atMs), next: nextTurn(group, atMs) };
}
