// A catalogue: by key a text, or one text for each plural form of the language (CLDR categories, by Intl.PluralRules on `count`).
// {name} in a text is a placeholder.

export type Plural = { readonly other: string } & {
  readonly [form in 'zero' | 'one' | 'two' | 'few' | 'many']?: string;
};
export type Entry = string | Plural;
export type Catalogue = Readonly<Record<string, Entry>>;
export type Values = Readonly<Record<string, string | number>>;

/** The English texts of one area; other languages must have the same keys. */
export const words = <const C extends Catalogue>(catalogue: C): C => catalogue;

/** The same keys in another language: text for text, plural for plural. */
export type Translation<C extends Catalogue> = {
  readonly [K in keyof C]: C[K] extends string ? string : Plural;
};

export function say(entry: Entry, values: Values, language: string): string {
  const text = typeof entry === 'string' ? entry : pluralOf(entry, Number(values['count'] ?? 0), language);
  if (!text.includes('{')) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? numbers(language).format(value) : value;
  });
}

function pluralOf(entry: Plural, count: number, language: string): string {
  return entry[rules(language).select(count)] ?? entry.other;
}

const rules = remembered((language) => new Intl.PluralRules(language));
const numbers = remembered((language) => new Intl.NumberFormat(language));

function remembered<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    let one = made.get(language);
    if (one === undefined) {
      one = make(language);
      made.set(language, one);
    }
    return one;
  };
}
