// The INVITE of an outgoing call.
import { type NameAddr, NO_BODY } from '../message.ts';
import { formatNameAddr } from '../name-addr.ts';
import type { CallOptions } from './call-options.ts';
import { ACCEPT, ALLOW, type HeaderList, SDP_TYPE, USER_AGENT } from './capabilities.ts';
import type { Draft, SessionSettings } from './core.ts';
import { askAsUac } from './session-timer.ts';

export interface InviteDetails {
  readonly callId: string;
  readonly tag: string;
  readonly seq: number;
  readonly contact: string;
  /** The Min-SE of a 422 before, or 0. */
  readonly minSeS: number;
  /** Authorization, where a challenge was answered. */
  readonly extra: HeaderList;
}

const IDENTITY_HEADERS = {
  pai: 'p-asserted-identity',
  ppi: 'p-preferred-identity',
  rpid: 'remote-party-id',
} as const;

function identityHeader(
  { callerName, anonymous = false }: CallOptions,
  { header, uri }: NonNullable<CallOptions['identity']>,
): readonly [string, string] {
  const privacy = anonymous === false ? 'off' : 'full';
  const shown = [
    ['party', 'calling'],
    ['screen', 'yes'],
    ['privacy', privacy],
  ] as const;
  const params = new Map<string, string>(header === 'rpid' ? shown : []);
  return [IDENTITY_HEADERS[header], formatNameAddr({ display: callerName, uri, params })];
}

const ANONYMOUS: Omit<NameAddr, 'params'> = { display: 'Anonymous', uri: 'sip:anonymous@anonymous.invalid' };

export function draftInvite(options: CallOptions, settings: SessionSettings, details: InviteDetails): Draft {
  const { callId, seq, tag } = details;
  const { anonymous = false } = options;
  const who = anonymous === true ? ANONYMOUS : { display: options.callerName, uri: options.from };
  const display = anonymous === 'name' ? ANONYMOUS.display : who.display;
  const from: NameAddr = { ...who, display, params: new Map([['tag', tag]]) };
  const to: NameAddr = { display: '', uri: options.to ?? options.target.uri, params: new Map() };
  const headers: (readonly [string, string])[] = [['max-forwards', `${options.maxForwards ?? 70}`]];
  for (const route of options.route ?? []) headers.push(['route', formatNameAddr(route)]);
  headers.push(
    ['from', formatNameAddr(from)],
    ['to', formatNameAddr(to)],
    ['call-id', callId],
    ['cseq', `${seq} INVITE`],
    ['contact', `<${details.contact}>`],
    ALLOW,
    // Without an offer of ours a reliable 18x would make one, which a PRACK would have to answer.
    ['supported', options.sdp === null ? 'timer, replaces' : '100rel, timer, replaces'],
    ACCEPT,
    USER_AGENT,
    ...askAsUac(settings, details.minSeS, false),
  );
  if (anonymous !== false) headers.push(['privacy', 'id']);
  if (options.identity !== undefined) headers.push(identityHeader(options, options.identity));
  headers.push(...details.extra, ...(options.headers ?? []));
  if (options.sdp !== null) headers.push(SDP_TYPE);
  const body = options.sdp ?? NO_BODY;
  const cseq = { number: seq, method: 'INVITE' };
  return {
    kind: 'request',
    method: 'INVITE',
    uri: options.target.uri,
    headers,
    body,
    from,
    to,
    callId,
    cseq,
  };
}
