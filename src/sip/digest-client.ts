// Digest client: answers the challenges of one peer, a trunk, with its user name and password (RFC 7616 §3.4). Whether
// that peer may be answered at all is the caller's decision; this class only holds it to one realm.
import { type DigestAlgorithm, expectedResponse, hashOf } from './digest.ts';
import { type DigestFields, digestsOf, formatDigest } from './digest-header.ts';
import { randomHex } from './ids.ts';
import type { SipResponse } from './message.ts';

export interface DigestAccount {
  readonly username: string;
  readonly password: string;
  /** Only challenges of this realm are answered; null: of whichever comes first, and then of no other. */
  readonly realm: string | null;
}

interface Challenge {
  readonly header: 'authorization' | 'proxy-authorization';
  readonly algorithm: DigestAlgorithm;
  readonly session: boolean;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly counted: boolean;
}

export type AuthorizationHeader = readonly [name: 'authorization' | 'proxy-authorization', value: string];

const ALGORITHMS: Readonly<Record<string, { rank: number; algorithm: DigestAlgorithm; session: boolean }>> = {
  MD5: { rank: 1, algorithm: 'MD5', session: false },
  'SHA-256-SESS': { rank: 2, algorithm: 'SHA-256', session: true },
  'SHA-256': { rank: 3, algorithm: 'SHA-256', session: false },
};

export class DigestClient {
  private readonly account: DigestAccount;
  private realm: string | null;
  private challenge: Challenge | null = null;
  private count = 0;

  constructor(account: DigestAccount) {
    this.account = account;
    this.realm = account.realm;
  }

  /**
   * The header to repeat a request with that was answered 401 or 407. Null when there is nothing to answer, or when the
   * peer refused the same nonce again: the password is wrong, and trying on would lock the account. Ask once per request.
   */
  answer(response: SipResponse, method: string, uri: string): AuthorizationHeader | null {
    const chosen = strongest(response, this.realm);
    if (chosen === null) return null;
    const { challenge, stale } = chosen;
    if (challenge.nonce === this.challenge?.nonce && !stale) return null;
    this.challenge = challenge;
    this.realm = challenge.realm;
    this.count = 0;
    return this.authorize(method, uri);
  }

  /** The header for a further request, by the last challenge with the next count; null before the first one. */
  authorize(method: string, uri: string): AuthorizationHeader | null {
    const { challenge } = this;
    if (challenge === null) return null;
    this.count += 1;
    return [challenge.header, this.write(challenge, method, uri)];
  }

  private write(challenge: Challenge, method: string, uri: string): string {
    const { algorithm, session, realm, nonce, opaque, counted } = challenge;
    const { username, password } = this.account;
    const cnonce = randomHex(8);
    const fields = new Map([
      ['username', username],
      ['realm', realm],
      ['nonce', nonce],
      ['uri', uri],
    ]);
    if (counted) {
      fields.set('qop', 'auth');
      fields.set('nc', this.count.toString(16).padStart(8, '0'));
    }
    if (counted || session) fields.set('cnonce', cnonce);
    let ha1 = hashOf(algorithm, `${username}:${realm}:${password}`);
    if (session) ha1 = hashOf(algorithm, `${ha1}:${nonce}:${cnonce}`);
    fields.set('response', expectedResponse(fields, method, ha1, algorithm));
    fields.set('algorithm', session ? `${algorithm}-sess` : algorithm);
    if (opaque !== undefined) fields.set('opaque', opaque);
    return formatDigest(fields, false);
  }
}

/** RFC 8760 §2.4: of those we understand, the strongest. */
function strongest(
  response: SipResponse,
  realm: string | null,
): { readonly challenge: Challenge; readonly stale: boolean } | null {
  const proxy = response.status === 407;
  let best: { challenge: Challenge; stale: boolean } | null = null;
  let bestRank = 0;
  for (const fields of digestsOf(response, proxy ? 'proxy-authenticate' : 'www-authenticate')) {
    const known = ALGORITHMS[(fields.get('algorithm') ?? 'MD5').toUpperCase()];
    if (known === undefined || known.rank <= bestRank) continue;
    const challenge = readChallenge(fields, known, proxy);
    if (challenge === null || (realm !== null && challenge.realm !== realm)) continue;
    best = { challenge, stale: fields.get('stale')?.toLowerCase() === 'true' };
    bestRank = known.rank;
  }
  return best;
}

function readChallenge(
  fields: DigestFields,
  { algorithm, session }: { algorithm: DigestAlgorithm; session: boolean },
  proxy: boolean,
): Challenge | null {
  const realm = fields.get('realm');
  const nonce = fields.get('nonce');
  const qop = fields.get('qop');
  const auth = qop?.split(',').some((each) => each.trim().toLowerCase() === 'auth') ?? false;
  // Only auth-int is offered, which is not supported.
  if (realm === undefined || nonce === undefined || (qop !== undefined && !auth)) return null;
  const header = proxy ? 'proxy-authorization' : 'authorization';
  return { header, algorithm, session, realm, nonce, opaque: fields.get('opaque'), counted: auth };
}
