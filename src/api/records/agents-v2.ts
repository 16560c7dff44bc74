// GET /v2/agents, the successor of the deprecated list: the same record, in pages, with filters and an order.

import { type AnsweredCounts, describeAgent } from '../../domain/agent-view.ts';
import { Numbering } from '../../domain/numbering.ts';
import type { Agent } from '../../kinds/agent.ts';
import { oneOf, optional, pattern, text, wholeNumber } from '../../kinds/field.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import type { Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';

const ORDERS = [
  'id',
  '-id',
  'name',
  '-name',
  'intercom',
  '-intercom',
  'calls_answered',
  '-calls_answered',
] as const;

export const AGENTS_QUERY = {
  ...PAGE_QUERY,
  team_id: optional(wholeNumber(1, 2_000_000_000), null),
  department_id: optional(pattern(/^[A-Za-z0-9._-]{1,64}$/, "a department's id"), null),
  timegroup_id: optional(pattern(/^[A-Za-z0-9._-]{1,64}$/, "a time group's id"), null),
  custom_status: optional(oneOf([0, 1], '1 is blocked'), null),
  q: optional(
    text({ min: 1, max: 100, description: 'part of the name, eid, intercom or follow-me number' }),
    null,
  ),
  sort: optional(oneOf(ORDERS, 'a minus reverses the order'), 'id'),
} as const;

type Position = readonly [value: string | number, id: string];

export const listAgentsV2: Handler = async (request) => {
  const query = readQuery(AGENTS_QUERY, request);
  if (isProblem(query)) return query;
  const cursor = decodeCursor(query.cursor);
  if (isProblem(cursor)) return cursor;
  const [directory, answered, menus] = await Promise.all([
    request.directory(),
    request.answered(),
    request.menuNames(),
  ]);
  const needle = query.q?.trim().toLowerCase() ?? null;
  const part = needle === null ? '' : new Numbering(request.account.settings).part(needle);
  const members =
    query.department_id === null
      ? null
      : new Set(directory.departments.get(query.department_id)?.data.agents);
  const found = [...directory.agents.values()].filter(
    ({ data }) =>
      (query.team_id === null || data.team_id === query.team_id) &&
      (query.timegroup_id === null || data.timegroup_id === query.timegroup_id) &&
      (query.custom_status === null || data.custom_status === query.custom_status) &&
      (members === null || members.has(data.eid)) &&
      (needle === null || matches(data, needle, part)),
  );

  const direction = query.sort.startsWith('-') ? -1 : 1;
  const position = (record: StoredRecord<Agent>): Position => [
    sortValue(record, query.sort.replace('-', ''), answered),
    record.id,
  ];
  const ordered = found
    .map((record) => ({ record, position: position(record) }))
    .sort((a, b) => direction * compare(a.position, b.position));
  const [value, id] = cursor;
  const after =
    value === undefined || typeof id !== 'string'
      ? ordered
      : ordered.filter((item) => direction * compare(item.position, [value, id]) > 0);
  return pageResponse(request, '/v2/agents', {
    rows: after,
    limit: query.limit,
    describe: (item) => describeAgent(item.record, directory, answered, menus),
    position: (item) => item.position,
  });
};

function matches(
  { name, eid, intercom, follow_me_number: follow }: Agent,
  needle: string,
  part: string,
): boolean {
  return (
    name.toLowerCase().includes(needle) ||
    eid.toLowerCase().includes(needle) ||
    intercom.includes(needle) ||
    follow.includes(needle) ||
    follow.includes(part)
  );
}

function sortValue({ id, data }: StoredRecord<Agent>, by: string, answered: AnsweredCounts): string | number {
  if (by === 'name') return data.name;
  if (by === 'intercom') return Number(data.intercom);
  return by === 'calls_answered' ? (answered.get(data.eid) ?? 0) : id;
}

/** By value, then by id, so that the order is whole and a page never repeats or skips an agent. */
function compare([value, id]: Position, [otherValue, otherId]: Position): number {
  if (value !== otherValue) return value < otherValue ? -1 : 1;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}
