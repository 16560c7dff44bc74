// The registrar (RFC 3261 §10.3): REGISTER in, bindings kept, a 200 that lists them. Who may register, and under which id,
// was decided before.
import {
  type Binding,
  Bindings,
  type EarlierBinding,
  type HeldBinding,
  LOST_CONNECTION,
} from './bindings.ts';
import { type ContactPreference, isWeb, readContact, shareOf, tooLong } from './contact-preference.ts';
import { SERVER } from './dialogs/capabilities.ts';
import type { DialogCore } from './dialogs/core.ts';
import { readSeconds } from './header-tokens.ts';
import { detached } from './ids.ts';
import { headerOf, type NameAddr, type SipRequest } from './message.ts';
import { formatNameAddr, listOf } from './name-addr.ts';
import { NewContacts } from './new-contacts.ts';
import { flowByPath, isWorthAsking, pathOf, refusedPath, supportsPath } from './phone-path.ts';
import { Pinger } from './pinger.ts';
import type { Reply } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';

export interface RegistrarOptions extends Pick<DialogCore, 'transactions' | 'transports' | 'timers'> {
  readonly minExpiresS?: number;
  readonly maxExpiresS?: number;
  readonly contactsPerId?: number;
  readonly maxBindings?: number;
  /** Between two OPTIONS to a phone that is reached by UDP; 0: never. */
  readonly pingMs?: number;
  readonly random?: () => number;
  /** A REGISTER added or refreshed it. */
  readonly changed?: (binding: HeldBinding) => void;
  /** It was unregistered, expired, replaced or lost its connection; not called by `close`. */
  readonly removed?: (binding: HeldBinding) => void;
  /** A phone unregistered a contact that is not known here: another node may have taken it a moment ago. */
  readonly unknownRemoved?: (id: string, key: string, request: SipRequest) => void;
  /** One that this node pings answers again, or no longer. */
  readonly answersChanged?: (binding: HeldBinding) => void;
  /** How long an expired binding stays: another node may have taken its refresh. */
  readonly graceMs?: number;
  /** A proxy of SIP_EDGES: only what came by one may name one in its Path. */
  readonly isEdge?: (address: string) => boolean;
}

/** The length of the Call-ID, and of the URIs of Path together: they are stored with the binding. */
const MAX_STORED = 1_024;

