// The changes of the account's draft: what it says of each of its records, and of all together.
import { createHash } from 'node:crypto';
import type { RecordKind } from '../../kinds/lists.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { DraftEntry } from '../../storage/ports/drafts.ts';
import type { StoredRow } from '../../storage/ports/records.ts';
import type { Handler } from '../http/handler.ts';
import { decodeCursor, MAX_PAGE_BYTES, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { withheld } from '../records/collection.ts';
import { COLLECTIONS } from '../records/collections.ts';
import { type HiddenPins, hiddenFrom } from '../records/hidden-pins.ts';

export const ACTIONS = ['create', 'update', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

/** The hash of what publication would write: any change of the draft makes another one. */
export function hashOf(entries: readonly DraftEntry[]): string {
  const hash = createHash('sha256');
  for (const { kind, id, baseVersion, edits, json } of entries)
    hash.update(`${JSON.stringify([kind, id, baseVersion, edits, json])}\n`);
  return hash.digest('hex');
}

export const nameIn = (kind: RecordKind, json: string | null): string => {
  if (json === null) return '';
  const { name, number } = JSON.parse(json) as { name?: unknown; number?: unknown };
  return String((kind === 'number' ? number : name) ?? '');
};

const actionOf = ({ baseVersion, json }: Pick<DraftEntry, 'baseVersion' | 'json'>): Action =>
  json === null ? 'delete' : baseVersion === null ? 'create' : 'update';

/** A page ends by its bytes alone: a draft is short. */
export const DRAFT_QUERY = { cursor: PAGE_QUERY.cursor } as const;

export const getDraft: Handler = async (request, context) => {
  const { storage } = context;
  const query = readQuery(DRAFT_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const accountId = request.account.id;
  const after = place.join(' ');
  const hidden = await hiddenFrom(request, context);
  const all = await storage.listDraft({ accountId });
  const entries = all.filter((entry) => positionOf(entry).join(' ') > after);
  const rows: { readonly entry: DraftEntry; readonly json: string }[] = [];
  for (let bytes = 0; rows.length < entries.length && bytes <= MAX_PAGE_BYTES; ) {
    const entry = entries[rows.length] as DraftEntry;
    const stored = await storage.getRecord({ accountId, kind: entry.kind, id: entry.id });
    const json = JSON.stringify(describeChange(entry, stored, hidden));
    rows.push({ entry, json });
    bytes += json.length;
  }
  const last = rows.length < entries.length ? rows.at(-1)?.entry : undefined;
  return pageResponse(request, '/v1/draft', {
    rows,
    limit: rows.length,
    describe: ({ json }) => json,
    position: ({ entry }) => positionOf(entry),
    rest: last ? positionOf(last) : null,
    // On each page of the whole: pages with another one are of another draft.
    members: { hash: hashOf(all) },
  });
};

const positionOf = ({ kind, id }: DraftEntry): [kind: string, id: string] => [kind, id];

function describeChange(entry: DraftEntry, stored: StoredRow | null, hidden: HiddenPins | null): object {
  const { kind, id, baseVersion, json } = entry;
  return {
    kind,
    id,
    name: nameIn(kind, json ?? stored?.json ?? null),
    action: actionOf(entry),
    conflict: (stored?.version ?? null) !== baseVersion,
    editor: entry.editorName,
    at: new Date(entry.updatedAtMs).toISOString(),
    ...shownSides(kind, stored?.json ?? null, json, hidden),
  };
}

type Data = { readonly [member: string]: unknown } | null;

/** Both sides of a change, as the user may see them. Sealed secrets are not shown; that one changed is. */
function shownSides(
  kind: RecordKind,
  stored: string | null,
  drafted: string | null,
  hidden: HiddenPins | null,
): { before: Data; after: Data } {
  const parsed = (json: string | null): Data => (json === null ? null : JSON.parse(json));
  const [before, after] = [parsed(stored), parsed(drafted)];
  const shown = (data: Data, changed: boolean): Data =>
    data &&
    Object.fromEntries(
      Object.entries(withheld<RecordKind>(COLLECTIONS[kind], data, hidden)).map(([member, value]) => {
        if (!member.startsWith('sealed_') || value === null) return [member, value];
        return [member, changed && value !== before?.[member] ? '••' : '•'];
      }),
    );
  return { before: shown(before, false), after: shown(after, true) };
}
