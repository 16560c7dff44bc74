// A cell of CSV: RFC 4180, and nothing that a spreadsheet would calculate.

export function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = withoutFormulas(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, T24), full-width signs included. So it does after a
 * semicolon, a tab and a line end: a spreadsheet of a country that writes 1,5 separates by semicolons, and begins a cell there. A text
 * that begins with an apostrophe itself gets another: a reader of the file removes one at each such place and has what was stored.
 */
function withoutFormulas(text: string): string {
  const begun = /^[=+\-@\t\r\n'＝＋－＠]/.test(text) ? `'${text}` : text;
  return begun.replace(/[;\t\r\n](?=[=+\-@'＝＋－＠])/g, "$&'");
}
