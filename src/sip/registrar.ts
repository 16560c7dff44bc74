// The registrar (RFC 3261 §10.3): REGISTER in, bindings kept, a 200 that lists them. Who may register, and under which id,
// was decided before.
import { type Binding, Bindings, type EarlierBinding, type HeldBinding } from './bindings.ts';
import { SERVER } from './dialogs/capabilities.ts';
import type { DialogCore } from './dialogs/core.ts';
import { hasToken, readSeconds } from './header-tokens.ts';
import { detached } from './ids.ts';
import { headerOf, type NameAddr, type SipRequest } from './message.ts';
import { formatNameAddr, listOf } from './name-addr.ts';
import { Pinger } from './pinger.ts';
import type { Reply } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';
import { parseUri } from './uri.ts';

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
}

interface Wish {
  readonly key: string;
  readonly contact: string;
  readonly q: number;
  readonly instance: string;
  readonly expiresS: number;
}

/** What a REGISTER without Expires gets, before the maximum cuts it. */
const DEFAULT_EXPIRES_S = 3600;
/** Of the Contact's URI, in characters. */
const MAX_CONTACT = 1_024;
/** Of what tells contacts apart: +sip.instance and reg-id, or user and host. PostgreSQL indexes no more than 2,704 bytes of a row. */
const MAX_KEY = 512;

