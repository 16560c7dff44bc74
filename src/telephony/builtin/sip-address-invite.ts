// The INVITE to a SIP address that no trunk of ours is. The host was allowed by the operator; what it resolves to is checked here, and
// is never this service: a call must not come back to where it began.
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { bracketed } from '../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../sip/uri.ts';
import type { Target } from '../telephony.ts';
import type { BuiltinEnvironment } from './environment.ts';
import { type Dialled, type Invites, nothing, passesHeader, srtpPreference } from './invites.ts';
import type { Invite } from './legs/outgoing-leg.ts';

type SipTarget = Extract<Target, { kind: 'sip' }>;

const ANY = ['0.0.0.0', '::', ''];

export function sipAddressInvites(env: BuiltinEnvironment, to: SipTarget, options: Dialled): Invites {
  const { config, addresses, agent } = env;
  const { user, host, port, transport: protocol, shown, headers, credentials } = to;
  const address = addresses.towards({ host, port, protocol });
  const caller = shown ?? options.caller;
  const params = protocol === 'udp' ? undefined : new Map([['transport', protocol]]);
  const uri = formatUri(sipUri(user, bracketed(host), port, params));
  const allows = (found: string, at?: number): boolean =>
    (to.privateHost || config.isOpenAddress(found)) && !isOwn(env, found, at);
  // TLS is verified from end to end.
  const via = protocol === 'tls' ? undefined : config.outboundEdge;
  const send: Invite['send'] = (sdp, events, callId) =>
    agent.call({
      target: { uri, host, port, protocol, allows, ...(via ? { via } : {}) },
      callId,
      from: formatUri(sipUri(caller ?? 'anonymous', bracketed(address))),
      anonymous: caller === null,
      callerName: options.callerName,
      maxForwards: options.maxForwards,
      headers: [...passesHeader(options), ...headers],
      ...(credentials ? { credentials } : {}),
      sdp,
      events,
    });
  // Signalling by TLS is how SRTP is asked for; `sips:` insists on it.
  const srtp = srtpPreference(to.srtp, protocol === 'tls');
  return { all: [{ carriage: 'plain', address, srtp, send }], ended: nothing };
}

/** Without a port, of a hop within the dialog: a request to ourselves ends there (481). */
function isOwn(
  { transports, config: { advertisedAddress } }: BuiltinEnvironment,
  address: string,
  port?: number,
): boolean {
  const listening = transports.listening.filter(({ local }) => local.port === port);
  if (listening.length === 0) return false;
  if (address === advertisedAddress || listening.some(({ local }) => local.address === address)) return true;
  return listening.some(({ local }) => ANY.includes(local.address)) && isLocal(address);
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

function isLocal(address: string): boolean {
  const all = Object.values(networkInterfaces()).flatMap((each): NetworkInterfaceInfo[] => each ?? []);
  return LOOPBACK.test(address) || all.some((each) => each.address === address);
}
