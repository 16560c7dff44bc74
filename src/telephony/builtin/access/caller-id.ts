// The caller ID of an INVITE, as far as the peer is trusted.
import { headerOf, type SipRequest } from '../../../sip/message.ts';
import { parseNameAddr } from '../../../sip/name-addr.ts';
import { parseUri, unescapeUri } from '../../../sip/uri.ts';
import type { Peer } from '../../telephony.ts';

const MAX_NUMBER = 64;
const MAX_NAME = 100;

export interface CallerId {
  readonly caller: string | null;
  readonly callerName: string;
}

export function callerOf(request: Pick<SipRequest, 'headers' | 'from'>, peer: Peer, user: string): CallerId {
  const name = cleaned(request.from.display, MAX_NAME);
  // A phone is identified by its credentials, whatever its From says.
  if (peer.kind === 'phone') return { caller: user, callerName: name };
  // RFC 3325 §9.1: an asserted identity is accepted from trunks only, and requested privacy is respected.
  const asserted = peer.kind === 'trunk' ? headerOf(request, 'p-asserted-identity') : undefined;
  const identity = (asserted && parseNameAddr(asserted)) || request.from;
  const number = userOf(identity.uri);
  const withheld =
    headerOf(request, 'privacy')?.toLowerCase().includes('id') || number === 'anonymous' || number === '';
  return withheld ? { caller: null, callerName: '' } : { caller: number, callerName: name };
}

export function userOf(uri: string): string {
  const parsed = parseUri(uri);
  return cleaned(parsed?.scheme === 'tel' ? unescapeUri(parsed.opaque) : (parsed?.user ?? ''), MAX_NUMBER);
}

/** Without control characters and of limited length: it is displayed and stored. */
function cleaned(text: string, most: number): string {
  if (isClean(text, most)) return text;
  let clean = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code !== 0x7f && clean.length < most) clean += character;
  }
  return clean.trim();
}

/** The common case: printable ASCII without spaces. */
function isClean(text: string, most: number): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f) return false;
  }
  return text.length <= most;
}
