// `Digest name=value, name="value"`: challenges and the answers to them (RFC 7616 §3.3, §3.4).
import { Cursor, quote } from './cursor.ts';
import type { Headers } from './message.ts';

export type DigestFields = ReadonlyMap<string, string>;

const MOST_FIELDS = 24;
const MOST_HEADERS = 8;

/** The fields by lower-case name, quotes undone; null when the scheme is another or the text is malformed. */
export function parseDigest(text: string): DigestFields | null {
  const cursor = new Cursor(text);
  cursor.skipSpace();
  if (cursor.token().toLowerCase() !== 'digest') return null;
  const fields = new Map<string, string>();
  do {
    cursor.skipSpace();
    const name = cursor.token().toLowerCase();
    cursor.skipSpace();
    if (name === '' || !cursor.take(0x3d) || fields.has(name) || fields.size >= MOST_FIELDS) return null;
    cursor.skipSpace();
    fields.set(name, cursor.peek() === 0x22 ? cursor.quoted() : cursor.bareValue());
    cursor.skipSpace();
  } while (cursor.take(0x2c));
  return cursor.failed || !cursor.ended ? null : fields;
}

/** Those of all headers of that name, of the first few only. */
export function digestsOf(message: { readonly headers: Headers }, name: string): DigestFields[] {
  const found: DigestFields[] = [];
  let headers = 0;
  for (const [each, value] of message.headers) {
    if (each !== name) continue;
    headers += 1;
    if (headers > MOST_HEADERS) break;
    const fields = parseDigest(value);
    if (fields !== null) found.push(fields);
  }
  return found;
}

/** RFC 7616 §3.4: these stand without quotes. */
const BARE = new Set(['algorithm', 'nc', 'stale', 'qop']);

export function formatDigest(
  fields: Iterable<readonly [name: string, value: string]>,
  quotedQop: boolean,
): string {
  const written: string[] = [];
  for (const [name, value] of fields) {
    const bare = BARE.has(name) && !(name === 'qop' && quotedQop);
    written.push(`${name}=${bare ? value : quote(value)}`);
  }
  return `Digest ${written.join(', ')}`;
}
