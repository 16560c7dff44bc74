// STUN and TURN servers for browser phones. Credentials are those of the TURN REST convention (draft-uberti-behave-turn-rest): a user name
// that says when it ends, and as password its HMAC-SHA1 by a secret that the TURN server has too. The browser never sees the secret.
import { createHmac } from 'node:crypto';

export interface IceServerSettings {
  /** `stun:…`, `stuns:…`, `turn:…` and `turns:…` */
  readonly urls: readonly string[];
  /** Shared with the TURN servers. Null: they are not offered. */
  readonly turnSecret: string | null;
}

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** Longer than a call of a working day: TURN asks for the credentials again when it refreshes an allocation. */
const CREDENTIAL_MS = 12 * 3_600_000;

const isTurn = (url: string): boolean => url.startsWith('turn');

/** `user`: whom a TURN server's log and quota name. */
export function iceServersFor(
  { urls, turnSecret }: IceServerSettings,
  user: string,
  nowMs: number,
  forMs = CREDENTIAL_MS,
): { readonly servers: readonly IceServer[]; readonly expiresAtMs: number } {
  const expiresAtMs = nowMs + forMs;
  const stun = urls.filter((url) => !isTurn(url));
  const turn = turnSecret === null ? [] : urls.filter(isTurn);
  const servers: IceServer[] = stun.length > 0 ? [{ urls: stun }] : [];
  if (turn.length > 0 && turnSecret !== null) {
    const username = `${Math.floor(expiresAtMs / 1_000)}:${user}`;
    const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
    servers.push({ urls: turn, username, credential });
  }
  return { servers, expiresAtMs };
}
