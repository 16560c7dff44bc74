// Registrations on their way to the store and back: what is stored of a binding, when a refresh is worth a write, what is restored
// after a restart (fault R29), and what is learned from other nodes.
import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { type EarlierBinding, type HeldBinding, LOST_CONNECTION } from '../../../sip/bindings.ts';
import { unbracketed } from '../../../sip/dialogs/addresses.ts';
import type { SipRequest } from '../../../sip/message.ts';
import type { Registrar } from '../../../sip/registrar.ts';
import { type Address, defaultPort, peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import type { SipTransports } from '../../../sip/transports/transports.ts';
import { parseUri } from '../../../sip/uri.ts';
import { PHONE_SLACK_MS, type PhoneStore, type StoredPhone } from '../../ports/phone-store.ts';

/** How long a phone is kept whose stored expiry has passed: its last refresh may not have been stored. */
const GRACE_MS = 60_000;

/** Longer than any registration. */
const DAY_MS = 24 * 3_600_000;
/** Phones of other nodes whose credentials this one does not know yet, or no longer. */
const MAX_UNMATCHED = 10_000;

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
  readonly #isEdge: (address: string) => boolean;
  /** By id and key: the routes of this node may be older than those of the one that stored it. */
  readonly #unmatched = new Map<string, StoredPhone>();

  constructor(store: PhoneStore, offsetMs: () => number, isEdge: (address: string) => boolean = () => false) {
    this.#store = store;
    this.#offsetMs = offsetMs;
    this.#isEdge = isEdge;
  }

  /** Writes what changed, and an expiry that moved by more than the slack. */
  changed(binding: HeldBinding, { user, hash }: Registered): void {
    const { protocol, local } = binding.flow;
    // A browser is gone with its connection, and its credentials with it.
    if (protocol === 'ws') return;
    const { contact, path, flow, userAgent, q } = binding;
    const expiresAtMs = Math.round(binding.expiresAt + this.#offsetMs());
    const credential = credentialOf(hash);
    const uris = path.map(({ uri }) => uri);
    // Behind an edge the Path says where the edge is, and the source is the phone's.
    const source = this.#edgeOf(uris) === null ? flow.remote : peerOf(flow);
    const { id, key, instance, callId, cseq, answers: reachable } = binding;
    const node = binding.node ?? this.#store.node;
    const phone = { id, key, contact, instance, q, callId, cseq, expiresAtMs, userAgent, protocol, user };
    const stored = { ...phone, path: uris, source, local, credential, node, reachable };
    const what = this.#whatOf(stored);
    const written = this.#written.get(binding);
    // Other nodes expire it by what is stored, so every refresh is.
    const slackMs = this.#store.node === null ? PHONE_SLACK_MS : -1;
    const isKept = written?.what === what && expiresAtMs - written.expiresAtMs <= slackMs;
    // A phone that shortens its registration is stored too: what is restored must not outlive it by much.
    if (isKept && expiresAtMs >= written.expiresAtMs) return;
    const latestMs = Math.max(expiresAtMs, this.#latestMs(binding));
    this.#written.set(binding, { expiresAtMs, latestMs, what });
    this.#restored.delete(nameOf(binding));
    this.#store.save(stored, written?.what !== what);
  }

  removed(binding: HeldBinding): void {
    if (binding.flow.protocol === 'ws') return;
    const { id, key, callId, cseq } = binding;
    this.#store.remove({ id, key, expiresAtMs: this.#latestMs(binding), callId, cseq });
    this.#restored.delete(nameOf(binding));
  }

  /** Removes a contact that another node may have taken and this one not read yet. */
  unknownRemoved(id: string, key: string, { callId, cseq }: SipRequest): void {
    if (this.#store.node === null) return;
    this.#store.remove({ id, key, expiresAtMs: Date.now() + DAY_MS, callId, cseq: cseq.number });
  }

  /** What is more than a refresh. Behind an edge it does not matter which node a REGISTER reached. */
  #whatOf(phone: StoredPhone): string {
    const { contact, path, protocol, source, local, userAgent, q, user, credential, node, reachable } = phone;
    const at = this.#edgeOf(path) === null ? local : null;
    return JSON.stringify([
      contact,
      path,
      protocol,
      source,
      at,
      userAgent,
      q,
      user,
      credential,
      node,
      reachable,
    ]);
  }

  /** What any node stored. Returns those that this node holds now, with their credentials. */
  learn(
    phones: Iterable<StoredPhone>,
    registrar: Registrar,
    transports: SipTransports,
    hashOf: HashOf,
  ): { readonly binding: HeldBinding; readonly registered: Registered }[] {
    const learned: { binding: HeldBinding; registered: Registered }[] = [];
    const nowMs = Date.now();
    for (const phone of phones) {
      const { id, key, user } = phone;
      this.#unmatched.delete(nameOf(phone));
      const hash = hashOf(user, id);
      if (phone.expiresAtMs === 0) registrar.forget(id, key);
      else if (hash === undefined || credentialOf(hash) !== phone.credential) this.#keepUnmatched(phone);
      else {
        const flow = this.#flowOf(phone, transports);
        const binding = flow && registrar.learn(this.#known(phone, flow, nowMs));
        if (!binding) continue;
        const { expiresAtMs } = phone;
        this.#written.set(binding, { expiresAtMs, latestMs: expiresAtMs, what: this.#whatOf(phone) });
        learned.push({ binding, registered: { user, hash } });
      }
    }
    return learned;
  }

  /** Those to try again when the configuration has changed. */
  takeUnmatched(): readonly StoredPhone[] {
    const phones = [...this.#unmatched.values()];
    this.#unmatched.clear();
    return phones;
  }

  #keepUnmatched(phone: StoredPhone): void {
    if (this.#unmatched.size < MAX_UNMATCHED) this.#unmatched.set(nameOf(phone), phone);
  }

  /** As this node may ring it: by UDP through an edge at once, otherwise when it has answered from here. */
  #known(phone: StoredPhone, flow: TransportFlow, nowMs: number): EarlierBinding {
    const isOurs = phone.node === this.#store.node;
    const isByPath = phone.path.length > 0 && phone.protocol === 'udp';
    return {
      ...this.#earlier(phone, flow, nowMs),
      expiresAt: phone.expiresAtMs - this.#offsetMs(),
      reachable: phone.reachable && (isByPath || (isOurs && flow.connection !== LOST_CONNECTION)),
      answers: phone.reachable,
      node: isOurs ? null : phone.node,
    };
  }

  restore(phones: readonly StoredPhone[], transports: SipTransports, hashOf: HashOf): EarlierBinding[] {
    const nowMs = Date.now();
    const restored: EarlierBinding[] = [];
    const { node } = this.#store;
    const isOurs =
      node === null ? listensAt(transports.listening) : (phone: StoredPhone) => phone.node === node;
    for (const phone of phones) {
      // Registered with another node on this database, or at an address that is no longer ours: `forgetBindings` removes those.
      if (!isOurs(phone)) continue;
      const hash = hashOf(phone.user, phone.id);
      const isValid = hash !== undefined && credentialOf(hash) === phone.credential;
      const flow = this.#flowOf(phone, transports);
      if (!isValid || flow === null || phone.expiresAtMs + PHONE_SLACK_MS <= nowMs) this.#store.remove(phone);
      else {
        this.#restored.set(nameOf(phone), phone.expiresAtMs);
        restored.push(this.#earlier(phone, flow, nowMs));
      }
    }
    return restored;
  }

  /** Null if the service no longer listens in a way that reaches it. */
  #flowOf({ protocol, path, source, local }: StoredPhone, transports: SipTransports): TransportFlow | null {
    const edge = this.#edgeOf(path);
    const peer = edge && { peer: source };
    const remote = edge ?? source;
    if (protocol !== 'udp') return { protocol, local, remote, connection: LOST_CONNECTION, ...peer };
    const flow = transports.udpFlow(remote, local);
    return flow && { ...flow, ...peer };
  }

  /** Null if there is no Path that begins at an edge. */
  #edgeOf([first]: readonly string[]): Address | null {
    const uri = first === undefined ? null : parseUri(first);
    if (uri === null) return null;
    const address = unbracketed(uri.host);
    return this.#isEdge(address) ? { address, port: uri.port || defaultPort('udp') } : null;
  }

  #latestMs(binding: HeldBinding): number {
    return this.#written.get(binding)?.latestMs ?? this.#restored.get(nameOf(binding)) ?? 0;
  }

  #earlier(phone: StoredPhone, flow: TransportFlow, nowMs: number): EarlierBinding {
    const { id, key, contact, q, userAgent, instance, callId, cseq, expiresAtMs } = phone;
    // One that may have expired must answer first.
    const reachable = flow.connection !== LOST_CONNECTION && expiresAtMs > nowMs;
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
      reachable,
      answers: reachable,
      node: null,
      callId,
      cseq,
    };
  }
}

/** The present password hash of a user. */
export type HashOf = (user: string, id: string) => string | undefined;

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

/** Not the hash itself, which is as good as the password. */
function credentialOf(hash: string | undefined): string {
  return createHash('sha256')
    .update(`registration ${hash ?? ''}`)
    .digest('hex')
    .slice(0, 32);
}
