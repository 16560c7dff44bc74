// A form over one record: reads it, saves it with If-Match, deletes it, and shows the service's faults at their fields.

import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { keysOf } from '../../../../src/domain/kinds.ts';
import { DialtreeError } from '../../data/client.ts';
import { KINDS, type Kind } from '../../data/kinds.ts';
import { changed } from '../../data/records.ts';
import { useConfirm, useLeaveGuard } from '../../kit/dialog.tsx';
import { useFaults } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { asLeft, go, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useOnce } from '../guide/once.ts';
import type { ListedKind } from './listed-kinds.ts';

export interface FormSteps<Stored, Draft> {
  readonly kind: ListedKind;
  /** Null: the form creates the record. */
  readonly id: string | null;
  readonly fresh: Draft;
  readonly read: (id: string) => Promise<Stored>;
  readonly draftOf: (record: Stored) => Draft;
  readonly nameOf: (draft: Draft) => string;
  /** With an idempotency key: a retry after a lost answer does not create the record twice. */
  readonly create: (draft: Draft, idempotencyKey: string) => Promise<{ readonly id: string }>;
  readonly put: (id: string, draft: Draft, ifMatch: string) => Promise<unknown>;
  readonly remove: (id: string, force: boolean) => Promise<unknown>;
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

/** Where to navigate after saving or deleting. */
interface Leaving {
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
  const { loaded, setLoaded, draft, setDraft, error, read } = useLoadedRecord(steps, refusals);
  const idempotencyKey = useOnce(JSON.stringify(draft));
  const [busy, setBusy] = useState(false);
  const dirty = loaded !== null && !same(draft, loaded.draft);
  useLeaveGuard(dirty);
  const setLeaving = useLeaving(dirty);

  const save = async (): Promise<void> => {
    clear();
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
        // Keeps what the user typed during the request.
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
  const load = useCallback(() => read(null), [read]);
  useEffect(() => void load(), [load]);
  return {
    kind,
    isNew: id === null,
    state: error !== null ? 'failed' : loaded === null ? 'loading' : 'ready',
    error,
    record: loaded?.record ?? null,
    name: loaded?.record ? steps.nameOf(loaded.draft) : null,
    draft,
    dirty,
    busy,
    conflict: refusals.conflict,
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
      if (!busy) void save();
    },
    remove,
  };
}

/** The stored record and the draft over it. */
function useLoadedRecord<Stored, Draft extends object>(
  steps: FormSteps<Stored, Draft>,
  { accept, takeFault }: Pick<Refusals, 'accept' | 'takeFault'>,
) {
  const { id, fresh } = steps;
  const [loaded, setLoaded] = useState<Loaded<Stored, Draft> | null>(
    id === null ? { record: null, draft: fresh } : null,
  );
  const [draft, setDraft] = useState(fresh);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef({ ...steps, accept, takeFault });
  latest.current = { ...steps, accept, takeFault };
  const isRead = useRef(false);
  /** Changes since `base` are kept; with null the draft becomes the stored record. */
  const read = useCallback(
    async (base: Draft | null): Promise<void> => {
      if (id === null) return;
      setError(null);
      try {
        const record = await latest.current.read(id);
        const found = latest.current.draftOf(record);
        setLoaded({ record, draft: found });
        setDraft((now) => (base === null ? found : rebased(found, base, now)));
        latest.current.accept();
        isRead.current = true;
      } catch (cause) {
        // The form stays on the page, unless the record was deleted.
        const isGone = cause instanceof DialtreeError && cause.status === 404;
        if (isRead.current && !isGone) latest.current.takeFault(cause);
        else setError(cause);
      }
    },
    [id],
  );
  return { loaded, setLoaded, draft, setDraft, error, read };
}

interface Refusals {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly conflict: boolean;
  readonly messages: readonly string[];
  /** Before a request. */
  readonly clear: () => void;
  /** The record was read: no refusal holds any more. */
  readonly accept: () => void;
  readonly refuse: (cause: unknown) => void;
  readonly takeFault: (cause: unknown) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}

/** Why the service refused a request: at the fields, above the form, or as a conflict of versions. */
function useRefusals<Stored, Draft>({ pointerOf }: FormSteps<Stored, Draft>): Refusals {
  const faults = useFaults();
  const element = useRef<HTMLFormElement>(null);
  const bound = useRef(new Set<string>());
  const [refused, setRefused] = useState<DialtreeError | null>(null);
  const [conflict, setConflict] = useState(false);
  const shown = conflict || refused !== null || faults.general !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal anew
  useEffect(() => {
    if (!shown) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // The save button is at the end of the form, the message about no field at its start.
    if (field && !conflict) field.focus();
    else element.current?.querySelector('.notice-bad')?.scrollIntoView({ block: 'center' });
  }, [shown, refused, conflict]);
  return {
    element,
    conflict,
    messages: messagesOf(refused, faults.general, bound.current),
    clear: () => {
      faults.clear();
      setRefused(null);
      // The fields that are shown register again when they are rendered.
      bound.current.clear();
    },
    accept: () => {
      setConflict(false);
      setRefused(null);
    },
    refuse: (cause) => {
      const error = cause instanceof DialtreeError ? cause : null;
      if (error?.status === 412) return setConflict(true);
      const pointer = error && pointerOf?.(error);
      const placed = error && pointer ? placedAt(error, pointer) : error;
      faults.take(placed ?? cause);
      setRefused(placed);
    },
    takeFault: faults.take,
    faultAt: (pointer) => {
      bound.current.add(pointer);
      return faults.at(pointer);
    },
  };
}

/** Navigates once nothing is unsaved, so that the leave guard does not ask. */
function useLeaving(dirty: boolean): (leaving: Leaving) => void {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useEffect(() => {
    if (leaving !== null && !dirty) go(leaving.to, leaving);
  }, [leaving, dirty]);
  return setLeaving;
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

/** Asks first; if other records refer to this one, names them and asks again. */
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

/** The API's advice to add ?force=true is not for users of the console: they have a button. */
export const withoutAdvice = (message: string): string => message.replace(/ Add \?force=true.*$/, '');

/** The query of a DELETE request. */
export const forced = (force: boolean): { readonly force: 'true' | 'false' } => ({
  force: force ? 'true' : 'false',
});

/** The API stores an empty field as null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
