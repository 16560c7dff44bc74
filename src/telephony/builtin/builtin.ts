// The built-in telephony: our SIP stack and media engine behind the port. Neither knows the other: a session and a stream are a leg.
import { PCMU, preferring } from '../../media/codec.ts';
import { openMedia } from '../../media/engine/engine.ts';
import type { MediaConfig, MediaEngine } from '../../media/media.ts';
import { Negotiation } from '../../media/sdp/negotiation.ts';
import { sdpOf } from '../../sip/dialogs/body.ts';
import type { SipRequest } from '../../sip/message.ts';
import type { IncomingSession } from '../../sip/session.ts';
import type { Reply } from '../../sip/transactions/transactions.ts';
import { bracketed } from '../../sip/transports/transports.ts';
import { formatUri, sipUri } from '../../sip/uri.ts';
import type {
  DialOptions,
  Leg,
  LegEnd,
  Peer,
  PhoneBinding,
  Refusal,
  Target,
  Telephony,
  TelephonyReport,
  Trunk,
  TrunkCounts,
} from '../telephony.ts';
import { Admission, type AdmissionLimits, RETRY_AFTER_SECONDS } from './access/admission.ts';
import { callerOf, userOf } from './access/caller-id.ts';
import { LegCounts } from './access/leg-counts.ts';
import { MediaTargets, type ServicePort } from './access/media-targets.ts';
import { isTrunkFailure } from './legs/causes.ts';
import { IncomingLeg } from './legs/incoming-leg.ts';
import { BuiltinLeg, MAX_HOPS, MAX_PASSES, PASSES_HEADER, passesOf } from './legs/leg.ts';
import { MediaSide } from './legs/media-side.ts';
import { type Invite, OutgoingLeg } from './legs/outgoing-leg.ts';
import { type ReadSound, SoundCache } from './legs/sound-cache.ts';
import { type Allowed, Stack, type StackConfig } from './stack.ts';
import { TrunkBook } from './trunks/trunk-book.ts';
import { TrunkRegistrations } from './trunks/trunk-registrations.ts';

export interface BuiltinConfig extends StackConfig {
  readonly media: MediaConfig;
  readonly limits: AdmissionLimits;
  readonly readSound: ReadSound;
  /** Services of this machine that are not SIP or RTP: no media is sent to them. */
  readonly servicePorts?: readonly ServicePort[];
}

