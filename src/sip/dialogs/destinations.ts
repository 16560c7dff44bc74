// The destinations of a target, tried in order (RFC 3263 §4.3).
import { defaultPort, type TransportFlow } from '../transports/transport.ts';
import { isNumeric, unbracketed } from './addresses.ts';
import type { CallTarget } from './call-options.ts';
import type { Destination, DialogCore } from './core.ts';

const MOST_TRIED = 5;

export class Destinations {
  readonly #core: Pick<DialogCore, 'transports' | 'resolve'>;
  readonly #target: CallTarget;
  #left: Destination[] | null = null;
  #used = false;

  constructor(core: Pick<DialogCore, 'transports' | 'resolve'>, target: CallTarget) {
    this.#core = core;
    this.#target = target;
  }

  /** The flow that exists already, without waiting. */
  takeFlow(): TransportFlow | null {
    if (!('flow' in this.#target) || this.#used) return null;
    this.#used = true;
    return this.#target.flow;
  }

  /** Null when no destination is left. */
  async next(): Promise<TransportFlow | null> {
    if ('flow' in this.#target) return this.takeFlow();
    this.#left ??= await this.#find();
    for (let each = this.#left.shift(); each !== undefined; each = this.#left.shift()) {
      const { protocol, address, port } = each;
      try {
        return await this.#core.transports.flowTo(
          protocol,
          { address, port },
          unbracketed(this.#target.host),
        );
      } catch {
        // This destination failed: try the next one.
      }
    }
    return null;
  }

  async #find(): Promise<Destination[]> {
    if ('flow' in this.#target) return [];
    const { protocol, port, allows = () => true } = this.#target;
    const host = unbracketed(this.#target.host);
    const found = isNumeric(host)
      ? [{ protocol, address: host, port: port || defaultPort(protocol) }]
      : await this.#core.resolve(protocol, host, port).catch(() => []);
    // Connected to by these addresses: a name that is looked up again could have others (T42).
    return found.filter(({ address }) => allows(address)).slice(0, MOST_TRIED);
  }
}
