const FIRST_MS = 1000;
const LONGEST_MS = 15_000;

/** How long to wait before asking again: longer each time, up to 15 s. */
export const nextWait = (waitedMs: number): number =>
  waitedMs === 0 ? FIRST_MS : Math.min(LONGEST_MS, Math.round(waitedMs * 1.3));
