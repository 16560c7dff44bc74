export function greetingAt(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 12) return 'morning';
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening';
}

export interface Situation {
  /** Whether a number leads to a destination. */
  readonly rings: boolean;
  readonly errors: number;
  readonly missed: number;
  readonly trunks: number;
  readonly agents: number;
}

export const ADVICE = ['guide', 'errors', 'missed', 'trunk', 'people', 'try'] as const;
export type Advice = (typeof ADVICE)[number];
const MOST = 4;

/** The most urgent first; never empty. */
export function adviceFor({ rings, errors, missed, trunks, agents }: Situation): readonly Advice[] {
  const fits: Readonly<Record<Advice, boolean>> = {
    guide: !rings,
    errors: errors > 0,
    missed: missed > 0,
    trunk: rings && trunks === 0,
    people: rings && agents < 2,
    try: rings,
  };
  return ADVICE.filter((one) => fits[one]).slice(0, MOST);
}
