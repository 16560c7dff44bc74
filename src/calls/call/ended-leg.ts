// How one telephone of a call went: what its record keeps of it, and what the flow is told.
import type { Leg, LegEnd, LegLadder, LegStatistics } from '../../telephony/telephony.ts';

/** How one leg of the call went, for its record. */
export interface LegRecord {
  readonly role: 'caller' | 'called';
  readonly number: string;
  readonly end: LegEnd;
  readonly statistics: LegStatistics;
}

/** The same while the figures may still be on their way. */
export interface EndedLeg extends Omit<LegRecord, 'statistics'> {
  /** Asked for its ladder, which is whole with the figures. */
  readonly leg: Pick<Leg, 'ladder'>;
  readonly statistics: LegStatistics | Promise<LegStatistics>;
}

export const isWhole = (leg: EndedLeg): leg is EndedLeg & LegRecord => !(leg.statistics instanceof Promise);

export async function wholeLegs(legs: readonly EndedLeg[]): Promise<LegRecord[]> {
  const whole: LegRecord[] = [];
  // One after the other: all of them come anyway, and most calls have one leg.
  for (const { role, number, end, statistics } of legs)
    whole.push({ role, number, end, statistics: await statistics });
  return whole;
}

/** What comes later belongs to the other call. */
export function soFar(leg: Leg): LegLadder | undefined {
  const ladder = leg.ladder?.();
  return ladder && { lines: [...ladder.lines], leftOut: ladder.leftOut };
}

export const isLoss = ({ by }: LegEnd): boolean => by === 'timeout' || by === 'network';

export function failureOf({ outcome }: LegEnd): 'agent-busy' | 'agent-unreachable' | 'ring-failed' {
  switch (outcome) {
    case 'busy':
    case 'declined':
      return 'agent-busy';
    case 'unreachable':
    case 'no-answer':
      return 'agent-unreachable';
    default:
      return 'ring-failed';
  }
}
