// A key for something that is created: sent again, after an answer that got lost, it creates nothing twice.
import { useMemo } from 'react';

/** Another text, another key. Without crypto.randomUUID, which plain HTTP from another machine does not have. */
export function useOnce(text: string): string {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent decides
  return useMemo(
    () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
    [text],
  );
}
