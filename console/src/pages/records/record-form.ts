// A form over one record: read, changed, saved with If-Match, deleted. What the service finds wrong comes back to its field.
import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { KINDS, type Kind } from '../../data/kinds.ts';
import { changed } from '../../data/records.ts';
import { useConfirm, useLeaveGuard } from '../../kit/dialog.tsx';
import { useFaults } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { asLeft, go, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useOnce } from '../guide/once.ts';

export interface FormSteps<Stored, Draft> {
  readonly kind: Kind;
  /** Null: it is yet to be created. */
  readonly id: string | null;
  readonly fresh: Draft;
  readonly read: (id: string) => Promise<Stored>;
  readonly draftOf: (record: Stored) => Draft;
  readonly nameOf: (draft: Draft) => string;
  /** With a key, so that an answer that is lost on the way does not create it twice. */
  readonly create: (draft: Draft, idempotencyKey: string) => Promise<{ readonly id: string }>;
  readonly put: (id: string, draft: Draft, ifMatch: string) => Promise<unknown>;
  readonly remove: (id: string, force: boolean) => Promise<unknown>;
  /** Other lists that show something of it. */
  readonly also?: readonly Kind[];
  /** The pointer that a message without one is about. */
  readonly placeOf?: (error: DialtreeError) => string | null;
}

export interface BoundField<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly fault: string | undefined;
}

export interface RecordForm<Stored, Draft> {
  readonly isNew: boolean;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** As the service has it; null while there is none. */
  readonly record: Stored | null;
  readonly draft: Draft;
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly conflict: boolean;
  /** What no field of the form shows. */
  readonly messages: readonly string[];
  readonly element: RefObject<HTMLFormElement | null>;
  readonly change: (more: Partial<Draft>) => void;
  readonly field: <K extends keyof Draft & string>(key: K, pointer?: string) => BoundField<Draft[K]>;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly load: () => Promise<void>;
  /** The newest version, with what was changed here on top of it: for whoever lost a race. */
  readonly rebase: () => Promise<void>;
  readonly submit: (event: FormEvent) => void;
  readonly remove: () => Promise<void>;
}

/** Where to go once it is saved or gone. */
interface Leaving {
  readonly to: string;
  readonly replace: boolean;
}

