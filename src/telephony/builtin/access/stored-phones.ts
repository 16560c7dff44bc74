// Registrations on their way to the store and back: what is stored of a binding, when a refresh is worth a write, and what is restored
// after a restart (fault R29).
import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
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
  /** The latest expiry that the store may have from this process. */
  readonly latestMs: number;
  readonly what: string;
}

export class StoredPhones {
  readonly #store: PhoneStore;
  /** What the store has of a binding. */
  readonly #written = new WeakMap<HeldBinding, Written>();
  /** The stored expiry of restored phones that have not been written since, by id and key. */
  readonly #restored = new Map<string, number>();
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
    const latestMs = Math.max(expiresAtMs, this.#latestMs(binding));
    this.#written.set(binding, { expiresAtMs, latestMs, what });
    this.#restored.delete(nameOf(binding));
    const { id, key, instance, callId, cseq } = binding;
    const phone = { id, key, contact, instance, q, callId, cseq, expiresAtMs, userAgent, protocol, user };
    this.#store.save({ ...phone, path: uris, source: remote, local, credential });
  }

  removed(binding: HeldBinding): void {
    const { id, key } = binding;
    this.#store.remove({ id, key, expiresAtMs: this.#latestMs(binding) });
    this.#restored.delete(nameOf(binding));
  }

  /** `hashOf`: the present password hash of a user. */
  restore(
    phones: readonly StoredPhone[],
    transports: SipTransports,
    hashOf: (user: string, id: string) => string | undefined,
  ): EarlierBinding[] {
    const nowMs = Date.now();
    const restored: EarlierBinding[] = [];
    const isOurs = listensAt(transports.listening);
    for (const phone of phones) {
      // Registered with another node on this database, or at an address that is no longer ours: `forgetBindings` removes those.
      if (!isOurs(phone)) continue;
      const hash = hashOf(phone.user, phone.id);
      const isValid = hash !== undefined && credentialOf(hash) === phone.credential;
      const flow = flowOf(phone, transports);
      if (!isValid || flow === null || phone.expiresAtMs + PHONE_SLACK_MS <= nowMs) this.#store.remove(phone);
      else {
        this.#restored.set(nameOf(phone), phone.expiresAtMs);
        restored.push(this.#earlier(phone, flow, nowMs));
      }
    }
    return restored;
  }

  #latestMs(binding: HeldBinding): number {
    return this.#written.get(binding)?.latestMs ?? this.#restored.get(nameOf(binding)) ?? 0;
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

const nameOf = ({ id, key }: Pick<StoredPhone, 'id' | 'key'>): string => JSON.stringify([id, key]);

/** Whether this process listens where the phone registered. A connection has an address of its own also where all are listened on. */
function listensAt(listening: SipTransports['listening']): (phone: StoredPhone) => boolean {
  const own = new Set(['0.0.0.0', '::']);
  for (const each of Object.values(networkInterfaces()))
    for (const { address } of each ?? []) own.add(address);
  const isAny = (address: string): boolean => address === '0.0.0.0' || address === '::';
  return ({ protocol, local }) =>
    listening.some(
      (each) =>
        each.protocol === protocol &&
        each.local.port === local.port &&
        (each.local.address === local.address || (isAny(each.local.address) && own.has(local.address))),
    );
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
