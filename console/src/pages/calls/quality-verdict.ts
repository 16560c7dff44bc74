import type { Leg } from './ladder-view.ts';

export type Verdict = 'none' | 'one-way' | 'bad' | 'fair' | 'good';

type Figure = 'packets_sent' | 'packets_received' | 'packets_lost' | 'jitter_ms' | 'one_way';
export type MeasuredLeg = Leg & { readonly [name in Figure]: NonNullable<Leg[name]> };

/** A leg that was transferred has its figures in the record of the other call. */
export const isMeasured = (leg: Leg): leg is MeasuredLeg =>
  leg.packets_sent !== null && leg.jitter_ms !== null;

/** The share of the peer's packets that were lost. */
export function lossOf({ packets_lost: lost, packets_received: received }: MeasuredLeg): number {
  const sent = lost + received;
  return sent === 0 ? 0 : lost / sent;
}

/** ITU-T G.1028 and common practice: beyond 1 % people notice, beyond 3 % they complain; jitter likewise at 20 and 40 ms. */
const NOTICED = { loss: 0.01, jitterMs: 20 };
const BAD = { loss: 0.03, jitterMs: 40 };

export function verdictOf(leg: MeasuredLeg): Verdict {
  if (leg.packets_received === 0 && leg.packets_sent === 0) return 'none';
  if (leg.one_way) return 'one-way';
  const loss = lossOf(leg);
  if (loss > BAD.loss || leg.jitter_ms > BAD.jitterMs) return 'bad';
  return loss > NOTICED.loss || leg.jitter_ms > NOTICED.jitterMs ? 'fair' : 'good';
}