interface Loaded<Stored, Draft> {
  readonly record: Stored | null;
  readonly draft: Draft;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What `now` changed of `base`, put into `read`. */
export function rebased<Draft extends object>(read: Draft, base: Draft, now: Draft): Draft {
  const keys = (Object.keys(now) as (keyof Draft)[]).filter((key) => !same(now[key], base[key]));
  return { ...read, ...Object.fromEntries(keys.map((key) => [key, now[key]])) };
}

export function useRecordForm<Stored extends { readonly version: number }, Draft extends object>(
  steps: FormSteps<Stored, Draft>,
): RecordForm<Stored, Draft> {
  const { id, fresh, kind } = steps;
  const { t } = useWords();
  const toast = useToast();
  const faults = useFaults();
  const element = useRef<HTMLFormElement>(null);
  const bound = useRef(new Set<string>());
  const [loaded, setLoaded] = useState<Loaded<Stored, Draft> | null>(
    id === null ? { record: null, draft: fresh } : null,
  );
  const [draft, setDraft] = useState(fresh);
  const idempotencyKey = useOnce(JSON.stringify(draft));
  const [error, setError] = useState<unknown>(null);
  const [refused, setRefused] = useState<DialtreeError | null>(null);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState(false);
  const dirty = loaded !== null && !same(draft, loaded.draft);
  useLeaveGuard(dirty);
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  // Only now nothing is unsaved any more, so that nobody is asked on the way.
  useEffect(() => {
    if (leaving !== null && !dirty) go(leaving.to, leaving);
  }, [leaving, dirty]);
  const told = conflict || refused !== null || faults.general !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal anew
  useEffect(() => {
    if (!told) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // Whoever saves stands at the end of the form: what is about no field is told at its beginning.
    if (field && !conflict) field.focus();
    else element.current?.querySelector('.notice-bad')?.scrollIntoView({ block: 'center' });
  }, [told, refused, conflict]);

  const latest = useRef(steps);
  latest.current = steps;
  const isRead = useRef(false);
  const tell = useRef(faults.take);
  tell.current = faults.take;
  /** What was changed since `base` stays; without it nothing does. */
  const read = useCallback(
    async (base: Draft | null): Promise<void> => {
      if (id === null) return;
      setError(null);
      try {
        const record = await latest.current.read(id);
        const found = latest.current.draftOf(record);
        setLoaded({ record, draft: found });
        setDraft((now) => (base === null ? found : rebased(found, base, now)));
        setConflict(false);
        setRefused(null);
        isRead.current = true;
      } catch (cause) {
        // What is on the page stays there, unless it is gone.
        const isGone = cause instanceof DialtreeError && cause.status === 404;
        if (isRead.current && !isGone) tell.current(cause);
        else setError(cause);
      }
    },
    [id],
  );
  const load = useCallback(() => read(null), [read]);
  useEffect(() => void load(), [load]);

  const refuse = (cause: unknown): void => {
    if (cause instanceof DialtreeError && cause.status === 412) return setConflict(true);
    const place = cause instanceof DialtreeError ? (steps.placeOf?.(cause) ?? null) : null;
    const placed = place === null ? cause : placedAt(cause as DialtreeError, place);
    faults.take(placed);
    setRefused(placed instanceof DialtreeError ? placed : null);
  };
  const save = async (): Promise<void> => {
    faults.clear();
    setRefused(null);
    // Only the fields that are shown now show what is wrong: they tell so as they are drawn.
    bound.current.clear();
    setBusy(true);
    try {
      if (id === null) {
        const made = await steps.create(draft, idempotencyKey);
        toast(t('records.created'));
        setLoaded({ record: null, draft });
        setLeaving({ to: pathTo(KINDS[kind].page, made.id), replace: true });
      } else {
        await steps.put(id, draft, `"${loaded?.record?.version ?? 0}"`);
        toast(t('kit.saved'));
        // What was typed meanwhile is not lost.
        await read(draft);
      }
      changed(kind, ...(steps.also ?? []));
    } catch (cause) {
      refuse(cause);
    } finally {
      setBusy(false);
    }
  };
  const remove = useRemove(steps, draft, refuse, () => {
    setDraft(loaded?.draft ?? draft);
    setLeaving({ to: asLeft(pathTo(KINDS[kind].page)), replace: false });
  });
  const faultAt = (pointer: string): string | undefined => {
    bound.current.add(pointer);
    return faults.at(pointer);
  };
  return {
    isNew: id === null,
    state: error !== null ? 'failed' : loaded === null ? 'loading' : 'ready',
    error,
    record: loaded?.record ?? null,
    draft,
    dirty,
    busy,
    conflict,
    messages: messagesOf(refused, faults.general, bound.current),
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
      if (!busy) void save();
    },
    remove,
  };
}

function placedAt(error: DialtreeError, pointer: string): DialtreeError {
  return new DialtreeError(error.status, {
    Message: error.message,
    Code: error.code,
    RequestId: error.requestId,
    Errors: [{ Pointer: pointer, Code: error.code, Message: error.message }],
  });
}

function messagesOf(
  refused: DialtreeError | null,
  general: string | undefined,
  bound: ReadonlySet<string>,
): readonly string[] {
  if (general !== undefined) return [general];
  const shown = [...bound];
  return (refused?.errors ?? [])
    .filter(({ Pointer }) => !shown.some((place) => Pointer === place || Pointer.startsWith(`${place}/`)))
    .map(({ Message }) => Message);
}

/** Asks first; where others point to it, tells who and asks again. */
function useRemove<Stored, Draft>(
  { id, kind, nameOf, remove, also = [] }: FormSteps<Stored, Draft>,
  draft: Draft,
  refuse: (cause: unknown) => void,
  leave: () => void,
): () => Promise<void> {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  return async () => {
    if (id === null) return;
    const name = nameOf(draft);
    const question = { title: t('records.delete.title', { name }), text: t('records.delete.text') };
    if (!(await confirm({ ...question, action: t('kit.delete'), danger: true }))) return;
    try {
      try {
        await remove(id, false);
      } catch (cause) {
        if (!(cause instanceof DialtreeError) || cause.code !== 'still_referenced') throw cause;
        const message = withoutAdvice(cause.message);
        const used = t('records.delete.used', { name });
        const text = t('records.delete.usedText', { message });
        if (!(await confirm({ title: used, text, action: t('records.delete.force'), danger: true }))) return;
        await remove(id, true);
      }
      toast(t('kit.deleted'));
      changed(kind, ...also);
      leave();
    } catch (cause) {
      refuse(cause);
    }
  };
}

/** The advice to add ?force=true is for programs; here there is a button. */
export const withoutAdvice = (message: string): string => message.replace(/ Add \?force=true.*$/, '');

/** Deleting as the API has it. */
export const forced = (force: boolean): { readonly force: 'true' | 'false' } => ({
  force: force ? 'true' : 'false',
});

/** What an empty field means to the API. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
