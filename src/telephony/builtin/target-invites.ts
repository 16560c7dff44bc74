// A target → the INVITEs to it: one for each registered phone of an agent, or one by a trunk or to a SIP address.
import { isBrowserPhone, targetOf } from '../../sip/phone-path.ts';
import { bracketed } from '../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../sip/uri.ts';
import type { SrtpMode } from '../ports/trunk.ts';
import type { Peer, Target } from '../telephony.ts';
import type { BuiltinEnvironment } from './environment.ts';
import {
  type Dialled,
  type Invites,
  nothing,
  passesHeader,
  phoneHeaders,
  srtpPreference,
} from './invites.ts';
import type { Invite } from './legs/outgoing-leg.ts';
import { sipAddressInvites } from './sip-address-invite.ts';
import { trunkInvite } from './trunks/trunk-invite.ts';

/** Null if no phone is reachable, or the trunk has no room. */
export function invitesTo(env: BuiltinEnvironment, target: Target, options: Dialled): Invites | null {
  switch (target.kind) {
    case 'phones':
      return toPhones(env, target.id, options);
    case 'trunk':
      return toTrunk(env, target, options);
    case 'sip':
      return sipAddressInvites(env, target, options);
    default:
      return target satisfies never;
  }
}

export function srtpOf({ trunks, config: { user } }: BuiltinEnvironment, peer: Peer): SrtpMode {
  if (peer.kind === 'trunk') return trunks.get(peer.id)?.srtp ?? 'off';
  return peer.kind === 'local' ? 'offered' : (user.srtpOf?.(peer.id) ?? 'off');
}

/** All reachable phones of one agent. */
function toPhones(env: BuiltinEnvironment, id: string, options: Dialled): Invites | null {
  const { agent, addresses, phones, media } = env;
  const bindings = phones.of(id).filter(({ reachable }) => reachable);
  const [first] = bindings;
  if (!first) return null;
  const from = formatUri(sipUri(options.caller ?? 'anonymous', bracketed(addresses.on(first.flow))));
  const mode = srtpOf(env, { kind: 'phone', id });
  const all = bindings.map(
    (binding): Invite => ({
      carriage: media.webrtc && isBrowserPhone(binding) ? 'browser' : 'plain',
      address: addresses.on(binding.flow),
      srtp: srtpPreference(mode, binding.flow.protocol === 'tls'),
      send: (sdp, events, callId) =>
        agent.call({
          target: targetOf(binding, phones.registrar.flowNow),
          callId,
          from,
          callerName: options.callerName,
          maxForwards: options.maxForwards,
          headers: phoneHeaders(options),
          sdp,
          route: binding.path,
          events,
        }),
    }),
  );
  return { all, ended: nothing };
}

function toTrunk(
  { agent, addresses, trunks, trunkLinks }: BuiltinEnvironment,
  { id, number, shown }: Extract<Target, { kind: 'trunk' }>,
  options: Dialled,
): Invites | null {
  const trunk = trunks.get(id);
  const ended = trunk && trunks.begin(id);
  if (!trunk || !ended) return null;
  const address = addresses.towards(trunk.proxy ? { ...trunk, ...trunk.proxy } : trunk);
  const caller = shown === undefined ? (trunk.callerId ?? options.caller) : shown;
  const { uri, ...written } = trunkInvite(trunk, number, caller, address);
  const target = { uri, ...trunkLinks.targetOf(trunk) };
  const send: Invite['send'] = (sdp, events, callId) =>
    agent.call({
      target,
      callId,
      ...written,
      callerName: options.callerName,
      maxForwards: options.maxForwards,
      headers: passesHeader(options),
      sdp,
      events,
    });
  const srtp = srtpPreference(trunk.srtp ?? 'off', trunk.protocol === 'tls');
  return { all: [{ carriage: 'plain', address, srtp, send }], ended };
}
