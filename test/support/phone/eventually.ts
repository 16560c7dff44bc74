// Waiting with an end: for something to become true, or for an error that says what was there instead.

export interface Wait {
  readonly withinMs?: number;
}

/** Only a failure waits so long; a machine that does much else besides is no failure. */
export const DEFAULT_WAIT_MS = 30_000;

/** Looks every few milliseconds until `look` gives something. */
export async function eventually<T>(
  look: () => T | null | undefined | false,
  wait: Wait,
  otherwise: () => string,
): Promise<T> {
  const withinMs = wait.withinMs ?? DEFAULT_WAIT_MS;
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) throw new Error(`within ${withinMs} ms: ${otherwise()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
