// ETags of records: the version, which If-Match is held against, and a mark of the bytes, since a record's text may
// change without the record (the name of its team, its warnings).
import { createHash } from 'node:crypto';
import { type Problem, problem } from '../../kinds/problem.ts';
import { type ApiRequest, type ApiResponse, header } from './handler.ts';

export function etagOf(version: number, bytes = ''): string {
  return bytes === ''
    ? `"${version}"`
    : `"${version}-${createHash('sha256').update(bytes).digest('base64url').slice(0, 10)}"`;
}

/** The record itself, or 304 when the client has it. */
export function recordResponse(
  request: Pick<ApiRequest, 'headers'>,
  version: number,
  record: object,
): ApiResponse {
  const bytes = JSON.stringify(record);
  return matched(request, etagOf(version, bytes), bytes);
}

export function matched(
  request: Pick<ApiRequest, 'headers'>,
  etag: string,
  bytes: Buffer | string,
  headers: Record<string, string> = {},
): ApiResponse {
  const known = header(request, 'if-none-match');
  const has =
    known !== undefined && known.length < 2000 && known.split(',').some((tag) => isSame(tag.trim(), etag));
  return has
    ? { status: 304, headers: { ...headers, etag } }
    : { status: 200, headers: { ...headers, etag }, bytes };
}

/** Weak comparison (RFC 9110 §8.8.3.2): right for If-None-Match. */
const isSame = (tag: string, etag: string): boolean => tag === '*' || tag === etag || tag === `W/${etag}`;

/** The tag of content that has no version: If-Match is compared with the whole tag. */
export function contentTag(bytes: string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** The tag that If-Match asks for; null without the header or with `*`. */
export function expectedTag(request: Pick<ApiRequest, 'headers'>): { tag: string } | Problem | null {
  const given = header(request, 'if-match');
  if (given === undefined || given === '*') return null;
  return /^"[\w-]{1,50}"$/.test(given) ? { tag: given } : IF_MATCH_MALFORMED;
}

const IF_MATCH_MALFORMED = problem(
  'if_match_malformed',
  'If-Match must be one ETag as the service sent it, such as "3", or *.',
);

/** The version that If-Match asks for; `any` without the header or with `*`. */
export function expectedVersion(request: Pick<ApiRequest, 'headers'>): number | 'any' | Problem {
  const given = header(request, 'if-match');
  if (given === undefined || given === '*') return 'any';
  const version = /^"(\d{1,15})(?:-[\w-]{1,20})?"$/.exec(given)?.[1];
  if (version) return Number(version);
  return IF_MATCH_MALFORMED;
}

/** For storage: the expectation as a member, or none. */
export function expecting(request: Pick<ApiRequest, 'headers'>): { expectedVersion?: number } | Problem {
  const version = expectedVersion(request);
  if (version === 'any') return {};
  return typeof version === 'number' ? { expectedVersion: version } : version;
}

export function versionChanged(version: number): Problem {
  return problem(
    'version_changed',
    `Somebody changed this record: it is at version ${version} now. Read it again, then repeat your change.`,
    {
      headers: { etag: etagOf(version) },
    },
  );
}
