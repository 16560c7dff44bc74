// The built-in telephony: our SIP stack and media engine behind the port. Neither knows the other: a session and a stream are a leg.
import { PCMU, preferring } from '../../media/codec.ts';
import { openMedia } from '../../media/engine/engine.ts';
import type { MediaConfig, MediaEngine } from '../../media/media.ts';
import { Negotiation, type NegotiationOptions } from '../../media/sdp/negotiation.ts';
import { openWebrtcProcess } from '../../media/webrtc/process/webrtc-process.ts';
import type { Webrtc, WebrtcConfig } from '../../media/webrtc/webrtc.ts';
import { sdpOf } from '../../sip/dialogs/body.ts';
import type { SipRequest } from '../../sip/message.ts';
import type { IncomingSession } from '../../sip/session.ts';
import type { Reply } from '../../sip/transactions/transactions.ts';
import type { Address } from '../../sip/transports/transport.ts';
import type { Trunk, TrunkLine } from '../ports/trunk.ts';
import {
  type DialOptions,
  EDGE_NOTICE_MS,
  type IncomingCall,
  type Leg,
  type LegEnd,
  type Peer,
  type PhoneBinding,
  type Refusal,
  type RestoreOptions,
  type Target,
  type Telephony,
  type TelephonyReport,
} from '../telephony.ts';
import { Admission, type AdmissionLimits, BUSY_HEADERS, RETRY_AFTER_SECONDS } from './access/admission.ts';
import { callerOf, dialledOf } from './access/call-identity.ts';
import type { Authorized } from './access/invite-authorizer.ts';
import { LegCounts } from './access/leg-counts.ts';
import { MediaTargets, type ServicePort } from './access/media-targets.ts';
import { type IsVerified, verifiedBy } from './access/verified-media.ts';
import { both, type Dialled, type Invites, nothing, srtpPreference } from './invites.ts';
import { isTrunkFailure } from './legs/causes.ts';
import { IncomingLeg } from './legs/incoming-leg.ts';
import { BuiltinLeg, MAX_HOPS, MAX_PASSES, passesOf } from './legs/leg.ts';
import { type MediaParts, MediaSide } from './legs/media-side.ts';
import { NamedLegs } from './legs/named-legs.ts';
import { OutgoingLeg } from './legs/outgoing-leg.ts';
import { RestoredLeg } from './legs/restored-leg.ts';
import { type ReadSound, SoundCache } from './legs/sound-cache.ts';
import { readStoredLeg } from './legs/stored-leg.ts';
import { describePhones, telephonyReport } from './report.ts';
import { Stack, type StackConfig } from './stack.ts';
import { TargetInvites } from './target-invites.ts';
import { TrunkBook } from './trunks/trunk-book.ts';
import { TrunkLinks } from './trunks/trunk-links.ts';

export interface BuiltinConfig extends StackConfig {
  readonly media: MediaConfig;
  /** Of browser legs; left out: there are none. */
  readonly webrtc?: WebrtcConfig | undefined;
  readonly limits: AdmissionLimits;
  readonly readSound: ReadSound;
  /** Services of this machine that are not SIP or RTP: no media is sent to them. */
  readonly servicePorts?: readonly ServicePort[];
  /** Calls to trunks without registration go by this proxy, so that providers see one address. */
  readonly outboundEdge?: Address;
  /** Whether the other nodes have seen a heartbeat of this one of late; absent: there are none. */
  readonly isKnownAlive?: () => boolean;
}

export async function openBuiltin(config: BuiltinConfig): Promise<Telephony> {
  const engine = await openMedia(config.media);
  const webrtc = config.webrtc ? openWebrtcProcess(config.webrtc) : null;
  try {
    const trunks = new TrunkBook();
    return new BuiltinTelephony(config, engine, webrtc, await Stack.open(config, trunks), trunks);
  } catch (error) {
    await webrtc?.close();
    await engine.close();
    throw error;
  }
}

