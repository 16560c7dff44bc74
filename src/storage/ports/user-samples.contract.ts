// Users and links for contracts.
import { NO_CREDENTIALS, type User, type UserLink } from '../../domain/user.ts';

export const user = (id: string, accountId: string, more: Partial<User> = {}): User => ({
  id,
  accountId,
  name: `User ${id}`,
  email: `${id}@example.com`,
  role: 'viewer',
  agent: null,
  disabled: false,
  credentials: NO_CREDENTIALS,
  createdAtMs: 5,
  updatedAtMs: 5,
  lastSignInAtMs: null,
  ...more,
});

export const link = (
  id: string,
  accountId: string,
  userId: string,
  more: Partial<UserLink> = {},
): UserLink => ({
  id,
  accountId,
  userId,
  use: 'reset',
  hash: `hash of link ${accountId} ${id}`,
  createdAtMs: 5,
  expiresAtMs: 100,
  ...more,
});
