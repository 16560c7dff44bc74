// What the APIs of several nodes tell each other about signing in, and which phone sessions were ended. A notice that is lost is no harm
// to anybody who is honest: the node that got the request has counted it. A phone session goes on at the node that did not hear, and
// is in its list.
import type { EndedSession } from '../calls/phone-sessions.ts';

export type SignInNotice =
  | { readonly what: 'wrong'; readonly email: string; readonly network: string }
  | { readonly what: 'code'; readonly user: string }
  | { readonly what: 'reset'; readonly email: string }
  | { readonly what: 'challenge'; readonly challenge: string }
  | ({ readonly what: 'phone-session-ended' } & EndedSession);

export type ShareSignIn = (notice: SignInNotice) => void;

export const writeNotice = (node: string, notice: SignInNotice): string =>
  JSON.stringify({ node, ...notice });

/** Null if it is of this node. */
export function readNotice(node: string, text: string): SignInNotice | null {
  const { node: from, ...notice } = JSON.parse(text) as SignInNotice & { readonly node: string };
  return from === node ? null : notice;
}
