// Where a request inside a dialog goes: to its first Route or remote target (RFC 3261 §12.2.1.1), but on the flow the dialog
// began on for registered phones (RFC 5626), wherever that is the same peer, or where a NAT hides the address that the peer names.

import type { SipUri } from '../message.ts';
import {
  type Address,
  defaultPort,
  type Protocol,
  peerOf,
  type TransportFlow,
} from '../transports/transport.ts';
import { parseUri } from '../uri.ts';
import { isNumeric, isPrivate, privateNetwork, unbracketed } from './addresses.ts';
import type { DialogCore } from './core.ts';

export class NextHop {
  readonly #core: DialogCore;
  /** The flow of the message that made the dialog, of the last refresh, or of the phone's last REGISTER. */
  #home: TransportFlow;
  /** Registered phones and peers behind NAT are reached by their flow. */
  #keepsFlow: boolean;
  /** And by no other way where it breaks. */
  readonly #isOnlyWay: boolean;
  /** The flow by which the phone registered last, and the one that was seen of it before. */
  #registered: (() => TransportFlow) | null = null;
  #lastRegistered: TransportFlow | null = null;
  readonly #allows: (address: string) => boolean;
  #uri = '';
  #flow: TransportFlow | null = null;
  #waiting: ((flow: TransportFlow) => void)[] | null = null;

  /** `allows`: addresses that the peer may have. */
  constructor(
    core: DialogCore,
    home: TransportFlow,
    sticky: boolean,
    allows: (address: string) => boolean = () => true,
  ) {
    this.#core = core;
    this.#home = home;
    this.#keepsFlow = sticky;
    this.#isOnlyWay = sticky;
    this.#allows = allows;
  }

  get home(): TransportFlow {
    return this.#home;
  }

  followTo(flow: TransportFlow): void {
    if (!this.#keepsFlow && flow.connection === 0) return;
    this.#move(flow);
    this.#lastRegistered = this.#registered?.() ?? null;
  }

  /** A registered phone, whatever address it names. `registered`: its flow now, after its NAT binding or connection changed. */
  keepFlow(registered: (() => TransportFlow) | null): void {
    this.#keepsFlow = true;
    this.#registered = registered;
    this.#lastRegistered = registered?.() ?? null;
    this.#uri = '';
  }

  #move(flow: TransportFlow): void {
    this.#home = flow;
    // Chosen anew for the next request.
    this.#uri = '';
  }

  /** Calls back at once where nothing has to be looked up; in the order of the calls in any case. */
  to(uri: string, then: (flow: TransportFlow) => void): void {
    const registered = this.#registered?.() ?? null;
    if (registered !== null && registered !== this.#lastRegistered) {
      this.#lastRegistered = registered;
      this.#move(registered);
    }
    if (uri !== this.#uri) {
      this.#uri = uri;
      this.#flow = this.#atOnce(uri);
    }
    if (this.#waiting !== null) this.#waiting.push(then);
    else if (this.#flow !== null) then(this.#flow);
    else {
      this.#waiting = [then];
      void this.#lookUp(uri);
    }
  }

  /** What went to the private address that the peer names did not arrive: a NAT is between, and the way that it answered by is taken. */
  missed(uri: string): void {
    const host = unbracketed(parseUri(uri)?.host ?? '');
    if (uri === this.#uri && this.#waiting === null && isNumeric(host) && isPrivate(host))
      this.#flow = this.#home;
  }

  /** The connection broke: another one to the same place. A phone behind NAT cannot be reached by any other way: null. */
  async again(uri: string): Promise<TransportFlow | null> {
    if (this.#isOnlyWay || this.#home.protocol === 'ws') return null;
    try {
      const flow = await this.#find(uri);
      if (uri === this.#uri) this.#flow = flow;
      return flow;
    } catch {
      return null;
    }
  }

  #atOnce(text: string): TransportFlow | null {
    const uri = parseUri(text);
    // A browser is reached by its own connection alone, whatever its Contact says.
    if (this.#home.protocol === 'ws') return this.#home;
    if (this.#keepsFlow || uri === null || uri.host === '' || uri.host.endsWith('.invalid'))
      return this.#home;
    const home = this.#home;
    const protocol = protocolOf(uri, home);
    const host = unbracketed(uri.host);
    if (!isNumeric(host)) return null;
    if (!this.#mayReach(host) || this.#isHidden(host)) return home;
    // A connection leads to one peer whatever port that peer listens on.
    const sameHost = host === home.remote.address && protocol === home.protocol;
    if (sameHost && (home.connection !== 0 || portOf(uri, protocol) === home.remote.port)) return home;
    return null;
  }

  async #lookUp(text: string): Promise<void> {
    const flow = await this.#find(text).catch(() => this.#home);
    if (text === this.#uri) this.#flow = flow;
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const then of waiting) {
      try {
        then(flow);
      } catch (error) {
        this.#core.transactions.failed(error);
      }
    }
  }

  async #find(text: string): Promise<TransportFlow> {
    const uri = parseUri(text);
    if (uri === null) return this.#home;
    const protocol = protocolOf(uri, this.#home);
    const host = unbracketed(uri.host);
    if (isNumeric(host)) {
      if (!this.#mayReach(host) || this.#isHidden(host)) return this.#home;
      return this.#core.transports.flowTo(protocol, { address: host, port: portOf(uri, protocol) });
    }
    const all = await this.#core.resolve(protocol, host, uri.port);
    const found = all.filter(({ address }) => this.#mayReach(address));
    const [first] = found;
    if (first === undefined || found.some((each) => isSame(each, this.#home))) return this.#home;
    return this.#core.transports.flowTo(first.protocol, first, host);
  }

  /** A peer outside must not send us to an address inside, by number or by name (T42). */
  #mayReach(address: string): boolean {
    return this.#allows(address) && (!isPrivate(address) || isPrivate(peerOf(this.#home).address));
  }

  /**
   * A peer seen at an address of one private network that names one of another is behind a NAT between the two. Within one network
   * the address that it names counts: PBXs name another host of theirs. An edge is configured, and says what it means.
   */
  #isHidden(address: string): boolean {
    const { remote, peer } = this.#home;
    if (peer !== undefined) return false;
    const named = privateNetwork(address);
    const seen = privateNetwork(remote.address);
    return named !== 0 && seen !== 0 && named !== seen;
  }
}

const isSame = (address: Address, flow: TransportFlow): boolean =>
  address.address === flow.remote.address && (flow.connection !== 0 || address.port === flow.remote.port);

const portOf = (uri: SipUri, protocol: Protocol): number => uri.port || defaultPort(protocol);

/** The URI's word, or what the dialog speaks already. A TLS dialog never falls back to clear text. */
function protocolOf(uri: SipUri, home: TransportFlow): Protocol {
  if (uri.scheme === 'sips' || home.protocol === 'tls') return 'tls';
  const asked = uri.params.get('transport')?.toLowerCase();
  if (asked === 'tcp' || asked === 'udp' || asked === 'tls') return asked;
  return home.protocol;
}
