// Teams: a name that agents are sorted by. The specification gives them whole numbers as ids.

import { wholeNumber } from '../../kinds/field.ts';
import { plain } from './plain.ts';

export const teams = plain('team', {
  idField: wholeNumber(1, 2_000_000_000),
  makeId: async (request, context) =>
    String(
      await context.storage.takeNumber({ accountId: request.account.id, kind: 'team', name: 'id', from: 1 }),
    ),
  shownId: Number,
  referrers: (id, directory) =>
    [...directory.agents.values()]
      .filter(({ data }) => String(data.team_id) === id)
      .map(({ data }) => ({ kind: 'agent', id: data.eid, name: data.name })),
});
