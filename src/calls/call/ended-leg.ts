// A leg that has ended: what the call's record keeps of it, and what the flow makes of it.
import type { Leg, LegEnd, LegLadder, LegStatistics } from '../../telephony/telephony.ts';

export interface LegRecord {
  readonly role: 'caller' | 'called';
  readonly number: string;
  readonly end: LegEnd;
  readonly statistics: LegStatistics;
}

/** The same while the statistics may still be on their way. */
export interface EndedLeg extends Omit<LegRecord, 'statistics'> {
  /** For its ladder, which is complete with the statistics. */
  readonly leg: Pick<Leg, 'ladder'>;
  readonly statistics: LegStatistics | Promise<LegStatistics>;
}

export const isWhole = (leg: EndedLeg): leg is EndedLeg & LegRecord => !(leg.statistics instanceof Promise);

export async function wholeLegs(legs: readonly EndedLeg[]): Promise<LegRecord[]> {
  const whole: LegRecord[] = [];
  // One after the other: most calls have one leg.
  for (const { role, number, end, statistics } of legs)
    whole.push({ role, number, end, statistics: await statistics });
  return whole;
}

/** A copy: later messages belong to the other call. */
export function soFar(leg: Leg): LegLadder | undefined {
  const ladder = leg.ladder?.();
  return ladder && { lines: [...ladder.lines], leftOut: ladder.leftOut };
}

/** What ended a call without anybody hanging up: a phone that is gone, or the service itself. */
export type Loss = 'caller' | 'called' | 'service';

export function lossOf({ by, isFault }: LegEnd, side: 'caller' | 'called'): Loss | null {
  if (isFault) return 'service';
  return by === 'timeout' || by === 'network' ? side : null;
}

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
