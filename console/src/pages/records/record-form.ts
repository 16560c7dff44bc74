// A form over one record: reads it, saves it with If-Match, deletes it, and shows the service's faults at their fields.

import {
  createContext,
  type FormEvent,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { DialtreeError } from '../../data/client.ts';
import { type KeptDraft, readDraft } from '../../data/drafts.ts';
import { KINDS, type Kind } from '../../data/kinds.ts';
import { changed } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { useKeptDraft } from '../../data/use-draft.ts';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toast.tsx';
import { asLeft, go, pathTo, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useOnce } from '../guide/once.ts';
import type { ListedKind } from './listed-kinds.ts';
import { type Refusals, useRefusals } from './record-refusals.ts';
import { useRemove } from './record-removal.ts';

export interface FormSteps<Stored, Draft> {
  readonly kind: ListedKind;
  /** Null if the form creates the record. */
  readonly id: string | null;
  readonly fresh: Draft;
  readonly read: (id: string) => Promise<Stored>;
  readonly draftOf: (record: Stored) => Draft;
  readonly nameOf: (draft: Draft) => string;
  /** With an idempotency key: a retry after a lost answer does not create the record twice. */
  readonly create: (draft: Draft, idempotencyKey: string) => Promise<{ readonly id: string }>;
  readonly put: (id: string, draft: Draft, ifMatch: string) => Promise<unknown>;
  readonly remove: (id: string, force: boolean) => Promise<unknown>;
  /** What a copy has instead of the record's: names and keys that may exist once. */
  readonly copied?: (draft: Draft) => Partial<Draft>;
  /** Creating shows a secret on the page that follows: the form is not saved on the way to another page. */
  readonly createsSecret?: true;
  /** Other kinds whose lists show a field of this record. */
  readonly also?: readonly Kind[];
  /** The JSON pointer of an error that names none. */
  readonly pointerOf?: (error: DialtreeError) => string | null;
}

export interface BoundField<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly fault: string | undefined;
}

export interface RecordForm<Stored, Draft> {
  readonly kind: ListedKind;
  readonly id: string | null;
  readonly isNew: boolean;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** The stored record; null before it is read or created. */
  readonly record: Stored | null;
  /** The stored record's name. */
  readonly name: string | null;
  readonly draft: Draft;
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly conflict: boolean;
  /** When the changes were made that this browser kept; null: none were restored. */
  readonly restoredAtMs: number | null;
  /** Back to what is stored. */
  readonly discard: () => void;
  /** Errors about no field that the form shows. */
  readonly messages: readonly string[];
  readonly element: RefObject<HTMLFormElement | null>;
  readonly change: (more: Partial<Draft>) => void;
  readonly field: <K extends keyof Draft & string>(key: K, pointer?: string) => BoundField<Draft[K]>;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly load: () => Promise<void>;
  /** Reads the newest version and applies the changes of this form to it, after a conflict. */
  readonly rebase: () => Promise<void>;
  readonly submit: (event: FormEvent) => void;
  readonly remove: () => Promise<void>;
}

/** The draft of a form by that of a new record. A number field may be empty. */
export type DraftOf<Fresh> = {
  readonly [K in keyof Fresh]: Fresh[K] extends number | null ? number | null : Fresh[K];
};

/** Called instead of navigating, for a form within another page: with the id of a new record, or null after a deletion. */
export const FormDone = createContext<((made: string | null) => void) | null>(null);

/** Where to navigate after saving or deleting. */
interface Leaving {
  readonly made: string | null;
  readonly to: string;
  readonly replace: boolean;
}

