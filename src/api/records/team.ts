// Teams: a name that agents are sorted by. The specification gives them whole numbers as ids.

import { readRecord, wholeNumber } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import type { Collection } from './collection.ts';

export const teams: Collection<'team'> = {
  kind: 'team',
  read: (body) => readRecord(FIELDS.team, body),
  idField: wholeNumber(1, 2_000_000_000),
  makeId: async (request, context) =>
    String(
      await context.storage.takeNumber({ accountId: request.account.id, kind: 'team', name: 'id', from: 1 }),
    ),
  warnings: async () => [],
  shownId: Number,
  matches: ({ name }, needle) => name.toLowerCase().includes(needle),
  referrers: (id, directory) =>
    [...directory.agents.values()]
      .filter(({ data }) => String(data.team_id) === id)
      .map(({ data }) => ({ kind: 'agent', id: data.eid, name: data.name })),
};
