// Undo and redo: what the draft was, step by step. Typing in one field is one step, until the author rests or goes elsewhere.

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last change was about, and when; a further change of the same soon after joins it. */
  readonly last: { readonly about: string; readonly atMs: number } | null;
}

/** Enough for an afternoon; a snapshot shares all that did not change with its neighbours. */
export const MAX_STEPS = 200;
/** A pause longer than this ends a step. */
export const REST_MS = 1_500;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], last: null };
}

/** `about` names the field that is typed in; without it the change is a step of its own. */
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

/** The present in another form, such as the service stored it; no step of its own. */
export function refreshed<T>(history: History<T>, present: T): History<T> {
  return { ...history, present, last: null };
}
