// RFC 4180 as spreadsheets write it: commas, semicolons (Excel where the comma is the decimal sign) or tabs; CR LF, LF or
// CR; a byte order mark or none. One pass over the text, bounded in rows and size.

export const MAX_ROWS = 5_000;
export const MAX_BYTES = 2 * 1024 * 1024;
const MAX_COLUMNS = 100;

export interface CsvRow {
  /** Where the row begins, counted from 1, as an editor shows it. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly code:
    | 'too-large'
    | 'too-many-rows'
    | 'too-many-columns'
    | 'quote-open'
    | 'empty'
    | 'not-text'
    | 'unreadable';
  readonly line: number;
}

export type CsvResult = { readonly rows: readonly CsvRow[] } | { readonly fault: CsvFault };

const fault = (code: CsvFault['code'], line = 0): CsvResult => ({ fault: { code, line } });

/** The text of a file, whatever program saved it: UTF-8, UTF-16 with its mark, or else what old Excel writes. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function readCsvFile(bytes: Uint8Array): CsvResult {
  if (bytes.length > MAX_BYTES) return fault('too-large');
  const text = textOf(bytes);
  // NUL: a spreadsheet's binary format or an image, not text.
  return text.includes('\0') ? fault('not-text') : readCsv(text);
}

export function readCsv(given: string): CsvResult {
  if (given.length > MAX_BYTES) return fault('too-large');
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const result = splitRows(text, delimiterOf(text));
  return 'rows' in result && result.rows.length === 0 ? fault('empty', 1) : result;
}

/** The most frequent delimiter in the first line, outside quotes. */
export function delimiterOf(text: string): ',' | ';' | '\t' {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && (character === ',' || character === ';' || character === '\t')) counts[character]++;
  }
  if (counts[';'] > counts[',']) return counts['\t'] > counts[';'] ? '\t' : ';';
  return counts['\t'] > counts[','] ? '\t' : ',';
}

function splitRows(text: string, delimiter: string): CsvResult {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  for (let at = 0; at < text.length; ) {
    const cell = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at, delimiter);
    if (cell === null) return fault('quote-open', begin);
    line += cell.lines;
    at = cell.end;
    if (cells.length >= MAX_COLUMNS) return fault('too-many-columns', begin);
    cells.push(cell.text);
    const next = text[at];
    if (next === delimiter) {
      at++;
      // A delimiter at the very end has an empty cell behind it.
      if (at === text.length) cells.push('');
      else continue;
    }
    if (next === '\r' && text[at + 1] === '\n') at++;
    if (next === '\r' || next === '\n') at++;
    if (cells.some((each) => each.trim() !== '')) {
      if (rows.length >= MAX_ROWS + 1) return fault('too-many-rows', begin);
      rows.push({ line: begin, cells });
    }
    cells = [];
    line++;
    begin = line;
  }
  return { rows };
}

interface Cell {
  readonly text: string;
  readonly end: number;
  /** Line breaks within it. */
  readonly lines: number;
}

function bareCell(text: string, from: number, delimiter: string): Cell {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { text: text.slice(from, end), end, lines: 0 };
}

/** RFC 4180 §2.7: two quotes within quotes are one. Text between the closing quote and the delimiter belongs to the cell. */
function quotedCell(text: string, from: number): Cell | null {
  const parts: string[] = [];
  let lines = 0;
  let begin = from + 1;
  for (;;) {
    const quote = text.indexOf('"', begin);
    if (quote < 0) return null;
    const part = text.slice(begin, quote);
    parts.push(part);
    lines += part.split('\n').length - 1;
    if (text[quote + 1] !== '"') return { text: parts.join('"'), end: quote + 1, lines };
    begin = quote + 2;
  }
}

/** A cell to write. A leading apostrophe prevents formula injection (docs/threat-model.md T24). */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r\n'＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The inverse: removes the apostrophe of a guarded cell. */
export function bareValue(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@'＝＋－＠]/.test(text) ? text.slice(1) : text;
}

export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** By the byte order mark Excel recognises UTF-8. */
export const csvFile = (text: string): Blob =>
  new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' });
