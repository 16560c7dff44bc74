// Sends OPTIONS to registered phones periodically: keeps NAT bindings open (RFC 5626 §3.5) and detects dead phones. A TCP connection
// whose cable is cut reports that only after a quarter of an hour of retransmissions (fault R14).
import type { HeldBinding } from './bindings.ts';
import { contactUri, USER_AGENT } from './dialogs/capabilities.ts';
import type { DialogCore } from './dialogs/core.ts';
import { newCallId, newTag } from './ids.ts';
import { type NameAddr, NO_BODY } from './message.ts';
import { formatNameAddr } from './name-addr.ts';

/** Consecutive failures after which the phone is not rung until it responds again. */
const FAILURES = { udp: 3, connection: 2 };

export class Pinger {
  readonly #core: Pick<DialogCore, 'transactions' | 'transports' | 'timers'>;
  readonly #everyMs: number;
  readonly #random: () => number;

  constructor(
    core: Pick<DialogCore, 'transactions' | 'transports' | 'timers'>,
    everyMs: number,
    random: () => number,
  ) {
    this.#core = core;
    this.#everyMs = everyMs;
    this.#random = random;
  }

  /** From its registration until `binding.ping` is stopped. */
  watch(binding: HeldBinding): void {
    if (binding.ping === null) this.#schedule(binding);
  }

  /** Spread out: a thousand phones that registered at once are not pinged at once. */
  #schedule(binding: HeldBinding): void {
    const waitMs = this.#everyMs * (0.75 + this.#random() * 0.5);
    binding.ping = this.#core.timers.start(waitMs, () => {
      this.#schedule(binding);
      this.#ping(binding);
    });
  }

  #ping(binding: HeldBinding): void {
    const { flow } = binding;
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
          binding.failures = 0;
          binding.reachable = true;
        },
        failed: () => {
          if (binding.flow !== flow) return;
          binding.failures++;
          // Nothing gets lost on a connection: two failures are no accident, and are known within two minutes.
          const most = flow.protocol === 'udp' ? FAILURES.udp : FAILURES.connection;
          if (binding.failures >= most) binding.reachable = false;
        },
      },
    );
  }
}
