// Calls that hear a tone, and what became of it: packets lost, pauses, and whether it was the right tone throughout.
import type { Pbx, PbxOptions } from '../../support/pbx.ts';
import { eventually } from '../../support/phone/eventually.ts';
import { describeSegments, SAME_TONE_HZ } from '../../support/phone/hearing.ts';
import { Phone } from '../../support/phone/phone.ts';
import type { PhoneCall } from '../../support/phone/phone-call.ts';

export const TONE_HZ = 1_060;
export const TONE_NUMBER = '4242';

/** A number where a caller hears one tone for three minutes. */
export const TONE_SERVICE: PbxOptions = {
  recordings: {
    prompt: { hz: TONE_HZ, ms: 180_000 },
    invalid: { hz: 1_400, ms: 200 },
    retry: { hz: 1_555, ms: 200 },
    timeout: { hz: 1_700, ms: 200 },
  },
  menus: { tone: {} },
  numbers: { [TONE_NUMBER]: 'ivr||tone' },
};

export interface Listener {
  readonly phone: Phone;
  readonly call: PhoneCall;
}

/** So many calls that hear the tone. */
export async function listeners(pbx: Pbx, count: number, host?: string): Promise<Listener[]> {
  const all = Array.from({ length: count }, async () => {
    const phone = await Phone.open({ server: pbx.sip, ...(host === undefined ? {} : { host }) });
    const call = await phone.call(TONE_NUMBER);
    await call.answered();
    await call.hears(TONE_HZ, { forMs: 200 });
    return { phone, call };
  });
  return Promise.all(all);
}

export interface Heard {
  readonly packets: number;
  /** Sequence numbers that never came. */
  readonly lost: number;
  /** The longest pause between two packets for which this process itself was not to blame. */
  readonly longestGapMs: number;
  readonly p99GapMs: number;
  /** Everything that sounded but the tone; pauses are in the gaps. */
  readonly wrong: string;
}

/** What a call heard since `fromMs` of its own clock. */
export function heardSince({ call }: Listener, fromMs: number, stalls: Stalls): Heard {
  const packets = call.rtp.packets.filter(({ atMs }) => atMs >= fromMs);
  const first = packets[0]?.sequence ?? 0;
  const seen = new Set(packets.map(({ sequence }) => (sequence - first) & 0xffff));
  const offsetMs = performance.now() - call.nowMs();
  const gaps = packets.slice(1).map(({ atMs }, index) => {
    const beforeMs = packets[index]?.atMs ?? atMs;
    return atMs - beforeMs - stalls.within(beforeMs + offsetMs, atMs + offsetMs);
  });
  const sorted = [...gaps].sort((a, b) => a - b);
  const wrong = call
    .heard()
    .filter(({ toMs, hz }) => toMs > fromMs && hz !== 'nothing')
    .filter(({ hz }) => typeof hz !== 'number' || Math.abs(hz - TONE_HZ) >= SAME_TONE_HZ);
  return {
    packets: packets.length,
    lost: seen.size === 0 ? 0 : Math.max(...seen) + 1 - seen.size,
    longestGapMs: sorted.at(-1) ?? 0,
    p99GapMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    wrong: wrong.length === 0 ? '' : describeSegments(wrong),
  };
}

/** For all callers together: what must hold on any machine, and the gaps, which are figures. */
export function heardByAll(callers: readonly Listener[], sinceMs: readonly number[], stalls: Stalls) {
  const heard = callers.map((caller, index) => heardSince(caller, sinceMs[index] ?? 0, stalls));
  const p99s = heard.map(({ p99GapMs }) => p99GapMs).sort((a, b) => a - b);
  return {
    /** The packets of the caller who heard least. */
    packets: Math.min(...heard.map(({ packets }) => packets)),
    lost: heard.reduce((sum, { lost }) => sum + lost, 0),
    wrong: heard.map(({ wrong }) => wrong).filter((wrong) => wrong !== ''),
    ended: callers.filter(({ call }) => call.end !== null).length,
    gaps: `p99 ${(p99s[p99s.length >> 1] ?? 0).toFixed(1)} ms, longest ${Math.max(...heard.map(({ longestGapMs }) => longestGapMs)).toFixed(1)} ms`,
  };
}

/** Where each of them is now, for heardByAll. */
export const nowOf = (callers: readonly Listener[]): number[] => callers.map(({ call }) => call.nowMs());

/** Every caller has heard so many packets more: sound goes on beside what is open meanwhile. */
export function hearMore(callers: readonly Listener[], packets: number): Promise<unknown> {
  const more = callers.map(async ({ call }) => {
    const before = call.rtp.packets.length;
    await eventually(
      () => call.rtp.packets.length >= before + packets,
      { withinMs: 60_000 },
      () => `no ${packets} packets came`,
    );
  });
  return Promise.all(more);
}

const BEAT_MS = 5;

/** When this process could not run: a packet that came meanwhile only looks late. */
export class Stalls {
  readonly #stalls: { readonly fromMs: number; readonly toMs: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();

  constructor() {
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs - this.#lastMs > 2 * BEAT_MS)
        this.#stalls.push({ fromMs: this.#lastMs + BEAT_MS, toMs: nowMs });
      this.#lastMs = nowMs;
    }, BEAT_MS);
  }

  /** Milliseconds of stall that end in, or shortly before, this span. */
  within(fromMs: number, toMs: number): number {
    return this.#stalls.reduce(
      (sum, stall) => sum + Math.max(0, Math.min(toMs, stall.toMs) - Math.max(fromMs, stall.fromMs)),
      0,
    );
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

export function hangUpAll(all: readonly Listener[]): Promise<unknown> {
  return Promise.all(all.map(({ call }) => call.hangUp())).finally(() => {
    for (const { phone } of all) phone.close();
  });
}
