// Time groups: opening hours, and whether it is open now.

import { nextTurn, openNow } from '../../domain/open-now.ts';
import { readRow } from '../../domain/row.ts';
import { readKind } from '../../kinds/fields.ts';
import { hoursNode } from '../../kinds/nodes.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import type { TimeGroup } from '../../kinds/time-group.ts';
import { lintAround } from '../calls/lint.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { recordResponse } from '../http/version.ts';
import { TIME_GROUP_QUERY } from '../schemas/time-group.ts';
import { addressOf, type Collection, describeRecord, unknownRecord } from './collection.ts';

export const timeGroups: Collection<'timegroup'> = {
  kind: 'timegroup',
  read: (body) => readKind('timegroup', body),
  warnings: (group, request, context, id) => lintAround(hoursNode(id, group), request, context),
  now: openNow,
  describe: async (record, { nowMs }) => withNextChange(record, nowMs),
  matches: ({ name, timezone }, needle) =>
    name.toLowerCase().includes(needle) || timezone.toLowerCase().includes(needle),
  referrers: (id, directory) =>
    [...directory.agents.values()]
      .filter(({ data }) => data.timegroup_id === id)
      .map(({ data }) => ({ kind: 'agent', id: data.eid, name: data.name })),
};

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
