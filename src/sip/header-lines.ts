// The value of a header out of its lines: spaces at the ends, folding, and what no value may hold.

/** Where the text between the two places begins, spaces skipped. */
export function trimStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where it ends, spaces left out. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBlank(code: number): boolean {
  // NUL, too: it becomes a space, and a value has none at its ends.
  return code === 0x20 || code === 9 || code === 0x0d || code === 0x0a || code === 0;
}

/** RFC 3261 §7.3.1: a line that begins with a space continues the one before, as if it were one space. */
export function unfolded(value: string): string {
  return value
    .split('\n')
    .map((line) => line.slice(trimStart(line, 0, line.length), trimEnd(line, 0, line.length)))
    .join(' ');
}

/** No CR and no NUL in any value: values can be written to logs and messages as they are. */
export function cleaned(value: string, hasNul: boolean): string {
  const clean = value.includes('\r') ? value.replaceAll('\r', ' ') : value;
  return hasNul ? clean.replaceAll('\0', ' ') : clean;
}
