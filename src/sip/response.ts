// The response to a request, as bytes: what RFC 3261 §8.2.6 has copied, and what the reply adds. Every call is answered twice, so it is
// written straight from the request, without a message in between.
import type { SipRequest } from './message.ts';
import { NO_BODY } from './message.ts';
import { reasonPhrase } from './reason-phrases.ts';
import { headerLine, onOneLine, withBody } from './serialize.ts';
import type { Reply } from './transactions/transactions.ts';
import { warningHeader } from './warning.ts';

export function writeResponse(request: SipRequest, reply: Reply): Buffer {
  const { status } = reply;
  let text = `SIP/2.0 ${status} ${onOneLine(reply.reason ?? reasonPhrase(status))}\r\n`;
  text += copied(request, reply);
  for (const [name, value] of reply.headers ?? []) text += headerLine(name, value);
  // Phones show a Warning, hardly any of them a phrase that is not the RFC's.
  if (status === 400 && reply.reason !== undefined)
    text += headerLine(...warningHeader({ code: 399, text: reply.reason }));
  return withBody(text, reply.body ?? NO_BODY);
}

/** The lines as they came, also those of a malformed request: the parser has seen to it that each is one line. */
function copied(request: SipRequest, { status, toTag }: Reply): string {
  // RFC 3261 §8.2.6.2: our tag, unless the request had one or a 100 leaves it out.
  const { to } = request;
  const tag = toTag === undefined || to.uri === '' || to.params.has('tag') ? '' : `;tag=${toTag}`;
  // RFC 3261 §12.1.1: whatever may make a dialog carries the route set back.
  const isRouted = status > 100 && status < 300;
  let lines = '';
  for (const [name, value] of request.headers) {
    switch (name) {
      case 'via':
        lines += `Via: ${value}\r\n`;
        break;
      case 'from':
        lines += `From: ${value}\r\n`;
        break;
      case 'to':
        lines += `To: ${value}${tag}\r\n`;
        break;
      case 'call-id':
        lines += `Call-ID: ${value}\r\n`;
        break;
      case 'cseq':
        lines += `CSeq: ${value}\r\n`;
        break;
      case 'record-route':
        if (isRouted) lines += `Record-Route: ${value}\r\n`;
        break;
      case 'timestamp':
        // RFC 3261 §8.2.6.1
        if (status === 100) lines += `Timestamp: ${value}\r\n`;
        break;
    }
  }
  return lines;
}
