// Which records point to one that is about to be deleted.

import { oneOf, optional } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';

export const MAX_SHOWN = 100;

export const FORCE_QUERY = {
  force: optional(oneOf(['true', 'false'], 'delete even if others point to it'), 'false'),
} as const;

export interface ShownReferrer {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** `member` is the only one that counts, where it is given. `more` are referrers that do not write `kind||id`, such as a department's list of eids. */
export async function referrersOf(
  { account }: ApiRequest,
  { storage }: ApiContext,
  reference: string | null,
  more: readonly ShownReferrer[],
  member?: string,
): Promise<ShownReferrer[]> {
  const rows =
    reference === null
      ? []
      : await storage.findReferrers({ accountId: account.id, reference, limit: MAX_SHOWN });
  const found = rows.flatMap(({ kind, id, json }): ShownReferrer[] => {
    const data = JSON.parse(json) as Record<string, unknown>;
    if (!pointsTo(data, reference ?? '', member)) return [];
    return [{ kind, id: String(data['eid'] ?? id), name: String(data['name'] ?? data['number'] ?? id) }];
  });
  return [...found, ...more.filter((one) => !found.some((each) => isSame(each, one)))];
}

export const isSame = (one: ShownReferrer, other: ShownReferrer): boolean =>
  one.kind === other.kind && one.id === other.id;

export function readForce(request: ApiRequest): { readonly forced: boolean } | Problem {
  const query = readQuery(FORCE_QUERY, request);
  return isProblem(query) ? query : { forced: query.force === 'true' };
}

export function stillReferenced(what: string, referrers: readonly ShownReferrer[]): Problem {
  return problem(
    'still_referenced',
    `${what} is still used by ${inShort(referrers)}. Add ?force=true to do it all the same.`,
    { details: { ReferencedBy: referrers } },
  );
}

/** The first three by name. */
export function inShort(referrers: readonly ShownReferrer[]): string {
  const names = referrers.slice(0, 3).map(({ kind, name }) => `${kind} "${name}"`);
  const rest = referrers.length > 3 ? ` and ${referrers.length - 3} more` : '';
  return `${names.join(', ')}${rest}`;
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
