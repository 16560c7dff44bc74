// Maps the faults in an error response to the fields of a form.
import { useCallback, useMemo, useState } from 'react';
import { DialtreeError } from '../data/client.ts';
import { faultText, problemText } from '../words/error-text.ts';
import { useWords, type Words } from '../words/words.tsx';

export interface Faults {
  /** The fault of the field at a JSON pointer such as /name, or of an item inside it. */
  readonly at: (pointer: string) => string | undefined;
  /** A fault that is about no field. */
  readonly general: string | undefined;
  readonly take: (error: unknown) => void;
  readonly clear: () => void;
}

interface Found {
  readonly byPointer: ReadonlyMap<string, string>;
  readonly general: string | undefined;
}

const NONE: Found = { byPointer: new Map(), general: undefined };

/** What went wrong, in the user's words; or that the server cannot be reached. */
export const sentenceOf = (error: unknown, t: Words['t']): string =>
  error instanceof DialtreeError ? problemText(error, t) : t('kit.failed.offline');

export function readFaults(error: unknown, t: Words['t']): Found {
  if (!(error instanceof DialtreeError)) return { byPointer: new Map(), general: sentenceOf(error, t) };
  const byPointer = new Map<string, string>();
  for (const { Pointer, Code, Message } of error.errors) {
    const text = faultText({ code: Code, message: Message }, t);
    byPointer.set(Pointer, byPointer.has(Pointer) ? `${byPointer.get(Pointer)} ${text}` : text);
  }
  return { byPointer, general: byPointer.size > 0 ? undefined : sentenceOf(error, t) };
}

/** `/option` also means `/option/3`: a list's field shows the faults of its items. */
export function faultAt(byPointer: ReadonlyMap<string, string>, pointer: string): string | undefined {
  const own = byPointer.get(pointer);
  if (own !== undefined) return own;
  const inside = [...byPointer].filter(([place]) => place.startsWith(`${pointer}/`)).map(([, text]) => text);
  return inside.length > 0 ? inside.join(' ') : undefined;
}

export function useFaults(): Faults {
  const { t } = useWords();
  const [found, setFound] = useState<Found>(NONE);
  const take = useCallback((error: unknown) => setFound(readFaults(error, t)), [t]);
  const clear = useCallback(() => setFound(NONE), []);
  return useMemo(
    () => ({
      at: (pointer) => faultAt(found.byPointer, pointer),
      general: found.general,
      take,
      clear,
    }),
    [found, take, clear],
  );
}

/** The request of a form: `busy` while it runs, its faults afterwards. */
export function useRequest() {
  const faults = useFaults();
  const [busy, setBusy] = useState(false);
  const send = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    faults.clear();
    try {
      await work();
    } catch (error) {
      faults.take(error);
    } finally {
      setBusy(false);
    }
  };
  return { faults, busy, send };
}
