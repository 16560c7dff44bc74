// Packets as a network with jitter delivers them, for tests and benchmarks: repeatable, without a clock.

export interface UnevenPacket {
  readonly index: number;
  readonly sentMs: number;
  readonly arrivesMs: number;
}

/** A small generator (mulberry32): the same seed gives the same network. */
export function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** In the order of arrival. Delays are spread evenly from 0 to `jitterMs`; `inOrder`: no packet overtakes another. */
export function uneven(count: number, jitterMs: number, seed = 1, inOrder = false): UnevenPacket[] {
  const roll = diceOf(seed);
  let lastMs = 0;
  const packets = Array.from({ length: count }, (_, index) => {
    const sentMs = index * 20;
    const arrivesMs = sentMs + Math.round(roll() * jitterMs);
    lastMs = Math.max(lastMs, arrivesMs);
    return { index, sentMs, arrivesMs: inOrder ? lastMs : arrivesMs };
  });
  return packets.sort((one, other) => one.arrivesMs - other.arrivesMs);
}

/**
 * What an ear loses whose phone waits for `cushionMs`: the share of packets that are missing, or come later than that after the fastest.
 * `leastMs` is the transit of the fastest.
 */
export function lossAtEar(
  heard: readonly { readonly index: number; readonly atMs: number }[],
  count: number,
  cushionMs: number,
): number {
  const transits = heard.map(({ index, atMs }) => atMs - index * 20);
  const leastMs = transits.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return 1 - transits.filter((each) => each <= leastMs + cushionMs).length / count;
}
