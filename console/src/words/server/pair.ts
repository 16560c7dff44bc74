/** A sentence of the service in English, which is also the pattern by which it is recognised, and in Hindi. */
export type Pair = readonly [en: string, hi: string];
