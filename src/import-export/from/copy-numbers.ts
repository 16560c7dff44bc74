// Names that are free, among many equal ones: the number of the last copy is remembered, or each would try those of all before it.

export class CopyNumbers {
  readonly #last = new Map<string, number>();

  /** `stem`: what the names of all copies begin with. The name is taken from then on. */
  free(stem: string, taken: Set<string>, nameOf: (copy: number) => string): string {
    let name = nameOf(1);
    for (let copy = this.#last.get(stem) ?? 1; taken.has(name); ) {
      copy += 1;
      this.#last.set(stem, copy);
      name = nameOf(copy);
    }
    taken.add(name);
    return name;
  }
}
