// Idempotency-Keys: the answer to a request is stored in the same transaction as its changes. After a crash either both
// exist and a repetition gets the first answer, or neither does and the repetition does the work.
import type { Claimed, IdempotencyClaim } from '../ports/claims.ts';
import { text } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  route: 'text',
  key: 'text',
  body_hash: 'text',
  answer: 'text',
  created_at: 'bigint',
} as const;

const hasClaim = <Input extends Claimed>(
  input: Input,
): input is Input & { readonly idempotency: IdempotencyClaim } => input.idempotency !== undefined;

/** Claims the keys of the inputs that have one; returns the former answers of keys that were claimed already. */
export async function claimAnswers<Input extends Claimed>(
  tx: Tx,
  inputs: readonly Input[],
): Promise<Map<Input, IdempotencyClaim>> {
  const earlier = new Map<Input, IdempotencyClaim>();
  const claiming = inputs.filter(hasClaim);
  if (claiming.length === 0) return earlier;
  const rows = claiming.map(({ accountId, idempotency, atMs }) => {
    const { route, key, bodyHash, answer } = idempotency;
    return [accountId, route, key, bodyHash, answer, atMs];
  });
  const made = await tx.insert(
    'idempotency',
    COLUMNS,
    rows,
    'ON CONFLICT DO NOTHING RETURNING account_id, route, key',
  );
  if (made.length === rows.length) return earlier;
  const keyOf = (accountId: unknown, route: unknown, key: unknown): string =>
    JSON.stringify([accountId, route, key]);
  const fresh = new Set(made.map((row) => keyOf(row['account_id'], row['route'], row['key'])));
  for (const input of claiming) {
    const { route, key } = input.idempotency;
    if (fresh.delete(keyOf(input.accountId, route, key))) continue;
    const claim = await findClaim(tx, { accountId: input.accountId, route, key });
    if (claim) earlier.set(input, claim);
  }
  return earlier;
}

/** For work outside the database, such as starting a call: the claim alone is stored. */
export const claim: Operation<'claim'> = async (tx, input) => {
  const earlier = (await claimAnswers(tx, [input])).get(input);
  return earlier
    ? { outcome: 'claimed_before', bodyHash: earlier.bodyHash, answer: earlier.answer }
    : { outcome: 'created' };
};

/** The claimed work failed: the key is free again. */
export const dropClaim: Operation<'dropClaim'> = async (tx, { accountId, route, key }) => {
  await tx.run('DELETE FROM idempotency WHERE account_id = $1 AND route = $2 AND key = $3', [
    accountId,
    route,
    key,
  ]);
};

export const findClaim: Operation<'findClaim'> = async (tx, { accountId, route, key }) => {
  const [row] = await tx.all(
    'SELECT body_hash, answer FROM idempotency WHERE account_id = $1 AND route = $2 AND key = $3',
    [accountId, route, key],
  );
  return row ? toClaim(row, route, key) : null;
};

function toClaim(row: SqlRow, route: string, key: string): IdempotencyClaim {
  return { route, key, bodyHash: text(row['body_hash']), answer: text(row['answer']) };
}

export const forgetClaims: Operation<'forgetClaims'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM idempotency WHERE (account_id, route, key) IN
       (SELECT account_id, route, key FROM idempotency WHERE created_at < $1 LIMIT $2)`,
    [beforeMs, limit],
  );
  return { forgotten };
};
