// A response as a value, as if it had been parsed: what a peer of the tests answers.
import { type Headers, type NameAddr, NO_BODY, type SipRequest, type SipResponse } from '../message.ts';
import { withTag } from '../name-addr.ts';
import { reasonPhrase } from '../reason-phrases.ts';
import type { Reply } from '../transactions/transactions.ts';

export function makeResponse(request: SipRequest, reply: Reply): SipResponse {
  const { via, from, callId, cseq } = request;
  const to = answeredTo(request, reply);
  const headers = copiedHeaders(request, reply.status, to, reply.toTag ?? '');
  if (reply.headers !== undefined) headers.push(...reply.headers);
  return {
    kind: 'response',
    status: reply.status,
    reason: reply.reason ?? reasonPhrase(reply.status),
    headers,
    body: reply.body ?? NO_BODY,
    via,
    from,
    to,
    callId,
    cseq,
  };
}

/** RFC 3261 §8.2.6.2: our tag, unless the request had one or a 100 leaves it out. */
function answeredTo(request: SipRequest, reply: Reply): NameAddr {
  const { to } = request;
  if (reply.toTag === undefined || to.uri === '' || to.params.has('tag')) return to;
  return withTag(to, reply.toTag);
}

/** The lines as they came, also those of a malformed request; a To without a tag gets ours. */
function copiedHeaders(request: SipRequest, status: number, to: NameAddr, tag: string): Headers[number][] {
  const headers: Headers[number][] = [];
  // RFC 3261 §12.1.1: whatever may make a dialog carries the route set back.
  const routed = status > 100 && status < 300;
  for (const header of request.headers) {
    switch (header[0]) {
      case 'via':
      case 'from':
      case 'call-id':
      case 'cseq':
        headers.push(header);
        break;
      case 'to':
        headers.push(to === request.to ? header : ['to', `${header[1]};tag=${tag}`]);
        break;
      case 'record-route':
        if (routed) headers.push(header);
        break;
      case 'timestamp':
        // RFC 3261 §8.2.6.1
        if (status === 100) headers.push(header);
        break;
    }
  }
  return headers;
}
