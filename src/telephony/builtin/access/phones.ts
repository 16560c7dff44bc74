// The phones that are registered, each as long as the credentials that it registered with are valid; kept across restarts and nodes.
import type { Binding, HeldBinding } from '../../../sip/bindings.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { listOf } from '../../../sip/name-addr.ts';
import { Registrar } from '../../../sip/registrar.ts';
import type { IncomingSession } from '../../../sip/session.ts';
import type { TimerWheel } from '../../../sip/timers.ts';
import type { Reply, Transactions } from '../../../sip/transactions/transactions.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { SipTransports } from '../../../sip/transports/transports.ts';
import type { StoredPhone } from '../../ports/phone-store.ts';
import type { TelephonyUser } from '../../telephony.ts';
import { PhoneFlows, sameFlow } from './phone-flows.ts';
import { type Registered, StoredPhones } from './stored-phones.ts';
import { isDeskPhone } from './web-phones.ts';

const UNKNOWN: Registered = { user: '', hash: undefined };
/** Longer than another node takes to store a refresh, and this one to read it. */
const REFRESH_GRACE_MS = 5_000;

interface PhonesEnvironment {
  readonly config: { readonly user: TelephonyUser; readonly isEdge?: (address: string) => boolean };
  readonly timers: TimerWheel;
  readonly transports: SipTransports;
  readonly transactions: Transactions;
}

export class Phones {
  readonly registrar: Registrar;
  readonly #user: TelephonyUser;
  readonly #transports: SipTransports;
  readonly #stored: StoredPhones | null;
  readonly #flows = new PhoneFlows();
  /** By id, as long as one of its phones is registered: the password hash at that time. */
  readonly #passwords = new Map<string, Registered>();

  constructor({ config, timers, transports, transactions }: PhonesEnvironment) {
    const { user, isEdge = () => false } = config;
    this.#user = user;
    this.#transports = transports;
    this.#stored =
      user.phones === undefined
        ? null
        : new StoredPhones(user.phones, () => Date.now() - timers.now(), isEdge);
    this.registrar = new Registrar({
      transactions,
      transports,
      timers,
      changed: (binding) => this.#changed(binding),
      removed: (binding) => this.#stored?.removed(binding),
      unknownRemoved: (id, key, request) => this.#stored?.unknownRemoved(id, key, request),
      answersChanged: (binding) => {
        if (user.phones && user.phones.node !== null) this.#changed(binding);
      },
      graceMs: user.phones?.node == null ? 0 : REFRESH_GRACE_MS,
      isEdge,
    });
  }

  #changed(binding: HeldBinding): void {
    this.#stored?.changed(binding, this.#passwords.get(binding.id) ?? UNKNOWN);
  }

  restore(phones: readonly StoredPhone[]): void {
    this.registrar.restore(this.#stored?.restore(phones, this.#transports, this.#hashOf) ?? []);
    for (const { id, user } of phones) {
      const bindings = this.registrar.bindingsOf(id);
      if (bindings.length > 0) this.#passwords.set(id, { user, hash: this.#hashOf(user, id) });
      for (const { flow } of bindings) if (flow.connection === 0 || flow.peer) this.#flows.add(flow);
    }
    const { node } = this.#user.phones ?? { node: null };
    if (node !== null) this.learn(phones.filter((phone) => phone.node !== node));
  }

  /** Takes phones of other nodes, or phones that were taken over from one. */
  learn(phones: readonly StoredPhone[]): void {
    const learned = this.#stored?.learn(phones, this.registrar, this.#transports, this.#hashOf) ?? [];
    for (const { binding, registered } of learned) {
      this.#passwords.set(binding.id, registered);
      if (binding.flow.connection === 0 || binding.flow.peer) this.#flows.add(binding.flow);
    }
  }

  register(request: SipRequest, flow: TransportFlow, id: string, user: string): Reply {
    if (flow.protocol === 'ws') return this.#registerWeb(request, flow, id);
    const before = this.#passwords.get(id);
    const hash = this.#hashOf(user, id);
    // A phone with the old password is not kept alive by one with the new one.
    if (before && (before.user !== user || before.hash !== hash)) this.registrar.removeAll(id, isDeskPhone);
    this.#passwords.set(id, { user, hash });
    const reply = this.registrar.register(request, flow, id);
    const bindings = this.registrar.bindingsOf(id);
    if (bindings.some((binding) => sameFlow(binding.flow, flow))) this.#flows.add(flow);
    else this.#flows.delete(flow);
    if (bindings.length === 0) this.#passwords.delete(id);
    return reply;
  }

  /** Beside the phones that have the agent's password, which it must not unregister. */
  #registerWeb(request: SipRequest, flow: TransportFlow, id: string): Reply {
    if (listOf(request, 'contact')?.some(({ uri }) => uri === '*')) return { status: 403 };
    return this.registrar.register(request, flow, id);
  }

  /** Whether a phone is registered by this flow; `user`: one with that user name. */
  isBy(flow: TransportFlow, user?: string): boolean {
    return this.#flows.has(flow) && (user === undefined || this.#isOf(flow, user));
  }

  #isOf(flow: TransportFlow, user: string): boolean {
    const all = this.#user.credentialsOf(user);
    return all.some(({ id }) => this.registrar.bindingsOf(id).some((each) => sameFlow(each.flow, flow)));
  }

  /** Behind an edge the edge says how it is reached. A web page is followed by WebPhones alone. */
  keepFlow(session: IncomingSession, id: string): void {
    if (session.flow.peer) return;
    const all = session.flow.protocol === 'ws' ? [] : this.registrar.bindingsOf(id);
    const binding = all.find(({ flow, path }) => path.length === 0 && sameFlow(flow, session.flow));
    session.keepFlow(binding ? () => this.registrar.flowNow(binding) : null);
  }

  flowClosed(flow: TransportFlow): void {
    this.registrar.flowClosed(flow);
    this.#flows.delete(flow);
  }

  /** None that registered with a password that is no longer valid. */
  of(id: string): readonly Binding[] {
    const all = this.registrar.bindingsOf(id);
    return this.#isCurrent(id) ? all : all.filter((binding) => !isDeskPhone(binding));
  }

  /** Unregisters phones whose credentials are no longer valid. */
  dropInvalid(): void {
    for (const id of [...this.registrar.ids()]) {
      if (this.#isCurrent(id)) continue;
      const isGone = this.#user.phoneUser?.(id) === null;
      this.registrar.removeAll(id, isGone ? undefined : isDeskPhone);
      this.#passwords.delete(id);
    }
  }

  /** Phones of other nodes whose credentials were not known yet. */
  learnUnmatched(): void {
    const unmatched = this.#stored?.takeUnmatched() ?? [];
    if (unmatched.length > 0) this.learn(unmatched);
  }

  #isCurrent(id: string): boolean {
    const known = this.#passwords.get(id);
    return known !== undefined && this.#hashOf(known.user, id) === known.hash;
  }

  readonly #hashOf = (user: string, id: string): string | undefined =>
    this.#user.credentialsFor(id, user)?.md5;
}
