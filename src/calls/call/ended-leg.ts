// A leg that has ended: what the call's record keeps of it.
import type { Leg, LegEnd, LegStatistics } from '../../telephony/telephony.ts';

/** When what happened to a leg, in milliseconds since the call began. Below 0: of a leg that is older than the call. */
export interface LegTimes {
  readonly beganMs: number;
  /** Its phone rang: the first 180. Null: it did not, or it is the caller's own. */
  readonly rangMs: number | null;
  /** The caller is answered by the service, which may be long before an agent answers. */
  readonly answeredMs: number | null;
  readonly endedMs: number;
}

export interface LegRecord extends LegTimes {
  readonly role: 'caller' | 'called';
  readonly number: string;
  /** Whose phone it is; null: not an agent's. The name is that of the time of the call. */
  readonly agent: AgentName | null;
  /** `transferred`: it went on to another call, whose record has its end and its statistics. */
  readonly end: Omit<LegEnd, 'outcome'> & { readonly outcome: LegEnd['outcome'] | 'transferred' };
  readonly statistics: LegStatistics | null;
}

export interface AgentName {
  readonly eid: string;
  readonly name: string;
}

/** The same while the statistics may still be on their way. */
export interface EndedLeg extends Omit<LegRecord, 'statistics'> {
  /** For its ladder, which is complete with the statistics. */
  readonly leg: Pick<Leg, 'ladder'>;
  readonly statistics: LegStatistics | null | Promise<LegStatistics>;
}

/** Legs that the call's record lists; of a call that rings hundreds of phones the first, and those that talked. */
const MAX_LEG_RECORDS = 50;

export function keepLeg(legs: EndedLeg[], leg: EndedLeg): void {
  const isSide = leg.role === 'caller' || leg.answeredMs !== null;
  if (isSide || legs.length < MAX_LEG_RECORDS) legs.push(leg);
}

export const isWhole = (leg: EndedLeg): leg is EndedLeg & LegRecord => !(leg.statistics instanceof Promise);

export async function wholeLegs(legs: readonly EndedLeg[]): Promise<LegRecord[]> {
  const whole: LegRecord[] = [];
  // One after the other: most calls have one leg.
  for (const leg of legs) whole.push({ ...leg, statistics: await leg.statistics });
  return whole;
}

/** How a leg ends for the call that it leaves. */
export const MOVED: LegRecord['end'] = {
  by: 'us',
  outcome: 'transferred',
  cause: null,
  status: null,
  text: '',
};

/** A copy of its messages: later ones belong to the other call. */
export function soFar(leg: Leg): Pick<Leg, 'ladder'> {
  const ladder = leg.ladder?.();
  if (!ladder) return {};
  const { lines, leftOut } = ladder;
  const copy = { lines: [...lines], leftOut };
  return { ladder: () => copy };
}

/** What ended a call without a hang-up: a phone that is gone, or the service itself. */
export type Loss = 'caller' | 'called' | 'service';

export function lossOf({ by, isFault }: LegRecord['end'], side: 'caller' | 'called'): Loss | null {
  if (isFault) return 'service';
  return by === 'timeout' || by === 'network' ? side : null;
}
