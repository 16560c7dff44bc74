// A position in a text. The readers of SIP grammar (params.ts, via.ts, name-addr.ts) move it forward, never back; what they
// cannot read marks it failed, and they return what they had.

const TOKEN = 1;
const SPACE = 2;
const VALUE_END = 4;

/** What each ASCII character may be part of, so that a scan is one look-up per character. */
const CLASSES = new Uint8Array(128);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.!%*_+`'~")
  mark(char, TOKEN);
for (const char of ' \t\r\n') mark(char, SPACE | VALUE_END);
for (const char of ';,<>"\0') mark(char, VALUE_END);

function mark(char: string, as: number): void {
  const code = char.charCodeAt(0);
  CLASSES[code] = (CLASSES[code] ?? 0) | as;
}

/** RFC 3261 §25.1 `token`. */
export function isTokenChar(code: number): boolean {
  return code < 128 && ((CLASSES[code] ?? 0) & TOKEN) !== 0;
}

export function isToken(text: string): boolean {
  if (text === '') return false;
  for (let at = 0; at < text.length; at += 1) if (!isTokenChar(text.charCodeAt(at))) return false;
  return true;
}

export class Cursor {
  readonly text: string;
  at = 0;
  failed = false;

  constructor(text: string) {
    this.text = text;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** NaN at the end, which equals nothing. */
  peek(): number {
    return this.text.charCodeAt(this.at);
  }

  skipSpace(): void {
    const { text } = this;
    let at = this.at;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 32 || ((CLASSES[code] ?? 0) & SPACE) === 0) break;
    }
    this.at = at;
  }

  /** Steps over that character if it is the next one. */
  take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  /** Empty when the next character belongs to no token. */
  token(): string {
    const { text } = this;
    const start = this.at;
    let at = start;
    while (at < text.length && isTokenChar(text.charCodeAt(at))) at += 1;
    this.at = at;
    return text.slice(start, at);
  }

  /** Up to what ends an unquoted parameter value: token, host or IPv6 address, and anything else found in practice. */
  bareValue(): string {
    const { text } = this;
    const start = this.at;
    let at = start;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < 128 && ((CLASSES[code] ?? 0) & VALUE_END) !== 0) break;
    }
    this.at = at;
    return text.slice(start, at);
  }

  /** The content of a quoted string whose opening quote is next, its escapes undone. */
  quoted(): string {
    const { text } = this;
    const start = this.at + 1;
    let escapes = false;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x5c) {
        escapes = true;
        at += 1;
      } else if (code === 0x22) {
        this.at = at + 1;
        const content = text.slice(start, at);
        return escapes ? unescapeQuoted(content) : content;
      }
    }
    this.at = text.length;
    this.failed = true;
    return '';
  }

  /** Decimal digits up to `limit`; NaN when there are none or the value exceeds it. */
  number(limit: number): number {
    const { text } = this;
    const start = this.at;
    let value = 0;
    let at = start;
    for (; at < text.length; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      // Past the limit the digits still are consumed, but no longer counted: 10^100 must not become Infinity.
      if (value <= limit) value = value * 10 + digit;
    }
    this.at = at;
    return at === start || value > limit ? Number.NaN : value;
  }
}

function unescapeQuoted(content: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let slash = content.indexOf('\\'); slash >= 0; slash = content.indexOf('\\', slash + 2)) {
    parts.push(content.slice(from, slash));
    from = slash + 1;
  }
  parts.push(content.slice(from));
  return parts.join('');
}

/** `"…"` for display names and parameters (RFC 3261 §25.1 quoted-string); characters that end a line become spaces. */
export function quote(text: string): string {
  let written = '"';
  for (const char of text) {
    if (char === '"' || char === '\\') written += `\\${char}`;
    else written += char === '\r' || char === '\n' || char === '\0' ? ' ' : char;
  }
  return `${written}"`;
}

/** The whole text as a number of at most `limit`, or null. */
export function wholeNumber(text: string, limit: number): number | null {
  const cursor = new Cursor(text);
  const value = cursor.number(limit);
  return cursor.ended && !Number.isNaN(value) ? value : null;
}
