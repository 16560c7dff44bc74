// Sends OPTIONS to registered phones periodically: keeps NAT bindings open (RFC 5626 §3.5) and detects dead phones. A TCP connection
// whose cable is cut reports that only after a quarter of an hour of retransmissions (fault R14).
import { type HeldBinding, LOST_CONNECTION } from './bindings.ts';
import { contactUri, USER_AGENT } from './dialogs/capabilities.ts';
import type { DialogCore } from './dialogs/core.ts';
import { newCallId, newTag } from './ids.ts';
import { type NameAddr, NO_BODY } from './message.ts';
import { formatNameAddr } from './name-addr.ts';
import { type Address, defaultPort, type TransportFlow } from './transports/transport.ts';
import { parseUri } from './uri.ts';

/** Consecutive failures after which the phone is not rung until it responds again. */
const FAILURES = { udp: 3, connection: 2 };
/** How long a restored phone may take to answer its first OPTIONS before it is not rung: three retransmissions. */
const PROBE_MS = 4_000;
/** Between two restored phones; together they take no longer than one round of pings. */
const PROBE_EVERY_MS = 5;

export class Pinger {
  readonly #core: Pick<DialogCore, 'transactions' | 'transports' | 'timers'>;
  readonly #everyMs: number;
  readonly #random: () => number;
  readonly #answersChanged: (binding: HeldBinding) => void;

  constructor(
    core: Pick<DialogCore, 'transactions' | 'transports' | 'timers'>,
    everyMs: number,
    random: () => number,
    answersChanged: (binding: HeldBinding) => void = () => undefined,
  ) {
    this.#core = core;
    this.#everyMs = everyMs;
    this.#random = random;
    this.#answersChanged = answersChanged;
  }

  /** One that another node pings: asked once whether this node reaches it, too. It is rung from here if it answers. */
  ask(binding: HeldBinding, moved: (flow: TransportFlow) => void): void {
    binding.ping?.stop();
    binding.ping = this.#core.timers.start(0, () => {
      if (binding.flow.connection === LOST_CONNECTION) void this.#reconnect(binding, moved);
      else this.#probe(binding);
    });
  }

  /** From its registration until `binding.ping` is stopped. */
  watch(binding: HeldBinding): void {
    if (binding.ping === null) this.#schedule(binding);
  }

  /**
   * A binding of an earlier process, one of `count`: asked soon, but not all at once. One that does not answer is not rung. `moved`
   * is called with a new connection in place of a lost one.
   */
  probe(binding: HeldBinding, count: number, moved: (flow: TransportFlow) => void): void {
    const spreadMs = Math.min(this.#everyMs, count * PROBE_EVERY_MS);
    binding.ping = this.#core.timers.start(this.#random() * spreadMs, () => {
      this.#schedule(binding);
      if (binding.flow.connection === LOST_CONNECTION) void this.#reconnect(binding, moved);
      else this.#probe(binding);
    });
  }

  #probe(binding: HeldBinding): void {
    const { flow } = binding;
    let answered = false;
    this.#ping(binding, () => {
      answered = true;
    });
    this.#core.timers.start(PROBE_MS, () => {
      if (!answered && binding.flow === flow) this.#set(binding, false);
    });
  }

  /** Once: behind NAT, and for phones that accept no connections, it fails, and they register again by themselves. */
  async #reconnect(binding: HeldBinding, moved: (flow: TransportFlow) => void): Promise<void> {
    const remote = acceptsAt(binding);
    if (remote === null) return;
    const flow = await this.#core.transports.flowTo(binding.flow.protocol, remote).catch(() => null);
    // A REGISTER may have come meanwhile, or the binding may be gone.
    if (flow === null || binding.ping === null || binding.flow.connection !== LOST_CONNECTION) return;
    moved(binding.flow.peer ? { ...flow, peer: binding.flow.peer } : flow);
    this.#probe(binding);
  }

  #set(binding: HeldBinding, isReachable: boolean): void {
    binding.reachable = isReachable;
    if (binding.node !== null || binding.answers === isReachable) return;
    binding.answers = isReachable;
    this.#answersChanged(binding);
  }

  /** Spread out: a thousand phones that registered at once are not pinged at once. */
  #schedule(binding: HeldBinding): void {
    const waitMs = this.#everyMs * (0.75 + this.#random() * 0.5);
    binding.ping = this.#core.timers.start(waitMs, () => {
      this.#schedule(binding);
      this.#ping(binding);
    });
  }

  #ping(binding: HeldBinding, answered?: () => void): void {
    const { flow } = binding;
    if (flow.connection === LOST_CONNECTION) return;
    const contact = contactUri(this.#core.transports, flow);
    const from: NameAddr = { display: '', uri: contact, params: new Map([['tag', newTag()]]) };
    const to: NameAddr = { display: '', uri: binding.contact, params: new Map() };
    const callId = newCallId();
    const headers: (readonly [string, string])[] = [
      ['max-forwards', '70'],
      ['from', formatNameAddr(from)],
      ['to', formatNameAddr(to)],
      ['call-id', callId],
      ['cseq', '1 OPTIONS'],
      ['contact', `<${contact}>`],
      USER_AGENT,
    ];
    for (const route of binding.path) headers.push(['route', formatNameAddr(route)]);
    const cseq = { number: 1, method: 'OPTIONS' };
    const uri = binding.contact;
    this.#core.transactions.request(
      { kind: 'request', method: 'OPTIONS', uri, headers, body: NO_BODY, from, to, callId, cseq },
      flow,
      {
        // Any answer is an answer, a refusal too.
        responded: () => {
          answered?.();
          binding.failures = 0;
          this.#set(binding, true);
        },
        failed: () => {
          if (binding.flow !== flow) return;
          binding.failures++;
          // Nothing gets lost on a connection: two failures are no accident, and are known within two minutes.
          const most = flow.protocol === 'udp' ? FAILURES.udp : FAILURES.connection;
          if (binding.failures >= most) this.#set(binding, false);
        },
      },
    );
  }
}

/** Where the phone, or the proxy before it, accepts connections, if it is not behind NAT. Not for TLS: phones have no certificates. */
function acceptsAt({ contact, path, flow }: HeldBinding): Address | null {
  const uri = parseUri(path[0]?.uri ?? contact);
  if (flow.protocol !== 'tcp' || uri === null) return null;
  const host = uri.host.startsWith('[') ? uri.host.slice(1, -1) : uri.host;
  return host === flow.remote.address ? { address: host, port: uri.port || defaultPort('tcp') } : null;
}
