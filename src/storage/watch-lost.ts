// Whether the database is still the one that was opened: asked again and again, and refused for as long as it is not.
import type { StorageError } from './storage.ts';

/** Called once when the database turns out to be deleted or replaced, and with null when it is back. */
export type OnLost = (error: StorageError | null) => void;

export interface LostWatch {
  /** Throws while the database is not the one that was opened. */
  check(): void;
  /** Looks at once, then checks. */
  now(): Promise<void>;
  /** Found out otherwise. */
  lost(error: StorageError): void;
  stop(): void;
}

/** `look` returns null while all is well, and rejects when that cannot be known. */
export function watchLost(
  everyMs: number,
  onLost: OnLost,
  look: () => Promise<StorageError | null>,
): LostWatch {
  let error: StorageError | null = null;
  let looking = false;
  const found = (next: StorageError | null): void => {
    const isNews = (next === null) !== (error === null);
    error = next;
    if (isNews) onLost(next);
  };
  const update = (): Promise<void> => look().then(found, () => undefined);
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void update().finally(() => {
      looking = false;
    });
  }, everyMs);
  timer.unref();
  const check = (): void => {
    if (error) throw error;
  };
  return {
    check,
    now: async () => {
      await update();
      check();
    },
    lost: found,
    stop: () => clearInterval(timer),
  };
}
