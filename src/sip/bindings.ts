// Which phones are registered under an id, and how each is reached. In memory; the registrar's user may store them and restore them
// after a restart.
import type { NameAddr } from './message.ts';
import type { Timer } from './timers.ts';
import type { TransportFlow } from './transports/transport.ts';

export interface Binding {
  readonly id: string;
  /** Tells the contacts of one id apart. */
  readonly key: string;
  /** The Contact's URI as it was given: the Request-URI of calls to it. */
  readonly contact: string;
  /** How it is reached, whatever the Contact says: through NAT, or on its connection. */
  readonly flow: TransportFlow;
  /** RFC 3327: the Route of calls to it. */
  readonly path: readonly NameAddr[];
  /** 0 to 1; higher is preferred (RFC 3261 §10.2.1.2). */
  readonly q: number;
  /** On the monotonic clock: a jump of the wall clock expires no binding. */
  readonly expiresAt: number;
  readonly userAgent: string;
  /** RFC 5626 §4.1: +sip.instance of the Contact; empty: none. */
  readonly instance: string;
  /** False while this node cannot reach it: not worth ringing. */
  readonly reachable: boolean;
  /** Whether it answers the node that pings it. */
  readonly answers: boolean;
  /** That node; null: this one. */
  readonly node: string | null;
}

export interface HeldBinding extends Binding {
  callId: string;
  cseq: number;
  contact: string;
  flow: TransportFlow;
  path: readonly NameAddr[];
  q: number;
  expiresAt: number;
  userAgent: string;
  instance: string;
  reachable: boolean;
  answers: boolean;
  node: string | null;
  failures: number;
  expiry: Timer | null;
  ping: Timer | null;
}

/** A binding that an earlier process or another node took. */
export type EarlierBinding = Pick<
  HeldBinding,
  | 'id'
  | 'key'
  | 'contact'
  | 'flow'
  | 'path'
  | 'q'
  | 'expiresAt'
  | 'userAgent'
  | 'instance'
  | 'reachable'
  | 'answers'
  | 'node'
  | 'callId'
  | 'cseq'
>;

/** The connection of a flow that ended with an earlier process: nothing can be sent on it. */
export const LOST_CONNECTION = -1;

export class Bindings {
  readonly #byId = new Map<string, Map<string, HeldBinding>>();
  readonly #byConnection = new Map<number, Set<HeldBinding>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** By their key. */
  of(id: string): ReadonlyMap<string, HeldBinding> | undefined {
    return this.#byId.get(id);
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  onConnection(connection: number): readonly HeldBinding[] {
    return [...(this.#byConnection.get(connection) ?? [])];
  }

  *all(): Iterable<HeldBinding> {
    for (const bindings of this.#byId.values()) yield* bindings.values();
  }

  add(binding: HeldBinding): void {
    const bindings = this.#byId.get(binding.id);
    if (bindings === undefined) this.#byId.set(binding.id, new Map([[binding.key, binding]]));
    else bindings.set(binding.key, binding);
    this.#count++;
    this.#join(binding);
  }

  /** The phone registered over another flow. */
  move(binding: HeldBinding, flow: TransportFlow): void {
    this.#leave(binding);
    binding.flow = flow;
    this.#join(binding);
  }

  remove(binding: HeldBinding): void {
    binding.expiry?.stop();
    binding.ping?.stop();
    binding.expiry = null;
    binding.ping = null;
    const bindings = this.#byId.get(binding.id);
    if (bindings?.get(binding.key) !== binding) return;
    bindings.delete(binding.key);
    if (bindings.size === 0) this.#byId.delete(binding.id);
    this.#count--;
    this.#leave(binding);
  }

  #join(binding: HeldBinding): void {
    const { connection } = binding.flow;
    if (connection <= 0) return;
    const others = this.#byConnection.get(connection);
    if (others === undefined) this.#byConnection.set(connection, new Set([binding]));
    else others.add(binding);
  }

  #leave(binding: HeldBinding): void {
    const { connection } = binding.flow;
    const others = this.#byConnection.get(connection);
    if (others?.delete(binding) && others.size === 0) this.#byConnection.delete(connection);
  }
}
