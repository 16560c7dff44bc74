// Unsaved changes of forms, kept in this browser: a closed tab or a change of page loses nothing. Bounded in number, size and age;
// never a secret. Signing out removes them.

const PREFIX = 'dialtree.draft.';
export const MOST_DRAFTS = 20;
export const MAX_CHARS = 64_000;
export const KEPT_MS = 14 * 24 * 3_600_000;
/** Members of a form that are never kept. */
const SECRET = /password|secret|token|^pin$|_pin$|credential/i;

export interface KeptDraft<Draft> {
  readonly atMs: number;
  /** The stored record that the changes are about, as the form had it. */
  readonly base: Partial<Draft>;
  readonly draft: Partial<Draft>;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const keysOf = (storage: DraftStorage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(PREFIX),
  );

const withoutSecrets = (key: string, value: unknown): unknown => (SECRET.test(key) ? undefined : value);

export function keepDraft<Draft>(
  storage: DraftStorage,
  name: string,
  { base, draft }: Pick<KeptDraft<Draft>, 'base' | 'draft'>,
  nowMs: number,
): void {
  const text = JSON.stringify({ atMs: nowMs, base, draft }, withoutSecrets);
  const key = PREFIX + name;
  if (text.length > MAX_CHARS) return storage.removeItem(key);
  const others = keysOf(storage)
    .filter((each) => each !== key)
    .map((each) => ({ key: each, atMs: readText(storage.getItem(each))?.atMs ?? 0 }))
    .sort((one, other) => other.atMs - one.atMs);
  for (const [index, other] of others.entries())
    if (index >= MOST_DRAFTS - 1 || nowMs - other.atMs > KEPT_MS) storage.removeItem(other.key);
  try {
    storage.setItem(key, text);
  } catch {
    // The browser's storage is full or closed: the form works without it.
  }
}

function readText(text: string | null): KeptDraft<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null) return null;
    const { atMs, base, draft } = read as Record<string, unknown>;
    const isObject = (value: unknown): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value);
    return typeof atMs === 'number' && isObject(base) && isObject(draft) ? { atMs, base, draft } : null;
  } catch {
    return null;
  }
}

/** Members of another shape than those of `like`, from an older console, are left out. */
function shaped<Draft extends object>(like: Draft, read: Readonly<Record<string, unknown>>): Partial<Draft> {
  const fits = ([name, value]: [string, unknown]): boolean => {
    if (!Object.hasOwn(like, name)) return false;
    const expected = (like as Record<string, unknown>)[name];
    // Null stands for an empty number.
    if (expected === null || value === null) return typeof value !== 'object' || value === null;
    return typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected);
  };
  return Object.fromEntries(Object.entries(read).filter(fits)) as Partial<Draft>;
}

export function readDraft<Draft extends object>(
  storage: DraftStorage,
  name: string,
  like: Draft,
  nowMs: number,
): KeptDraft<Draft> | null {
  const kept = readText(storage.getItem(PREFIX + name));
  if (!kept || nowMs - kept.atMs > KEPT_MS || kept.atMs > nowMs + KEPT_MS) return null;
  return { atMs: kept.atMs, base: shaped(like, kept.base), draft: shaped(like, kept.draft) };
}

export const dropDraft = (storage: DraftStorage, name: string): void => storage.removeItem(PREFIX + name);

export function forgetDrafts(storage: DraftStorage): void {
  for (const key of keysOf(storage)) storage.removeItem(key);
}
