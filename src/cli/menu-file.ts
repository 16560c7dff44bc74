// Files with menus: the payload of one menu, as POST /v1/ivr takes it, or what `dialtree export` wrote.

import { readFileSync } from 'node:fs';
import { plain } from '../flow/timeline.ts';
import type { ExportFile, RecordFault } from '../import-export/export-file.ts';
import { isExportFile, readExportFile } from '../import-export/read-export-file.ts';
import { readKind } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { isProblem } from '../kinds/problem.ts';

export type MenuFile =
  | { readonly kind: 'payload'; readonly file: string; readonly ivr: Ivr }
  | { readonly kind: 'export'; readonly file: string; readonly exportFile: ExportFile }
  | FaultyFile;

export interface FaultyFile {
  readonly kind: 'faulty';
  readonly file: string;
  readonly faults: readonly RecordFault[];
}

export function readMenuFile(file: string): MenuFile {
  try {
    return menuFileOf(file, readFileSync(file));
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isAbsent
      ? 'There is no such file.'
      : `The file cannot be read: ${(error as Error).message}`;
    return { kind: 'faulty', file, faults: [{ record: '', pointer: '', message }] };
  }
}

export function menuFileOf(file: string, bytes: Buffer): MenuFile {
  const faulty = (faults: readonly RecordFault[]): FaultyFile => ({ kind: 'faulty', file, faults });
  const value = readJson(bytes);
  if (typeof value === 'string') return faulty([{ record: '', pointer: '', message: value }]);
  if (isExportFile(value)) {
    const reading = readExportFile(value);
    return reading.ok ? { kind: 'export', file, exportFile: reading.exportFile } : faulty(reading.faults);
  }
  const ivr = readKind('ivr', value);
  if (!isProblem(ivr)) return { kind: 'payload', file, ivr };
  return faulty((ivr.faults ?? []).map(({ pointer, message }) => ({ record: '', pointer, message })));
}

/** One line per fault, as compilers have them: the file, the record, the place, what is wrong. */
export function faultLines({ file, faults }: FaultyFile): string {
  return faults
    .map((fault) => `${plain([file, locationOf(fault), fault.message].filter(Boolean).join(': '))}\n`)
    .join('');
}

export function locationOf({ record, pointer }: RecordFault): string {
  return [record, pointer].filter(Boolean).join(' ');
}

/** The object in the file, or in text why there is none. */
function readJson(bytes: Buffer): { readonly [name: string]: unknown } | string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'The file is not valid UTF-8.';
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    return 'The file must hold a JSON object.';
  } catch (error) {
    return `The file is not valid JSON${placeIn(text, (error as Error).message)}.`;
  }
}

/** V8 counts characters from the start of the text; people count lines. */
function placeIn(text: string, message: string): string {
  if (message.startsWith('Unexpected end')) return ': it ends too early';
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
