// The block list: callers who are refused before anything is answered.
import { numberKey } from '../../domain/number.ts';
import { BLOCKED_NUMBER_QUERY, readBlockedNumber } from '../schemas/blocked-number.ts';
import type { Collection } from './collection.ts';

export const blockedNumbers: Collection<'blocked_number'> = {
  kind: 'blocked_number',
  path: '/v1/blocked_number',
  listPath: '/v1/blocked_numbers',
  read: readBlockedNumber,
  warnings: async () => [],
  matches: ({ number, reason }, needle) =>
    (number ?? '').includes(needle) || reason.toLowerCase().includes(needle),
  filters: BLOCKED_NUMBER_QUERY,
  fits: ({ dialled }, query) =>
    query['dialled'] === null ||
    (dialled !== null && numberKey(dialled) === numberKey(String(query['dialled']))),
};
