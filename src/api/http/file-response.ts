// A file as an answer: whole, or the part that Range asks for (RFC 9110 §14), or 304. A player that jumps asks for parts.
import { type Problem, problem } from '../../kinds/problem.ts';
import { type ApiRequest, type ApiResponse, header } from './handler.ts';
import { matched } from './version.ts';

export interface ServedFile {
  readonly length: number;
  readonly contentType: string;
  /** The name that a browser saves it under; of our own making. */
  readonly name: string;
  /** Strong: the same for the same bytes. */
  readonly etag: string;
  /** Bytes from `from` up to and with `to`. */
  read(from: number, to: number, signal: AbortSignal): AsyncIterable<Buffer>;
}

export function fileResponse(request: ApiRequest, file: ServedFile): ApiResponse | Problem {
  const { length, etag } = file;
  const unchanged = matched(request, etag, '');
  if (unchanged.status === 304) return unchanged;
  const headers = {
    etag,
    'content-type': file.contentType,
    'content-disposition': `inline; filename="${file.name}"`,
    'accept-ranges': 'bytes',
  };
  // RFC 9110 §13.1.5: If-Range with another ETag wants the whole of what is there now.
  const ifRange = header(request, 'if-range');
  const range = ifRange === undefined || ifRange === etag ? rangeOf(header(request, 'range'), length) : null;
  if (range === 'unsatisfiable')
    return problem('range_not_satisfiable', `The file has ${length} bytes; the range lies outside.`, {
      headers: { 'content-range': `bytes */${length}` },
    });
  const { from, to } = range ?? { from: 0, to: length - 1 };
  return {
    status: range ? 206 : 200,
    headers: range ? { ...headers, 'content-range': `bytes ${from}-${to}/${length}` } : headers,
    stream: { length: to - from + 1, pieces: (signal) => file.read(from, to, signal) },
  };
}

/** Null if there is no range, or one that may be ignored (another unit, several parts, malformed): the whole file is the answer. */
export function rangeOf(
  given: string | undefined,
  length: number,
): { readonly from: number; readonly to: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(given ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const count = Math.min(Number(last), length);
    return count === 0 ? 'unsatisfiable' : { from: length - count, to: length - 1 };
  }
  const from = Number(first);
  const to = last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== '' && Number(last) < from) return null;
  return from >= length ? 'unsatisfiable' : { from, to };
}
