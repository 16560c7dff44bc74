// The account's draft, all pages of it.
import type { Draft } from '../../../client/operations.ts';
import { client } from './client.ts';

export type DraftedChange = Draft['data'][number];

export async function readDraft(signal: AbortSignal): Promise<DraftedChange[]> {
  const changes: DraftedChange[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Draft = await client.getDraft({ query: cursor === '' ? {} : { cursor }, signal });
    changes.push(...page.data);
    cursor = page.next_cursor;
  }
  return changes;
}