interface Loaded<Stored, Draft> {
  readonly record: Stored | null;
  readonly draft: Draft;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Applies the changes from `base` to `now` to `read`. */
export function rebased<Draft extends object>(read: Draft, base: Draft, now: Draft): Draft {
  const keys = keysOf(now).filter((key) => !same(now[key], base[key]));
  return { ...read, ...Object.fromEntries(keys.map((key) => [key, now[key]])) };
}

export function useRecordForm<Stored extends { readonly version: number }, Draft extends object>(
  steps: FormSteps<Stored, Draft>,
): RecordForm<Stored, Draft> {
  const { id, kind } = steps;
  const { t } = useWords();
  const toast = useToast();
  const refusals = useRefusals(steps);
  const { element, clear, refuse, faultAt } = refusals;
  const { account } = useSession();
  const draftName = `${account?.id ?? ''}.${kind}.${id ?? 'new'}`;
  const { loaded, setLoaded, draft, setDraft, error, read, restoredAtMs } = useLoadedRecord(
    steps,
    refusals,
    draftName,
  );
  const idempotencyKey = useOnce(JSON.stringify(draft));
  const [busy, setBusy] = useState(false);
  const dirty = loaded !== null && !same(draft, loaded.draft);
  const mayBeSaved = id !== null || steps.createsSecret === undefined;
  useLeaveGuard(dirty, mayBeSaved ? () => save(false) : undefined);
  const dropKept = useKeptDraft({
    name: draftName,
    ready: loaded !== null,
    dirty,
    base: loaded?.draft ?? steps.fresh,
    draft,
  });
  const setLeaving = useLeaving(dirty);

  /** `shows`: a new record is shown afterwards. Resolves to whether it was saved. */
  const save = async (shows: boolean): Promise<boolean> => {
    clear();
    setBusy(true);
    try {
      if (id === null) {
        const made = await steps.create(draft, idempotencyKey);
        toast(t('records.created'));
        setLoaded({ record: null, draft });
        if (shows) setLeaving({ to: pathTo(KINDS[kind].page, made.id), replace: true, made: made.id });
      } else {
        await steps.put(id, draft, `"${loaded?.record?.version ?? 0}"`);
        toast(t('kit.saved'));
        // Keeps what the user typed during the request.
        await read(draft);
      }
      changed(kind, ...(steps.also ?? []));
      dropKept();
      return true;
    } catch (cause) {
      refuse(cause);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const remove = useRemove(steps, draft, refuse, () => {
    setDraft(loaded?.draft ?? draft);
    setLeaving({ to: asLeft(pathTo(KINDS[kind].page)), replace: false, made: null });
  });
  const load = useCallback(() => read(null), [read]);
  useEffect(() => void load(), [load]);
  return {
    kind,
    id,
    isNew: id === null,
    state: error !== null ? 'failed' : loaded === null ? 'loading' : 'ready',
    error,
    record: loaded?.record ?? null,
    name: loaded?.record ? steps.nameOf(loaded.draft) : null,
    draft,
    dirty,
    busy,
    conflict: refusals.conflict,
    restoredAtMs: dirty ? restoredAtMs : null,
    discard: () => setDraft(loaded?.draft ?? steps.fresh),
    messages: refusals.messages,
    element,
    change: (more) => setDraft((now) => ({ ...now, ...more })),
    field: (key, pointer = `/${key}`) => ({
      value: draft[key],
      onChange: (value) => setDraft((now) => ({ ...now, [key]: value })),
      fault: faultAt(pointer),
    }),
    faultAt,
    load,
    rebase: () => read(loaded?.draft ?? null),
    submit: (event) => {
      event.preventDefault();
      if (!busy) void save(true);
    },
    remove,
  };
}

/** The stored record and the draft over it. */
function useLoadedRecord<Stored, Draft extends object>(
  steps: FormSteps<Stored, Draft>,
  { accept, takeFault }: Pick<Refusals, 'accept' | 'takeFault'>,
  draftName: string,
) {
  const { id, fresh } = steps;
  const { t } = useWords();
  const copyOf = useRoute().query.get('copy');
  const [kept] = useState(() =>
    id === null && copyOf !== null ? null : readDraft(localStorage, draftName, fresh, Date.now()),
  );
  const [loaded, setLoaded] = useState<Loaded<Stored, Draft> | null>(
    id === null && copyOf === null ? { record: null, draft: fresh } : null,
  );
  const [draft, setDraft] = useState(() => (id === null ? restored(fresh, kept) : fresh));
  const [error, setError] = useState<unknown>(null);
  const copyName = (name: string): string => t('records.copyName', { name });
  const latest = useRef({ ...steps, accept, takeFault, copyName });
  latest.current = { ...steps, accept, takeFault, copyName };
  const isRead = useRef(false);
  /** Changes since `base` are kept; with null the draft becomes the stored record. */
  const read = useCallback(
    async (base: Draft | null): Promise<void> => {
      const source = id ?? copyOf;
      // A copy that was saved or changed is no longer that of the record.
      if (source === null || (id === null && isRead.current)) return;
      setError(null);
      try {
        const record = await latest.current.read(source);
        const found = latest.current.draftOf(record);
        latest.current.accept();
        if (id === null) {
          setLoaded({ record: null, draft: latest.current.fresh });
          setDraft(copied(found, latest.current));
        } else {
          setLoaded({ record, draft: found });
          const first = isRead.current ? found : restored(found, kept);
          setDraft((now) => (base === null ? first : rebased(found, base, now)));
        }
        isRead.current = true;
      } catch (cause) {
        // The form stays on the page, unless the record was deleted.
        const isGone = cause instanceof DialtreeError && cause.status === 404;
        if (isRead.current && !isGone) latest.current.takeFault(cause);
        else setError(cause);
      }
    },
    [id, copyOf, kept],
  );
  return { loaded, setLoaded, draft, setDraft, error, read, restoredAtMs: kept?.atMs ?? null };
}

/** The changes that this browser kept, over the record as it is now. */
function restored<Draft extends object>(found: Draft, kept: KeptDraft<Draft> | null): Draft {
  if (kept === null) return found;
  const base = { ...found, ...kept.base };
  return rebased(found, base, { ...base, ...kept.draft });
}

interface CopySteps<Draft> extends Pick<FormSteps<never, Draft>, 'copied'> {
  readonly copyName: (name: string) => string;
}

function copied<Draft extends object>(draft: Draft, { copied: more, copyName }: CopySteps<Draft>): Draft {
  const named = 'name' in draft && typeof draft.name === 'string' ? { name: copyName(draft.name) } : {};
  return { ...draft, ...named, ...more?.(draft) };
}

/** Navigates once nothing is unsaved, so that the leave guard does not ask. */
function useLeaving(dirty: boolean): (leaving: Leaving) => void {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const done = useContext(FormDone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each
  useEffect(() => {
    if (leaving === null || dirty) return;
    if (done) done(leaving.made);
    else go(leaving.to, leaving);
  }, [leaving, dirty]);
  return setLeaving;
}

/** The query of a DELETE request. */
export const forced = (force: boolean): { readonly force: 'true' | 'false' } => ({
  force: force ? 'true' : 'false',
});

/** The API stores an empty field as null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
