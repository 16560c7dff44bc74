// Registrations on their way to the store and back: what is stored of a binding, when a refresh is worth a write, and what is restored
// after a restart (fault R29).
import { createHash } from 'node:crypto';
import { type EarlierBinding, type HeldBinding, LOST_CONNECTION } from '../../../sip/bindings.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { SipTransports } from '../../../sip/transports/transports.ts';
import { PHONE_SLACK_MS, type PhoneStore, type StoredPhone } from '../../telephony.ts';

/** Of a phone whose stored expiry has passed: its last refresh may not have been stored. */
const GRACE_MS = 60_000;

/** The credentials that a phone registered with. */
export interface Registered {
  readonly user: string;
  readonly hash: string | undefined;
}

interface Written {
  readonly expiresAtMs: number;
  readonly what: string;
}

export class StoredPhones {
  readonly #store: PhoneStore;
  /** What the store has of a binding. */
  readonly #written = new WeakMap<HeldBinding, Written>();
  /** The wall clock minus the monotonic one. */
  readonly #offsetMs: () => number;

  constructor(store: PhoneStore, offsetMs: () => number) {
    this.#store = store;
    this.#offsetMs = offsetMs;
  }

  /** Writes what changed, and an expiry that moved by more than the slack. */
  changed(binding: HeldBinding, { user, hash }: Registered): void {
    const { contact, path, flow, userAgent, q } = binding;
    const expiresAtMs = Math.round(binding.expiresAt + this.#offsetMs());
    const credential = credentialOf(hash);
    const { protocol, remote, local } = flow;
    const uris = path.map(({ uri }) => uri);
    const what = JSON.stringify([contact, uris, protocol, remote, local, userAgent, q, user, credential]);
    const written = this.#written.get(binding);
    const isKept = written?.what === what && expiresAtMs - written.expiresAtMs <= PHONE_SLACK_MS;
    // A phone that shortens its registration is stored too: what is restored must not outlive it by much.
    if (isKept && expiresAtMs >= written.expiresAtMs) return;
    this.#written.set(binding, { expiresAtMs, what });
    const { id, key, instance, callId, cseq } = binding;
    const phone = { id, key, contact, instance, q, callId, cseq, expiresAtMs, userAgent, protocol, user };
    this.#store.save({ ...phone, path: uris, source: remote, local, credential });
  }

  removed({ id, key }: HeldBinding): void {
    this.#store.remove({ id, key });
  }

  /** `hashOf`: the present password hash of a user. */
  restore(
    phones: readonly StoredPhone[],
    transports: SipTransports,
    hashOf: (user: string, id: string) => string | undefined,
  ): EarlierBinding[] {
    const nowMs = Date.now();
    const restored: EarlierBinding[] = [];
    for (const phone of phones) {
      const hash = hashOf(phone.user, phone.id);
      const isValid = hash !== undefined && credentialOf(hash) === phone.credential;
      const flow = flowOf(phone, transports);
      if (!isValid || flow === null || phone.expiresAtMs + PHONE_SLACK_MS <= nowMs) this.#store.remove(phone);
      else restored.push(this.#earlier(phone, flow, nowMs));
    }
    return restored;
  }

  #earlier(phone: StoredPhone, flow: TransportFlow, nowMs: number): EarlierBinding {
    const { id, key, contact, q, userAgent, instance, callId, cseq, expiresAtMs } = phone;
    return {
      id,
      key,
      contact,
      flow,
      path: phone.path.map((uri) => ({ display: '', uri, params: new Map() })),
      q,
      expiresAt: Math.max(expiresAtMs, nowMs + GRACE_MS) - this.#offsetMs(),
      userAgent,
      instance,
      // One that may have expired must answer first.
      reachable: flow.connection !== LOST_CONNECTION && expiresAtMs > nowMs,
      callId,
      cseq,
    };
  }
}

/** Null: the service no longer listens in a way that reaches it. */
function flowOf({ protocol, source, local }: StoredPhone, transports: SipTransports): TransportFlow | null {
  if (protocol !== 'udp') return { protocol, local, remote: source, connection: LOST_CONNECTION };
  return transports.udpFlow(source, local);
}

/** Not the hash itself, which is as good as the password. */
function credentialOf(hash: string | undefined): string {
  return createHash('sha256')
    .update(`registration ${hash ?? ''}`)
    .digest('hex')
    .slice(0, 32);
}
