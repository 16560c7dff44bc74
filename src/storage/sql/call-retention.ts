// The SQL for deleting old calls. A batch is the oldest calls, so its index words are exactly those up to its last call.
import { UNANSWERED, wordOf } from '../../domain/past-call.ts';
import type { CallRow, FoundCall } from '../ports/calls.ts';
import { clean, indexOf, readBack, SUMMARY } from './call-row.ts';
import type { Operation } from './operation.ts';

const MANY = 64;

export const forgetCalls: Operation<'forgetCalls'> = async (tx, { accountId, beforeMs, limit }) => {
  const rows = await tx.all(
    `SELECT ${SUMMARY}, json FROM calls WHERE account_id = $1 AND started_at < $2 ORDER BY started_at, id LIMIT $3`,
    [accountId, beforeMs, limit],
  );
  const calls = rows.map(readBack);
  const last = calls.at(-1);
  if (!last) return { forgotten: 0 };
  const words = [...new Set(calls.flatMap((call) => wordsUnder(call).map(clean)))];
  const marks = Array.from({ length: MANY }, (_, index) => `$${index + 4}`).join(', ');
  for (let from = 0; from < words.length; from += MANY) {
    const these = Array.from({ length: MANY }, (_, index) => words[from + index] ?? words[from] ?? '');
    await tx.run(
      `DELETE FROM call_words WHERE account_id = $1 AND word IN (${marks}) AND (started_at, id) <= ($2, $3)`,
      [accountId, last.startedAtMs, last.id, ...these],
    );
  }
  const forgotten = await tx.run('DELETE FROM calls WHERE account_id = $1 AND (started_at, id) <= ($2, $3)', [
    accountId,
    last.startedAtMs,
    last.id,
  ]);
  return { forgotten };
};

/** Its outcome is the stored one: the rules of when it was written may have been others. */
export function wordsUnder(call: CallRow & FoundCall): string[] {
  const outcomes = [call.outcome ?? '', UNANSWERED].map((outcome) => wordOf('outcome', outcome));
  return [...indexOf(call).words, ...outcomes];
}
