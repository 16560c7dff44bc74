// The bytes of a response, with a To tag wherever one belongs.
import { randomHex } from '../ids.ts';
import type { SipRequest } from '../message.ts';
import { writeResponse } from '../response.ts';
import type { Reply } from './transactions.ts';

/** `tag` is asked for only if it is needed: a 100 has none (RFC 3261 §8.2.6.2), and a request in a dialog has its own. */
export function responseBytes(request: SipRequest, reply: Reply, tag: () => string): Buffer {
  const complete = reply.toTag !== undefined || reply.status === 100 || request.to.params.has('tag');
  return writeResponse(request, complete ? reply : { ...reply, toTag: tag() });
}

const secret = randomHex(4);

/** RFC 3261 §8.2.7: the same for a request that comes again, though nothing of it was kept. */
export function statelessTag(request: SipRequest): string {
  let hash = 0x811c9dc5;
  for (const text of [request.via.branch, request.callId]) {
    for (let at = 0; at < text.length && at < 128; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
  }
  return secret + (hash >>> 0).toString(16).padStart(8, '0');
}

export function isStatelessTag(tag: string | undefined, request: SipRequest): boolean {
  return tag?.startsWith(secret) === true && tag === statelessTag(request);
}
