// The cookie of the console: the secrets of the accounts that a browser is signed in to, the current one first, and
// the check that a request with it comes from our own pages (threat T20).
import type { IncomingHttpHeaders } from 'node:http';
import { type Problem, problem } from '../../kinds/problem.ts';

export const SESSION_COOKIE = 'dialtree_session';
/** Accounts that one browser may be signed in to. */
export const MAX_ACCOUNTS = 8;
/** A browser sends the cookies of everything on this host along; beyond this none of them is looked for. */
export const MAX_COOKIE_HEADER = 8 * 1024;
const MAX_SECRET = 64;
export const ACCOUNT_HEADER = 'dialtree-account';

/** In one pass; nothing where the cookie is missing or is not of our making. */
export function sessionSecrets(cookie: string | undefined): readonly string[] {
  const value = cookieValue(cookie);
  if (value === null || value.length > MAX_ACCOUNTS * (MAX_SECRET + 1)) return [];
  const secrets = value.split('.');
  return secrets.length <= MAX_ACCOUNTS && secrets.every(isSecret) ? secrets : [];
}

function cookieValue(cookie: string | undefined): string | null {
  if (cookie === undefined || cookie.length > MAX_COOKIE_HEADER) return null;
  for (let at = 0; at < cookie.length; ) {
    while (cookie[at] === ' ') at += 1;
    const semicolon = cookie.indexOf(';', at);
    const end = semicolon < 0 ? cookie.length : semicolon;
    // The first of that name: of several, browsers send the most specific one first (RFC 6265 §5.4).
    if (cookie.startsWith(SESSION_COOKIE, at) && cookie[at + SESSION_COOKIE.length] === '=')
      return cookie.slice(at + SESSION_COOKIE.length + 1, end).trim();
    at = end + 1;
  }
  return null;
}

/** Letters, digits, `-` and `_`. */
function isSecret(text: string): boolean {
  if (text.length === 0 || text.length > MAX_SECRET) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code >= 48 && code <= 57;
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!digit && !letter && code !== 45 && code !== 95) return false;
  }
  return true;
}

/** Without secrets, the browser deletes the cookie. */
export function setCookie(
  secrets: readonly string[],
  headers: IncomingHttpHeaders,
  seconds: number,
  publicUrl: string | null = null,
): string {
  const age = secrets.length === 0 ? 0 : seconds;
  const secure = isSecure(headers, publicUrl) ? '; Secure' : '';
  return `${SESSION_COOKIE}=${secrets.join('.')}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * A proxy in front may speak TLS for us: what counts is how the browser sees it. Of the host of PUBLIC_URL that is known; on another
 * one, such as a private address without TLS, a browser would not keep a Secure cookie.
 */
function isSecure({ origin }: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (origin?.startsWith('https:')) return true;
  if (!publicUrl?.startsWith('https:')) return false;
  return (
    origin === undefined || !URL.canParse(origin) || new URL(origin).hostname === new URL(publicUrl).hostname
  );
}

const READS: readonly string[] = ['GET', 'HEAD'];

/**
 * Another site can make a browser send a request, but not with a header of ours: that needs a permission (CORS) which
 * we never give. Where the browser says whence a request comes, it must be from us.
 */
export function crossSite(method: string, headers: IncomingHttpHeaders): Problem | null {
  if (isForeign(headers)) return refused('It comes from a page of another site.');
  if (READS.includes(method) || headers[ACCOUNT_HEADER] !== undefined) return null;
  return refused('Send the header "Dialtree-Account" with the id of the account that it is for.');
}

export function isForeign(headers: IncomingHttpHeaders): boolean {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  // An origin is scheme://host or scheme://host:port, or "null" (RFC 6454 §7).
  const scheme = origin.indexOf('://');
  return scheme < 1 || host === undefined || origin.slice(scheme + 3).toLowerCase() !== host.toLowerCase();
}

export function refused(why: string): Problem {
  return problem('csrf_refused', `A request with the console's cookie is refused. ${why}`);
}
