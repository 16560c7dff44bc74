// Applies a trunk's prefix rule to a number, as the service does.

export interface PrefixRule {
  readonly prefix: string;
  readonly strip: number | null;
  readonly add: string;
}

/** An example of a rule: a matching number, and what is sent to the provider. Null: the rule is empty. */
export function exampleOf({ prefix, strip, add }: PrefixRule): { dialled: string; sent: string } | null {
  const begin = prefix.trim();
  if (!/^\+?[0-9*#]{1,32}$/.test(begin)) return null;
  const dialled =
    begin.length >= 10 ? begin : `${begin}${'1234567890'.slice(0, Math.max(4, 11 - begin.length))}`;
  return { dialled, sent: `${add.trim()}${dialled.slice(strip ?? 0)}` };
}

/** One entry per line; empty lines and separators are ignored. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
