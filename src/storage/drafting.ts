// The methods of a storage that work on the account's draft where a request does: writes to the records of a flow go there, and reads see
// them. So works the console of an account with `require_publish`.
import { MAX_DRAFT, MAX_PUBLISHED_BYTES } from '../domain/draft.ts';
import { DRAFTED_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { Inputs, Method, MethodsWith, Outputs } from './methods.ts';
import type { DraftEntry } from './ports/drafts.ts';
import type { Page, RecordAddress, StoredRow } from './ports/records.ts';
import { rowsWithin } from './sql/page.ts';
import type { Storage } from './storage.ts';

export interface DraftEditor {
  readonly accountId: string;
  readonly editorId: string;
  readonly editorName: string;
  readonly atMs: number;
  /** Called before each write to the draft. */
  noteEdit(): void;
}

const MAX_ATTEMPTS = 3;

/** A drafted record as readers see it: its version rises with each change in the draft. */
export function draftedRow({
  id,
  baseVersion,
  edits,
  createdAtMs,
  updatedAtMs,
  json,
}: DraftEntry): StoredRow | null {
  return json === null ? null : { id, version: (baseVersion ?? 0) + edits, createdAtMs, updatedAtMs, json };
}

const isDrafted = (kind: RecordKind): boolean => DRAFTED_KINDS.has(kind);

export class AccountDraft {
  /** What the draft lies over. */
  readonly storage: Storage;
  readonly editor: DraftEditor;

  constructor(storage: Storage, editor: DraftEditor) {
    this.storage = storage;
    this.editor = editor;
  }

  all(): Promise<DraftEntry[]> {
    return this.storage.listDraft({ accountId: this.editor.accountId });
  }

  /** `ids`: only these. */
  of(kind: RecordKind, ids?: readonly string[]): Promise<DraftEntry[]> {
    return this.storage.listDraft({ accountId: this.editor.accountId, kind, ...(ids ? { ids } : {}) });
  }

  async at({ kind, id }: Pick<RecordAddress, 'kind' | 'id'>): Promise<DraftEntry | undefined> {
    return (await this.of(kind, [id]))[0];
  }

  save(
    address: RecordAddress,
    { baseVersion, edits }: Pick<DraftEntry, 'baseVersion' | 'edits'>,
    json: string | null,
  ) {
    const { editorId, editorName, atMs } = this.editor;
    this.editor.noteEdit();
    return this.storage.saveDraft({
      ...{ ...address, baseVersion, edits, json, editorId, editorName, atMs },
      most: MAX_DRAFT,
      mostBytes: MAX_PUBLISHED_BYTES,
    });
  }

  async change({ kind, id }: RecordAddress, json: string | null, expectedVersion: number | undefined) {
    const { accountId } = this.editor;
    const address = { accountId, kind, id };
    for (let attempt = 1; ; attempt++) {
      const entry = await this.at(address);
      const present = entry ? draftedRow(entry) : await this.storage.getRecord(address);
      if (!present) return { outcome: 'unknown' } as const;
      const { version } = present;
      if (expectedVersion !== undefined && expectedVersion !== version)
        return { outcome: 'version_changed', version } as const;
      const { baseVersion, edits } = entry ?? { baseVersion: version, edits: 0 };
      // What the draft alone knows is gone from it.
      if (json === null && baseVersion === null) {
        await this.storage.dropDraft({ accountId, only: { kind, id } });
        return { outcome: 'saved', version } as const;
      }
      const saved = await this.save(address, { baseVersion, edits }, json);
      if (saved === 'saved') return { outcome: 'saved', version: version + 1 } as const;
      if (saved === 'too_many') return { outcome: 'draft_full' } as const;
      if (attempt >= MAX_ATTEMPTS) return { outcome: 'version_changed', version } as const;
    }
  }
}

/**
 * A page that is not full is the last one for its readers, unless it is cut by bytes: what the draft takes away from a page is filled
 * up from the next one.
 */
async function listWithDraft(draft: AccountDraft, page: Page): Promise<StoredRow[]> {
  const { maxBytes = Number.POSITIVE_INFINITY } = page;
  const entries = await draft.of(page.kind);
  const drafted = new Set(entries.map(({ id }) => id));
  const limit = page.limit + entries.length;
  const rows: StoredRow[] = [];
  for (let { afterId } = page; ; ) {
    const stored = await draft.storage.listRecords({ ...page, afterId, limit });
    const isCut = stored.length >= limit || sum(sizesOf(stored)) > maxBytes;
    const last = isCut ? stored.at(-1)?.id : undefined;
    const merged = [
      ...stored.filter(({ id }) => !drafted.has(id)),
      ...entries
        .filter(({ id }) => id > afterId && (last === undefined || id <= last))
        .flatMap((entry) => draftedRow(entry) ?? []),
    ];
    rows.push(...merged.sort((one, other) => (one.id < other.id ? -1 : 1)));
    const sizes = sizesOf(rows);
    if (last === undefined || rows.length >= page.limit || sum(sizes) > maxBytes)
      return rows.slice(0, Math.min(page.limit, rowsWithin(sizes, maxBytes)));
    afterId = last;
  }
}

const sizesOf = (rows: readonly StoredRow[]): number[] => rows.map(({ json }) => Buffer.byteLength(json));
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

type InDraft<M extends Method> = (draft: AccountDraft, input: Inputs[M]) => Promise<Outputs[M]>;

const DRAFTED: { readonly [M in MethodsWith<'draft'>]: InDraft<M> } = {
  getRecord: async (draft, address) => {
    const entry = isDrafted(address.kind) ? await draft.at(address) : undefined;
    return entry ? draftedRow(entry) : draft.storage.getRecord(address);
  },
  getRecords: async (draft, input) => {
    if (!isDrafted(input.kind)) return draft.storage.getRecords(input);
    const entries = await draft.of(input.kind, input.ids);
    const drafted = new Set(entries.map(({ id }) => id));
    const rows = await draft.storage.getRecords({
      ...input,
      ids: input.ids.filter((id) => !drafted.has(id)),
    });
    return [...rows, ...entries.flatMap((entry) => draftedRow(entry) ?? [])];
  },
  listRecords: async (draft, page) =>
    isDrafted(page.kind) ? listWithDraft(draft, page) : draft.storage.listRecords(page),
  findReferrers: async (draft, input) => {
    const entries = await draft.all();
    const found = await draft.storage.findReferrers(input);
    const drafted = new Set(entries.map(({ kind, id }) => `${kind} ${id}`));
    const wanted = JSON.stringify(input.reference);
    return [
      ...found.filter(({ kind, id }) => !drafted.has(`${kind} ${id}`)),
      ...entries.flatMap(({ kind, id, json }) => (json?.includes(wanted) ? [{ kind, id, json }] : [])),
    ].slice(0, input.limit);
  },
  createRecord: async (draft, input) => {
    if (!isDrafted(input.kind)) return draft.storage.createRecord(input);
    const { accountId } = draft.editor;
    const { kind, id, json, keys = [] } = input;
    const entry = await draft.at(input);
    const taken = { outcome: 'key_taken', key: { name: 'id', value: id } } as const;
    if (entry ? entry.json !== null : await draft.storage.getRecord(input)) return taken;
    for (const key of keys) {
      const holder = await draft.storage.findRecordId({ accountId, kind, id: '', key });
      if (holder !== null && holder !== id) return { outcome: 'key_taken', key };
    }
    const saved = await draft.save({ accountId, kind, id }, entry ?? { baseVersion: null, edits: 0 }, json);
    if (saved === 'too_many') return { outcome: 'draft_full' };
    return saved === 'saved' ? { outcome: 'created' } : taken;
  },
  updateRecord: async (draft, input) => {
    if (!isDrafted(input.kind)) return draft.storage.updateRecord(input);
    const result = await draft.change(input, input.json, input.expectedVersion);
    return result.outcome === 'saved' ? { outcome: 'updated', version: result.version } : result;
  },
  deleteRecord: async (draft, input) => {
    if (!isDrafted(input.kind)) return draft.storage.deleteRecord(input);
    const result = await draft.change(input, null, input.expectedVersion);
    return result.outcome === 'saved' ? { outcome: 'deleted' } : result;
  },
};

export const IN_DRAFT: { readonly [M in Method]?: InDraft<M> } = DRAFTED;
