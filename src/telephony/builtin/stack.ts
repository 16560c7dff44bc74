// Assembles the SIP stack: transports, transactions, sessions, registrar, and the authorization of requests.
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import type { Binding, HeldBinding } from '../../sip/bindings.ts';
import type { MessageCapture } from '../../sip/capture/hep.ts';
import { type Resolve, resolveBy } from '../../sip/dialogs/core.ts';
import { type DigestAlgorithm, DigestServer } from '../../sip/digest.ts';
import { Guard } from '../../sip/guard.ts';
import type { SipRequest } from '../../sip/message.ts';
import { listOf } from '../../sip/name-addr.ts';
import { Registrar } from '../../sip/registrar.ts';
import { TargetResolver } from '../../sip/resolve.ts';
import type { IncomingSession, Session, StoredDialog } from '../../sip/session.ts';
import { TimerWheel } from '../../sip/timers.ts';
import { TransactionLayer } from '../../sip/transactions/layer.ts';
import type { Reply } from '../../sip/transactions/transactions.ts';
import type { Listen } from '../../sip/transports/listen.ts';
import type { TlsOptions } from '../../sip/transports/tls.ts';
import { peerOf, type TransportFlow } from '../../sip/transports/transport.ts';
import { openTransports, type SipTransports } from '../../sip/transports/transports.ts';
import type { WebSocketSide } from '../../sip/transports/websocket.ts';
import { UserAgent } from '../../sip/user-agent.ts';
import type { StoredPhone } from '../ports/phone-store.ts';
import type { Trunk } from '../ports/trunk.ts';
import type { Peer, TelephonyUser } from '../telephony.ts';
import { type Authorized, InviteAuthorizer, isLoopback, type Verdict } from './access/invite-authorizer.ts';
import { PhoneFlows, sameFlow } from './access/phone-flows.ts';
import { type Registered, StoredPhones } from './access/stored-phones.ts';
import { isDeskPhone, type PageLegs, WebPhones } from './access/web-phones.ts';
import { EVENTS, openWatch } from './events/watches.ts';
import type { TrunkBook } from './trunks/trunk-book.ts';

export interface StackConfig {
  readonly listen: readonly Listen[];
  readonly tls?: TlsOptions;
  readonly advertisedAddress: string | undefined;
  /** Whether a proxy of SIP_EDGES has this address; absent: there is none. */
  readonly isEdge?: (address: string) => boolean;
  readonly realm: string;
  /** Signs the nonces of challenges, the same on all nodes; absent: a random one. */
  readonly nonceKey?: Uint8Array;
  /** What all phones are challenged with, the best first. */
  readonly digests: readonly DigestAlgorithm[];
  /** Whether an address is on the open internet, where hosts of trunks without `privateHost` must be. */
  readonly isOpenAddress: (address: string) => boolean;
  readonly user: TelephonyUser;
  readonly logger: Logger;
  /** What has the WebSockets of browsers, each with a WebPhone; absent: there are none. */
  readonly webSockets?: WebSocketSide;
  /** Gets a copy of every SIP message. */
  readonly capture?: MessageCapture;
}

export interface StackUser {
  /** A call from that peer: the refusal, sent and forgotten; null: it may begin. */
  refusal(invite: SipRequest, peer: Peer): Reply | null;
  /** As AuthorizerParts. */
  lineOf(request: SipRequest): string | null;
  registeredAs(user: string, flow: TransportFlow): string | null;
  isRegisteredBy(flow: TransportFlow): boolean;
  flowClosed(flow: TransportFlow): void;
  readonly pages: PageLegs;
  /** As UserAgentCallbacks. */
  retryAfterS(): number | null;
  incoming(session: IncomingSession, caller: Authorized): void;
  /** Whether that session is with a phone of these credentials. */
  isPeerOf(session: Session, id: string): boolean;
}

export class Stack {
  readonly timers: TimerWheel;
  readonly guard: Guard;
  readonly transports: SipTransports;
  readonly transactions: TransactionLayer;
  readonly registrar: Registrar;
  readonly agent: UserAgent<Authorized>;
  readonly resolve: Resolve;
  readonly allowsOf: (trunk: Trunk) => (address: string) => boolean;
  readonly #authorizer: InviteAuthorizer;
  readonly #phones = new PhoneFlows();
  readonly webPhones: WebPhones;
  /** By id, as long as one of its phones is registered: the password hash at that time. */
  readonly #passwords = new Map<string, Registered>();
  readonly #telephonyUser: TelephonyUser;
  readonly #stored: StoredPhones | null;
  #user: StackUser | null = null;

