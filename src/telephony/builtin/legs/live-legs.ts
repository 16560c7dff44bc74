// All legs that are alive, counted against their quotas.
import type { NegotiationOptions } from '../../../media/sdp/negotiation.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { TelephonyUser } from '../../telephony.ts';
import { LegCounts } from '../access/leg-counts.ts';
import type { MediaTargets } from '../access/media-targets.ts';
import type { PageLegs } from '../access/web-phones.ts';
import type { BuiltinLeg } from './leg.ts';
import type { LegMedia, MediaSide } from './media-side.ts';
import type { NamedLegs } from './named-legs.ts';

interface LegsEnvironment {
  readonly config: {
    readonly user: Pick<TelephonyUser, 'legsCounted'>;
    readonly isKnownAlive?: () => boolean;
  };
  readonly media: LegMedia;
  readonly mediaTargets: MediaTargets;
  readonly named: NamedLegs;
}

export class LiveLegs implements PageLegs, Iterable<BuiltinLeg> {
  readonly counts: LegCounts;
  readonly #env: LegsEnvironment;
  readonly #legs = new Set<BuiltinLeg>();
  /** Incoming calls: what MAX_CALLS limits. */
  calls = 0;

  constructor(env: LegsEnvironment) {
    this.#env = env;
    const { user } = env.config;
    this.counts = new LegCounts((key, count) => user.legsCounted?.(key, count));
  }

  get size(): number {
    return this.#legs.size;
  }

  [Symbol.iterator](): IterableIterator<BuiltinLeg> {
    return this.#legs.values();
  }

  add(leg: BuiltinLeg, isCall: boolean): void {
    const { config, named } = this.#env;
    leg.isKnownAlive = config.isKnownAlive ?? leg.isKnownAlive;
    leg.namedLeg = named.find;
    this.#legs.add(leg);
    if (isCall) this.calls += 1;
  }

  delete(leg: BuiltinLeg, isCall: boolean): void {
    if (this.#legs.delete(leg) && isCall) this.calls -= 1;
  }

  negotiable(leg: BuiltinLeg, { stream: { port } }: MediaSide, address: string): NegotiationOptions {
    const { mediaTargets, media } = this.#env;
    return {
      address,
      port,
      refusal: (to, toPort) => mediaTargets.refusal(to, toPort, leg.peerAddress, leg.isPage),
      webrtc: media.webrtc?.identity,
    };
  }

  hangUpAll(): void {
    for (const leg of [...this.#legs]) leg.hangUp();
  }

  gone(connection: number, isOver: boolean): void {
    const text = isOver ? 'The phone session of the web page is over.' : 'The web page is gone.';
    for (const leg of [...this.#legs]) if (leg.isBy(connection)) leg.lost(text);
  }

  back(connection: number, flow: TransportFlow): void {
    for (const leg of this.#legs) if (leg.isBy(connection)) leg.follow(flow);
  }

  has(connection: number, phone: string): boolean {
    for (const leg of this.#legs) if (leg.isBy(connection) || leg.phone === phone) return true;
    return false;
  }
}
