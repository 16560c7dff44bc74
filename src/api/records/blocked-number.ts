// The block list: callers who are refused before anything is answered.
import { blockKey } from '../../domain/blocked-number.ts';
import { newId } from '../../domain/id.ts';
import { numberKey } from '../../domain/number.ts';
import { BLOCKED_NUMBER_QUERY, readBlockedNumber } from '../schemas/blocked-number.ts';
import { type Collection, creating, deleting, listing, reading, replacing } from './collection.ts';

const blocked: Collection<'blocked_number'> = {
  kind: 'blocked_number',
  path: '/v1/blocked_number',
  listPath: '/v1/blocked_numbers',
  read: readBlockedNumber,
  makeId: (request) => newId(request.nowMs),
  warnings: async () => [],
  answersId: true,
  keys: (_id, entry) => [{ name: 'number', value: blockKey(entry) }],
  matches: ({ number, reason }, needle) =>
    (number ?? '').includes(needle) || reason.toLowerCase().includes(needle),
  filters: BLOCKED_NUMBER_QUERY,
  fits: ({ dialled }, query) =>
    query['dialled'] === null ||
    (dialled !== null && numberKey(dialled) === numberKey(String(query['dialled']))),
};

export const createBlockedNumber = creating(blocked);
export const getBlockedNumber = reading(blocked);
export const listBlockedNumbers = listing(blocked);
export const putBlockedNumber = replacing(blocked);
export const deleteBlockedNumber = deleting(blocked);
