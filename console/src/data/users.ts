// The users of the account, all pages of them.
import type { User } from '../../../client/operations.ts';
import { client } from './client.ts';

export async function readUsers(signal: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: User[]; next_cursor: string | null } = await client.listUsers({
      query: { limit: 500, ...(cursor === null ? {} : { cursor }) },
      signal,
    });
    users.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return users;
}
