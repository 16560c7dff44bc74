// An immutable map that is cheap to change a little. A copy of 20,000 entries for every edited record would
// cost a millisecond of the thread that also signals calls. So a changed map shares the old one's base and
// carries a small layer of differences; once the layer outgrows the square root of the base the two are
// merged, which keeps both the copied layer and the number of merges small. Look-ups cost one Map more.

const GONE = Symbol('gone');
type Layer<V> = ReadonlyMap<string, V | typeof GONE>;

export class LayeredMap<V> implements Iterable<[string, V]> {
  readonly size: number;
  readonly #base: ReadonlyMap<string, V>;
  readonly #layer: Layer<V>;

  private constructor(base: ReadonlyMap<string, V>, layer: Layer<V>, size: number) {
    this.#base = base;
    this.#layer = layer;
    this.size = size;
  }

  static from<V>(entries: Iterable<readonly [string, V]>): LayeredMap<V> {
    const base = new Map(entries);
    return new LayeredMap(base, new Map(), base.size);
  }

  get(key: string): V | undefined {
    if (this.#layer.size > 0) {
      const changed = this.#layer.get(key);
      if (changed === GONE) return undefined;
      if (changed !== undefined) return changed;
    }
    return this.#base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The same map with some entries set and some removed; this one stays as it is. */
  with(set: Iterable<readonly [string, V]>, removed: Iterable<string> = []): LayeredMap<V> {
    const layer = new Map(this.#layer);
    let size = this.size;
    const currently = (key: string): boolean => {
      const changed = layer.get(key);
      return changed === undefined ? this.#base.has(key) : changed !== GONE;
    };
    for (const key of removed) {
      if (!currently(key)) continue;
      size -= 1;
      layer.set(key, GONE);
    }
    for (const [key, value] of set) {
      if (!currently(key)) size += 1;
      layer.set(key, value);
    }
    if (layer.size <= 16 + Math.sqrt(this.#base.size)) return new LayeredMap(this.#base, layer, size);
    return new LayeredMap(merged(this.#base, layer), new Map(), size);
  }

  *[Symbol.iterator](): Iterator<[string, V]> {
    for (const entry of this.#base) {
      if (!this.#layer.has(entry[0])) yield entry;
    }
    for (const [key, value] of this.#layer) {
      if (value !== GONE) yield [key, value];
    }
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this) yield value;
  }
}

function merged<V>(base: ReadonlyMap<string, V>, layer: Layer<V>): ReadonlyMap<string, V> {
  const whole = new Map(base);
  for (const [key, value] of layer) {
    if (value === GONE) whole.delete(key);
    else whole.set(key, value);
  }
  return whole;
}
