// Who calls and what was dialled: the only reader of an INVITE's identity headers. Each of them is hostile: bounded, and what cannot
// be read is left out. Numbers are read on by calls/routing/plain-call.ts.
import { headerOf, type NameAddr, type SipRequest } from '../../../sip/message.ts';
import { valuesIn } from '../../../sip/name-addr.ts';
import { parseUri, unescapeUri } from '../../../sip/uri.ts';
import type { CallIdentity, DiversionEntry, HistoryEntry, Verstat } from '../../ports/call-identity.ts';
import type { Peer } from '../../telephony.ts';

const MAX_NUMBER = 64;
const MAX_NAME = 100;
const MAX_WORD = 32;
/** RFC 3325 §9.1: a sip and a tel URI. */
const MOST_IDENTITIES = 4;
const MOST_DIVERSIONS = 5;
const MOST_HISTORY = 10;
const MOST_PRIVACY = 8;

export interface Caller {
  readonly caller: string | null;
  readonly callerName: string;
  /** Absent: the peer sent nothing of it, or is not trusted with it. */
  readonly identity?: CallIdentity;
}

type Identified = Pick<SipRequest, 'headers' | 'from'>;
type Dialled = Pick<SipRequest, 'headers' | 'uri' | 'to'>;

/** The headers that are read, by name; each is looked at from trunks only. */
interface IdentityHeaders {
  asserted: NameAddr[];
  preferred: NameAddr[];
  remoteParty: NameAddr[];
  privacy: string[];
  attestation: string;
  diversions: NameAddr[];
  history: NameAddr[];
}

export function callerOf(request: Identified, peer: Peer, user: string): Caller {
  const { from } = request;
  const name = cleaned(from.display, MAX_NAME);
  // A phone is identified by its credentials, whatever its From says.
  if (peer.kind === 'phone') return { caller: user, callerName: name };
  if (peer.kind === 'guest') return { caller: user, callerName: peer.name };
  // RFC 3325 §9.1: an asserted identity is accepted from trunks only.
  const sent = identityHeadersOf(request);
  if (sent === null || peer.kind !== 'trunk') {
    const caller = shown(userOf(from.uri), name, sent?.privacy.some(hidesNumber) ?? false);
    return peer.kind === 'trunk' && mayHaveVerstat(from)
      ? { ...caller, ...identityOf(from, from, null) }
      : caller;
  }
  const parties = [sent.asserted, sent.preferred, sent.remoteParty].find(({ length }) => length > 0);
  const party = parties?.reduce(clearer) ?? from;
  const isWithheld = sent.privacy.some(hidesNumber) || sent.remoteParty.some(hidesParty);
  const given = parties?.find(({ display }) => display !== '')?.display;
  const isNameHidden = sent.remoteParty.some(({ params }) => params.get('privacy')?.toLowerCase() === 'name');
  const called = isNameHidden ? '' : given === undefined ? name : cleaned(given, MAX_NAME);
  return { ...shown(userOf(party.uri), called, isWithheld), ...identityOf(party, from, sent) };
}

/** What was dialled, as it stands in the Request-URI; and where else it may stand, in the order in which it is asked. */
export function dialledOf(request: Dialled): { dialled: string; alsoDialled: readonly string[] } {
  const dialled = userOf(request.uri);
  // RFC 7315 §4.2: what a proxy dialled before it put a registered user there.
  const called = headerOf(request, 'p-called-party-id');
  const [first] = called === undefined ? NONE_CALLED : valuesIn(called, 1);
  // A provider at which we register dials our user name and writes the number in To.
  if (first === undefined && request.to.uri === request.uri) return { dialled, alsoDialled: NONE };
  const others = [first ? userOf(first.uri) : '', userOf(request.to.uri)];
  const alsoDialled = others.filter(
    (other, at) => other !== '' && other !== dialled && others.indexOf(other) === at,
  );
  return { dialled, alsoDialled: alsoDialled.length === 0 ? NONE : alsoDialled };
}

