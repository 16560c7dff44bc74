// How high each node of a column stands: as near to where it is wanted as the others allow.

export interface Item {
  readonly height: number;
  /** Where its middle would best be. */
  readonly wanted: number;
}

interface Block {
  /** Of the items in it: their own heights and the gaps behind them. */
  length: number;
  count: number;
  /** The sum of where each item would have the block begin. */
  begins: number;
}

/**
 * The upper edges of items in their order, `gap` apart at least, with the smallest sum of squares of what each is off. Items that
 * get in each other's way become a block that stands where its items want it on average (pool adjacent violators).
 */
export function stack(items: readonly Item[], gap: number): number[] {
  const blocks: Block[] = [];
  for (const { height, wanted } of items) {
    blocks.push({ length: height + gap, count: 1, begins: wanted - height / 2 });
    for (let last = blocks.at(-1), before = blocks.at(-2); last && before; before = blocks.at(-2)) {
      if (before.begins / before.count + before.length <= last.begins / last.count) break;
      before.begins += last.begins - last.count * before.length;
      before.length += last.length;
      before.count += last.count;
      blocks.pop();
      last = before;
    }
  }
  const tops: number[] = [];
  for (const { begins, count } of blocks) {
    let top = begins / count;
    for (let index = 0; index < count; index += 1) {
      tops.push(top);
      top += (items[tops.length - 1]?.height ?? 0) + gap;
    }
  }
  return tops;
}
