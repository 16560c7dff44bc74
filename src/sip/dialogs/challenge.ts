// Answers challenges of a trunk (RFC 3261 §22), only where credentials for that target were given.
import { type AuthorizationHeader, DigestClient } from '../digest-client.ts';
import type { SipResponse } from '../message.ts';
import type { CallCredentials } from './call-options.ts';
import type { HeaderList } from './capabilities.ts';

/** A first challenge, and one more for a stale nonce or a proxy before the server. */
const MOST_ANSWERS = 2;

export class ChallengeAnswers {
  readonly #client: DigestClient | null;
  #fresh: AuthorizationHeader | null = null;
  #left = MOST_ANSWERS;

  constructor(credentials: CallCredentials | undefined) {
    this.#client =
      credentials === undefined
        ? null
        : new DigestClient({
            username: credentials.username,
            password: credentials.password,
            realm: credentials.realm ?? null,
          });
  }

  /** Whether the request is worth sending again, with `headers`. */
  take(response: SipResponse, method: string, uri: string): boolean {
    if (this.#client === null || this.#left === 0) return false;
    this.#left--;
    this.#fresh = this.#client.answer(response, method, uri);
    return this.#fresh !== null;
  }

  /** For the next request: the answer to the last challenge, with its count. */
  headers(method: string, uri: string): HeaderList {
    const header = this.#fresh ?? this.#client?.authorize(method, uri) ?? null;
    this.#fresh = null;
    return header === null ? [] : [header];
  }

  /** The request was accepted: a later challenge starts a new count. */
  accepted(): void {
    this.#left = MOST_ANSWERS;
  }
}
