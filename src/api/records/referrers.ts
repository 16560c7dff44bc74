// Before something is deleted: who points to it? Refused with the list, unless `force=true`.
import { isProblem, type Problem, problem } from '../../domain/problem.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { oneOf, optional } from '../schemas/field.ts';

const MAX_SHOWN = 100;

export const FORCE_QUERY = {
  force: optional(oneOf(['true', 'false'], 'delete even if others point to it'), 'false'),
} as const;

export interface ShownReferrer {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** Null when the record may go. `member` is the only one that counts, where it is given. `more` are referrers that do not write `kind||id`, such as a department's list of eids. */
export async function refuseIfReferenced(
  request: ApiRequest,
  context: ApiContext,
  what: string,
  reference: string | null,
  more: readonly ShownReferrer[] = [],
  member?: string,
): Promise<Problem | null> {
  const query = readQuery(FORCE_QUERY, request);
  if (isProblem(query)) return query;
  if (query.force === 'true') return null;
  const rows =
    reference === null
      ? []
      : await context.storage.findReferrers({ accountId: request.account.id, reference, limit: MAX_SHOWN });
  const found = rows.flatMap(({ kind, id, json }): ShownReferrer[] => {
    const data = JSON.parse(json) as Record<string, unknown>;
    if (!pointsTo(data, reference ?? '', member)) return [];
    return [{ kind, id: String(data['eid'] ?? id), name: String(data['name'] ?? data['number'] ?? id) }];
  });
  const all = [
    ...found,
    ...more.filter((one) => !found.some(({ kind, id }) => kind === one.kind && id === one.id)),
  ];
  if (all.length === 0) return null;
  const names = all.slice(0, 3).map(({ kind, name }) => `${kind} "${name}"`);
  const rest = all.length > 3 ? ` and ${all.length - 3} more` : '';
  return problem(
    'still_referenced',
    `${what} is still used by ${names.join(', ')}${rest}. Add ?force=true to do it all the same.`,
    {
      details: { ReferencedBy: all },
    },
  );
}

/** These may hold any text, also one that looks like a reference. */
const FREE_TEXT: ReadonlySet<string> = new Set(['name', 'description', 'reason', 'tests']);

function pointsTo(
  data: Readonly<Record<string, unknown>>,
  reference: string,
  only: string | undefined,
): boolean {
  return Object.entries(data).some(
    ([member, value]) =>
      (only === undefined ? !FREE_TEXT.has(member) : member === only) &&
      (value === reference || (Array.isArray(value) && value.includes(reference))),
  );
}
