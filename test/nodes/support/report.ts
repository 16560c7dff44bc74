// Figures of the suite: one line each, which a reader of the run finds again.

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Prints one line that begins with NODES. */
export const report = (line: string): void => console.log(`NODES ${line}`);
