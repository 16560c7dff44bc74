// What becomes of requests outside dialogs: who sent each, and the leg that an INVITE becomes.
import { Negotiation } from '../../media/sdp/negotiation.ts';
import { sdpOf } from '../../sip/dialogs/body.ts';
import type { SipRequest } from '../../sip/message.ts';
import type { IncomingSession, Session } from '../../sip/session.ts';
import type { Reply } from '../../sip/transactions/transactions.ts';
import type { TransportFlow } from '../../sip/transports/transport.ts';
import type { Admission, UserAgentCallbacks } from '../../sip/user-agent.ts';
import type { IncomingCall, Peer, Quota, Refusal } from '../telephony.ts';
import { BUSY_HEADERS, RETRY_AFTER_SECONDS } from './access/admission.ts';
import { callerOf, dialledOf } from './access/call-identity.ts';
import type { Caller } from './access/caller.ts';
import type { Authorized } from './access/invite-authorizer.ts';
import type { BuiltinEnvironment } from './environment.ts';
import { both, nothing, srtpPreference } from './invites.ts';
import { IncomingLeg } from './legs/incoming-leg.ts';
import { MAX_PASSES, passesOf } from './legs/leg.ts';
import { MediaSide } from './legs/media-side.ts';
import { srtpOf } from './target-invites.ts';

export class Requests implements UserAgentCallbacks<Caller> {
  readonly #env: BuiltinEnvironment;

  constructor(env: BuiltinEnvironment) {
    this.#env = env;
  }

  admit(request: SipRequest, flow: TransportFlow): Admission<Caller> {
    const verdict = this.#env.authorizer.authorize(request, flow);
    if (verdict.kind !== 'allow' || !verdict.caller) return verdict;
    const { peer } = verdict.caller;
    this.#env.transports.authenticated(flow, peer.kind === 'phone' ? peer.id : null);
    return request.method === 'INVITE' ? this.#admitCall(request, verdict.caller) : verdict;
  }

  /** Before a session is made of the INVITE, and before ports are opened. */
  #admitCall(invite: SipRequest, { peer, user }: Authorized): Admission<Caller> {
    const { named, admission, legs, config } = this.#env;
    // A page that was loaded again, or a phone that picks a call up, begins none. The look-up walks the legs: others get it when
    // there is room for their call.
    const resumed = mayResume(peer) ? named.ofInvite(invite) : undefined;
    const resumes = typeof resumed === 'object' && resumed !== null;
    if (!resumes && !admission.admits(legs.calls)) return refuse(503);
    if (passesOf(invite) >= MAX_PASSES) return { kind: 'refuse', reply: { status: 482 } };
    const quotas = config.user.mayCall(peer, resumes);
    const refused = 'status' in quotas ? quotas.status : legs.counts.full(quotas)?.status;
    if (!resumes && refused !== undefined) return refuse(refused);
    const replaces = resumed === undefined ? named.ofInvite(invite) : resumed;
    return { kind: 'allow', caller: { peer, user, invite: { replaces, quotas } } };
  }

  isOfPeer(session: Session, flow: TransportFlow): boolean {
    return this.#env.webPhones.isOfPeer(session, flow);
  }

  inDialog(flow: TransportFlow, tag: string): void {
    this.#env.transports.authenticated(flow, tag);
  }

  registering(request: SipRequest, flow: TransportFlow, caller: Caller | null): Reply {
    if (caller?.peer.kind !== 'phone') return { status: 403 };
    return this.#env.phones.register(request, flow, caller.peer.id, caller.user);
  }

  mayRefer(caller: Caller | null, session: Session): boolean {
    return caller?.peer.kind === 'phone' && this.#env.named.isPeerOf(session, caller.peer.id);
  }

  retryAfterS(): number | null {
    return this.#env.admission.isDraining ? RETRY_AFTER_SECONDS : null;
  }

  incoming(session: IncomingSession, caller: Caller | null): void {
    const { phones, media, legs, addresses, isVerified } = this.#env;
    if (!caller?.invite) {
      session.reject(403);
      return;
    }
    const { peer, user } = caller;
    if (peer.kind === 'phone') phones.keepFlow(session, peer.id);
    const { replaces, quotas } = caller.invite;
    if (typeof replaces === 'number' || (replaces && !mayResume(peer))) {
      session.reject(typeof replaces === 'number' ? replaces : 481);
      return;
    }
    const ended = this.#begin(peer, quotas, replaces !== null);
    if (!ended) {
      session.reject(503, BUSY_HEADERS);
      return;
    }
    const leg = new IncomingLeg(session, () => {
      legs.delete(leg, true);
      ended();
    });
    // It is to be connected with the other side of the leg that it replaces.
    const side = MediaSide.open(media, leg, replaces?.mediaSide ?? undefined);
    if (!side) {
      ended();
      session.reject(503, BUSY_HEADERS);
      return;
    }
    leg.phone = peer.kind === 'phone' ? peer.id : null;
    legs.add(leg, true);
    const { invite, callId } = session;
    const srtp = srtpPreference(srtpOf(this.#env, peer), session.flow.protocol === 'tls');
    const carriage = leg.isPage && media.webrtc ? 'browser' : 'plain';
    const address = addresses.on(session.flow);
    const negotiation = new Negotiation({ ...legs.negotiable(leg, side, address), srtp, carriage });
    leg.verifyBy(isVerified, peer);
    const refused = leg.begin(side, negotiation, sdpOf(invite));
    const call = { leg, peer, ...dialledOf(invite), ...callerOf(invite, peer, user), callId };
    if (refused === null) {
      this.#offer(replaces ? { ...call, replaces } : call, leg);
      return;
    }
    leg.refuseOffer(refused);
    this.#env.config.user.offerRefused?.(call, { status: refused.refuse, reason: refused.why });
  }

  /** Null if the trunk or a quota has no room. */
  #begin(peer: Peer, quotas: Refusal | readonly Quota[], resumes: boolean): (() => void) | null {
    const { legs, trunks } = this.#env;
    const endLeg = 'status' in quotas ? null : legs.counts.begin(quotas, resumes);
    const endTrunkCall = endLeg && (peer.kind === 'trunk' ? trunks.begin(peer.id) : nothing);
    return both(endLeg, endTrunkCall);
  }

  #offer(call: IncomingCall, leg: IncomingLeg): void {
    const failed = (error: unknown): void => {
      this.#env.config.logger.error({ err: error, callId: call.callId }, 'INVITE handling failed');
      leg.refuse(500);
    };
    try {
      const refusal = this.#env.config.user.called(call);
      if (refusal instanceof Promise) void refusal.then((later) => refuseLeg(leg, later)).catch(failed);
      else refuseLeg(leg, refusal);
    } catch (error) {
      failed(error);
    }
  }
}

const mayResume = ({ kind }: Peer): boolean => kind === 'phone' || kind === 'guest';

const refuse = (status: number): Admission<Caller> => ({
  kind: 'refuse',
  reply: { status, headers: BUSY_HEADERS },
});

function refuseLeg(leg: IncomingLeg, refusal: Refusal | null): void {
  if (refusal) leg.refuse(refusal.status, refusal.retryAfterSeconds);
}
