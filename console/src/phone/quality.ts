// How a call sounds now, from what the browser counts.

/** The part of RTCStatsReport that is read here. */
export interface Counted {
  readonly received: number;
  readonly lost: number;
  readonly jitterMs: number;
  /** Null until the other side has reported. */
  readonly roundTripMs: number | null;
  /** Share of what we sent that did not arrive, in percent, as the other side reports. */
  readonly sentLostPercent: number;
  readonly codec: string;
}

export type Verdict = 'good' | 'fair' | 'poor' | 'silent';

export interface Quality {
  readonly verdict: Verdict;
  /** In percent, of the last look. */
  readonly lostPercent: number;
  readonly jitterMs: number;
  readonly roundTripMs: number | null;
  readonly codec: string;
}

/** What people notice: some gaps, or an answer that comes late; then what makes them call again. */
const FAIR = { lostPercent: 1.5, jitterMs: 30, roundTripMs: 300 };
const POOR = { lostPercent: 5, jitterMs: 60, roundTripMs: 500 };

export function qualityBetween(before: Counted | null, now: Counted): Quality {
  const received = now.received - (before?.received ?? 0);
  const lost = Math.max(0, now.lost - (before?.lost ?? 0));
  const here = received + lost > 0 ? (100 * lost) / (received + lost) : 0;
  const lostPercent = Math.max(here, now.sentLostPercent);
  const { jitterMs, roundTripMs, codec } = now;
  const exceeds = (most: typeof FAIR): boolean =>
    lostPercent > most.lostPercent || jitterMs > most.jitterMs || (roundTripMs ?? 0) > most.roundTripMs;
  const verdict = received <= 0 ? 'silent' : exceeds(POOR) ? 'poor' : exceeds(FAIR) ? 'fair' : 'good';
  return { verdict, lostPercent, jitterMs, roundTripMs, codec };
}

type Entry = { readonly [member: string]: unknown };
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

export function countedIn(report: Iterable<Entry>): Counted {
  const all = [...report];
  const of = (type: string): Entry => all.find((each) => each['type'] === type) ?? {};
  const received = of('inbound-rtp');
  const reported = of('remote-inbound-rtp');
  const codec = all.find((each) => each['id'] === received['codecId'])?.['mimeType'];
  const roundTrip = reported['roundTripTime'];
  return {
    received: number(received['packetsReceived']),
    lost: number(received['packetsLost']),
    jitterMs: number(received['jitter']) * 1000,
    roundTripMs: typeof roundTrip === 'number' ? roundTrip * 1000 : null,
    sentLostPercent: number(reported['fractionLost']) * 100,
    codec: typeof codec === 'string' ? codec.replace(/^audio\//, '') : '',
  };
}

/** Watches one connection; each look is about the time since the last. */
export class QualityWatch {
  #last: Counted | null = null;

  async look(connection: RTCPeerConnection): Promise<Quality> {
    const report: Entry[] = [];
    (await connection.getStats()).forEach((each: Entry) => {
      report.push(each);
    });
    const now = countedIn(report);
    const quality = qualityBetween(this.#last, now);
    this.#last = now;
    return quality;
  }
}