export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #bindings = new Bindings();
  readonly #pinger: Pinger | null;
  readonly #minS: number;
  readonly #maxS: number;
  readonly #perId: number;
  readonly #most: number;
  readonly #graceMs: number;
  readonly #newContacts: NewContacts;

  constructor(options: RegistrarOptions) {
    this.#options = options;
    this.#minS = options.minExpiresS ?? 60;
    this.#maxS = options.maxExpiresS ?? 3600;
    this.#perId = options.contactsPerId ?? 10;
    this.#most = options.maxBindings ?? 100_000;
    const everyMs = options.pingMs ?? 30_000;
    this.#newContacts = new NewContacts(options.timers);
    this.#graceMs = options.graceMs ?? 0;
    this.#pinger =
      everyMs === 0
        ? null
        : new Pinger(options, everyMs, options.random ?? Math.random, options.answersChanged);
  }

  get count(): number {
    return this.#bindings.count;
  }

  /** Best first; those that do not answer are listed last, so that the caller may leave them out. */
  bindingsOf(id: string): readonly Binding[] {
    const bindings = [...(this.#bindings.of(id)?.values() ?? [])];
    return bindings.sort((one, other) => Number(other.reachable) - Number(one.reachable) || other.q - one.q);
  }

  /** Where the phone of that binding is now: it may have registered anew since. */
  readonly flowNow = ({ id, key, flow }: Binding): TransportFlow =>
    this.#bindings.of(id)?.get(key)?.flow ?? flow;

  /** `id` is what authentication made of the request. */
  register(request: SipRequest, flow: TransportFlow, id: string): Reply {
    const contacts = listOf(request, 'contact');
    if (request.callId.length > MAX_STORED) return tooLong('Call-ID');
    if (contacts === null) return { status: 400, reason: 'Malformed Contact', headers: [SERVER] };
    if (contacts.some(({ uri }) => uri === '*')) return this.#unregister(request, contacts, flow, id);
    const preferences: ContactPreference[] = [];
    for (const contact of contacts) {
      const preference = readContact(request, contact, flow, { minS: this.#minS, maxS: this.#maxS });
      if ('status' in preference) return preference;
      preferences.push(preference);
    }
    const path = listOf(request, 'path');
    if (path === null) return { status: 400, reason: 'Malformed Path', headers: [SERVER] };
    if (path.reduce((length, { uri }) => length + uri.length, 0) > MAX_STORED) return tooLong('Path');
    const refused = flow.peer === undefined ? refusedPath(path, this.#options.isEdge) : null;
    return (
      refused ??
      this.#refusal(request, preferences, flow, id) ??
      this.#store(request, preferences, path, flow, id)
    );
  }

  /** A connection closed: removes the bindings that are reachable only over it. */
  flowClosed(flow: TransportFlow): void {
    if (flow.connection === 0) return;
    for (const binding of this.#bindings.onConnection(flow.connection)) {
      if (binding.flow.peer && binding.path.length > 0) this.#loseConnection(binding);
      else this.#remove(binding);
    }
  }

  /** The connection was the edge's, not the phone's: another one reaches it by its Path. */
  #loseConnection(binding: HeldBinding): void {
    this.#bindings.move(binding, { ...binding.flow, connection: LOST_CONNECTION });
    binding.reachable = false;
    if (binding.node === null) binding.answers = false;
    this.#ping(binding, 1);
  }

  /** Regularly, or once where another node does it. */
  #ping(binding: HeldBinding, count: number): void {
    const moved = (flow: TransportFlow): void => this.#bindings.move(binding, flow);
    binding.ping?.stop();
    binding.ping = null;
    if (binding.node === null) this.#pinger?.probe(binding, count, moved);
    else if (!binding.reachable && isWorthAsking(binding)) this.#pinger?.ask(binding, moved);
  }

  /** What another node stored of a phone: one that registered there, or a refresh of one of ours. Null: nothing new. */
  learn(known: EarlierBinding): HeldBinding | null {
    const held = this.#bindings.of(known.id)?.get(known.key);
    // A REGISTER that came here is not stored yet.
    if (held && held.callId === known.callId && held.cseq > known.cseq) return null;
    if (known.expiresAt <= this.#options.timers.now()) return null;
    if (!held && this.#bindings.count >= this.#most) return null;
    const binding: HeldBinding = held ?? { ...known, failures: 0, expiry: null, ping: null };
    if (held) this.#update(held, known);
    else {
      this.#bindings.add(binding);
      this.#ping(binding, 1);
    }
    this.#expireAt(binding, known.expiresAt);
    return binding;
  }

  #update(held: HeldBinding, known: EarlierBinding): void {
    const isOurs = held.node === null && known.node === null;
    const isElsewhere = held.contact !== known.contact || pathOf(held) !== pathOf(known);
    const isMoved = isElsewhere || held.node !== known.node;
    const { contact, path, q, userAgent, instance, callId, cseq, node, answers } = known;
    Object.assign(held, { contact, path, q, userAgent, instance, callId, cseq, node });
    if (isOurs) return;
    const wasAnswering = held.answers;
    held.answers = answers;
    if (isMoved) {
      this.#bindings.move(held, known.flow);
      // One that only another node pings from now on is reached from here as before.
      held.reachable = known.reachable || (held.reachable && !isElsewhere && answers);
      this.#ping(held, 1);
      return;
    }
    if (answers !== wasAnswering) held.reachable = answers && known.reachable;
    // It was refreshed, or answers its own node again: it may answer this one, too.
    if (answers && !held.reachable) this.#ping(held, 1);
  }

  /** Another node unregistered it. */
  forget(id: string, key: string): void {
    const held = this.#bindings.of(id)?.get(key);
    if (held) this.#bindings.remove(held);
  }

  #expireAt(binding: HeldBinding, expiresAt: number): void {
    const { timers } = this.#options;
    binding.expiresAt = expiresAt;
    binding.expiry?.stop();
    binding.expiry = timers.start(expiresAt - timers.now() + this.#graceMs, () => this.#drop(binding));
  }

  /** Bindings of an earlier process, before the first REGISTER. OPTIONS shows which of them can still be reached. */
  restore(earlier: readonly EarlierBinding[]): void {
    const { timers } = this.#options;
    const now = timers.now();
    for (const each of earlier) {
      if (each.expiresAt <= now || this.#bindings.count >= this.#most) continue;
      const binding: HeldBinding = { ...each, failures: 0, expiry: null, ping: null };
      this.#bindings.add(binding);
      this.#expireAt(binding, each.expiresAt);
      this.#ping(binding, earlier.length);
    }
  }

  /** Ids that have bindings. */
  ids(): Iterable<string> {
    return this.#bindings.ids();
  }

  /** The credentials that those registered with are no longer valid. */
  removeAll(id: string, which: (binding: Binding) => boolean = () => true): void {
    for (const held of [...(this.#bindings.of(id)?.values() ?? [])].filter(which)) this.#drop(held);
  }

  close(): void {
    for (const binding of [...this.#bindings.all()]) this.#bindings.remove(binding);
  }

  /** RFC 3261 §10.2.2: `*` stands alone and means removal. */
  #unregister(request: SipRequest, contacts: readonly NameAddr[], flow: TransportFlow, id: string): Reply {
    if (contacts.length !== 1 || readSeconds(headerOf(request, 'expires')) !== 0) {
      return { status: 400, reason: 'A Contact of * needs Expires: 0', headers: [SERVER] };
    }
    const held = this.#heldBeside(flow, id);
    if (held.some((binding) => isLate(request, binding))) return OUT_OF_ORDER;
    for (const binding of held) this.#unregisterBy(request, binding);
    return this.#list(request, flow, id);
  }

  #unregisterBy(request: SipRequest, binding: HeldBinding): void {
    binding.callId = detached(request.callId);
    binding.cseq = request.cseq.number;
    this.#remove(binding);
  }

  /** All or nothing (RFC 3261 §10.3 step 7). */
  #refusal(
    request: SipRequest,
    preferences: readonly ContactPreference[],
    flow: TransportFlow,
    id: string,
  ): Reply | null {
    const held = this.#bindings.of(id);
    for (const { key } of preferences) {
      const binding = held?.get(key);
      if (binding !== undefined && isLate(request, binding)) return OUT_OF_ORDER;
    }
    const unknown = preferences.filter(({ key }) => !held?.has(key));
    const added = unknown.filter(({ expiresS }) => expiresS > 0).length;
    if (unknown.length > this.#perId) return { status: 403, reason: 'Too many contacts', headers: [SERVER] };
    if (this.#bindings.count + added > this.#most)
      return { status: 503, headers: [['retry-after', '60'], SERVER] };
    return this.#newContacts.refusal(shareOf(id, flow), unknown.length);
  }

  #store(
    request: SipRequest,
    preferences: readonly ContactPreference[],
    path: NameAddr[],
    flow: TransportFlow,
    id: string,
  ): Reply {
    for (const preference of preferences) {
      const held = this.#bindings.of(id)?.get(preference.key);
      if (preference.expiresS === 0) {
        if (held !== undefined) this.#unregisterBy(request, held);
        else if (!isWeb(flow)) this.#options.unknownRemoved?.(id, preference.key, request);
      } else {
        if (held === undefined) this.#makeRoom(flow, id);
        const by = flowByPath(flow, path);
        this.#keep(held ?? this.#newBinding(id, preference, by), request, preference, path, by);
      }
    }
    return this.#list(request, flow, id);
  }

  /** Phones in web pages are among themselves, and so are all others. */
  #heldBeside(flow: TransportFlow, id: string): HeldBinding[] {
    const held = [...(this.#bindings.of(id)?.values() ?? [])];
    return held.filter((binding) => isWeb(binding.flow) === isWeb(flow));
  }

  /**
   * A softphone that takes another port at each start leaves dead contacts behind. The newest is kept: one
   * that cannot be reached goes first, then the one that would expire first.
   */
  #makeRoom(flow: TransportFlow, id: string): void {
    const held = this.#heldBeside(flow, id);
    if (held.length < this.#perId) return;
    held.sort(
      (one, other) => Number(one.reachable) - Number(other.reachable) || one.expiresAt - other.expiresAt,
    );
    const [first] = held;
    if (first) this.#remove(first);
  }

  #newBinding(id: string, { key, contact }: ContactPreference, flow: TransportFlow): HeldBinding {
    const binding: HeldBinding = {
      id,
      key,
      contact,
      flow,
      path: [],
      q: 1,
      expiresAt: 0,
      userAgent: '',
      instance: '',
      reachable: true,
      answers: true,
      node: null,
      failures: 0,
      callId: '',
      cseq: -1,
      expiry: null,
      ping: null,
    };
    this.#bindings.add(binding);
    return binding;
  }

  #keep(
    binding: HeldBinding,
    request: SipRequest,
    preference: ContactPreference,
    path: NameAddr[],
    flow: TransportFlow,
  ): void {
    const { timers } = this.#options;
    const { flow: before } = binding;
    if (before !== flow) this.#bindings.move(binding, flow);
    // Behind an edge any node may get a refresh; the one that pings the phone goes on. Otherwise the phone is where it registers.
    const isByEdge = flow.peer !== undefined && path.length > 0;
    const isSame = isByEdge && binding.contact === preference.contact && pathOf(binding) === pathOf({ path });
    if (binding.node !== null && !isSame) {
      binding.node = null;
      binding.ping?.stop();
      binding.ping = null;
    }
    binding.contact = preference.contact;
    binding.q = preference.q;
    binding.instance = preference.instance;
    binding.path = path.map(({ uri }) => ({ display: '', uri: detached(uri), params: new Map() }));
    binding.callId = detached(request.callId);
    binding.cseq = request.cseq.number;
    binding.userAgent = detached((headerOf(request, 'user-agent') ?? '').slice(0, 200));
    binding.reachable = true;
    binding.answers = true;
    binding.failures = 0;
    this.#expireAt(binding, timers.now() + preference.expiresS * 1000);
    if (binding.node === null) this.#pinger?.watch(binding);
    this.#options.changed?.(binding);
  }

  /** It is over by itself: what another node pings is removed by that one. */
  #drop(binding: HeldBinding): void {
    if (binding.node === null) this.#remove(binding);
    else this.#bindings.remove(binding);
  }

  #remove(binding: HeldBinding): void {
    this.#bindings.remove(binding);
    this.#options.removed?.(binding);
  }

  #list(request: SipRequest, flow: TransportFlow, id: string): Reply {
    const now = this.#options.timers.now();
    const headers: (readonly [string, string])[] = [];
    for (const { contact, expiresAt } of this.#heldBeside(flow, id)) {
      const seconds = Math.max(0, Math.round((expiresAt - now) / 1000));
      headers.push(['contact', `<${contact}>;expires=${seconds}`]);
    }
    const path = supportsPath(request) ? (listOf(request, 'path') ?? []) : [];
    for (const route of path) headers.push(['path', formatNameAddr(route)]);
    headers.push(['date', new Date().toUTCString()], ['supported', 'path'], SERVER);
    return { status: 200, headers };
  }
}

const OUT_OF_ORDER: Reply = { status: 500, reason: 'Out of order', headers: [SERVER] };

/** RFC 3261 §10.3 step 7: within one Call-ID the CSeq must grow. */
const isLate = (request: SipRequest, binding: HeldBinding): boolean =>
  binding.callId === request.callId && request.cseq.number <= binding.cseq;
