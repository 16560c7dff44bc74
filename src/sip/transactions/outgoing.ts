// The messages that the transaction layer makes by itself or completes for its user.
import { newBranch } from '../ids.ts';
import { type Headers, NO_BODY, type SipRequest, type SipResponse, type Via } from '../message.ts';
import type { TransportFlow, Transports } from '../transports/transport.ts';
import { formatVia } from '../via.ts';

const TRANSPORT = { udp: 'UDP', tcp: 'TCP', tls: 'TLS', ws: 'WS' } as const;

/** A Via of our own for that flow, asking for rport (RFC 3581 §3). */
export function viaFor(flow: TransportFlow, transports: Pick<Transports, 'sentBy'>): Via {
  const { host, port } = transports.sentBy(flow);
  const branch = newBranch();
  const params = new Map([
    ['branch', branch],
    ['rport', ''],
  ]);
  return { transport: TRANSPORT[flow.protocol], host, port, branch, params };
}

export function withVia(request: Omit<SipRequest, 'via'>, via: Via): SipRequest {
  return { ...request, via, headers: [['via', formatVia(via)], ...request.headers] };
}

/** What ACK and CANCEL of an INVITE are made from; its other headers and its body can be forgotten. */
export interface InviteRemains {
  readonly uri: string;
  readonly via: Via;
  readonly from: SipRequest['from'];
  readonly to: SipRequest['to'];
  readonly callId: string;
  readonly number: number;
  /** Via, From, To, Call-ID, Max-Forwards and every Route, as they were sent. */
  readonly headers: Headers;
}

const KEPT = new Set(['via', 'from', 'to', 'call-id', 'max-forwards', 'route']);

export function remainsOf(request: SipRequest): InviteRemains {
  const { uri, via, from, to, callId, cseq } = request;
  const headers = request.headers.filter(([name]) => KEPT.has(name));
  return { uri, via, from, to, callId, number: cseq.number, headers };
}

/** RFC 3261 §17.1.1.3: for a final response other than 2xx, on the INVITE's own branch. */
export function ackOf(invite: InviteRemains, response: SipResponse): SipRequest {
  const to = response.headers.find(([name]) => name === 'to');
  const headers = invite.headers.map((header) => (header[0] === 'to' && to !== undefined ? to : header));
  return follower(invite, 'ACK', headers, response.to);
}

/** RFC 3261 §9.1. `reason` is the value of a Reason header (RFC 3326). */
export function cancelOf(invite: InviteRemains, reason: string | undefined): SipRequest {
  const headers: Headers = reason === undefined ? invite.headers : [...invite.headers, ['reason', reason]];
  return follower(invite, 'CANCEL', headers, invite.to);
}

function follower(invite: InviteRemains, method: string, headers: Headers, to: SipRequest['to']): SipRequest {
  const cseq = { number: invite.number, method };
  return {
    kind: 'request',
    method,
    uri: invite.uri,
    via: invite.via,
    from: invite.from,
    to,
    callId: invite.callId,
    cseq,
    headers: [...headers, ['cseq', `${cseq.number} ${method}`]],
    body: NO_BODY,
  };
}
