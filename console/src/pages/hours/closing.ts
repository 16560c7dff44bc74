// Until when a time group is closed by hand, in the browser's zone.

export const CLOSINGS = ['hour', 'today', 'tomorrow', 'week'] as const;
export type Closing = (typeof CLOSINGS)[number];

const MORNING = 9;

export function untilOf(closing: Closing, nowMs: number): number {
  if (closing === 'hour') return nowMs + 3_600_000;
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  // Midnight ends today; Monday is the first day of a week.
  if (closing === 'today') return new Date(year, month, day + 1).getTime();
  const days = closing === 'tomorrow' ? 1 : (8 - now.getDay()) % 7 || 7;
  return new Date(year, month, day + days, MORNING).getTime();
}

/** As a datetime-local field has it: YYYY-MM-DDTHH:MM. */
export function localText(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const isClosedByHand = (
  { closed_until }: { readonly closed_until: string | null },
  nowMs: number,
): boolean => closed_until !== null && Date.parse(closed_until) > nowMs;