const NONE: readonly string[] = [];
const NONE_CALLED: readonly NameAddr[] = [];

/** Null if none of these headers is there, as in most calls. */
function identityHeadersOf({ headers }: Identified): IdentityHeaders | null {
  let sent: IdentityHeaders | null = null;
  for (const [name, value] of headers) {
    switch (name) {
      case 'p-asserted-identity':
        sent ??= noHeaders();
        add(sent.asserted, value, MOST_IDENTITIES);
        break;
      case 'p-preferred-identity':
        sent ??= noHeaders();
        add(sent.preferred, value, MOST_IDENTITIES);
        break;
      case 'remote-party-id':
        sent ??= noHeaders();
        add(sent.remoteParty, value, MOST_IDENTITIES, isCalling);
        break;
      case 'privacy':
        sent ??= noHeaders();
        for (const each of value.split(/[;,]/, MOST_PRIVACY))
          if (sent.privacy.length < MOST_PRIVACY) sent.privacy.push(each.trim().toLowerCase());
        break;
      case 'p-attestation-indicator':
        sent ??= noHeaders();
        sent.attestation = value.trim();
        break;
      case 'diversion':
        sent ??= noHeaders();
        add(sent.diversions, value, MOST_DIVERSIONS);
        break;
      case 'history-info':
        sent ??= noHeaders();
        add(sent.history, value, MOST_HISTORY);
        break;
    }
  }
  return sent;
}

const noHeaders = (): IdentityHeaders => ({
  asserted: [],
  preferred: [],
  remoteParty: [],
  privacy: [],
  attestation: '',
  diversions: [],
  history: [],
});

function add(list: NameAddr[], text: string, most: number, isWanted?: (value: NameAddr) => boolean): void {
  for (const value of valuesIn(text, most))
    if (list.length < most && (isWanted === undefined || isWanted(value))) list.push(value);
}

/** Remote-Party-ID is of the called side, too. */
const isCalling = ({ params }: NameAddr): boolean =>
  (params.get('party') ?? 'calling').toLowerCase() === 'calling';

/** RFC 3323 §4.2, RFC 3325 §9.3. */
const hidesNumber = (word: string): boolean => word === 'id' || word === 'user' || word === 'full';

/** Of Remote-Party-ID and Diversion: `full`, `uri`, or of several words one of them. */
const hidesParty = ({ params }: NameAddr): boolean =>
  /full|uri/i.test(params.get('privacy')?.slice(0, MAX_WORD) ?? '');

function shown(number: string, name: string, isWithheld: boolean): Caller {
  const hasNumber = !isWithheld && number !== '' && number !== 'anonymous';
  return hasNumber ? { caller: number, callerName: name } : WITHHELD;
}

const WITHHELD: Caller = { caller: null, callerName: '' };

/** The one of two values of a header that is a telephone number; of two numbers the global one, of equals the first. */
function clearer(one: NameAddr, other: NameAddr): NameAddr {
  return clarity(other) > clarity(one) ? other : one;
}

function clarity({ uri }: NameAddr): number {
  const user = userOf(uri);
  if (user.startsWith('+')) return 3;
  if (/^[0-9]/.test(user)) return 2;
  return user === '' ? 0 : 1;
}

function identityOf(
  party: NameAddr,
  from: NameAddr,
  sent: IdentityHeaders | null,
): { readonly identity?: CallIdentity } {
  const first = verstatOf(party);
  const second = party === from ? null : verstatOf(from);
  // The worse of the two: a caller may write a parameter into From, a network adds its own.
  const check = second?.verstat === 'failed' ? second : (first ?? second);
  const diversions = sent?.diversions.map(diversionOf) ?? [];
  const history = sent?.history.map(historyOf) ?? [];
  if (check === null && diversions.length === 0 && history.length === 0 && !sent?.attestation) return {};
  const attestation =
    check?.attestation ?? /^[ABC]$/i.exec(sent?.attestation ?? '')?.[0].toUpperCase() ?? null;
  return { identity: { verstat: check?.verstat ?? null, attestation, diversions, history } };
}

