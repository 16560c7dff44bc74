// The known word that a mistyped one most likely stands for.

/** Null if none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const [best] = known
    .map((each) => ({ each, far: each.startsWith(word) && word.length > 1 ? 0 : distance(word, each) }))
    .filter(({ each, far }) => far <= Math.max(1, Math.floor(Math.max(word.length, each.length) / 3)))
    .sort((a, b) => a.far - b.far);
  return best?.each ?? null;
}

/** Letters to insert, delete, replace or swap with the next one (Damerau–Levenshtein). */
export function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const row = rows[i];
      if (row)
        row[j] = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        );
    }
  return at(a.length, b.length);
}
