// The built-in prompts of a language as rows: those of calls, as the service lists them, and those that new menus get.
import type { BuiltInPrompts } from '../../../../client/operations.ts';
import { bareValue, type CsvResult } from '../../kit/csv.ts';
import { type MenuPrompt, PROMPT_TEXTS } from './texts.ts';

export interface PromptRow {
  /** As files of texts name it. */
  readonly name: string;
  readonly group: 'calls' | 'menus';
  readonly english: string;
  /** The id of the recording that takes its place. */
  readonly id: string;
  /** Null if there is none. */
  readonly version: number | null;
  /** What it speaks; null: nothing, or it was recorded. */
  readonly translation: string | null;
}

interface StoredRecording {
  readonly id: string;
  readonly version: number;
  readonly text: string | null;
}

const MENU_PROMPTS = Object.keys(PROMPT_TEXTS) as readonly MenuPrompt[];

export function rowsOf(
  { data }: Pick<BuiltInPrompts, 'data'>,
  recordings: readonly StoredRecording[],
  idOf: (which: MenuPrompt) => string,
): PromptRow[] {
  const stored = new Map(recordings.map((recording) => [recording.id, recording]));
  return [
    ...data.map(({ name, text, recording_id, recording_version, translation }) => ({
      name,
      group: 'calls' as const,
      english: text,
      id: recording_id,
      version: recording_version,
      translation,
    })),
    ...MENU_PROMPTS.map((which) => {
      const own = stored.get(idOf(which));
      return {
        name: `menu-${which}`,
        group: 'menus' as const,
        english: PROMPT_TEXTS[which].en.text,
        id: idOf(which),
        version: own?.version ?? null,
        translation: own?.text ?? null,
      };
    }),
  ];
}

/** Typed texts, by the name of their prompt. */
export type Texts = Readonly<Record<string, string>>;

export const textOf = ({ name, translation }: PromptRow, typed: Texts): string =>
  typed[name] ?? translation ?? '';

/** Rows whose text is not what is spoken now. */
export const unspoken = (rows: readonly PromptRow[], typed: Texts): PromptRow[] =>
  rows.filter((row) => {
    const text = textOf(row, typed).trim();
    return text !== '' && text !== row.translation;
  });

/** The first cell of a line names the prompt, the last one has its text. Other lines are left out. */
export function textsIn(file: CsvResult, rows: readonly PromptRow[]): Texts {
  if ('fault' in file) return {};
  const names = new Set(rows.map(({ name }) => name));
  return Object.fromEntries(
    file.rows.flatMap(({ cells }) => {
      const [name, text] = [bareValue(cells[0] ?? ''), bareValue(cells.at(-1) ?? '')];
      return cells.length > 1 && names.has(name) && text !== '' ? [[name, text]] : [];
    }),
  );
}

/** The same as a file, for who translates it. */
export const sheetOf = (rows: readonly PromptRow[], typed: Texts): string[][] => [
  ['name', 'english', 'text'],
  ...rows.map((row) => [row.name, row.english, textOf(row, typed)]),
];
