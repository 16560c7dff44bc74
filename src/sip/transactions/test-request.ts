// Requests for tests, as the user of the layer would make them.
import { newCallId, newTag } from '../ids.ts';
import { type Headers, NO_BODY, type SipRequest } from '../message.ts';
import { parseNameAddr } from '../name-addr.ts';

export function testRequest(
  method: string,
  options: {
    readonly toTag?: string;
    readonly callId?: string;
    readonly number?: number;
    readonly headers?: Headers;
  } = {},
): Omit<SipRequest, 'via'> {
  const { callId = newCallId(), number = 1, headers = [] } = options;
  const fromText = `<sip:1001@a.example>;tag=${newTag()}`;
  const toText = `<sip:600@b.example>${options.toTag === undefined ? '' : `;tag=${options.toTag}`}`;
  const from = parseNameAddr(fromText);
  const to = parseNameAddr(toText);
  if (from === null || to === null) throw new Error('a test address is malformed');
  return {
    kind: 'request',
    method,
    uri: 'sip:600@b.example',
    from,
    to,
    callId,
    cseq: { number, method },
    headers: [
      ['max-forwards', '70'],
      ['from', fromText],
      ['to', toText],
      ['call-id', callId],
      ['cseq', `${number} ${method}`],
      ...headers,
    ],
    body: NO_BODY,
  };
}
