// The SQL for users and their links. Every change raises the revision of access: it holds from the next request on, on every node.
import {
  credentialsByLink,
  NO_CREDENTIALS,
  type User,
  type UserCredentials,
  type UserLink,
} from '../../domain/user.ts';
import type { UserChange, UserOutcome } from '../ports/users.ts';
import { addAudit } from './audit.ts';
import { flag, integer, integerOrNull, json, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { raise } from './revision.ts';
import { RollBack, type SqlRow, type Tx } from './tx.ts';

const COLUMNS =
  'account_id, id, email, name, role, agent, disabled, credentials, created_at, updated_at, last_sign_in_at';

export const listUsers: Operation<'listUsers'> = async (tx) =>
  (await tx.all(`SELECT ${COLUMNS} FROM users ORDER BY account_id, id`)).map(toUser);

function toUser(row: SqlRow): User {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    email: text(row['email']),
    name: text(row['name']),
    role: word<User['role']>(row['role']),
    agent: textOrNull(row['agent']),
    disabled: flag(row['disabled']),
    credentials: {
      ...NO_CREDENTIALS,
      ...json<Partial<UserCredentials>>(row['credentials']),
    },
    createdAtMs: integer(row['created_at']),
    updatedAtMs: integer(row['updated_at']),
    lastSignInAtMs: integerOrNull(row['last_sign_in_at']),
  };
}

export async function userOf(tx: Tx, accountId: string, id: string): Promise<User | null> {
  const [row] = await tx.all(`SELECT ${COLUMNS} FROM users WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  return row ? toUser(row) : null;
}

const hasRole = ({ role }: User, expected: User['role'] | undefined): boolean =>
  expected === undefined || role === expected;

const failed = (outcome: UserOutcome): RollBack<{ outcome: UserOutcome }> => new RollBack({ outcome });

export const createUser: Operation<'createUser'> = async (tx, { user, most, first, by }) => {
  // First, since it locks the row: of two at once the second sees the first.
  await raise(tx, 'access');
  const [row] = await tx.all('SELECT count(*) AS many FROM users WHERE account_id = $1', [user.accountId]);
  const many = integer(row?.['many'] ?? 0);
  if (first && many > 0) throw failed('has_users');
  if (many >= most) throw failed('too_many');
  const created = await tx.run(
    `INSERT INTO users (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    [
      user.accountId,
      user.id,
      user.email,
      user.name,
      user.role,
      user.agent,
      user.disabled ? 1 : 0,
      JSON.stringify(user.credentials),
      user.createdAtMs,
      user.updatedAtMs,
      user.lastSignInAtMs,
    ],
  );
  if (created === 0) throw failed('email_taken');
  const entry = { accountId: user.accountId, kind: 'user', recordId: user.id, recordName: user.name };
  if (by) await addAudit(tx, { ...entry, action: 'create', after: shownInAudit(user), by });
  return { outcome: 'done' };
};

/** What the audit has of a user: nothing of the credentials. */
function shownInAudit({ name, email, role, agent, disabled }: User): Required<UserChange> {
  return { name, email, role, agent, disabled };
}

async function otherOwners(tx: Tx, { accountId, id }: Pick<User, 'accountId' | 'id'>): Promise<number> {
  const [row] = await tx.all(
    "SELECT count(*) AS many FROM users WHERE account_id = $1 AND id <> $2 AND role = 'owner' AND disabled = 0",
    [accountId, id],
  );
  return integer(row?.['many'] ?? 0);
}

export const changeUser: Operation<'changeUser'> = async (
  tx,
  { accountId, id, changes, atMs, expectedRole, by },
) => {
  await raise(tx, 'access');
  const before = await userOf(tx, accountId, id);
  if (!before) return { outcome: 'unknown' };
  if (!hasRole(before, expectedRole)) return { outcome: 'changed' };
  const after: User = { ...before, ...changes };
  const stays = after.role === 'owner' && !after.disabled;
  if (before.role === 'owner' && !stays && (await otherOwners(tx, before)) === 0)
    return { outcome: 'last_owner' };
  if (after.email !== before.email) {
    const taken = await tx.all('SELECT id FROM users WHERE account_id = $1 AND email = $2', [
      accountId,
      after.email,
    ]);
    if (taken.length > 0) return { outcome: 'email_taken' };
    const credentials = { ...before.credentials, mailbox: null, addressedAtMs: atMs };
    await tx.run('UPDATE users SET credentials = $3 WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
      JSON.stringify(credentials),
    ]);
  }
  await tx.run(
    `UPDATE users SET name = $3, email = $4, role = $5, agent = $6, disabled = $7, updated_at = $8
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, after.name, after.email, after.role, after.agent, after.disabled ? 1 : 0, atMs],
  );
  // A role that was taken away leaves no browser that still shows what it may not do, and no token with its scopes.
  if (after.role !== before.role || after.disabled) await endAccess(tx, accountId, id, null);
  // A link on its way to the former address must not set the password, nor one that was made by who may not manage the new role.
  if (after.email !== before.email || after.role !== before.role || after.disabled)
    await dropLinks(tx, accountId, id);
  const entry = { accountId, kind: 'user', recordId: id, recordName: after.name };
  const difference = { before: shownInAudit(before), after: shownInAudit(after) };
  if (by) await addAudit(tx, { ...entry, action: 'update', ...difference, by });
  return { outcome: 'done' };
};

export const deleteUser: Operation<'deleteUser'> = async (tx, { accountId, id, expectedRole, by }) => {
  await raise(tx, 'access');
  const user = await userOf(tx, accountId, id);
  if (!user) return { outcome: 'unknown' };
  if (!hasRole(user, expectedRole)) return { outcome: 'changed' };
  if (user.role === 'owner' && (await otherOwners(tx, user)) === 0) return { outcome: 'last_owner' };
  await endAccess(tx, accountId, id, null);
  await dropLinks(tx, accountId, id);
  await tx.run('DELETE FROM users WHERE account_id = $1 AND id = $2', [accountId, id]);
  const entry = { accountId, kind: 'user', recordId: id, recordName: user.name };
  if (by) await addAudit(tx, { ...entry, action: 'delete', before: shownInAudit(user), by });
  return { outcome: 'done' };
};

/** Sessions and tokens of a user, but for one session. */
async function endAccess(tx: Tx, accountId: string, userId: string, but: string | null): Promise<void> {
  await tx.run('DELETE FROM tokens WHERE account_id = $1 AND user_id = $2 AND id <> $3', [
    accountId,
    userId,
    but ?? '',
  ]);
}

async function dropLinks(tx: Tx, accountId: string, userId: string): Promise<void> {
  await tx.run('DELETE FROM user_links WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
}

export const changeCredentials: Operation<'changeCredentials'> = async (
  tx,
  { accountId, id, expected, credentials, atMs, endAllBut, action, expectedRole, by },
) => {
  await raise(tx, 'access');
  const user = await userOf(tx, accountId, id);
  if (!user || !hasRole(user, expectedRole)) return { changed: false };
  if (JSON.stringify(user.credentials) !== JSON.stringify({ ...NO_CREDENTIALS, ...expected }))
    return { changed: false };
  await tx.run('UPDATE users SET credentials = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    JSON.stringify(credentials),
    atMs,
  ]);
  if (endAllBut !== undefined) await endAccess(tx, accountId, id, endAllBut);
  if (by && action !== undefined)
    await addAudit(tx, { accountId, action, kind: 'user', recordId: id, recordName: user.name, by });
  return { changed: true };
};

/** Raises no revision: the time of the last sign-in changes no decision. */
export const touchUser: Operation<'touchUser'> = async (tx, { accountId, id, atMs }) => {
  await tx.run('UPDATE users SET last_sign_in_at = $3 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    atMs,
  ]);
};

export const createUserLink: Operation<'createUserLink'> = async (tx, { link, expectedRole, by }) => {
  const { accountId, userId } = link;
  // First, since it locks the row: another role waits, and drops this link.
  if (expectedRole !== undefined) await raise(tx, 'access');
  const user = await userOf(tx, accountId, userId);
  if (expectedRole !== undefined && !user) return { outcome: 'unknown' };
  if (user && !hasRole(user, expectedRole)) return { outcome: 'changed' };
  await dropLinks(tx, accountId, userId);
  await tx.run(
    `INSERT INTO user_links (account_id, id, user_id, purpose, hash, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, link.id, userId, link.use, link.hash, link.createdAtMs, link.expiresAtMs],
  );
  const action = link.use === 'invite' ? 'invite' : 'reset_link';
  const recordName = user?.name ?? null;
  if (by) await addAudit(tx, { accountId, action, kind: 'user', recordId: userId, recordName, by });
  return { outcome: 'done' };
};

