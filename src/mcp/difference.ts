// What a draft changes, in words that a person can confirm. Names come from people and callers: they are quoted as JSON, on one line.

import { isSecretMember } from '../domain/record-difference.ts';
import { KINDS, type RecordKind } from '../kinds/lists.ts';
import type { Answered, Ask } from './ask.ts';
import { type ChangedMember, changedMembers, type Path } from './changed-members.ts';

/** As GET /v1/draft answers, all pages of it. */
export interface Draft {
  readonly hash: string;
  readonly data: readonly DraftedRecord[];
}

interface DraftedRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly conflict: boolean;
  readonly editor: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** Each of them is long: a draft that has more cannot be published. */
const MAX_PAGES = 50;

/** The whole draft: of one that changes while it is read, nothing is shown. */
export async function readDraft(
  ask: Ask,
): Promise<{ readonly draft: Draft } | { readonly refused: Answered }> {
  const data: DraftedRecord[] = [];
  let hash: string | null = null;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask('getDraft', cursor === null ? {} : { query: { cursor } });
    if (!answer.ok) return { refused: answer };
    const read = answer.value as Draft & { readonly next_cursor: string | null };
    if (hash !== null && hash !== read.hash) break;
    hash = read.hash;
    cursor = read.next_cursor;
    data.push(...read.data);
    if (cursor === null) return { draft: { hash, data } };
  }
  const Message = 'The draft is changed while it is read, or too large: try again.';
  return { refused: { ok: false, value: { Success: false, Message, Code: 'publish_conflict' } } };
}

const VERBS = { create: 'Create', update: 'Change', delete: 'Delete' } as const;
const MAX_LINES = 400;
/** Texts of records are shorter: what is longer is a draft that nobody reads to its end. */
const MAX_VALUE = 4000;
const MAX_CHARACTERS = 60_000;

export interface DraftInWords {
  readonly words: string;
  /** No change is left out and no value is cut: only such a difference can be confirmed. */
  readonly isWhole: boolean;
}

export function differenceInWords({ data }: Draft): DraftInWords {
  if (data.length === 0) return { words: 'The draft is empty: nothing would change.', isWhole: true };
  const lines = data.flatMap(linesOf);
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.text.length + 1;
    if (shown.length === MAX_LINES || characters > MAX_CHARACTERS) break;
    shown.push(line.text);
  }
  const rest = lines.length - shown.length;
  if (rest > 0) shown.push(`… and ${rest} more lines.`);
  return { words: shown.join('\n'), isWhole: rest === 0 && lines.every(({ isCut }) => !isCut) };
}

interface WordedText {
  readonly text: string;
  readonly isCut: boolean;
}

function linesOf(record: DraftedRecord): WordedText[] {
  const { kind, id, action, conflict, before, after } = record;
  const [name, editor] = [quoted(record.name), quoted(record.editor)];
  const text = `${VERBS[action]} the ${KINDS[kind].noun} ${name.text} (${kind}||${id}), by ${editor.text}.`;
  const head = [{ text, isCut: name.isCut || editor.isCut }];
  if (conflict)
    head.push({ text: '  The stored record was changed since: publication would be refused.', isCut: false });
  if (action === 'delete') return head;
  const changes = changedMembers(before ?? {}, after ?? {});
  return [...head, ...changes.map((change) => lineOf(change, record))];
}

function lineOf({ path, before, after, secret }: ChangedMember, record: DraftedRecord): WordedText {
  const label = labelOf(path, record);
  const line = (said: string, ...values: readonly WordedText[]): WordedText => ({
    text: `  ${label.text}: ${said}`,
    isCut: label.isCut || values.some(({ isCut }) => isCut),
  });
  const isNew = record.action === 'create';
  if (secret) return line(isNew ? 'a secret is set.' : 'a secret is changed.');
  const [was, is] = [quoted(before), quoted(after)];
  if (isNew) return line(is.text, is);
  if (before === undefined) return line(`${is.text} is added`, is);
  if (after === undefined) return line(`${was.text} is removed`, was);
  return line(`${was.text} becomes ${is.text}`, was, is);
}

/** Lists in menus whose entry i belongs to option i. */
const BY_OPTION = new Set(['destination', 'sms_template', 'webhook', 'option_priority']);

function labelOf(path: Path, { kind, before, after }: DraftedRecord): WordedText {
  const [member, entry] = path;
  const parts = path.map((part) => {
    if (typeof part === 'number') return { text: `entry ${part}`, isCut: false };
    return /^[a-z][a-z0-9_]*$/.test(part) && part.length <= 64 ? { text: part, isCut: false } : quoted(part);
  });
  if (kind === 'ivr' && typeof member === 'string' && BY_OPTION.has(member) && typeof entry === 'number') {
    const [was, is] = [before, after].map(
      (side) => (side as { option?: unknown[] } | null)?.option?.[entry - 1],
    );
    if (is !== undefined && (was === undefined || was === is))
      parts.push({ ...quoted(is), text: `option ${quoted(is).text}` });
  }
  return { text: parts.map(({ text }) => text).join(', '), isCut: parts.some(({ isCut }) => isCut) };
}

/** On one line. What a reader would not see, or what would reorder the line, is written as an escape: two texts that differ look different. */
function quoted(value: unknown): WordedText {
  const json = JSON.stringify(value ?? null, (name, inner) => (isSecretMember(name) ? '•' : inner));
  const text = json.replace(UNSEEN, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
  const isCut = text.length > MAX_VALUE;
  return { text: isCut ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text, isCut };
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
