// URLs with the variables of a call in them. What a caller says of himself must not choose another path of the server: `..` as a name in
// `/a/{caller_name}/z` would ask for `/z` (docs/threat-model.md, T75).

import { fill } from './filling.ts';
import type { Ref } from './node.ts';
import type { Turn } from './turn.ts';

/** How often a server may decode what it gets: once, and again behind a proxy. */
const MOST_DECODED = 3;
/** Scheme and host are fixed; URL parsers take a backslash for a slash. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*/i;
/** URL parsers drop them, from the text between variables too. */
const DROPPED = /[\t\n\r]/g;

export const PATH_REFUSED = 'its variables lead to another path';

/** Null if a variable makes a segment `.` or `..`, or the URL is not whole. Values are percent-encoded. */
export function fillUrl(turn: Turn, node: Ref, template: string): string | null {
  const { value } = fill(turn, node, template, (text) => encodeURIComponent(text.toWellFormed()));
  const written = segmentsOf(template);
  const filled = segmentsOf(value);
  const changed = filled.filter((segment, at) => segment !== written[at]);
  return filled.length === written.length && !changed.some(leadsElsewhere) ? value : null;
}

/** Encoded values have none of these characters: segment for segment, both texts agree. */
const segmentsOf = (url: string): string[] =>
  (url.replace(DROPPED, '').replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '').split(/[/\\]/);

/** Servers may split what they have decoded, drop parameters behind a semicolon, and decode once more. */
function leadsElsewhere(segment: string): boolean {
  let text = segment;
  for (let times = 0; times <= MOST_DECODED; times++) {
    if (text.split(/[/\\]/).some((part) => /^\.{1,2}(?:;|$)/.test(part.replace(DROPPED, '')))) return true;
    const decoded = text.replace(/%[0-7][0-9a-f]/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