export const findUserLink: Operation<'findUserLink'> = async (tx, { hash }) => {
  const [row] = await tx.all(
    'SELECT account_id, id, user_id, purpose, hash, created_at, expires_at FROM user_links WHERE hash = $1',
    [hash],
  );
  if (!row) return null;
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    userId: text(row['user_id']),
    use: word<UserLink['use']>(row['purpose']),
    hash: text(row['hash']),
    createdAtMs: integer(row['created_at']),
    expiresAtMs: integer(row['expires_at']),
  };
};

export const spendUserLink: Operation<'spendUserLink'> = async (tx, { link, password, atMs, by }) => {
  const { accountId, userId, id } = link;
  await raise(tx, 'access');
  const spent = await tx.run('DELETE FROM user_links WHERE account_id = $1 AND id = $2 AND expires_at > $3', [
    accountId,
    id,
    atMs,
  ]);
  const user = spent > 0 ? await userOf(tx, accountId, userId) : null;
  if (!user || user.disabled) return { used: false };
  await tx.run('UPDATE users SET credentials = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    userId,
    JSON.stringify(credentialsByLink(user, link, password)),
    atMs,
  ]);
  await dropLinks(tx, accountId, userId);
  await endAccess(tx, accountId, userId, null);
  const action = link.use === 'invite' ? 'accept' : 'reset_password';
  if (by)
    await addAudit(tx, { accountId, action, kind: 'user', recordId: userId, recordName: user.name, by });
  return { used: true };
};

export const forgetUserLinks: Operation<'forgetUserLinks'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM user_links WHERE (account_id, id) IN
       (SELECT account_id, id FROM user_links WHERE expires_at < $1 LIMIT $2)`,
    [beforeMs, limit],
  );
  return { forgotten };
};
