// The SQL for the sound of recordings. The row of prompt_files is changed first by every writer: nodes that store and forget the same
// sound wait for each other there.
import { MAX_PROMPTS } from '../ports/prompts.ts';
import { flag, integerOrNull, text } from './columns.ts';
import type { Operation } from './operation.ts';

const FILE = { sha256: 'text', bytes: 'bigint', whole: 'bigint' } as const;
/** Lengths of lists. */
const SIZES = [1, 10, 100, MAX_PROMPTS];
const PIECE = { sha256: 'text', piece: 'bigint', content: 'text' } as const;

export const beginPrompt: Operation<'beginPrompt'> = async (tx, { sha256, bytes }) => {
  const [row] = await tx.insert(
    'prompt_files',
    FILE,
    [[sha256, bytes, 0]],
    'ON CONFLICT (sha256) DO UPDATE SET unused_since = NULL RETURNING whole',
  );
  return { isWhole: flag(row?.['whole']) };
};

export const savePromptPiece: Operation<'savePromptPiece'> = async (tx, { sha256, piece, content }) => {
  await tx.insert('prompt_pieces', PIECE, [[sha256, piece, content]], 'ON CONFLICT DO NOTHING');
};

export const finishPrompt: Operation<'finishPrompt'> = async (tx, { sha256 }) => {
  await tx.run('UPDATE prompt_files SET whole = 1 WHERE sha256 = $1', [sha256]);
};

export const readPrompt: Operation<'readPrompt'> = async (tx, { sha256, from, limit }) => {
  const rows = await tx.all(
    `SELECT content FROM prompt_pieces
     WHERE sha256 = $1 AND piece >= $2 AND EXISTS (SELECT 1 FROM prompt_files WHERE sha256 = $1 AND whole = 1)
     ORDER BY piece LIMIT $3`,
    [sha256, from, limit],
  );
  return rows.map(({ content }) => text(content));
};

export const storedPrompts: Operation<'storedPrompts'> = async (tx, sha256s) => {
  if (sha256s.length === 0) return [];
  const asked = padded(sha256s);
  const rows = await tx.all(
    `SELECT sha256 FROM prompt_files WHERE whole = 1 AND sha256 IN (${marks(asked.length)})`,
    asked,
  );
  return rows.map(({ sha256 }) => text(sha256));
};

export const listPrompts: Operation<'listPrompts'> = async (tx, { after, limit }) => {
  const rows = await tx.all(
    'SELECT sha256, unused_since FROM prompt_files WHERE sha256 > $1 ORDER BY sha256 LIMIT $2',
    [after, limit],
  );
  return rows.map((row) => ({
    sha256: text(row['sha256']),
    unusedSinceMs: integerOrNull(row['unused_since']),
  }));
};

export const markPrompts: Operation<'markPrompts'> = async (tx, { used, unused }) => {
  const mark = async (to: string, list: readonly string[], where = ''): Promise<void> => {
    if (list.length === 0) return;
    const names = padded(list);
    const sql = `UPDATE prompt_files SET unused_since = ${to} WHERE sha256 IN (${marks(names.length)}) ${where}`;
    await tx.run(sql, names);
  };
  await mark('NULL', used, 'AND unused_since IS NOT NULL');
  await mark(tx.nowMs, unused, 'AND unused_since IS NULL');
};

export const forgetPrompts: Operation<'forgetPrompts'> = async (tx, { sha256s, graceMs }) => {
  if (sha256s.length === 0) return { forgotten: 0 };
  const asked = padded(sha256s);
  const gone = await tx.all(
    `DELETE FROM prompt_files WHERE sha256 IN (${marks(asked.length)}) AND unused_since <= ${tx.nowMs} - $${asked.length + 1}
     RETURNING sha256`,
    [...asked, graceMs],
  );
  const names = padded(gone.map(({ sha256 }) => text(sha256)));
  if (gone.length > 0)
    await tx.run(`DELETE FROM prompt_pieces WHERE sha256 IN (${marks(names.length)})`, names);
  return { forgotten: gone.length };
};

const marks = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

/** To one of a few lengths: a statement is prepared for each. The last one again does no harm in a list of IN. */
function padded(list: readonly string[]): string[] {
  const last = list.at(-1) ?? '';
  const length = SIZES.find((size) => size >= list.length) ?? list.length;
  return Array.from({ length }, (_, index) => list[index] ?? last);
}
