// The built-in telephony, wired in one place: transports → transactions → user agent → legs. Each part takes this environment, and
// what is its own.
import { type Resolve, resolveBy } from '../../sip/dialogs/core.ts';
import { DigestServer } from '../../sip/digest.ts';
import type { Guard } from '../../sip/guard.ts';
import { TargetResolver } from '../../sip/resolve.ts';
import { TimerWheel } from '../../sip/timers.ts';
import { TransactionLayer } from '../../sip/transactions/layer.ts';
import type { SipTransports } from '../../sip/transports/transports.ts';
import { UserAgent, type UserAgentCallbacks } from '../../sip/user-agent.ts';
import type { Trunk } from '../ports/trunk.ts';
import { Admission } from './access/admission.ts';
import type { Caller } from './access/caller.ts';
import { openGuard, openGuardedTransports } from './access/guarded-transports.ts';
import { InviteAuthorizer } from './access/invite-authorizer.ts';
import { MediaTargets } from './access/media-targets.ts';
import { Phones } from './access/phones.ts';
import { type IsVerified, verifiedBy } from './access/verified-media.ts';
import { WebPhones } from './access/web-phones.ts';
import { OwnAddresses } from './addresses.ts';
import type { BuiltinConfig } from './config.ts';
import { EVENTS, openWatch } from './events/watches.ts';
import { LiveLegs } from './legs/live-legs.ts';
import type { LegMedia } from './legs/media-side.ts';
import { NamedLegs } from './legs/named-legs.ts';
import { TrunkBook } from './trunks/trunk-book.ts';
import { TrunkLinks } from './trunks/trunk-links.ts';

interface Opened {
  readonly media: LegMedia;
  readonly timers: TimerWheel;
  readonly trunks: TrunkBook;
  readonly guard: Guard;
  readonly transports: SipTransports;
}

/** Makes the callbacks of the user agent. */
type CallbacksOf = (env: BuiltinEnvironment) => UserAgentCallbacks<Caller>;

/** Parts read it when they are asked, not while they are made: then it is not complete. */
export class BuiltinEnvironment {
  readonly config: BuiltinConfig;
  readonly media: LegMedia;
  readonly timers: TimerWheel;
  readonly trunks: TrunkBook;
  readonly guard: Guard;
  readonly transports: SipTransports;
  readonly addresses: OwnAddresses;
  readonly transactions: TransactionLayer;
  readonly resolve: Resolve;
  readonly phones: Phones;
  readonly legs: LiveLegs;
  readonly webPhones: WebPhones;
  readonly trunkLinks: TrunkLinks;
  readonly isVerified: IsVerified;
  readonly admission: Admission;
  readonly mediaTargets: MediaTargets;
  readonly digest: DigestServer;
  readonly authorizer: InviteAuthorizer;
  readonly agent: UserAgent<Caller>;
  readonly named: NamedLegs;

  static async open(
    config: BuiltinConfig,
    media: LegMedia,
    callbacksOf: CallbacksOf,
  ): Promise<BuiltinEnvironment> {
    const timers = new TimerWheel((err) => config.logger.error({ err }, 'SIP timer callback failed'));
    const trunks = new TrunkBook();
    const guard = openGuard(config, trunks);
    const phones = (await config.user.phones?.load()) ?? [];
    const transports = await openGuardedTransports(config, timers, guard, trunks);
    const env = new BuiltinEnvironment(config, { media, timers, trunks, guard, transports }, callbacksOf);
    // In the same turn of the event loop: no request has been handled yet.
    env.phones.restore(phones);
    config.user.phones?.follow((changed) => env.phones.learn(changed));
    return env;
  }

  private constructor(
    config: BuiltinConfig,
    { media, timers, trunks, guard, transports }: Opened,
    callbacksOf: CallbacksOf,
  ) {
    this.config = config;
    this.media = media;
    this.timers = timers;
    this.trunks = trunks;
    this.guard = guard;
    this.transports = transports;
    this.addresses = new OwnAddresses(transports);
    const failed = (err: unknown): void => config.logger.error({ err }, 'SIP message handling failed');
    this.transactions = new TransactionLayer({ timers, transports, failed });
    this.resolve = resolveBy(new TargetResolver());
    this.phones = new Phones(this);
    this.legs = new LiveLegs(this);
    this.webPhones = new WebPhones(this);
    const { transactions, resolve } = this;
    const allowsOf = ({ privateHost }: Trunk) => (privateHost ? () => true : config.isOpenAddress);
    this.trunkLinks = new TrunkLinks({ transactions, transports, timers, resolve, allowsOf }, config);
    this.isVerified = verifiedBy(trunks);
    this.admission = new Admission(config.limits, () => performance.now());
    this.mediaTargets = mediaTargets(this);
    const { realm, nonceKey } = config;
    this.digest = new DigestServer({ realm, ...(nonceKey === undefined ? {} : { key: nonceKey }) });
    this.authorizer = new InviteAuthorizer(this);
    this.agent = openUserAgent(this, callbacksOf(this));
    this.named = new NamedLegs(this.agent, this.legs);
    this.transactions.deliverTo(this.agent);
    transports.deliverTo(this.transactions, {
      flowOpened: (flow, grant) => this.webPhones.opened(flow, grant),
      flowNeeded: ({ connection }) => this.webPhones.isNeeded(connection),
      flowClosed: (flow, isOver) => {
        this.transactions.flowClosed(flow);
        this.phones.flowClosed(flow);
        this.trunkLinks.flowClosed(flow);
        this.webPhones.closed(flow.connection, isOver);
      },
    });
  }

  async close(): Promise<void> {
    await this.trunkLinks.close();
    this.agent.notifier?.close();
    this.phones.registrar.close();
    // Waits for the responses to BYEs that were just sent, for a bounded time.
    for (let waits = 0; waits < CLOSE_WAITS && this.agent.sessions > 0; waits++) await wait(CLOSE_WAIT_MS);
    this.transactions.close();
    await this.transports.close();
    this.timers.close();
  }
}

function openUserAgent(env: BuiltinEnvironment, callbacks: UserAgentCallbacks<Caller>): UserAgent<Caller> {
  const { config, phones } = env;
  return new UserAgent({
    transactions: env.transactions,
    transports: env.transports,
    timers: env.timers,
    resolve: env.resolve,
    callbacks,
    events: {
      events: EVENTS,
      isOfSubscriber: (at, flow) => env.webPhones.isOne(at, flow),
      open: (request, caller, changed) => {
        if (caller?.peer.kind !== 'phone') return { status: 403 };
        const { id } = caller.peer;
        return openWatch(config.user, id, request, () => phones.of(id).length > 0, changed);
      },
    },
  });
}

function mediaTargets({ config, transports, media: { engine, webrtc } }: BuiltinEnvironment): MediaTargets {
  const { servicePorts = [], advertisedAddress } = config;
  const listening = transports.listening.map(({ local }) => ({ address: null, port: local.port }));
  return new MediaTargets({
    services: [...servicePorts, ...listening],
    isMediaPort: (port) => engine.ownsPort(port) || port === webrtc?.identity.port,
    advertised: advertisedAddress,
  });
}

const CLOSE_WAITS = 50;
const CLOSE_WAIT_MS = 20;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
