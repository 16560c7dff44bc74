// Undo and redo. Typing in one field is one step, until a pause or another field.

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** The field and time of the last change; a change of the same field soon after joins it. */
  readonly last: { readonly about: string; readonly atMs: number } | null;
}

/** A limit of memory; snapshots share what did not change. */
export const MAX_STEPS = 200;
/** A pause longer than this ends a step. */
export const REST_MS = 1_500;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], last: null };
}

/** `about` names the field; without it the change is its own step. */
export function changed<T>(history: History<T>, next: T, about: string | null, atMs: number): History<T> {
  if (next === history.present) return history;
  const { last } = history;
  const mark = about === null ? null : { about, atMs };
  const joins =
    about !== null && last?.about === about && atMs - last.atMs <= REST_MS && history.past.length > 0;
  if (joins) return { ...history, present: next, future: [], last: mark };
  return {
    past: [...history.past, history.present].slice(-MAX_STEPS),
    present: next,
    future: [],
    last: mark,
  };
}

export function undone<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    last: null,
  };
}

export function redone<T>(history: History<T>): History<T> {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, last: null };
}

/** Replaces the present without a step, as after a save. */
export function refreshed<T>(history: History<T>, present: T): History<T> {
  return { ...history, present, last: null };
}
