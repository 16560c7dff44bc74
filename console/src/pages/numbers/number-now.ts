// Which calls to a number go on now.
import type { LiveCall } from '../../data/live-state.ts';

export interface NumberNow {
  readonly calls: number;
  /** When the oldest of them began; null: there is none. */
  readonly since: string | null;
}

const NONE: NumberNow = { calls: 0, since: null };
/** Trunks may send a number with or without the plus sign. */
const plain = (number: string): string => number.replace(/^\+/, '');

export type CallsByNumber = ReadonlyMap<string, NumberNow>;

/** Calls of our own to the outside dial numbers of others. */
export function callsByNumber(calls: Iterable<LiveCall>): CallsByNumber {
  const byNumber = new Map<string, NumberNow>();
  for (const { direction, dialled, started_at: at } of calls) {
    if (direction === 'outbound') continue;
    const { calls: before, since } = byNumber.get(plain(dialled)) ?? NONE;
    byNumber.set(plain(dialled), { calls: before + 1, since: since !== null && since < at ? since : at });
  }
  return byNumber;
}

export const numberNow = (number: string, calls: CallsByNumber): NumberNow =>
  calls.get(plain(number)) ?? NONE;
