// The vertical positions in a column: as near to the wanted ones as possible.

export interface Item {
  readonly height: number;
  /** The wanted middle. */
  readonly wanted: number;
}

interface Block {
  /** The heights of its items and the gaps after them. */
  length: number;
  count: number;
  /** The sum of the starts that its items want for the block. */
  begins: number;
}

/**
 * The upper edges of items in their order, at least `gap` apart, with the least squared distance from the wanted positions.
 * Overlapping items form a block at the mean of their wanted positions (pool adjacent violators).
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
