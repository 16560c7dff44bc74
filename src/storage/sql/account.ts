// The SQL for accounts, their settings, limits and tokens.
import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_SETTINGS,
  type Scope,
  type Settings,
  type Token,
  type TokenUse,
} from '../../domain/account.ts';
import { FIRST_ACCOUNT, limitsOf } from '../../domain/account-limits.ts';
import { keysOf } from '../../kinds/lists.ts';
import type { TokenOutcome } from '../ports/accounts.ts';
import { addAudit } from './audit.ts';
import { integer, integerOrNull, json, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { createRecord } from './record.ts';
import { raise } from './revision.ts';
import { RollBack, type SqlRow, type Tx } from './tx.ts';
import { userOf } from './user.ts';

/** Does nothing when the account exists: of several nodes that start at once, one creates the first account. */
export const createAccount: Operation<'createAccount'> = async (tx, { account, token, records = [] }) => {
  const [another] = await tx.all('SELECT id FROM accounts LIMIT 1');
  const limits = another ? {} : FIRST_ACCOUNT;
  const created = await tx.run(
    `INSERT INTO accounts (id, name, created_at, settings, limits) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [account.id, account.name, account.createdAtMs, JSON.stringify(account.settings), JSON.stringify(limits)],
  );
  if (created === 0) return { created: false };
  await createToken(tx, { token });
  for (const record of records) await createRecord(tx, record);
  return { created: true };
};

export const listAccounts: Operation<'listAccounts'> = async (tx) => {
  const rows = await tx.all(
    'SELECT id, name, created_at, settings, limits FROM accounts ORDER BY created_at, id',
  );
  return rows.map((row) => ({
    id: text(row['id']),
    name: text(row['name']),
    createdAtMs: integer(row['created_at']),
    settings: json<Partial<Settings>>(row['settings']),
    limits: limitsOf(storedLimits(row)),
  }));
};

export const changeSettings: Operation<'changeSettings'> = async (
  tx,
  { accountId, changes, expected, by },
) => {
  // The update that changes nothing locks the row: of two changes at once the second sees the first.
  const [row] = await tx.all('UPDATE accounts SET settings = settings WHERE id = $1 RETURNING settings', [
    accountId,
  ]);
  const before = json<Partial<Settings>>(row?.['settings'] ?? '{}');
  const present: Settings = { ...DEFAULT_SETTINGS, ...before };
  if (expected && keysOf(DEFAULT_SETTINGS).some((name) => !isDeepStrictEqual(present[name], expected[name])))
    return { outcome: 'unexpected', settings: present };
  const settings = { ...before, ...changes };
  await tx.run('UPDATE accounts SET settings = $2 WHERE id = $1', [accountId, JSON.stringify(settings)]);
  const difference = { before: present, after: { ...present, ...changes } };
  if (by)
    await addAudit(tx, { accountId, action: 'update', kind: 'settings', recordId: '', ...difference, by });
  await raise(tx, 'access');
  return { outcome: 'changed', settings: { ...present, ...changes } };
};

export const changeLimits: Operation<'changeLimits'> = async (tx, { accountId, changes, by }) => {
  const [row] = await tx.all('UPDATE accounts SET limits = limits WHERE id = $1 RETURNING limits', [
    accountId,
  ]);
  const changed = Object.entries({ ...(row ? storedLimits(row) : {}), ...changes });
  const limits = Object.fromEntries(changed.filter(([, value]) => value !== null));
  await tx.run('UPDATE accounts SET limits = $2 WHERE id = $1', [accountId, JSON.stringify(limits)]);
  if (by) await addAudit(tx, { accountId, action: 'update', kind: 'limits', recordId: '', by });
  await raise(tx, 'access');
};

/** Accounts that an older version made have none stored. */
function storedLimits(row: SqlRow): { readonly [name: string]: unknown } {
  return json(row['limits'] ?? '{}');
}

export const createToken: Operation<'createToken'> = async (
  tx,
  { token, replaceNamed, most, mostOfUser, madeBy, by },
) => {
  const { accountId, id: recordId, name, parentId, userId } = token;
  // First, since it locks the row: changes of access are serialized, so the parent stays and the count is right.
  await raise(tx, 'access');
  for (const needed of [parentId, madeBy])
    if (typeof needed === 'string' && !(await exists(tx, accountId, needed))) throw notMade('parent_gone');
  if (replaceNamed) {
    const former = await tx.all('SELECT id FROM tokens WHERE account_id = $1 AND name = $2', [
      accountId,
      name,
    ]);
    for (const { id } of former) await deleteWithChildren(tx, accountId, text(id));
  }
  if (userId !== undefined && (await isFull(tx, token, mostOfUser, userId)))
    throw notMade('too_many_of_user');
  if (await isFull(tx, token, most)) throw notMade('too_many');
  await insertToken(tx, token);
  const kind = token.use === 'link' ? 'link' : 'token';
  if (by) await addAudit(tx, { accountId, action: 'create', kind, recordId, by });
  return { outcome: 'created' };
};

const notMade = (outcome: TokenOutcome): RollBack<{ outcome: TokenOutcome }> => new RollBack({ outcome });

/** After expired ones gave way. */
async function isFull(
  tx: Tx,
  { accountId, createdAtMs }: Token,
  most: number | undefined,
  userId: string | null = null,
): Promise<boolean> {
  if (most === undefined || (await countTokens(tx, accountId, userId)) < most) return false;
  // A child expires with its parent or before.
  await tx.run(
    "DELETE FROM tokens WHERE account_id = $1 AND COALESCE(purpose, 'api') = 'api' AND expires_at < $2",
    [accountId, createdAtMs],
  );
  return (await countTokens(tx, accountId, userId)) >= most;
}

async function exists(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const found = await tx.all('SELECT id FROM tokens WHERE account_id = $1 AND id = $2', [accountId, id]);
  return found.length > 0;
}

/** Counts the tokens of one user, or of all users (null). */
async function countTokens(tx: Tx, accountId: string, userId: string | null): Promise<number> {
  const [row] = await tx.all(
    `SELECT COUNT(*) AS count FROM tokens WHERE account_id = $1 AND COALESCE(purpose, 'api') = 'api'
     ${userId === null ? '' : 'AND user_id = $2'}`,
    userId === null ? [accountId] : [accountId, userId],
  );
  return integer(row?.['count'] ?? 0);
}

/** UNION, not UNION ALL: it ends even if the parents went in a circle. */
async function deleteWithChildren(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.run(
    `WITH RECURSIVE ending (id) AS (
       SELECT id FROM tokens WHERE account_id = $1 AND id = $2
       UNION SELECT tokens.id FROM tokens JOIN ending ON tokens.parent_id = ending.id WHERE tokens.account_id = $1)
     DELETE FROM tokens WHERE account_id = $1 AND id IN (SELECT id FROM ending)`,
    [accountId, id],
  );
}

async function insertToken(tx: Tx, token: Token): Promise<void> {
  await tx.run(
    `INSERT INTO tokens (account_id, id, name, hash, created_at, expires_at, last_used_at, purpose, parent_id, scopes,
       user_id, browser)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
    [
      token.accountId,
      token.id,
      token.name,
      token.hash,
      token.createdAtMs,
      token.expiresAtMs,
      token.lastUsedAtMs,
      token.use,
      token.parentId,
      token.scopes.join(' '),
      token.userId ?? null,
      token.browser ?? null,
    ],
  );
}

/** Using up a link and creating the session are one transaction: of two uses of a link one finds it. */
export const createSession: Operation<'createSession'> = async (
  tx,
  { session, linkId, endIds = [], most, mostOfUser, provenUser, by },
) => {
  const { accountId, createdAtMs, userId } = session;
  // First, since it locks the row: changes of access are serialized, so the user stays as found and the count below is right.
  await raise(tx, 'access');
  if (provenUser) {
    const user = await userOf(tx, accountId, userId ?? '');
    const isSame = user?.role === provenUser.role && user.credentials.password === provenUser.password;
    if (!isSame || user.disabled) return { created: false };
  }
  if (linkId !== undefined) {
    const spent = await tx.run(
      "DELETE FROM tokens WHERE account_id = $1 AND id = $2 AND purpose = 'link' AND expires_at > $3",
      [accountId, linkId, createdAtMs],
    );
    if (spent === 0) return { created: false };
  }
  for (const id of endIds) await tx.run("DELETE FROM tokens WHERE id = $1 AND purpose = 'session'", [id]);
  await insertToken(tx, session);
  // Ids sort by the time they were made.
  if (userId !== undefined && mostOfUser !== undefined)
    await tx.run(
      `DELETE FROM tokens WHERE account_id = $1 AND user_id = $2 AND purpose = 'session' AND id NOT IN
         (SELECT id FROM tokens WHERE account_id = $1 AND user_id = $2 AND purpose = 'session'
          ORDER BY id DESC LIMIT $3)`,
      [accountId, userId, mostOfUser],
    );
  await tx.run(
    `DELETE FROM tokens WHERE account_id = $1 AND purpose = 'session' AND id NOT IN
       (SELECT id FROM tokens WHERE account_id = $1 AND purpose = 'session' ORDER BY id DESC LIMIT $2)`,
    [accountId, most],
  );
  if (by) await addAudit(tx, { accountId, action: 'create', kind: 'session', recordId: session.id, by });
  return { created: true };
};

/** Raises no revision: what has expired is refused already. */
export const forgetSessions: Operation<'forgetSessions'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM tokens WHERE (account_id, id) IN
       (SELECT account_id, id FROM tokens WHERE purpose IN ('session', 'link') AND expires_at < $1 LIMIT $2)`,
    [beforeMs, limit],
  );
  return { forgotten };
};

export const listTokens: Operation<'listTokens'> = async (tx) => {
  const rows = await tx.all(
    `SELECT account_id, id, name, hash, created_at, expires_at, last_used_at, purpose, parent_id, scopes,
       user_id, browser
     FROM tokens ORDER BY account_id, id`,
  );
  return rows.map((row) => ({
    id: text(row['id']),
    accountId: text(row['account_id']),
    name: text(row['name']),
    // Tokens created before sessions existed have no purpose stored.
    use: word<TokenUse>(row['purpose'] ?? 'api'),
    parentId: textOrNull(row['parent_id']),
    // Tokens created before scopes existed may do everything.
    scopes: text(row['scopes'] ?? 'admin')
      .split(' ')
      .map(word<Scope>),
    hash: text(row['hash']),
    createdAtMs: integer(row['created_at']),
    expiresAtMs: integerOrNull(row['expires_at']),
    lastUsedAtMs: integerOrNull(row['last_used_at']),
    ...(row['user_id'] === null ? {} : { userId: text(row['user_id']) }),
    ...(row['browser'] === null ? {} : { browser: text(row['browser']) }),
  }));
};

export const revokeToken: Operation<'revokeToken'> = async (tx, { accountId, id, by }) => {
  const [revoked] = await tx.all('SELECT purpose FROM tokens WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
  ]);
  if (!revoked) return { revoked: false };
  // Before the deletion: a child that is being made is there by then, or finds no parent.
  await raise(tx, 'access');
  await deleteWithChildren(tx, accountId, id);
  const kind = revoked['purpose'] === 'session' ? 'session' : 'token';
  if (by) await addAudit(tx, { accountId, action: 'delete', kind, recordId: id, by });
  return { revoked: true };
};

/** Raises no revision: the time of last use changes no decision. */
export const touchTokens: Operation<'touchTokens'> = async (tx, { ids, atMs }) => {
  for (const id of [...ids].sort())
    await tx.run('UPDATE tokens SET last_used_at = $2 WHERE id = $1', [id, atMs]);
};