export async function openBuiltin(config: BuiltinConfig): Promise<Telephony> {
  const engine = await openMedia(config.media);
  try {
    const trunks = new TrunkBook();
    return new BuiltinTelephony(config, engine, await Stack.open(config, trunks), trunks);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class BuiltinTelephony implements Telephony {
  readonly #config: BuiltinConfig;
  readonly #engine: MediaEngine;
  readonly #sounds: SoundCache;
  readonly #stack: Stack;
  readonly #admission: Admission;
  readonly #trunks: TrunkBook;
  readonly #trunkRegistrations: TrunkRegistrations;
  readonly #targets: MediaTargets;
  readonly #legs = new Set<BuiltinLeg>();
  readonly #legCounts = new LegCounts();
  /** Incoming calls: what MAX_CALLS limits. */
  #calls = 0;

  constructor(config: BuiltinConfig, engine: MediaEngine, stack: Stack, trunks: TrunkBook) {
    this.#config = config;
    this.#engine = engine;
    this.#sounds = new SoundCache(engine, config.readSound);
    this.#stack = stack;
    this.#trunks = trunks;
    this.#trunkRegistrations = new TrunkRegistrations(stack, config.logger);
    const { servicePorts = [] } = config;
    this.#targets = new MediaTargets({
      services: [
        ...servicePorts,
        ...stack.transports.listening.map(({ local }) => ({ address: null, port: local.port })),
      ],
      isMediaPort: (port) => engine.ownsPort(port),
      advertised: config.advertisedAddress,
    });
    this.#admission = new Admission(config.limits, () => performance.now());
    stack.deliverTo({
      refusal: (invite, peer) => this.#refusal(invite, peer),
      flowClosed: (flow) => this.#trunkRegistrations.flowClosed(flow),
      incoming: (session, verdict) => this.#incoming(session, verdict),
    });
  }

  setTrunks(trunks: readonly Trunk[]): void {
    this.#trunks.set(trunks);
    this.#trunkRegistrations.set(trunks);
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
    const near = nearLeg?.mediaSide ?? null;
    const media = MediaSide.open(this.#engine, this.#sounds, leg, near ?? undefined);
    if (!media) {
      invites.ended();
      return null;
    }
    this.#legs.add(leg);
    const codecs = preferring(near?.settings?.codec ?? PCMU.name);
    const refusal = this.#refusalFor(leg);
    const { port } = media.stream;
    leg.begin(media, new Negotiation({ address: invites.address, port, codecs, refusal }));
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

  #trunkFailed(trunk: string, { by, status, text }: LegEnd): void {
    const { name } = this.#trunks.get(trunk) ?? {};
    this.#config.logger.warn({ trunk, name, by, status, reason: text }, 'trunk call failed');
  }

  phonesOf(id: string): readonly PhoneBinding[] {
    const nowMs = Date.now() - this.#stack.timers.now();
    return this.#stack.phonesOf(id).map(({ contact, userAgent, expiresAt, flow, reachable }) => ({
      contact,
      userAgent,
      expiresAtMs: Math.round(nowMs + expiresAt),
      address: flow.remote.address,
      reachable,
    }));
  }

  trunkState(id: string): ReturnType<Telephony['trunkState']> {
    return { ...this.#trunkRegistrations.stateOf(id), calls: this.#trunks.callsOf(id) };
  }

  drain(): void {
    this.#admission.drain();
  }

  get legs(): number {
    return this.#legs.size;
  }

  report(): TelephonyReport {
    const { transports, transactions, registrar, guard } = this.#stack;
    return {
      listening: transports.listening.map(
        ({ protocol, local }) => `${protocol} ${local.address}:${local.port}`,
      ),
      mediaAdapter: this.#engine.adapter,
      legs: this.#legs.size,
      transactions: transactions.count,
      registrations: registrar.count,
      trunks: this.#trunkCounts(),
      bans: guard.counts.floodBans + guard.counts.scannerBans + guard.counts.passwordBans,
      streams: this.#engine.openStreams,
      readyStreams: this.#engine.readyPairs,
    };
  }

  #trunkCounts(): TrunkCounts {
    const { registered, failing } = this.#trunkRegistrations.counts;
    return { registered, failing, unregistered: this.#trunks.count - registered - failing };
  }

  async close(): Promise<void> {
    this.#admission.drain();
    for (const leg of [...this.#legs]) leg.hangUp();
    await this.#trunkRegistrations.close();
    await this.#stack.close();
    await this.#engine.close();
  }

  /** Asked before a session is made of the INVITE, and before ports are opened. */
  #refusal(invite: SipRequest, peer: Peer): Reply | null {
    if (!this.#admission.admits(this.#calls)) return BUSY;
    if (passesOf(invite) >= MAX_PASSES) return { status: 482 };
    const quotas = this.#config.user.mayCall(peer);
    const status = 'status' in quotas ? quotas.status : this.#legCounts.full(quotas)?.status;
    return status === undefined ? null : { status, headers: BUSY_HEADERS };
  }

  /** Null: the trunk or a quota has no room. */
  #beginIncoming(peer: Peer): (() => void) | null {
    const quotas = this.#config.user.mayCall(peer);
    const endLeg = 'status' in quotas ? null : this.#legCounts.begin(quotas);
    const endTrunkCall = endLeg && (peer.kind === 'trunk' ? this.#trunks.begin(peer.id) : nothing);
    return both(endLeg, endTrunkCall);
  }

  #counted(target: Target, options: Dialled): Invites | null {
    const endLeg = this.#legCounts.begin(options.quotas ?? []);
    if (!endLeg) return null;
    const invites =
      target.kind === 'phones' ? this.#phones(target.id, options) : this.#trunk(target, options);
    const ended = both(endLeg, invites?.ended ?? null);
    return invites && ended && { ...invites, ended };
  }

  #incoming(session: IncomingSession, { peer, user }: Allowed): void {
    const ended = this.#beginIncoming(peer);
    if (!ended) {
      session.reject(503, BUSY_HEADERS);
      return;
    }
    const leg = new IncomingLeg(session, () => {
      if (this.#legs.delete(leg)) this.#calls -= 1;
      ended();
    });
    const media = MediaSide.open(this.#engine, this.#sounds, leg);
    if (!media) {
      ended();
      session.reject(503, BUSY_HEADERS);
      return;
    }
    this.#legs.add(leg);
    this.#calls += 1;
    const { invite } = session;
    const address = this.#stack.addressFor(session.flow);
    const { port } = media.stream;
    const negotiation = new Negotiation({ address, port, refusal: this.#refusalFor(leg) });
    const refused = leg.begin(media, negotiation, sdpOf(invite));
    if (refused === null) this.#offer(session, leg, peer, user);
    else leg.refuseOffer(refused);
  }

  #refusalFor(leg: BuiltinLeg): (address: string, port: number) => string | null {
    return (address, port) => this.#targets.refusal(address, port, leg.peerAddress);
  }

  #offer(session: IncomingSession, leg: IncomingLeg, peer: Peer, user: string): void {
    const { invite } = session;
    const from = callerOf(invite, peer, user);
    const dialled = userOf(invite.uri);
    const call = {
      leg,
      peer,
      dialled,
      toUser: invite.to.uri === invite.uri ? dialled : userOf(invite.to.uri),
      caller: from.caller,
      callerName: from.callerName,
      callId: session.callId,
    };
    const failed = (error: unknown): void => {
      this.#config.logger.error({ err: error, callId: session.callId }, 'INVITE handling failed');
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

  /** All reachable phones of one agent; null: none. */
  #phones(id: string, options: Dialled): Invites | null {
    const bindings = this.#stack.phonesOf(id).filter(({ reachable }) => reachable);
    const [first] = bindings;
    if (!first) return null;
    const address = this.#stack.addressFor(first.flow);
    const from = formatUri(sipUri(options.caller ?? 'anonymous', bracketed(address)));
    const all = bindings.map(
      ({ contact, flow, path }): Invite =>
        (sdp, events, callId) => {
          const target = { uri: contact, flow };
          return this.#stack.agent.call({
            target,
            callId,
            from,
            callerName: options.callerName,
            maxForwards: options.maxForwards,
            headers: passesHeader(options),
            sdp,
            route: path,
            events,
          });
        },
    );
    return { all, address, ended: nothing };
  }

  #trunk({ id, number, shown }: Extract<Target, { kind: 'trunk' }>, options: Dialled): Invites | null {
    const trunk = this.#trunks.get(id);
    const ended = trunk && this.#trunks.begin(id);
    if (!trunk || !ended) return null;
    const { host, port, protocol, username, password, callerId } = trunk;
    const address = this.#stack.addressTo(trunk);
    const caller = shown === undefined ? (callerId ?? options.caller) : shown;
    const uri = formatUri(sipUri(number, bracketed(host), port));
    const ourHost = bracketed(username === '' ? address : host);
    const own = (user: string): string => formatUri(sipUri(user, ourHost));
    const from = own(caller ?? 'anonymous');
    const invite: Invite = (sdp, events, callId) =>
      this.#stack.agent.call({
        target: { uri, host, port, protocol, allows: this.#stack.allowsOf(trunk) },
        callId,
        from,
        callerName: options.callerName,
        maxForwards: options.maxForwards,
        headers: passesHeader(options),
        sdp,
        anonymous: caller === null,
        // RFC 3325 §9.1: a trusted provider gets the identity of an anonymous caller.
        ...(shown === null && callerId !== null ? { identity: own(callerId) } : {}),
        events,
        ...(username === '' ? {} : { credentials: { username, password } }),
      });
    return { all: [invite], address, ended };
  }
}

type Dialled = DialOptions & { readonly maxForwards: number; readonly passes: number };

const passesHeader = ({ passes }: Dialled) => [[PASSES_HEADER, String(passes)]] as const;

/** INVITEs to send, our address in their SDP, and what to call at the end. */
interface Invites {
  readonly all: readonly Invite[];
  readonly address: string;
  readonly ended: () => void;
}

const nothing = (): void => undefined;
const BUSY_HEADERS = [['retry-after', String(RETRY_AFTER_SECONDS)]] as const;
const BUSY: Reply = { status: 503, headers: BUSY_HEADERS };

/** Ends both; null when one of them is missing, and the other is ended. */
function both(one: (() => void) | null, other: (() => void) | null): (() => void) | null {
  if (one && other)
    return () => {
      one();
      other();
    };
  one?.();
  other?.();
  return null;
}

function refuse(leg: IncomingLeg, refusal: Refusal | null): void {
  if (refusal) leg.refuse(refusal.status, refusal.retryAfterSeconds);
}
