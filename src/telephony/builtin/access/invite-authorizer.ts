// Authorizes requests outside dialogs before any state is kept: one packet in, at most one packet out. Unknown and known users get
// the same response, so that user names cannot be enumerated (threat T4).
import type { DigestAlgorithm, DigestAnswer, DigestSecret, DigestServer } from '../../../sip/digest.ts';
import type { SipRequest } from '../../../sip/message.ts';
import type { Reply } from '../../../sip/transactions/transactions.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { Credentials, Peer } from '../../telephony.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';

export type Verdict =
  | { readonly kind: 'drop' }
  | { readonly kind: 'refuse'; readonly reply: Reply }
  /** `peer` is null where no authentication is needed. */
  | { readonly kind: 'allow'; readonly peer: Peer | null; readonly user: string };

export interface AuthorizerParts {
  readonly digest: DigestServer;
  /** What every user is challenged with, known or not (T42). */
  readonly digests: readonly DigestAlgorithm[];
  readonly credentialsOf: (user: string) => readonly Credentials[];
  readonly trunks: TrunkBook;
  /** Of several trunks of an account with one address, the one that may reach a dialled number. */
  readonly trunkOf: (ids: readonly string[], dialled: readonly string[]) => string;
  /** Whether a phone is registered by this flow. */
  readonly isPhone: (flow: TransportFlow) => boolean;
  /** Whether a password from there is looked at. */
  readonly acceptsPassword: (address: string) => boolean;
  readonly authenticated: (address: string) => void;
  readonly failed: (address: string) => void;
}

const DROP: Verdict = { kind: 'drop' };
const ALLOW: Verdict = { kind: 'allow', peer: null, user: '' };
const METHODS = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, PRACK, REFER, REGISTER';

export class InviteAuthorizer {
  readonly #parts: AuthorizerParts;

  constructor(parts: AuthorizerParts) {
    this.#parts = parts;
  }

  authorize(request: SipRequest, flow: TransportFlow): Verdict {
    // Within a dialog both tags identify the peer; a wrong tag gets 481.
    if (request.to.params.has('tag')) return ALLOW;
    switch (request.method) {
      case 'REGISTER':
        return this.#authenticate(request, flow, userOf(request.to.uri));
      case 'INVITE':
        return this.#authorizeInvite(request, flow);
      default:
        return this.#authorizeOther(request, flow);
    }
  }

  #authorizeInvite(request: SipRequest, flow: TransportFlow): Verdict {
    const { trunks, trunkOf, isPhone } = this.#parts;
    // A phone that is registered by this flow must authenticate, even in the network of a trunk or on this machine.
    if (isPhone(flow) || this.#answers(request))
      return this.#authenticate(request, flow, userOf(request.from.uri));
    const ids = trunks.from(flow.remote.address);
    const [only] = ids;
    if (only !== undefined) {
      const id = ids.length === 1 ? only : trunkOf(ids, [userOf(request.uri), userOf(request.to.uri)]);
      return { kind: 'allow', peer: { kind: 'trunk', id }, user: '' };
    }
    return isLoopback(flow.remote.address)
      ? { kind: 'allow', peer: { kind: 'local' }, user: '' }
      : this.#authenticate(request, flow, userOf(request.from.uri));
  }

  /** OPTIONS and unsupported methods: known peers are answered; others get no response or one refusal. */
  #authorizeOther(request: SipRequest, flow: TransportFlow): Verdict {
    const { trunks, isPhone } = this.#parts;
    const { address } = flow.remote;
    if (isLoopback(address) || trunks.from(address).length > 0 || isPhone(flow)) return ALLOW;
    if (request.method === 'OPTIONS') return DROP;
    return { kind: 'refuse', reply: { status: 405, headers: [['Allow', METHODS]] } };
  }

  #answers(request: SipRequest): boolean {
    return this.#parts.digest.answerOf(request) !== null;
  }

  #authenticate(request: SipRequest, flow: TransportFlow, user: string): Verdict {
    const { digest, digests, credentialsOf, acceptsPassword, authenticated, failed } = this.#parts;
    if (!acceptsPassword(flow.remote.address)) return DROP;
    const candidates = credentialsOf(user);
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
        authenticated(flow.remote.address);
        return { kind: 'allow', peer: { kind: 'phone', id: candidate.id }, user };
      }
      if (!verdict.ok && verdict.stale) stale = true;
    }
    if (!stale) failed(flow.remote.address);
    return challenge(stale);
  }
}

function refusal(challenges: readonly string[]): Verdict {
  const headers = challenges.map((value) => ['WWW-Authenticate', value] as const);
  return { kind: 'refuse', reply: { status: 401, headers } };
}

function secretOf({ md5, sha256 }: Credentials, { fields }: DigestAnswer): DigestSecret {
  const isSha256 = fields.get('algorithm')?.toUpperCase() === 'SHA-256';
  return { md5, sha256, algorithm: isSha256 ? 'SHA-256' : 'MD5' };
}

function userOf(uri: string): string {
  return parseUri(uri)?.user ?? '';
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
