// One change to many records, a few at a time; the result of each is reported.

/** The service limits requests per token; more at once would only wait there. */
const AT_ONCE = 4;

export interface BulkItem {
  readonly id: string;
  readonly name: string;
  /** The row that it was selected by, where that is another record. */
  readonly row?: string;
}

export interface BulkResult {
  readonly item: BulkItem;
  /** Null if it was done. */
  readonly error: unknown;
}

export async function runBulk(
  items: readonly BulkItem[],
  work: (id: string) => Promise<unknown>,
  progress: (done: number) => void,
  atOnce = AT_ONCE,
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (!item) return;
      results[index] = await work(item.id).then(
        () => ({ item, error: null }),
        (error: unknown) => ({ item, error }),
      );
      progress(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