export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #bindings = new Bindings();
  readonly #pinger: Pinger | null;
  readonly #minS: number;
  readonly #maxS: number;
  readonly #perId: number;
  readonly #most: number;

  constructor(options: RegistrarOptions) {
    this.#options = options;
    this.#minS = options.minExpiresS ?? 60;
    this.#maxS = options.maxExpiresS ?? 3600;
    this.#perId = options.contactsPerId ?? 10;
    this.#most = options.maxBindings ?? 100_000;
    const everyMs = options.pingMs ?? 30_000;
    this.#pinger = everyMs === 0 ? null : new Pinger(options, everyMs, options.random ?? Math.random);
  }

  get count(): number {
    return this.#bindings.count;
  }

  /** Best first; those that do not answer are listed last, so that the caller may leave them out. */
  bindingsOf(id: string): readonly Binding[] {
    const bindings = [...(this.#bindings.of(id)?.values() ?? [])];
    return bindings.sort((one, other) => Number(other.reachable) - Number(one.reachable) || other.q - one.q);
  }

  /** `id` is what authentication made of the request. */
  register(request: SipRequest, flow: TransportFlow, id: string): Reply {
    const contacts = listOf(request, 'contact');
    if (contacts === null) return { status: 400, reason: 'Malformed Contact', headers: [SERVER] };
    if (contacts.some(({ uri }) => uri === '*')) return this.#unregister(request, contacts, id);
    const wishes: Wish[] = [];
    for (const contact of contacts) {
      const wish = this.#readWish(request, contact);
      if ('status' in wish) return wish;
      wishes.push(wish);
    }
    const path = listOf(request, 'path');
    if (path === null) return { status: 400, reason: 'Malformed Path', headers: [SERVER] };
    // RFC 3327 §5.3: without the phone's support a Path must not be used.
    if (path.length > 0 && !hasToken(request, 'supported', 'path')) {
      return { status: 420, headers: [['unsupported', 'path'], SERVER] };
    }
    return this.#refusal(request, wishes, id) ?? this.#store(request, wishes, path, flow, id);
  }

  /** A connection closed: removes the bindings that are reachable only over it. */
  flowClosed(flow: TransportFlow): void {
    if (flow.connection === 0) return;
    for (const binding of this.#bindings.onConnection(flow.connection)) this.#remove(binding);
  }

  /** Bindings of an earlier process, before the first REGISTER. OPTIONS shows which of them can still be reached. */
  restore(earlier: readonly EarlierBinding[]): void {
    const { timers } = this.#options;
    const now = timers.now();
    for (const each of earlier) {
      if (each.expiresAt <= now || this.#bindings.count >= this.#most) continue;
      const binding: HeldBinding = { ...each, failures: 0, expiry: null, ping: null };
      this.#bindings.add(binding);
      binding.expiry = timers.start(each.expiresAt - now, () => this.#remove(binding));
      this.#pinger?.probe(binding, earlier.length, (flow) => this.#bindings.move(binding, flow));
    }
  }

  /** Ids that have bindings. */
  ids(): Iterable<string> {
    return this.#bindings.ids();
  }

  /** The credentials that it registered with are no longer valid. */
  removeAll(id: string): void {
    for (const binding of [...(this.#bindings.of(id)?.values() ?? [])]) this.#remove(binding);
  }

  close(): void {
    for (const binding of [...this.#bindings.all()]) this.#bindings.remove(binding);
  }

  /** RFC 3261 §10.2.2: `*` stands alone and means removal. */
  #unregister(request: SipRequest, contacts: readonly NameAddr[], id: string): Reply {
    if (contacts.length !== 1 || readSeconds(headerOf(request, 'expires')) !== 0) {
      return { status: 400, reason: 'A Contact of * needs Expires: 0', headers: [SERVER] };
    }
    const held = [...(this.#bindings.of(id)?.values() ?? [])];
    if (held.some((binding) => isLate(request, binding))) return OUT_OF_ORDER;
    for (const binding of held) this.#remove(binding);
    return this.#list(id, request);
  }

  #readWish(request: SipRequest, contact: NameAddr): Wish | Reply {
    const uri = parseUri(contact.uri);
    const isSip = uri !== null && (uri.scheme === 'sip' || uri.scheme === 'sips');
    if (!isSip) return { status: 400, reason: 'A Contact must be a SIP URI', headers: [SERVER] };
    const asked = readSeconds(contact.params.get('expires')) ?? readSeconds(headerOf(request, 'expires'));
    const expiresS = Math.min(asked ?? DEFAULT_EXPIRES_S, this.#maxS);
    if (expiresS > 0 && expiresS < this.#minS) {
      return { status: 423, headers: [['min-expires', `${this.#minS}`], SERVER] };
    }
    const q = Number(contact.params.get('q') ?? '1');
    const instance = contact.params.get('+sip.instance') ?? '';
    // RFC 5626 §6: the same device after a change of address is the same binding.
    const key =
      instance === ''
        ? `${uri.user}@${uri.host}:${uri.port};${uri.params.get('transport')?.toLowerCase() ?? ''}`
        : `${instance};${contact.params.get('reg-id') ?? ''}`;
    if (contact.uri.length > MAX_CONTACT || key.length > MAX_KEY)
      return { status: 400, reason: 'Contact too long', headers: [SERVER] };
    return {
      key: detached(key),
      contact: detached(contact.uri),
      q: q >= 0 && q <= 1 ? q : 1,
      instance: detached(instance),
      expiresS,
    };
  }

  /** All or nothing (RFC 3261 §10.3 step 7). */
  #refusal(request: SipRequest, wishes: readonly Wish[], id: string): Reply | null {
    const held = this.#bindings.of(id);
    let added = 0;
    for (const { key, expiresS } of wishes) {
      const binding = held?.get(key);
      if (binding !== undefined && isLate(request, binding)) return OUT_OF_ORDER;
      if (binding === undefined && expiresS > 0) added++;
    }
    if (added > this.#perId) return { status: 403, reason: 'Too many contacts', headers: [SERVER] };
    if (this.#bindings.count + added > this.#most)
      return { status: 503, headers: [['retry-after', '60'], SERVER] };
    return null;
  }

  #store(
    request: SipRequest,
    wishes: readonly Wish[],
    path: NameAddr[],
    flow: TransportFlow,
    id: string,
  ): Reply {
    for (const wish of wishes) {
      const held = this.#bindings.of(id)?.get(wish.key);
      if (wish.expiresS === 0) {
        if (held !== undefined) this.#remove(held);
      } else {
        if (held === undefined) this.#makeRoom(id);
        this.#keep(held ?? this.#newBinding(id, wish, flow), request, wish, path, flow);
      }
    }
    return this.#list(id, request);
  }

  /**
   * A softphone that takes another port at each start leaves dead contacts behind. The newest is kept: one
   * that cannot be reached goes first, then the one that would expire first.
   */
  #makeRoom(id: string): void {
    const held = [...(this.#bindings.of(id)?.values() ?? [])];
    if (held.length < this.#perId) return;
    held.sort(
      (one, other) => Number(one.reachable) - Number(other.reachable) || one.expiresAt - other.expiresAt,
    );
    const [first] = held;
    if (first) this.#remove(first);
  }

  #newBinding(id: string, { key, contact }: Wish, flow: TransportFlow): HeldBinding {
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
      failures: 0,
      callId: '',
      cseq: -1,
      expiry: null,
      ping: null,
    };
    this.#bindings.add(binding);
    return binding;
  }

  #keep(binding: HeldBinding, request: SipRequest, wish: Wish, path: NameAddr[], flow: TransportFlow): void {
    const { timers } = this.#options;
    const { flow: before } = binding;
    if (before !== flow) this.#bindings.move(binding, flow);
    binding.contact = wish.contact;
    binding.q = wish.q;
    binding.instance = wish.instance;
    binding.path = path.map(({ uri }) => ({ display: '', uri: detached(uri), params: new Map() }));
    binding.callId = detached(request.callId);
    binding.cseq = request.cseq.number;
    binding.userAgent = detached((headerOf(request, 'user-agent') ?? '').slice(0, 200));
    binding.expiresAt = timers.now() + wish.expiresS * 1000;
    binding.reachable = true;
    binding.failures = 0;
    binding.expiry?.stop();
    binding.expiry = timers.start(wish.expiresS * 1000, () => this.#remove(binding));
    this.#pinger?.watch(binding);
    this.#options.changed?.(binding);
  }

  #remove(binding: HeldBinding): void {
    this.#bindings.remove(binding);
    this.#options.removed?.(binding);
  }

  #list(id: string, request: SipRequest): Reply {
    const now = this.#options.timers.now();
    const headers: (readonly [string, string])[] = [];
    for (const { contact, expiresAt } of this.#bindings.of(id)?.values() ?? []) {
      const seconds = Math.max(0, Math.round((expiresAt - now) / 1000));
      headers.push(['contact', `<${contact}>;expires=${seconds}`]);
    }
    for (const route of listOf(request, 'path') ?? []) headers.push(['path', formatNameAddr(route)]);
    headers.push(['date', new Date().toUTCString()], ['supported', 'path'], SERVER);
    return { status: 200, headers };
  }
}

const OUT_OF_ORDER: Reply = { status: 500, reason: 'Out of order', headers: [SERVER] };

/** RFC 3261 §10.3 step 7: within one Call-ID the CSeq must grow. */
const isLate = (request: SipRequest, binding: HeldBinding): boolean =>
  binding.callId === request.callId && request.cseq.number <= binding.cseq;
