// How often a fault is repeated, and the small arithmetic around it.

/** Few in CI, 100 in `.ci/full faults`. */
export const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 5);

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const between = (min: number, max: number): number => min + Math.random() * (max - min);

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

export const ms = (value: number): string => `${Math.round(value)} ms`;

/** Asks until the answer is yes; the milliseconds it took, or an error after the limit. */
export async function waitUntil(
  what: string,
  holds: () => Promise<boolean> | boolean,
  limitMs: number,
  everyMs = 50,
): Promise<number> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < limitMs) {
    if (await holds()) return performance.now() - startedMs;
    await sleep(everyMs);
  }
  throw new Error(`${what}: not within ${limitMs} ms.`);
}

/** One line that a reader of the run finds again. */
export const report = (line: string): void => console.log(`FAULTS ${line}`);
