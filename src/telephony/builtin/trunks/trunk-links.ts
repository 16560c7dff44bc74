// How trunks are reached: our registrations there, whether their hosts answer, and where their calls go.
import type { Logger } from 'pino';
import type { DialogCore } from '../../../sip/dialogs/core.ts';
import type { HostTarget } from '../../../sip/dialogs/destinations.ts';
import type { SipRequest } from '../../../sip/message.ts';
import type { Address, TransportFlow } from '../../../sip/transports/transport.ts';
import type { Trunk, TrunkCounts, TrunkLine } from '../../ports/trunk.ts';
import { targetOf } from './trunk-hosts.ts';
import { TrunkMonitor } from './trunk-monitor.ts';
import { TrunkRegistrations } from './trunk-registrations.ts';

type Ways = Pick<DialogCore, 'transactions' | 'transports' | 'timers' | 'resolve'> & {
  readonly allowsOf: (trunk: Trunk) => (address: string) => boolean;
};

interface LinkConfig {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly nonceKey?: Uint8Array;
  readonly outboundEdge?: Address;
}

export class TrunkLinks {
  readonly #ways: Ways;
  readonly #config: LinkConfig;
  readonly #registrations: TrunkRegistrations;
  readonly #monitor: TrunkMonitor;

  constructor({ transactions, transports, timers, resolve, allowsOf }: Ways, config: LinkConfig) {
    const ways = { transactions, transports, timers, resolve, allowsOf };
    const { logger, nonceKey: lineKey } = config;
    this.#ways = ways;
    this.#config = config;
    const monitor = new TrunkMonitor(
      {
        ...ways,
        edgeOf: (trunk) => this.#edgeOf(trunk),
        hostDown: (id, destination) => this.#registrations.hostDown(id, destination),
      },
      logger,
    );
    this.#monitor = monitor;
    this.#registrations = new TrunkRegistrations(
      {
        ...ways,
        isDown: (id, destination) => monitor.isDown(id, destination),
        ...(lineKey === undefined ? {} : { lineKey }),
      },
      logger,
    );
  }

  set(trunks: readonly Trunk[]): void {
    this.#monitor.set(trunks);
    this.#registrations.set(trunks);
  }

  /** Where a call over the trunk is sent. */
  targetOf(trunk: Trunk): Omit<HostTarget, 'uri'> {
    const via = this.#edgeOf(trunk);
    const target = targetOf(trunk, this.#ways.allowsOf(trunk), (each) =>
      this.#monitor.isDown(trunk.id, each),
    );
    return via ? { ...target, via } : target;
  }

  lineOf(request: SipRequest): string | null {
    return this.#registrations.lineOf(request);
  }

  registeredAs(user: string, flow: TransportFlow): string | null {
    return this.#registrations.registeredAs(user, flow);
  }

  isRegisteredBy(flow: TransportFlow): boolean {
    return this.#registrations.isRegisteredBy(flow);
  }

  flowClosed(flow: TransportFlow): void {
    this.#registrations.flowClosed(flow);
  }

  stateOf(id: string): Omit<TrunkLine, 'calls'> {
    return { ...this.#registrations.stateOf(id), ...this.#monitor.stateOf(id) };
  }

  countsOf(trunks: number): TrunkCounts {
    const { registered, failing } = this.#registrations.counts;
    const { unreachable } = this.#monitor;
    return { registered, failing, unregistered: trunks - registered - failing, unreachable };
  }

  async close(): Promise<void> {
    this.#monitor.close();
    await this.#registrations.close();
  }

  /** A provider at which a node registered calls that node, and knows it by that. TLS is verified from end to end. */
  #edgeOf({ register, protocol }: Trunk): Address | undefined {
    return register || protocol === 'tls' ? undefined : this.#config.outboundEdge;
  }
}
