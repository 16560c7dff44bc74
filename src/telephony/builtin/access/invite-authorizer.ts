// Authorizes requests outside dialogs before any state is kept: one packet in, at most one packet out. Unknown and known users get
// the same response, so that user names cannot be enumerated (threat T4).
import type { DigestAlgorithm, DigestAnswer, DigestSecret, DigestServer } from '../../../sip/digest.ts';
import { hasHeader } from '../../../sip/header-tokens.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import { parseUri } from '../../../sip/uri.ts';
import { type Admission, ALLOWED, DROPPED } from '../../../sip/user-agent.ts';
import type { WebPhone } from '../../ports/web-phone.ts';
import type { Credentials, Peer } from '../../telephony.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';
import { dialledOf } from './call-identity.ts';

/** An authorized peer, and the user name that it authenticated with; empty: it needed none. */
export interface Authorized {
  readonly peer: Peer;
  readonly user: string;
}

export type Verdict = Admission<Authorized>;

export interface AuthorizerParts {
  readonly digest: DigestServer;
  /** What every user is challenged with, known or not (T42). */
  readonly digests: readonly DigestAlgorithm[];
  readonly credentialsOf: (user: string) => readonly Credentials[];
  readonly trunks: TrunkBook;
  /** Of several trunks of an account with one address, the one that may reach a dialled number. */
  readonly trunkOf: (ids: readonly string[], dialled: readonly string[]) => string;
  /** The trunk whose registration's line the request has; null: none. */
  readonly lineOf: (request: SipRequest) => string | null;
  /** The one trunk that is registered under a user name where this came from. */
  readonly registeredAs: (user: string, flow: TransportFlow) => string | null;
  /** Whether a trunk is registered by this connection. */
  readonly isRegisteredBy: (flow: TransportFlow) => boolean;
  /** Whether a phone is registered by this flow; `user`: one with that user name. */
  readonly isPhone: (flow: TransportFlow, user?: string) => boolean;
  /** Whose WebSocket it is; null: it is closed. */
  readonly webPhoneOf?: (flow: TransportFlow) => WebPhone | null;
  /** Whether a password from there is looked at. */
  readonly acceptsPassword: (address: string) => boolean;
  /** Not for the digest of a WebSocket: anybody gets one from a call button, and the address is not freed of limits by it (T3). */
  readonly authenticated: (address: string) => void;
  readonly failed: (address: string) => void;
}

const METHODS = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, PRACK, REFER, SUBSCRIBE, REGISTER';
const NOT_ALLOWED: Verdict = { kind: 'refuse', reply: { status: 405, headers: [['Allow', METHODS]] } };
const WEB_METHODS: readonly string[] = ['INVITE', 'REGISTER', 'SUBSCRIBE', 'REFER'];
/** The secret is random and lives some minutes; JsSIP and SIP.js know no other. */
const WEB_DIGESTS: readonly DigestAlgorithm[] = ['MD5'];

export class InviteAuthorizer {
  readonly #parts: AuthorizerParts;

  constructor(parts: AuthorizerParts) {
    this.#parts = parts;
  }

  authorize(request: SipRequest, flow: TransportFlow): Verdict {
    // Within a dialog both tags identify the peer; a wrong tag gets 481.
    if (request.to.params.has('tag')) return ALLOWED;
    if (flow.protocol === 'ws') return this.#authorizeWeb(request, flow);
    switch (request.method) {
      case 'REGISTER':
        return this.#authenticate(request, flow, userOf(request.to.uri));
      case 'INVITE':
        return this.#authorizeInvite(request, flow);
      case 'REFER':
        // RFC 4538: to know the tags of a call is not enough.
        return hasHeader(request, 'target-dialog')
          ? this.#authenticate(request, flow, userOf(request.from.uri))
          : this.#authorizeOther(request, flow);
      case 'SUBSCRIBE':
        return this.#authenticate(request, flow, userOf(request.from.uri));
      default:
        return this.#authorizeOther(request, flow);
    }
  }

