// Stands in until the live page is there.
import type { LiveCall } from '../../../../client/operations.ts';

const NONE: readonly LiveCall[] = [];

export function useLiveCalls(): { readonly calls: readonly LiveCall[] } {
  return { calls: NONE };
}
