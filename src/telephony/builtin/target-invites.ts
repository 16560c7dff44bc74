// A target → the INVITEs to it: one for each registered phone of an agent, or one by a trunk or to a SIP address.
import { isBrowserPhone, targetOf } from '../../sip/phone-path.ts';
import { bracketed } from '../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../sip/uri.ts';
import type { SrtpMode } from '../ports/trunk.ts';
import type { Peer, Target, TelephonyUser } from '../telephony.ts';
import {
  type Dialled,
  type Invites,
  nothing,
  passesHeader,
  phoneHeaders,
  srtpPreference,
} from './invites.ts';
import type { Invite } from './legs/outgoing-leg.ts';
import { type SipConfig, sipAddressInvites } from './sip-address-invite.ts';
import type { Stack } from './stack.ts';
import type { TrunkBook } from './trunks/trunk-book.ts';
import { trunkInvite } from './trunks/trunk-invite.ts';
import type { TrunkLinks } from './trunks/trunk-links.ts';

export interface TargetInvitesParts {
  readonly stack: Stack;
  readonly config: SipConfig;
  readonly trunks: TrunkBook;
  readonly trunkLinks: TrunkLinks;
  readonly user: Pick<TelephonyUser, 'srtpOf'>;
  /** Whether there are browser legs. */
  readonly hasWebrtc: boolean;
}

export class TargetInvites {
  readonly #parts: TargetInvitesParts;

  constructor(parts: TargetInvitesParts) {
    this.#parts = parts;
  }

  /** Null: no phone is reachable, or the trunk has no room. */
  to(target: Target, options: Dialled): Invites | null {
    switch (target.kind) {
      case 'phones':
        return this.#phones(target.id, options);
      case 'trunk':
        return this.#trunk(target, options);
      case 'sip':
        return sipAddressInvites(this.#parts.stack, this.#parts.config, target, options);
      default:
        return target satisfies never;
    }
  }

  srtpOf(peer: Peer): SrtpMode {
    if (peer.kind === 'trunk') return this.#parts.trunks.get(peer.id)?.srtp ?? 'off';
    return peer.kind === 'local' ? 'offered' : (this.#parts.user.srtpOf?.(peer.id) ?? 'off');
  }

  /** All reachable phones of one agent. */
  #phones(id: string, options: Dialled): Invites | null {
    const { stack, hasWebrtc } = this.#parts;
    const bindings = stack.phonesOf(id).filter(({ reachable }) => reachable);
    const [first] = bindings;
    if (!first) return null;
    const from = formatUri(sipUri(options.caller ?? 'anonymous', bracketed(stack.addressFor(first.flow))));
    const mode = this.srtpOf({ kind: 'phone', id });
    const all = bindings.map(
      (binding): Invite => ({
        carriage: hasWebrtc && isBrowserPhone(binding) ? 'browser' : 'plain',
        address: stack.addressFor(binding.flow),
        srtp: srtpPreference(mode, binding.flow.protocol === 'tls'),
        send: (sdp, events, callId) =>
          stack.agent.call({
            target: targetOf(binding, stack.registrar.flowNow),
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

  #trunk({ id, number, shown }: Extract<Target, { kind: 'trunk' }>, options: Dialled): Invites | null {
    const { stack, trunks, trunkLinks } = this.#parts;
    const trunk = trunks.get(id);
    const ended = trunk && trunks.begin(id);
    if (!trunk || !ended) return null;
    const address = stack.addressTo(trunk.proxy ? { ...trunk, ...trunk.proxy } : trunk);
    const caller = shown === undefined ? (trunk.callerId ?? options.caller) : shown;
    const { uri, ...written } = trunkInvite(trunk, number, caller, address);
    const target = { uri, ...trunkLinks.targetOf(trunk) };
    const send: Invite['send'] = (sdp, events, callId) =>
      stack.agent.call({
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
}