  /** By the credentials of its session alone, wherever the browser is. A guest calls, and does nothing else. */
  #authorizeWeb(request: SipRequest, flow: TransportFlow): Verdict {
    const { method } = request;
    const web = this.#parts.webPhoneOf?.(flow) ?? null;
    if (web === null) return DROPPED;
    if (method === 'OPTIONS') return ALLOWED;
    if (!WEB_METHODS.includes(method)) return NOT_ALLOWED;
    if (web.peer.kind === 'guest' && method !== 'INVITE') return { kind: 'refuse', reply: { status: 403 } };
    const { id, user, md5, sha256 } = web;
    const own: Credentials = { id, realm: '', md5, sha256, requireSha256: false };
    const asked = userOf(method === 'REGISTER' ? request.to.uri : request.from.uri);
    const verdict = this.#authenticate(request, flow, asked, asked === user ? [own] : [], WEB_DIGESTS);
    return verdict.kind === 'allow' ? allowed(web.peer, web.caller) : verdict;
  }

  #authorizeInvite(request: SipRequest, flow: TransportFlow): Verdict {
    const { trunks, trunkOf, isPhone, lineOf, registeredAs, authenticated } = this.#parts;
    const line = lineOf(request);
    if (line !== null) {
      authenticated(peerOf(flow).address);
      return allowed({ kind: 'trunk', id: line });
    }
    const ids = trunks.from(peerOf(flow).address);
    const [only] = ids;
    // A phone that is registered by this flow must authenticate, even in the network of a trunk or on this machine. A PBX may be both,
    // phone and trunk, at one port: calls in the phone's name are the phone's.
    const isOwn = isPhone(flow) && (only === undefined || isPhone(flow, userOf(request.from.uri)));
    if (isOwn || this.#answers(request)) return this.#authenticate(request, flow, userOf(request.from.uri));
    if (only !== undefined) {
      const id = ids.length === 1 ? only : trunkOf(ids, numbersOf(request));
      return allowed({ kind: 'trunk', id });
    }
    // Not where the address is another trunk's: a user name or a shared connection must not take its calls.
    const registered = registeredAs(userOf(request.uri), flow);
    if (registered !== null) {
      authenticated(peerOf(flow).address);
      return allowed({ kind: 'trunk', id: registered });
    }
    return isLocal(flow)
      ? allowed({ kind: 'local' })
      : this.#authenticate(request, flow, userOf(request.from.uri));
  }

  /** OPTIONS and unsupported methods: known peers are answered; others get no response or one refusal. */
  #authorizeOther(request: SipRequest, flow: TransportFlow): Verdict {
    const { trunks, isPhone, lineOf, isRegisteredBy } = this.#parts;
    const { address } = peerOf(flow);
    if (isRegisteredBy(flow) || lineOf(request) !== null) return ALLOWED;
    if (isLocal(flow) || trunks.from(address).length > 0 || isPhone(flow)) return ALLOWED;
    // The pings of an edge itself.
    if (request.method === 'OPTIONS')
      return address === flow.remote.address && flow.peer ? ALLOWED : dropped(flow);
    return NOT_ALLOWED;
  }

  #answers(request: SipRequest): boolean {
    return this.#parts.digest.answerOf(request) !== null;
  }

  #authenticate(
    request: SipRequest,
    flow: TransportFlow,
    user: string,
    candidates = this.#parts.credentialsOf(user),
    digests = this.#parts.digests,
  ): Verdict {
    const { digest, acceptsPassword, authenticated, failed } = this.#parts;
    const { address } = peerOf(flow);
    if (!acceptsPassword(address)) return dropped(flow);
    const answer = digest.answerOf(request);
    const challenge = (isStale: boolean, algorithms = digests): Verdict =>
      refusal(algorithms.map((algorithm) => digest.challenge(algorithm, isStale)));
    if (!answer) return challenge(false);
    let stale = false;
    // Several accounts may have that user: the password selects one. For an unknown user the same work is done, against timing attacks.
    for (const candidate of candidates.length > 0 ? candidates : [null]) {
      const secret = candidate && answer.username === user ? secretOf(candidate, answer) : null;
      const verdict = digest.verify(request, answer, secret);
      // Only a right password learns that this user must use SHA-256: stale lets the phone answer again without asking its user.
      const mustUseSha256 = candidate?.requireSha256 || !digests.includes('MD5');
      if (verdict.ok && mustUseSha256 && secret?.algorithm === 'MD5') return challenge(true, ['SHA-256']);
      if (verdict.ok && candidate) {
        if (flow.protocol !== 'ws') authenticated(address);
        return allowed({ kind: 'phone', id: candidate.id }, user);
      }
      if (!verdict.ok && verdict.stale) stale = true;
    }
    if (!stale) failed(address);
    return challenge(stale);
  }
}

const allowed = (peer: Peer, user = ''): Verdict => ({ kind: 'allow', caller: { peer, user } });

/** No answer for a stranger. A proxy gets one: otherwise it repeats the request, and tries it at other nodes. */
function dropped({ peer }: TransportFlow): Verdict {
  return peer === undefined ? DROPPED : { kind: 'refuse', reply: { status: 403 } };
}

/** What an edge on this machine passes on is not from this machine. */
const isLocal = ({ peer, remote }: TransportFlow): boolean =>
  peer === undefined && isLoopback(remote.address);

function refusal(challenges: readonly string[]): Verdict {
  const headers = challenges.map((value) => ['WWW-Authenticate', value] as const);
  return { kind: 'refuse', reply: { status: 401, headers } };
}

function secretOf({ md5, sha256 }: Credentials, { fields }: DigestAnswer): DigestSecret {
  const isSha256 = fields.get('algorithm')?.toUpperCase() === 'SHA-256';
  return { md5, sha256, algorithm: isSha256 ? 'SHA-256' : 'MD5' };
}

function numbersOf(request: SipRequest): readonly string[] {
  const { dialled, alsoDialled } = dialledOf(request);
  return [dialled, ...alsoDialled];
}

function userOf(uri: string): string {
  return parseUri(uri)?.user ?? '';
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