  private constructor(
    config: StackConfig,
    trunks: TrunkBook,
    guard: Guard,
    transports: SipTransports,
    timers: TimerWheel,
  ) {
    const { isEdge = () => false } = config;
    const failed = (err: unknown): void => config.logger.error({ err }, 'SIP message handling failed');
    this.timers = timers;
    this.webPhones = new WebPhones({
      timers,
      user: config.user,
      legs: () => this.#user?.pages ?? null,
      close: (connection) => transports.closeWebSocket(connection),
    });
    this.#telephonyUser = config.user;
    this.#stored =
      config.user.phones === undefined
        ? null
        : new StoredPhones(config.user.phones, () => Date.now() - timers.now(), isEdge);
    this.guard = guard;
    this.transports = transports;
    this.transactions = new TransactionLayer({ timers, transports, failed });
    this.resolve = resolveBy(new TargetResolver());
    this.allowsOf = ({ privateHost }) => (privateHost ? () => true : config.isOpenAddress);
    const { transactions } = this;
    this.registrar = new Registrar({
      transactions,
      transports,
      timers,
      changed: (binding) => this.#stored?.changed(binding, this.#passwords.get(binding.id) ?? UNKNOWN),
      removed: (binding) => this.#stored?.removed(binding),
      unknownRemoved: (id, key, request) => this.#stored?.unknownRemoved(id, key, request),
      answersChanged: (binding) => this.#answersChanged(binding),
      graceMs: config.user.phones?.node == null ? 0 : REFRESH_GRACE_MS,
      isEdge,
    });
    this.#authorizer = new InviteAuthorizer({
      digest: new DigestServer({
        realm: config.realm,
        ...(config.nonceKey === undefined ? {} : { key: config.nonceKey }),
      }),
      digests: config.digests,
      credentialsOf: (user) => config.user.credentialsOf(user),
      trunks,
      trunkOf: (ids, dialled) => config.user.trunkOf(ids, dialled),
      lineOf: (request) => this.#user?.lineOf(request) ?? null,
      registeredAs: (user, flow) => this.#user?.registeredAs(user, flow) ?? null,
      isRegisteredBy: (flow) => this.#user?.isRegisteredBy(flow) ?? false,
      webPhoneOf: ({ connection }) => this.webPhones.of(connection),
      isPhone: (flow, user) => this.#phones.has(flow) && (user === undefined || this.#isOf(flow, user)),
      authenticated: (address) => guard.trust(address),
      acceptsPassword: (address) => guard.acceptPassword(address),
      failed: (address) =>
        guard.failedAuthentication(address, isEdge(address) || trunks.from(address).length > 0),
    });
    this.agent = new UserAgent({
      transactions,
      transports,
      timers,
      resolve: this.resolve,
      callbacks: {
        admit: (request, flow) => this.#admit(request, flow),
        isOfPeer: (session, flow) => this.webPhones.isOfPeer(session, flow),
        inDialog: (flow, tag) => transports.authenticated(flow, tag),
        incoming: (session, caller) => this.#incoming(session, caller),
        registering: (request, flow, caller) => this.#register(request, flow, caller),
        mayRefer: (caller, session) =>
          caller?.peer.kind === 'phone' && this.#user?.isPeerOf(session, caller.peer.id) === true,
        retryAfterS: () => this.#user?.retryAfterS() ?? null,
      },
      events: {
        events: EVENTS,
        isOfSubscriber: (at, flow) => this.webPhones.isOne(at, flow),
        open: (request, caller, changed) => {
          if (caller?.peer.kind !== 'phone') return { status: 403 };
          const { peer } = caller;
          const isRegistered = (): boolean => this.phonesOf(peer.id).length > 0;
          return openWatch(config.user, peer.id, request, isRegistered, changed);
        },
      },
    });
    this.transactions.deliverTo(this.agent);
    transports.deliverTo({
      received: (message, flow) => this.transactions.received(message, flow),
      flowOpened: (flow, grant) => this.webPhones.opened(flow, grant),
      flowNeeded: ({ connection }) => this.webPhones.isNeeded(connection),
      flowClosed: (flow, isOver) => {
        this.transactions.flowClosed(flow);
        this.registrar.flowClosed(flow);
        this.#phones.delete(flow);
        this.#user?.flowClosed(flow);
        this.webPhones.closed(flow.connection, isOver);
      },
    });
  }

  static async open(config: StackConfig, trunks: TrunkBook): Promise<Stack> {
    const timers = new TimerWheel((err) => config.logger.error({ err }, 'SIP timer callback failed'));
    const { isEdge } = config;
    const { bans } = config.user;
    const guard = new Guard({
      now: () => performance.now(),
      banned: (address, forMs) => bans?.banned(address, forMs),
    });
    bans?.follow((address, forMs) => {
      // A node may know a trunk, or be behind an edge, that the other one does not know.
      const isKnown = isLoopback(address) || isEdge?.(address) || trunks.from(address).length > 0;
      if (!isKnown) guard.ban(address, forMs);
    });
    const phones = (await config.user.phones?.load()) ?? [];
    const transports = await openTransports({
      listen: config.listen,
      timers,
      guard: {
        accept: (address, isRelayed) => {
          if (isLoopback(address) && !isRelayed) return true;
          const trunk = trunks.firstFrom(address);
          return trunk ? guard.acceptFromTrunk(address, trunk) : guard.accept(address);
        },
        acceptWeb: (address) => isLoopback(address) || !guard.isBanned(address),
        acceptAgent: (address, agent) => trunks.from(address).length > 0 || guard.acceptAgent(address, agent),
        isBanned: (address) => guard.isBanned(address),
      },
      trunkOwner: (address) => (isEdge?.(address) ? null : (trunks.firstFrom(address)?.account ?? null)),
      ...(isEdge === undefined ? {} : { isEdge }),
      failed: (err) => config.logger.error({ err }, 'SIP message parsing failed'),
      ...(config.advertisedAddress === undefined ? {} : { advertised: config.advertisedAddress }),
      ...(config.tls === undefined ? {} : { tls: config.tls }),
      ...(config.capture === undefined ? {} : { capture: config.capture }),
      ...(config.webSockets === undefined ? {} : { webSockets: config.webSockets }),
    });
    const stack = new Stack(config, trunks, guard, transports, timers);
    // In the same turn of the event loop: no request has been handled yet.
    stack.#restore(phones);
    config.user.phones?.follow((changed) => stack.#learn(changed));
    return stack;
  }

  #restore(phones: readonly StoredPhone[]): void {
    const hashOf = (user: string, id: string): string | undefined => this.#hashOf(user, id);
    this.registrar.restore(this.#stored?.restore(phones, this.transports, hashOf) ?? []);
    for (const { id, user } of phones) {
      const bindings = this.registrar.bindingsOf(id);
      if (bindings.length > 0) this.#passwords.set(id, { user, hash: hashOf(user, id) });
      for (const { flow } of bindings) if (flow.connection === 0 || flow.peer) this.#phones.add(flow);
    }
    const { node } = this.#telephonyUser.phones ?? { node: null };
    if (node !== null) this.#learn(phones.filter((phone) => phone.node !== node));
  }

  /** Of other nodes, or what they took over from one. */
  #learn(phones: readonly StoredPhone[]): void {
    const hashOf = (user: string, id: string): string | undefined => this.#hashOf(user, id);
    const learned = this.#stored?.learn(phones, this.registrar, this.transports, hashOf) ?? [];
    for (const { binding, registered } of learned) {
      this.#passwords.set(binding.id, registered);
      if (binding.flow.connection === 0 || binding.flow.peer) this.#phones.add(binding.flow);
    }
  }

  #answersChanged(binding: HeldBinding): void {
    const { phones } = this.#telephonyUser;
    if (phones && phones.node !== null)
      this.#stored?.changed(binding, this.#passwords.get(binding.id) ?? UNKNOWN);
  }

  deliverTo(user: StackUser): void {
    this.#user = user;
  }

  /** Ours for media: what the peer can reach, also where an edge is between us. */
  addressFor(flow: TransportFlow): string {
    return unbracketed(this.transports.sentBy({ ...flow, remote: peerOf(flow) }).host);
  }

  addressTo({ host, port, protocol }: Pick<Trunk, 'host' | 'port' | 'protocol'>): string {
    const local = this.transports.listening[0]?.local ?? { address: '127.0.0.1', port: 0 };
    const remote = { address: isIP(host) === 0 ? ELSEWHERE : host, port };
    return this.addressFor({ protocol, local, remote, connection: 0 });
  }

  /** As addressFor(), of a dialog that another node had. */
  addressBy({ protocol, hop, peer }: Pick<StoredDialog, 'protocol' | 'hop' | 'peer'>): string {
    const local = this.transports.udpFlow(hop)?.local ?? this.transports.listening[0]?.local;
    const from = local ?? { address: '127.0.0.1', port: 0 };
    return this.addressFor({ protocol, local: from, remote: hop, connection: 0, ...(peer ? { peer } : {}) });
  }

  async close(): Promise<void> {
    this.agent.notifier?.close();
    this.registrar.close();
    // Waits for the responses to BYEs that were just sent, for a bounded time.
    for (let waits = 0; waits < CLOSE_WAITS && this.agent.sessions > 0; waits++) await wait(CLOSE_WAIT_MS);
    this.transactions.close();
    await this.transports.close();
    this.timers.close();
  }

  #admit(request: SipRequest, flow: TransportFlow): Verdict {
    const verdict = this.#authorizer.authorize(request, flow);
    if (verdict.kind !== 'allow' || !verdict.caller) return verdict;
    const { peer } = verdict.caller;
    this.transports.authenticated(flow, peer.kind === 'phone' ? peer.id : null);
    const reply = request.method === 'INVITE' ? this.#user?.refusal(request, peer) : null;
    return reply ? { kind: 'refuse', reply } : verdict;
  }

  #incoming(session: IncomingSession, caller: Authorized | null): void {
    if (caller?.peer.kind === 'phone') this.#keepFlow(session, caller.peer.id);
    if (caller && this.#user) this.#user.incoming(session, caller);
    else session.reject(403);
  }

  /** Behind an edge the edge says how it is reached. A web page is followed by WebPhones alone. */
  #keepFlow(session: IncomingSession, id: string): void {
    if (session.flow.peer) return;
    const all = session.flow.protocol === 'ws' ? [] : this.registrar.bindingsOf(id);
    const binding = all.find(({ flow, path }) => path.length === 0 && sameFlow(flow, session.flow));
    session.keepFlow(binding ? () => this.registrar.flowNow(binding) : null);
  }

  #register(request: SipRequest, flow: TransportFlow, caller: Authorized | null): Reply {
    if (caller?.peer.kind !== 'phone') return { status: 403 };
    const { peer, user } = caller;
    if (flow.protocol === 'ws') return this.#registerWeb(request, flow, peer.id);
    const before = this.#passwords.get(peer.id);
    const hash = this.#hashOf(user, peer.id);
    // A phone with the old password is not kept alive by one with the new one.
    if (before && (before.user !== user || before.hash !== hash))
      this.registrar.removeAll(peer.id, isDeskPhone);
    this.#passwords.set(peer.id, { user, hash });
    const reply = this.registrar.register(request, flow, peer.id);
    const bindings = this.registrar.bindingsOf(peer.id);
    if (bindings.some((binding) => sameFlow(binding.flow, flow))) this.#phones.add(flow);
    else this.#phones.delete(flow);
    if (bindings.length === 0) this.#passwords.delete(peer.id);
    return reply;
  }

  /** Beside the phones that have the agent's password, which it must not unregister. */
  #registerWeb(request: SipRequest, flow: TransportFlow, id: string): Reply {
    if (listOf(request, 'contact')?.some(({ uri }) => uri === '*')) return { status: 403 };
    return this.registrar.register(request, flow, id);
  }

  /** None that registered with a password that is no longer valid. */
  phonesOf(id: string): readonly Binding[] {
    const all = this.registrar.bindingsOf(id);
    return this.#isCurrent(id) ? all : all.filter((binding) => !isDeskPhone(binding));
  }

  /** Unregisters phones whose credentials are no longer valid: after every change of the configuration. */
  checkPhones(): void {
    for (const id of [...this.registrar.ids()]) {
      if (this.#isCurrent(id)) continue;
      const isGone = this.#telephonyUser.phoneUser?.(id) === null;
      this.registrar.removeAll(id, isGone ? undefined : isDeskPhone);
      this.#passwords.delete(id);
    }
    this.agent.notifier?.check();
    const unmatched = this.#stored?.takeUnmatched() ?? [];
    if (unmatched.length > 0) this.#learn(unmatched);
  }

  #isCurrent(id: string): boolean {
    const known = this.#passwords.get(id);
    return known !== undefined && this.#hashOf(known.user, id) === known.hash;
  }

  #isOf(flow: TransportFlow, user: string): boolean {
    const all = this.#telephonyUser.credentialsOf(user);
    return all.some(({ id }) => this.registrar.bindingsOf(id).some((each) => sameFlow(each.flow, flow)));
  }

  #hashOf(user: string, id: string): string | undefined {
    return this.#telephonyUser.credentialsFor(id, user)?.md5;
  }
}

/** An external address, to choose our local one (RFC 5737: for documentation). */
const ELSEWHERE = '192.0.2.1';
const UNKNOWN: Registered = { user: '', hash: undefined };
/** Longer than another node takes to store a refresh, and this one to read it. */
const REFRESH_GRACE_MS = 5_000;
const CLOSE_WAITS = 50;
const CLOSE_WAIT_MS = 20;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const unbracketed = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host);
