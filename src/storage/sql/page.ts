// A page that is bounded by the bytes of its texts as well as by its rows (T37).
import { integer } from './columns.ts';
import type { SqlRow } from './tx.ts';

export interface PageBounds {
  readonly limit: number;
  /** Rows up to so many bytes of JSON, at least one, and one more, which shows that there are more. Without it: `limit` alone. */
  readonly maxBytes?: number;
}

/**
 * `read` takes the column of the JSON text and the number of rows. The sizes are read first: neither database reads a text for
 * its octet_length(), so nothing is read that the page does not take.
 */
export async function readPage(
  { limit, maxBytes }: PageBounds,
  read: (json: string, limit: number) => Promise<SqlRow[]> | SqlRow[],
): Promise<SqlRow[]> {
  if (maxBytes === undefined) return read('json', limit);
  const sizes = (await read('octet_length(json) AS json', limit)).map(({ json }) => integer(json));
  return sizes.length === 0 ? [] : read('json', rowsWithin(sizes, maxBytes));
}

/** As many rows as PageBounds says. */
export function rowsWithin(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0;
  const over = sizes.findIndex((size) => {
    bytes += size;
    return bytes > maxBytes;
  });
  return over < 0 ? sizes.length : Math.max(over, 1) + 1;
}
