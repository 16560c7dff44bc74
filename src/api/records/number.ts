// Dialled numbers: what callers dial, and where it leads.

import { STAR_CODES } from '../../calls/routing/star-codes.ts';
import { hiddenStarCodes } from '../../flow/lint/star-codes.ts';
import { readRecord } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { isDialable } from '../../kinds/number-text.ts';
import { existsInDraft } from '../account/in-draft.ts';
import { NUMBERS_QUERY } from '../schemas/number.ts';
import type { Collection } from './collection.ts';
import type { Warning } from './warnings.ts';

export const numbers: Collection<'number'> = {
  kind: 'number',
  /** By its id, or by the number itself; an id that is another one's number means the record with the id. */
  async resolve({ account, params: { id = '' } }, { storage }) {
    if (!isDialable(id)) return id;
    const key = { name: 'number', value: id };
    return (await storage.findRecordId({ accountId: account.id, kind: 'number', id, key })) ?? id;
  },
  read: (body) => readRecord(FIELDS.number, body),
  warnings: async ({ number, destination }, request, context) => {
    const hidden = [...hiddenStarCodes([{ number }], STAR_CODES)].map(
      ({ pointer, code, message }): Warning => ({ pointer, code, message }),
    );
    if (await existsInDraft(destination, request, context)) return hidden;
    const message = `${destination} does not exist: callers get 404, or what the setting failed_calls says.`;
    return [{ pointer: '/destination', code: 'destination-missing', message }, ...hidden];
  },
  matches: ({ number, description }, needle, part) =>
    number.includes(needle) || number.includes(part) || description.toLowerCase().includes(needle),
  filters: NUMBERS_QUERY,
  fits: ({ destination }, query) => query['destination'] === null || destination === query['destination'],
};
