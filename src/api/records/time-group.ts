// Time groups: opening hours, and whether it is open now.

import { nextTurn, openNow } from '../../domain/open-now.ts';
import { readRow } from '../../domain/row.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import type { TimeGroup } from '../../kinds/time-group.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { recordResponse } from '../http/version.ts';
import { TIME_GROUP_QUERY } from '../schemas/time-group.ts';
import { addressOf, describeRecord, unknownRecord } from './collection.ts';
import { plain } from './plain.ts';

export const timeGroups = plain('timegroup', {
  now: openNow,
  describe: async (record, { nowMs }) => withNextChange(record, nowMs),
  referrers: (id, directory) =>
    [...directory.agents.values()]
      .filter(({ data }) => data.timegroup_id === id)
      .map(({ data }) => ({ kind: 'agent', id: data.eid, name: data.name })),
});

/** As it is now, or at the moment that `at` names. The next change is looked for here alone: it may be a year away. */
export const getTimeGroup: Handler = async (request, context) => {
  const query = readQuery(TIME_GROUP_QUERY, request);
  if (isProblem(query)) return query;
  const row = await context.storage.getRecord(addressOf('timegroup', request));
  if (!row) return unknownRecord('timegroup');
  const record = readRow('timegroup', row);
  const atMs = query.at ?? request.nowMs;
  return recordResponse(request, record.version, withNextChange(record, atMs));
};

function withNextChange(record: StoredRecord<TimeGroup>, atMs: number): object {
  return { ...describeRecord(timeGroups, record, atMs, null), next_change: nextTurn(record.data, atMs) };
}