class BuiltinTelephony implements Telephony {
  readonly #config: BuiltinConfig;
  readonly #engine: MediaEngine;
  readonly #media: MediaParts;
  readonly #stack: Stack;
  readonly #admission: Admission;
  readonly #trunks: TrunkBook;
  readonly #trunkLinks: TrunkLinks;
  readonly #invites: TargetInvites;
  readonly #targets: MediaTargets;
  readonly #isVerified: IsVerified;
  readonly #legs = new Set<BuiltinLeg>();
  readonly #legCounts: LegCounts;
  readonly #named: NamedLegs;
  /** Incoming calls: what MAX_CALLS limits. */
  #calls = 0;

  constructor(
    config: BuiltinConfig,
    engine: MediaEngine,
    webrtc: Webrtc | null,
    stack: Stack,
    trunks: TrunkBook,
  ) {
    this.#config = config;
    this.#engine = engine;
    this.#media = { engine, webrtc, sounds: new SoundCache(engine, config.readSound) };
    this.#stack = stack;
    this.#trunks = trunks;
    this.#isVerified = verifiedBy(trunks);
    this.#named = new NamedLegs(stack.agent, this.#legs);
    this.#legCounts = new LegCounts((key, count) => config.user.legsCounted?.(key, count));
    this.#trunkLinks = new TrunkLinks(stack, config);
    this.#invites = new TargetInvites({
      stack,
      config,
      trunks,
      trunkLinks: this.#trunkLinks,
      user: config.user,
      hasWebrtc: webrtc !== null,
    });
    const { servicePorts = [] } = config;
    this.#targets = new MediaTargets({
      services: [
        ...servicePorts,
        ...stack.transports.listening.map(({ local }) => ({ address: null, port: local.port })),
      ],
      isMediaPort: (port) => engine.ownsPort(port) || port === webrtc?.identity.port,
      advertised: config.advertisedAddress,
    });
    this.#admission = new Admission(config.limits, () => performance.now());
    stack.deliverTo({
      refusal: (invite, peer) => this.#refusal(invite, peer),
      lineOf: (request) => this.#trunkLinks.lineOf(request),
      registeredAs: (user, flow) => this.#trunkLinks.registeredAs(user, flow),
      isRegisteredBy: (flow) => this.#trunkLinks.isRegisteredBy(flow),
      flowClosed: (flow) => this.#trunkLinks.flowClosed(flow),
      pages: {
        gone: (connection, isOver) => {
          const text = isOver ? 'The phone session of the web page is over.' : 'The web page is gone.';
          for (const leg of [...this.#legs]) if (leg.isBy(connection)) leg.lost(text);
        },
        back: (connection, flow) => {
          for (const leg of this.#legs) if (leg.isBy(connection)) leg.follow(flow);
        },
        has: (connection, phone) => {
          for (const leg of this.#legs) if (leg.isBy(connection) || leg.phone === phone) return true;
          return false;
        },
      },
      retryAfterS: () => (this.#admission.isDraining ? RETRY_AFTER_SECONDS : null),
      incoming: (session, verdict) => this.#incoming(session, verdict),
      isPeerOf: (session, id) => this.#named.isPeerOf(session, id),
    });
  }

  setTrunks(trunks: readonly Trunk[]): void {
    this.#trunks.set(trunks);
    this.#trunkLinks.set(trunks);
  }

  checkPhones(): void {
    this.#stack.checkPhones();
  }

  dial(target: Target, options: DialOptions): Leg | null {
    const nearLeg = options.near instanceof BuiltinLeg ? options.near : null;
    const maxForwards = (nearLeg?.hops ?? MAX_HOPS) - 1;
    if (maxForwards < 0) return null;
    const passes = (nearLeg?.passes ?? 0) + 1;
    const invites = this.#counted(target, { ...options, maxForwards, passes });
    if (!invites) return null;
    const leg = new OutgoingLeg((end) => {
      this.#legs.delete(leg);
      invites.ended();
      if (target.kind === 'trunk' && isTrunkFailure(end)) this.#trunkFailed(target.id, end);
    });
    leg.hops = maxForwards;
    leg.passes = passes;
    leg.phone = target.kind === 'phones' ? target.id : null;
    const near = nearLeg?.mediaSide ?? null;
    const media = MediaSide.open(this.#media, leg, near ?? undefined);
    if (!media) {
      invites.ended();
      return null;
    }
    this.#add(leg);
    const codecs = preferring(near?.settings?.codec ?? PCMU.name);
    leg.begin(media, ({ carriage, address, srtp }) => {
      return new Negotiation({ ...this.#negotiable(leg, media, address), codecs, carriage, srtp });
    });
    // After the caller of `dial` has set its listener.
    queueMicrotask(() => {
      try {
        leg.invite(invites.all);
      } catch (err) {
        this.#config.logger.error({ err, callId: leg.callId }, 'outbound call setup failed');
        leg.lost('The call could not be placed.', true);
      }
    });
    return leg;
  }

  restore(text: string, { near, quotas = [], trunk }: RestoreOptions): Leg | null {
    const stored = readStoredLeg(text);
    if (!stored) return null;
    const endLeg = this.#legCounts.begin(quotas);
    // It was let in before: a trunk that is full meanwhile does not end it.
    const endTrunkCall = (trunk !== null && this.#trunks.begin(trunk)) || nothing;
    const ended = both(endLeg, endTrunkCall);
    if (!ended) return null;
    const leg = new RestoredLeg(stored, () => {
      if (this.#legs.delete(leg) && !near) this.#calls -= 1;
      ended();
    });
    const nearMedia = near instanceof BuiltinLeg ? near.mediaSide : null;
    const media = MediaSide.open(this.#media, leg, nearMedia ?? undefined);
    if (!media) {
      ended();
      return null;
    }
    this.#add(leg);
    if (!near) this.#calls += 1;
    const address = this.#stack.addressBy(stored.dialog);
    leg.begin(media, new Negotiation(this.#negotiable(leg, media, address), stored.media));
    // After the caller of `restore` has set its listener.
    queueMicrotask(() => void leg.resume(this.#stack.agent.restore(stored.dialog, leg)));
    return leg;
  }

  #add(leg: BuiltinLeg): void {
    leg.isKnownAlive = this.#config.isKnownAlive ?? leg.isKnownAlive;
    leg.namedLeg = this.#named.find;
    this.#legs.add(leg);
  }

  #trunkFailed(trunk: string, { by, status, text }: LegEnd): void {
    const { name } = this.#trunks.get(trunk) ?? {};
    this.#config.logger.warn({ trunk, name, by, status, reason: text }, 'trunk call failed');
  }

  phonesOf(id: string): readonly PhoneBinding[] {
    return describePhones(this.#stack, id);
  }

  trunkState(id: string): TrunkLine {
    return { ...this.#trunkLinks.stateOf(id), calls: this.#trunks.callsOf(id) };
  }

  drain(): void {
    this.#admission.drain(this.#config.isEdge ? EDGE_NOTICE_MS : 0);
    this.#stack.webPhones.setDrain(true);
  }

  resume(): void {
    this.#admission.resume();
    this.#stack.webPhones.setDrain(false);
  }

  get legs(): number {
    return this.#legs.size;
  }

  report(): TelephonyReport {
    const trunks = this.#trunkLinks.countsOf(this.#trunks.count);
    return telephonyReport(this.#stack, this.#media, this.#legs.size, trunks);
  }

  async close(): Promise<void> {
    this.#admission.drain();
    for (const leg of [...this.#legs]) leg.hangUp();
    await this.#trunkLinks.close();
    await this.#stack.close();
    await this.#media.webrtc?.close();
    await this.#engine.close();
  }

  /** Asked before a session is made of the INVITE, and before ports are opened. */
  #refusal(invite: SipRequest, peer: Peer): Reply | null {
    // A page that was loaded again, or a phone that picks a call up, begins none.
    const resumes = mayResume(peer) && isLeg(this.#named.ofInvite(invite));
    if (!resumes && !this.#admission.admits(this.#calls)) return { status: 503, headers: BUSY_HEADERS };
    if (passesOf(invite) >= MAX_PASSES) return { status: 482 };
    if (resumes) return null;
    const quotas = this.#config.user.mayCall(peer);
    const status = 'status' in quotas ? quotas.status : this.#legCounts.full(quotas)?.status;
    return status === undefined ? null : { status, headers: BUSY_HEADERS };
  }

  /** Null: the trunk or a quota has no room. */
  #beginIncoming(peer: Peer, resumes: boolean): (() => void) | null {
    const quotas = this.#config.user.mayCall(peer, resumes);
    const endLeg = 'status' in quotas ? null : this.#legCounts.begin(quotas, resumes);
    const endTrunkCall = endLeg && (peer.kind === 'trunk' ? this.#trunks.begin(peer.id) : nothing);
    return both(endLeg, endTrunkCall);
  }

  #counted(target: Target, options: Dialled): Invites | null {
    const { quotas = [], full: told } = options;
    const endLeg = this.#legCounts.begin(quotas);
    if (!endLeg) {
      const full = this.#legCounts.full(quotas);
      if (full) told?.(full);
      return null;
    }
    const invites = this.#invites.to(target, options);
    const ended = both(endLeg, invites?.ended ?? null);
    return invites && ended && { ...invites, ended };
  }

  #incoming(session: IncomingSession, { peer, user }: Authorized): void {
    const named = this.#named.ofInvite(session.invite);
    if (typeof named === 'number' || (named && !mayResume(peer))) {
      session.reject(typeof named === 'number' ? named : 481);
      return;
    }
    const ended = this.#beginIncoming(peer, named !== null);
    if (!ended) {
      session.reject(503, BUSY_HEADERS);
      return;
    }
    const leg = new IncomingLeg(session, () => {
      if (this.#legs.delete(leg)) this.#calls -= 1;
      ended();
    });
    // It is to be connected with the other side of the leg that it replaces.
    const media = MediaSide.open(this.#media, leg, named?.mediaSide ?? undefined);
    if (!media) {
      ended();
      session.reject(503, BUSY_HEADERS);
      return;
    }
    leg.phone = peer.kind === 'phone' ? peer.id : null;
    this.#add(leg);
    this.#calls += 1;
    const { invite } = session;
    const address = this.#stack.addressFor(session.flow);
    const srtp = srtpPreference(this.#invites.srtpOf(peer), session.flow.protocol === 'tls');
    const carriage = leg.isPage && this.#media.webrtc ? 'browser' : 'plain';
    const negotiation = new Negotiation({ ...this.#negotiable(leg, media, address), srtp, carriage });
    leg.verifyBy(this.#isVerified, peer);
    const refused = leg.begin(media, negotiation, sdpOf(invite));
    const { callId } = session;
    const call = { leg, peer, ...dialledOf(invite), ...callerOf(invite, peer, user), callId };
    if (refused === null) {
      this.#offer(named ? { ...call, replaces: named } : call, leg);
      return;
    }
    leg.refuseOffer(refused);
    this.#config.user.offerRefused?.(call, { status: refused.refuse, reason: refused.why });
  }

  #negotiable(leg: BuiltinLeg, { stream: { port } }: MediaSide, address: string): NegotiationOptions {
    return {
      address,
      port,
      refusal: (to, toPort) => this.#targets.refusal(to, toPort, leg.peerAddress, leg.isPage),
      webrtc: this.#media.webrtc?.identity,
    };
  }

  #offer(call: IncomingCall, leg: IncomingLeg): void {
    const failed = (error: unknown): void => {
      this.#config.logger.error({ err: error, callId: call.callId }, 'INVITE handling failed');
      leg.refuse(500);
    };
    try {
      const refusal = this.#config.user.called(call);
      if (refusal instanceof Promise) void refusal.then((later) => refuse(leg, later)).catch(failed);
      else refuse(leg, refusal);
    } catch (error) {
      failed(error);
    }
  }
}

const mayResume = ({ kind }: Peer): boolean => kind === 'phone' || kind === 'guest';

const isLeg = (named: ReturnType<NamedLegs['ofInvite']>): boolean =>
  named !== null && typeof named !== 'number';

function refuse(leg: IncomingLeg, refusal: Refusal | null): void {
  if (refusal) leg.refuse(refusal.status, refusal.retryAfterSeconds);
}
