// What is needed of Prometheus to hold dashboards and alert rules against a scrape: the series of a scrape, and the selectors of an
// expression. promtool checks the syntax of expressions; this finds the names in them.

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function parseScrape(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [
        key,
        text,
      ]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

export interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

const WORDS = new Set(['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring', 'bool']);

/** Every metric with its matchers, and the labels that results are grouped by. */
export function selectorsOf(expression: string): {
  readonly selectors: Selector[];
  readonly grouped: string[];
} {
  const grouped: string[] = [];
  const rest = expression.replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, labels: string) => {
    grouped.push(...labels.split(',').map((label) => label.trim()));
    return ' ';
  });
  const selectors: Selector[] = [];
  for (const [, name = '', inner = '', next = ''] of rest.matchAll(
    /(?<![\w$"])([a-zA-Z_:][\w:]*)\s*(?:\{([^}]*)\})?(\s*\()?/g,
  )) {
    // Durations such as [5m] begin with a digit; words in quotes are inside of braces.
    if (next !== '' || WORDS.has(name)) continue;
    const matchers = [...inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    );
    selectors.push({ name, matchers });
  }
  return { selectors, grouped };
}

/** Labels that Prometheus adds itself, with its own series `up`. */
const OF_PROMETHEUS = new Set(['job', 'instance']);

/** What of the expression is not in the scrape; empty: all of it is. Values of counters do not matter, only that series exist. */
export function missingIn(scrape: readonly Series[], expression: string): string[] {
  const { selectors, grouped } = selectorsOf(expression);
  const missing: string[] = selectors.length === 0 ? ['no metric'] : [];
  const labelsSeen = new Set<string>(OF_PROMETHEUS);
  for (const { name, matchers } of selectors) {
    if (name === 'up') continue;
    const series = scrape.filter((each) => each.name === name);
    if (series.length === 0) missing.push(name);
    for (const { labels } of series) for (const label of Object.keys(labels)) labelsSeen.add(label);
    for (const { label, operator, value } of matchers) {
      if (OF_PROMETHEUS.has(label) || series.length === 0) continue;
      const pattern = new RegExp(`^(?:${value})$`);
      const isHere = ({ labels }: Series): boolean =>
        operator.endsWith('~') ? pattern.test(labels[label] ?? '') : labels[label] === value;
      // Each alternative must exist: a misspelt outcome would never match.
      const wanted = operator.endsWith('~') && !value.includes('$') ? value.split('|') : [];
      if (!value.includes('$') && !series.some(isHere)) missing.push(`${name}{${label}${operator}${value}}`);
      for (const word of wanted)
        if (!series.some(({ labels }) => labels[label] === word)) missing.push(`${name}{${label}=${word}}`);
    }
  }
  const unknown = grouped.filter((label) => !labelsSeen.has(label));
  return [...missing, ...unknown.map((label) => `by (${label})`)];
}
