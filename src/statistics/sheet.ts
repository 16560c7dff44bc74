// Tables for people: the same columns and rows become CSV, a workbook (XLSX) and the tables of a report.

/** How a value is written. `time`: milliseconds; `moment`: milliseconds since 1970, local already. */
export type ColumnKind = 'text' | 'count' | 'rate' | 'time' | 'moment';
export type SheetValue = string | number | null;

export interface SheetColumn {
  readonly title: string;
  readonly kind: ColumnKind;
  /** In characters. */
  readonly width?: number;
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly SheetValue[])[];
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `1:05:09`, as spreadsheets read a duration. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** `2026-11-15 10:30:00` */
export const localText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** A value as text, the same in CSV and in reports. Empty: there is none. */
export function valueText(value: SheetValue, kind: ColumnKind): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (kind === 'rate') return `${Math.round(value * 1000) / 10}%`;
  if (kind === 'time') return clock(value);
  return kind === 'moment' ? localText(value) : String(value);
}
