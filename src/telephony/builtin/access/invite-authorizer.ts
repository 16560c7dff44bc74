// Authorizes requests outside dialogs before any state is kept: one packet in, at most one packet out. Unknown and known users get
// the same response, so that user names cannot be enumerated (threat T4).
import type { DigestAlgorithm, DigestAnswer, DigestSecret, DigestServer } from '../../../sip/digest.ts';
import type { Guard } from '../../../sip/guard.ts';
import { hasHeader } from '../../../sip/header-tokens.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import { parseUri } from '../../../sip/uri.ts';
import { type Admission, ALLOWED, DROPPED } from '../../../sip/user-agent.ts';
import type { Credentials, Peer, TelephonyUser } from '../../telephony.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';
import type { TrunkLinks } from '../trunks/trunk-links.ts';
import { dialledOf } from './call-identity.ts';
import type { Phones } from './phones.ts';
import type { WebPhones } from './web-phones.ts';

/** An authorized peer, and the user name that it authenticated with; empty: it needed none. */
export interface Authorized {
  readonly peer: Peer;
  readonly user: string;
}

export type Verdict = Admission<Authorized>;

export interface AuthorizerEnvironment {
  readonly config: {
    /** What every user is challenged with, known or not (T42). */
    readonly digests: readonly DigestAlgorithm[];
    readonly user: Pick<TelephonyUser, 'credentialsOf' | 'trunkOf'>;
    readonly isEdge?: (address: string) => boolean;
  };
  readonly digest: DigestServer;
  readonly trunks: Pick<TrunkBook, 'from'>;
  readonly trunkLinks: Pick<TrunkLinks, 'lineOf' | 'registeredAs' | 'isRegisteredBy'>;
  readonly phones: Pick<Phones, 'isBy'>;
  readonly webPhones: Pick<WebPhones, 'of'>;
  readonly guard: Pick<Guard, 'acceptPassword' | 'trust' | 'failedAuthentication'>;
}

const METHODS = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, PRACK, REFER, SUBSCRIBE, REGISTER';
const NOT_ALLOWED: Verdict = { kind: 'refuse', reply: { status: 405, headers: [['Allow', METHODS]] } };
const WEB_METHODS: readonly string[] = ['INVITE', 'REGISTER', 'SUBSCRIBE', 'REFER'];
/** The secret is random and lives some minutes; JsSIP and SIP.js know no other. */
const WEB_DIGESTS: readonly DigestAlgorithm[] = ['MD5'];

export class InviteAuthorizer {
  readonly #env: AuthorizerEnvironment;

  constructor(env: AuthorizerEnvironment) {
    this.#env = env;
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
    const web = this.#env.webPhones.of(flow.connection);
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
    const { trunks, trunkLinks, phones, guard, config } = this.#env;
    const line = trunkLinks.lineOf(request);
    if (line !== null) {
      guard.trust(peerOf(flow).address);
      return allowed({ kind: 'trunk', id: line });
    }
    const ids = trunks.from(peerOf(flow).address);
    const [only] = ids;
    // A phone that is registered by this flow must authenticate, even in the network of a trunk or on this machine. A PBX may be both,
    // phone and trunk, at one port: calls in the phone's name are the phone's.
    const isOwn = phones.isBy(flow) && (only === undefined || phones.isBy(flow, userOf(request.from.uri)));
    if (isOwn || this.#answers(request)) return this.#authenticate(request, flow, userOf(request.from.uri));
    if (only !== undefined) {
      const id = ids.length === 1 ? only : config.user.trunkOf(ids, numbersOf(request));
      return allowed({ kind: 'trunk', id });
    }
    // Not where the address is another trunk's: a user name or a shared connection must not take its calls.
    const registered = trunkLinks.registeredAs(userOf(request.uri), flow);
    if (registered !== null) {
      guard.trust(peerOf(flow).address);
      return allowed({ kind: 'trunk', id: registered });
    }
    return isLocal(flow)
      ? allowed({ kind: 'local' })
      : this.#authenticate(request, flow, userOf(request.from.uri));
  }

  /** OPTIONS and unsupported methods: known peers are answered; others get no response or one refusal. */
  #authorizeOther(request: SipRequest, flow: TransportFlow): Verdict {
    const { trunks, trunkLinks, phones } = this.#env;
    const { address } = peerOf(flow);
    if (trunkLinks.isRegisteredBy(flow) || trunkLinks.lineOf(request) !== null) return ALLOWED;
    if (isLocal(flow) || trunks.from(address).length > 0 || phones.isBy(flow)) return ALLOWED;
    // The pings of an edge itself.
    if (request.method === 'OPTIONS')
      return address === flow.remote.address && flow.peer ? ALLOWED : dropped(flow);
    return NOT_ALLOWED;
  }

  #answers(request: SipRequest): boolean {
    return this.#env.digest.answerOf(request) !== null;
  }

  #authenticate(
    request: SipRequest,
    flow: TransportFlow,
    user: string,
    candidates = this.#env.config.user.credentialsOf(user),
    digests = this.#env.config.digests,
  ): Verdict {
    const { digest, guard, trunks, config } = this.#env;
    const { address } = peerOf(flow);
    if (!guard.acceptPassword(address)) return dropped(flow);
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
        // Anybody gets a digest of a WebSocket from a call button: the address is not freed of limits by it (T3).
        if (flow.protocol !== 'ws') guard.trust(address);
        return allowed({ kind: 'phone', id: candidate.id }, user);
      }
      if (!verdict.ok && verdict.stale) stale = true;
    }
    if (!stale)
      guard.failedAuthentication(address, config.isEdge?.(address) || trunks.from(address).length > 0);
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
