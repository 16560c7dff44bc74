// The INVITE of a call over a trunk: whom it shows, and in which header.
import type { CallOptions } from '../../../sip/dialogs/call-options.ts';
import { bracketed } from '../../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../../sip/uri.ts';
import type { Trunk } from '../../ports/trunk.ts';

type Written = Pick<CallOptions, 'from' | 'anonymous' | 'identity' | 'credentials'> & {
  readonly uri: string;
};

/** `caller`: the number to show; null: none. `address`: ours. */
export function trunkInvite(trunk: Trunk, number: string, caller: string | null, address: string): Written {
  const { host, port, username, password, callerId, fromDomain, fromUsername = false } = trunk;
  const domain = bracketed(fromDomain ?? (username === '' ? address : host));
  const own = (user: string): string => formatUri(sipUri(user, domain));
  const isAnonymous = caller === null;
  // A provider that knows us by From gets our user name there, and hides it itself.
  const from = own(fromUsername ? username : (caller ?? 'anonymous'));
  // RFC 3325 §9.1: a trusted provider gets the identity of an anonymous caller.
  const { identityHeader = isAnonymous ? 'pai' : undefined } = trunk;
  const identity = caller ?? callerId;
  return {
    uri: formatUri(sipUri(number, bracketed(host), port)),
    from,
    anonymous: isAnonymous && fromUsername ? 'name' : isAnonymous,
    ...(identity !== null && identityHeader !== undefined
      ? { identity: { header: identityHeader, uri: own(identity) } }
      : {}),
    ...(username === '' ? {} : { credentials: { username: trunk.authUsername ?? username, password } }),
  };
}
