// A cell of CSV: RFC 4180, and nothing that a spreadsheet would calculate.

export function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = isRisky(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, T24), full-width signs included. So does a text
 * that begins with one itself: a reader of the file removes one apostrophe and has what was stored.
 */
const isRisky = (text: string): boolean => /^[=+\-@\t\r\n'＝＋－＠]/.test(text);
