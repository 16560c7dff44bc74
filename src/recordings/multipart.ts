// multipart/form-data (RFC 7578), piece by piece and in one pass: what has been read is handed on, and no more than a delimiter
// or the head of one part is ever held back.

const MAX_BOUNDARY = 70;
const MAX_PREAMBLE = 4 * 1024;
const MAX_HEAD = 8 * 1024;
export const MAX_PARTS = 32;

export type MultipartEvent =
  | { readonly kind: 'part'; readonly name: string; readonly filename: string | null }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

type State = 'preamble' | 'delimiter' | 'head' | 'body' | 'over';

export class MultipartError extends Error {}

/** Null if the content type names no boundary. */
export function boundaryOf(contentType: string): string | null {
  const boundary = parameterOf(contentType, 'boundary');
  return boundary === null || boundary === '' || boundary.length > MAX_BOUNDARY ? null : boundary;
}

export class MultipartReader {
  readonly #delimiter: Buffer;
  /** The first delimiter may stand at the very beginning, as if a line had ended before it. */
  #rest: Buffer = Buffer.from('\r\n');
  #state: State = 'preamble';
  #parts = 0;
  #skipped = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Throws a MultipartError when the body is not what it says. */
  *push(bytes: Buffer): Iterable<MultipartEvent> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const before: State = this.#state;
      switch (before) {
        case 'preamble':
          this.#skipPreamble();
          break;
        case 'delimiter':
          this.#endDelimiter();
          break;
        case 'head': {
          const part = this.#head();
          if (part) yield part;
          break;
        }
        case 'body':
          yield* this.#body();
          break;
        case 'over':
          this.#rest = Buffer.alloc(0);
          return;
      }
      if (this.#state === before) return;
    }
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  #skipPreamble(): void {
    const at = this.#rest.indexOf(this.#delimiter);
    if (at >= 0) {
      this.#goOn(at + this.#delimiter.length, 'delimiter');
      return;
    }
    const gone = Math.max(0, this.#rest.length - this.#delimiter.length + 1);
    this.#skipped += gone;
    if (this.#skipped > MAX_PREAMBLE) throw new MultipartError('its first part does not begin');
    this.#rest = this.#rest.subarray(gone);
  }

  /** Two dashes end the body; white space and a line break begin a part. */
  #endDelimiter(): void {
    let at = 0;
    if (this.#rest.length < 2) return;
    if (this.#rest[0] === 0x2d && this.#rest[1] === 0x2d) {
      this.#goOn(2, 'over');
      return;
    }
    while (this.#rest[at] === 0x20 || this.#rest[at] === 0x09) at += 1;
    if (at > MAX_BOUNDARY) throw new MultipartError('a delimiter does not end');
    if (this.#rest.length < at + 2) return;
    if (this.#rest[at] !== 0x0d || this.#rest[at + 1] !== 0x0a)
      throw new MultipartError('a delimiter does not end its line');
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new MultipartError(`it has more than ${MAX_PARTS} parts`);
    // The line break stays: a part without a head has the empty line right after it.
    this.#goOn(at, 'head');
  }

  #head(): MultipartEvent | null {
    const end = this.#rest.indexOf('\r\n\r\n', 0, 'latin1');
    if (end > MAX_HEAD || (end < 0 && this.#rest.length > MAX_HEAD))
      throw new MultipartError('the head of a part is too long');
    if (end < 0) return null;
    const lines = this.#rest.toString('utf8', 0, end).split('\r\n');
    this.#goOn(end + 4, 'body');
    const disposition =
      lines.find((line) => line.slice(0, 20).toLowerCase() === 'content-disposition:') ?? '';
    const name = parameterOf(disposition, 'name');
    if (name === null) throw new MultipartError('a part has no name');
    return { kind: 'part', name, filename: parameterOf(disposition, 'filename') };
  }

  *#body(): Iterable<MultipartEvent> {
    const at = this.#rest.indexOf(this.#delimiter);
    if (at >= 0) {
      if (at > 0) yield { kind: 'data', bytes: this.#rest.subarray(0, at) };
      this.#goOn(at + this.#delimiter.length, 'delimiter');
      yield { kind: 'end' };
      return;
    }
    const sure = this.#rest.length - this.#delimiter.length + 1;
    if (sure <= 0) return;
    yield { kind: 'data', bytes: this.#rest.subarray(0, sure) };
    this.#rest = this.#rest.subarray(sure);
  }

  #goOn(from: number, state: State): void {
    this.#rest = this.#rest.subarray(from);
    this.#state = state;
  }
}

/** The value of `; name=value` or `; name="value"`; browsers write a quote within as %22, others as \". */
function parameterOf(header: string, wanted: string): string | null {
  let at = header.indexOf(';');
  while (at >= 0 && at < header.length) {
    at += 1;
    while (header[at] === ' ' || header[at] === '\t') at += 1;
    const equals = header.indexOf('=', at);
    if (equals < 0) return null;
    const name = header.slice(at, equals).trim().toLowerCase();
    const { value, end } =
      header[equals + 1] === '"' ? quoted(header, equals + 2) : plain(header, equals + 1);
    if (name === wanted) return value;
    at = header.indexOf(';', end);
  }
  return null;
}

function plain(header: string, from: number): { value: string; end: number } {
  const semicolon = header.indexOf(';', from);
  const end = semicolon < 0 ? header.length : semicolon;
  return { value: header.slice(from, end).trim(), end };
}

function quoted(header: string, from: number): { value: string; end: number } {
  let value = '';
  let at = from;
  for (; at < header.length && header[at] !== '"'; at += 1) {
    if (header[at] === '\\' && (header[at + 1] === '"' || header[at + 1] === '\\')) at += 1;
    value += header[at];
  }
  return { value: value.replaceAll('%22', '"'), end: at + 1 };
}
