// What the overview makes of figures and records. Without React.

export function greetingAt(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 12) return 'morning';
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening';
}

/** Calls of the day until now, by the hour, beside those of the same weekday a week before until the same time. */
export interface Compared {
  readonly today: number;
  readonly before: number;
  /** 0.25: a quarter more; null: there were none before. */
  readonly change: number | null;
}

const HOURS = 24;

/** Calls in each hour of the day where the viewer is. An hour that comes twice when clocks change is one. */
export function byHour(rows: readonly { readonly start: string; readonly calls: number }[]): number[] {
  const hours = new Array<number>(HOURS).fill(0);
  for (const { start, calls } of rows) {
    const hour = Number(start.slice(11, 13));
    hours[hour] = (hours[hour] ?? 0) + calls;
  }
  return hours;
}

/** The present hour counts in part: what has passed of it. */
export function compared(today: readonly number[], before: readonly number[], hours: number): Compared {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const whole = Math.floor(hours);
  const then = Math.round(sum(before.slice(0, whole)) + (before[whole] ?? 0) * (hours - whole));
  const now = sum(today);
  return { today: now, before: then, change: then === 0 ? null : (now - then) / then };
}

export const ADVICE = ['guide', 'trunk', 'people', 'try'] as const;
export type Advice = (typeof ADVICE)[number];

export interface Situation {
  /** Whether a number leads to a destination. */
  readonly rings: boolean;
  readonly trunks: number;
  readonly agents: number;
}

/** What an account that is not complete needs next; empty: it is. */
export function adviceFor({ rings, trunks, agents }: Situation): readonly Advice[] {
  const fits: Readonly<Record<Advice, boolean>> = {
    guide: !rings,
    trunk: rings && trunks === 0,
    people: rings && agents < 2,
    try: rings && (trunks === 0 || agents < 2),
  };
  return ADVICE.filter((one) => fits[one]);
}
