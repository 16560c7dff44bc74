// An idempotency key: a retry after a lost answer creates nothing twice.
import { useMemo } from 'react';

/** Not by crypto.randomUUID(), which is missing over plain HTTP. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

/** A new key for each text. */
export function useOnce(text: string): string {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent decides
  return useMemo(newKey, [text]);
}