interface Check {
  readonly verstat: Verstat;
  readonly attestation: string | null;
}

/** Asked of every call: its URI is read again only where there may be something to find. */
const mayHaveVerstat = ({ uri, params }: NameAddr): boolean =>
  /verstat/i.test(uri) || params.get('verstat') !== undefined;

/** ATIS-1000074 §5.2.4 and 3GPP TS 24.229 §7.2A.20; some networks add the attestation of RFC 8588. */
function verstatOf({ uri, params }: NameAddr): Check | null {
  const parsed = parseUri(uri);
  if (parsed === null) return null;
  const within = paramsOf(parsed.scheme === 'tel' ? parsed.opaque : parsed.user);
  const text = within.get('verstat') ?? parsed.params.get('verstat') ?? params.get('verstat');
  if (text === undefined || text.length > MAX_NUMBER) return null;
  const word = text.toLowerCase();
  if (word.startsWith('no-tn-validation')) return { verstat: 'none', attestation: null };
  const [, verstat, attestation] = /^tn-validation-(passed|failed)(?:-([abc])\b)?/.exec(word) ?? [];
  if (verstat !== 'passed' && verstat !== 'failed') return null;
  return { verstat, attestation: attestation?.toUpperCase() ?? null };
}

/** RFC 5806. */
function diversionOf(value: NameAddr): DiversionEntry {
  const number = hidesParty(value) ? '' : userOf(value.uri);
  return {
    number: number === '' ? null : number,
    reason: cleaned(value.params.get('reason') ?? '', MAX_WORD),
  };
}

/** RFC 7044 §5: the reason stands in the URI, escaped as a header or, RFC 4458, as a parameter. */
function historyOf({ uri, params }: NameAddr): HistoryEntry {
  const parsed = parseUri(uri);
  const headers = unescapeUri(parsed?.headers.slice(0, 4 * MAX_NUMBER) ?? '');
  const isHidden = /(?:^|&)privacy=[^&]*history/i.test(headers);
  const number = isHidden ? '' : userOf(uri);
  const cause = /^[1-9][0-9]{0,2}$/.exec(
    parsed?.params.get('cause') ?? /(?:^|&)reason=[^&]*?;cause=([0-9]{1,4})/i.exec(headers)?.[1] ?? '',
  );
  return {
    number: number === '' ? null : number,
    index: cleaned(params.get('index') ?? '', MAX_WORD),
    cause: cause === null ? null : Number(cause[0]),
  };
}

/**
 * The number or user name of a URI, without the parameters of RFC 3966 (`;verstat=`, `;cpc=`, `;npdi;rn=`) except a phone-context,
 * which is part of a local number.
 */
export function userOf(uri: string): string {
  const parsed = parseUri(uri);
  if (parsed === null) return '';
  const user = parsed.scheme === 'tel' ? unescapeUri(parsed.opaque) : parsed.user;
  const end = user.indexOf(';');
  if (end < 0) return cleaned(user, MAX_NUMBER);
  const context = user.startsWith('+') ? undefined : paramsOf(user).get('phone-context');
  const number = cleaned(user.slice(0, end), MAX_NUMBER);
  return context === undefined ? number : `${number};phone-context=${cleaned(context, MAX_WORD)}`;
}

/** The parameters of a user part or a tel URI. If a name comes twice, the first counts. */
function paramsOf(user: string): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  if (!user.includes(';')) return params;
  const [, ...texts] = user.slice(0, 8 * MAX_NUMBER).split(';', MOST_PARAMS);
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = (equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase();
    if (!params.has(name)) params.set(name, equals < 0 ? '' : unescapeUri(text.slice(equals + 1)).trim());
  }
  return params;
}

const MOST_PARAMS = 17;

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
