import { type RefObject, useEffect, useRef, useState } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { useFaults } from '../../kit/faults.ts';
import { faultText } from '../../words/error-text.ts';
import { useWords, type Words } from '../../words/words.tsx';

interface RefusalSteps {
  /** The JSON pointer of an error that names none. */
  readonly pointerOf?: (error: DialtreeError) => string | null;
}

export interface Refusals {
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
export function useRefusals({ pointerOf }: RefusalSteps): Refusals {
  const { t } = useWords();
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
    messages: messagesOf(refused, faults.general, bound.current, t),
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
  t: Words['t'],
): readonly string[] {
  if (general !== undefined) return [general];
  const shown = [...bound];
  return (refused?.errors ?? [])
    .filter(({ Pointer }) => !shown.some((place) => Pointer === place || Pointer.startsWith(`${place}/`)))
    .map(({ Code, Message }) => faultText({ code: Code, message: Message }, t));
}
