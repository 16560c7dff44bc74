// Sheets as a workbook (XLSX), in a thread: workbook-thread.ts. All of it is in memory at once: callers bound the rows.
import writeExcelFile from 'write-excel-file/node';
import type { ColumnKind, Sheet, SheetValue } from './sheet.ts';

const DAY_MS = 86_400_000;
/** Excel refuses longer texts, and names of sheets. */
const MAX_TEXT = 32_000;
const MAX_SHEET_NAME = 31;

const FORMATS = { count: '0', rate: '0.0%', time: '[h]:mm:ss', moment: 'yyyy-mm-dd hh:mm:ss' } as const;

/** Text is never a formula here: its cell has the type of text. */
function cellOf(value: SheetValue, kind: ColumnKind) {
  if (value === null) return null;
  if (typeof value === 'string' || kind === 'text')
    return {
      value: String(value)
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, MAX_TEXT)
        .toWellFormed(),
      type: String,
    };
  const format = FORMATS[kind];
  if (kind === 'moment') return { value: new Date(value), type: Date, format };
  // A duration is a share of a day.
  return { value: kind === 'time' ? value / DAY_MS : value, type: Number, format };
}

export function workbookOf(sheets: readonly Sheet[]): Promise<Buffer> {
  return writeExcelFile(
    sheets.map(({ name, columns, rows }) => ({
      sheet: name.slice(0, MAX_SHEET_NAME),
      data: [
        columns.map(({ title }) => ({ value: title, type: String, fontWeight: 'bold' as const })),
        ...rows.map((row) => row.map((value, index) => cellOf(value, columns[index]?.kind ?? 'text'))),
      ],
      columns: columns.map(({ width = 14 }) => ({ width })),
      stickyRowsCount: 1,
    })),
  ).toBuffer();
}
