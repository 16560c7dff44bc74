// What a trunk's prefix rule makes of a number, as the service does it when it dials.

export interface PrefixRule {
  readonly prefix: string;
  readonly strip: number | null;
  readonly add: string;
}

/** An example for a rule: some number that it fits, and what the provider is sent. Null: nothing is said yet. */
export function exampleOf({ prefix, strip, add }: PrefixRule): { dialled: string; sent: string } | null {
  const begin = prefix.trim();
  if (!/^\+?[0-9*#]{1,32}$/.test(begin)) return null;
  const dialled =
    begin.length >= 10 ? begin : `${begin}${'1234567890'.slice(0, Math.max(4, 11 - begin.length))}`;
  return { dialled, sent: `${add.trim()}${dialled.slice(strip ?? 0)}` };
}

/** One in each line; empty lines and what people put between entries do not count. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
