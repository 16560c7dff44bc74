// Lines of a trail that others than the caller can cause without an end, such as a voice bot that sets variables: of each code a call
// keeps so many, so that they do not displace the rest.

import type { TrailCode } from './trail.ts';

export const MAX_OF_CODE = 100;

const BOUNDED: ReadonlySet<TrailCode | string> = new Set<TrailCode>([
  'variable-set',
  'variable-unset',
  'variable-refused',
  'stream-refused',
]);

export class TrailQuota {
  readonly #counts = new Map<string, number>();

  /** False: the call has as many of this code as it may keep. */
  take(code: TrailCode | string): boolean {
    if (!BOUNDED.has(code)) return true;
    const count = this.#counts.get(code) ?? 0;
    if (count >= MAX_OF_CODE) return false;
    this.#counts.set(code, count + 1);
    return true;
  }
}
