// The block list: callers who are refused before anything is answered.
import { readKind } from '../../kinds/fields.ts';
import { BLOCKED_NUMBER_QUERY } from '../schemas/blocked-number.ts';
import type { Collection } from './collection.ts';

export const blockedNumbers: Collection<'blocked_number'> = {
  kind: 'blocked_number',
  read: (body) => readKind('blocked_number', body),
  warnings: async () => [],
  matches: ({ number, reason }, needle, part) =>
    (number ?? '').includes(needle) || (number ?? '').includes(part) || reason.toLowerCase().includes(needle),
  filters: BLOCKED_NUMBER_QUERY,
  fits: ({ dialled }, query, numbering) =>
    query['dialled'] === null ||
    (dialled !== null && numbering.key(dialled) === numbering.key(String(query['dialled']))),
};
