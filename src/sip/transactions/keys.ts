// How a message finds its transaction (RFC 3261 §17.1.3, §17.2.3).
import type { SipRequest, SipResponse } from '../message.ts';

/** RFC 3261 §8.1.1.7: branches that begin so are unique. */
export const COOKIE = 'z9hG4bK';

/** ACK and CANCEL are looked up as the INVITE they belong to. */
export function serverKey(request: SipRequest, method: string): string {
  const { via } = request;
  if (via.branch.startsWith(COOKIE) && via.branch.length > COOKIE.length) {
    return `${via.branch} ${via.host}:${via.port} ${method}`;
  }
  // RFC 3261 §17.2.3, for elements of RFC 2543. The To tag is left out: an ACK has one that its INVITE had not.
  const fromTag = request.from.params.get('tag') ?? '';
  const { callId, cseq, uri } = request;
  return `2543 ${via.branch} ${via.host}:${via.port} ${method} ${cseq.number} ${fromTag} ${callId} ${uri}`;
}

export function clientKey(branch: string, method: string): string {
  return `${branch} ${method}`;
}

export function responseKey(response: SipResponse): string {
  return clientKey(response.via.branch, response.cseq.method);
}

/**
 * RFC 3261 §8.2.2.2: a request outside any dialog that came by two ways has two branches and one of these. Null when that
 * cannot be: it has a To tag, or belongs to none of the methods that begin something.
 */
export function mergeKey(request: SipRequest): string | null {
  if (request.to.params.has('tag')) return null;
  const fromTag = request.from.params.get('tag');
  // Without a tag (RFC 2543) nothing distinguishes a second request from a second path.
  if (fromTag === undefined) return null;
  return `${request.cseq.number} ${request.method} ${fromTag} ${request.callId}`;
}

/** The branches of the Vias below the topmost, which the request passed before; those with a cookie only. */
export function passedBranches(request: SipRequest): string[] {
  const branches: string[] = [];
  let top = true;
  for (const [name, value] of request.headers) {
    if (name !== 'via') continue;
    if (top) {
      top = false;
      continue;
    }
    const start = value.indexOf(COOKIE);
    if (start < 0) continue;
    let end = value.indexOf(';', start);
    if (end < 0) end = value.length;
    branches.push(value.slice(start, end).trimEnd());
  }
  return branches;
}
