// How one record points to another: `<kind>||<id>`, as the specification writes it. One bar is understood too.

const MAX_ID = 64;

export interface Reference {
  readonly kind: string;
  readonly id: string;
}

/** The parts of `kind||id` or `kind|id`; a text without a bar has an empty kind. Not a check of either part. */
export function splitReference(text: string): Reference {
  const bar = text.indexOf('|');
  if (bar < 0) return { kind: '', id: text };
  const from = text.charCodeAt(bar + 1) === 0x7c ? bar + 2 : bar + 1;
  return { kind: text.slice(0, bar), id: text.slice(from) };
}

export function isId(text: string): boolean {
  return text.length <= MAX_ID && /^[A-Za-z0-9._-]+$/.test(text);
}

export function referenceText(kind: string, id: string): string {
  return `${kind}||${id}`;
}
