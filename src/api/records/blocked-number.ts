// The block list: callers who are refused before anything is answered.

import { BLOCKED_NUMBER_QUERY } from '../schemas/blocked-number.ts';
import { plain } from './plain.ts';

export const blockedNumbers = plain('blocked_number', {
  filters: BLOCKED_NUMBER_QUERY,
  fits: ({ dialled }, query, numbering) =>
    query['dialled'] === null ||
    (dialled !== null && numbering.key(dialled) === numbering.key(String(query['dialled']))),
});
