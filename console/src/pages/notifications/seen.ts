// Which notifications are new to this browser. Without React.
import type { Notification } from '../../../../client/operations.ts';

/** As many as the bell shows of those that are over. */
export const MOST_SHOWN = 30;
/** And of those that go on, as many as one page of the API has. */
export const MOST_OPEN = 500;

/** `seen`: the id of the latest one that was seen; null: not known yet. */
export function unseenOf(notifications: readonly Notification[], seen: string | null): Notification[] {
  return seen === null ? [] : notifications.filter(({ id }) => id > seen);
}

/** Before every id. */
const NONE = '0';

/** What a browser has seen that never looked: all but what goes on, and what came after that. The latest is first. */
export function firstSeen(notifications: readonly Notification[]): string {
  const oldestOpen = notifications.findLastIndex(({ closed_at }) => closed_at === null);
  return notifications[oldestOpen + 1]?.id ?? NONE;
}

/** With one that opened or closed, the latest first. */
export function withChange(notifications: readonly Notification[], changed: Notification): Notification[] {
  return shownOf([changed], notifications);
}

/** Each once, as the first list has it, the latest first. What goes on is never cut. */
export function shownOf(...lists: readonly (readonly Notification[])[]): Notification[] {
  const byId = new Map<string, Notification>();
  for (const each of lists.flat()) if (!byId.has(each.id)) byId.set(each.id, each);
  let room = MOST_SHOWN;
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .filter(({ closed_at }) => {
      room -= 1;
      return room >= 0 || closed_at === null;
    });
}
