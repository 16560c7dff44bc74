// Takes calls from telephony and starts each with its flow: it decides which begin, and holds the features over the live calls.
import { when } from '../sharing/ports/when.ts';
import type { PhoneStore } from '../telephony/ports/phone-store.ts';
import type {
  BanSharing,
  IncomingCall,
  Peer,
  Quota,
  Refusal,
  TelephonyUser,
} from '../telephony/telephony.ts';
import { AgentDialogs } from './busy-lamps/agent-dialogs.ts';
import { arrivalOf } from './call/arrival.ts';
import type { Call } from './call/call.ts';
import { ACCOUNT_FULL, quotasOf } from './call-caps.ts';
import { CallRegistry } from './call-registry.ts';
import type { CallbackSettings } from './callbacks/callback-settings.ts';
import { Callbacks } from './callbacks/callbacks.ts';
import type { CallObserver } from './environment.ts';
import { FeatureCalls } from './features/feature-calls.ts';
import { Operator } from './operator/operator.ts';
import { isSpot, spotOf } from './parking/parking.ts';
import { blockedCall, blockOf, DECLINED } from './routing/blocked-call.ts';
import { PhoneCredentials } from './routing/credentials.ts';
import { type Destination, destinationFor, FORBIDDEN, splitGlobalId } from './routing/dialling.ts';
import { PerMinute } from './routing/per-minute.ts';
import { plainCall } from './routing/plain-call.ts';
import { MAX_REFUSED_PER_MINUTE, OUTBOUND_FULL, refusedCall } from './routing/refused-call.ts';
import type { AccountRoutes } from './routing/routing.ts';
import { type GivenForCalls, SwitchboardEnvironment } from './switchboard-environment.ts';
import { TOO_MANY_VISITS, VisitorCalls } from './visitor-calls.ts';

/** What outlives a call, or is shared with other nodes. */
interface Kept {
  /** Absent: callers are not called back. */
  readonly callbacks?: CallbackSettings | undefined;
  readonly phones?: PhoneStore;
  readonly bans?: BanSharing | undefined;
}

export class Switchboard extends PhoneCredentials implements TelephonyUser {
  readonly environment: SwitchboardEnvironment;
  readonly calls: CallRegistry;
  readonly operator: Operator;
  /** Null if callers are not called back. */
  readonly callbacks: Callbacks | null;
  readonly #features: FeatureCalls;
  readonly dialogs = new AgentDialogs((watched) => callsAt(this.calls, watched));
  readonly bans: BanSharing | undefined;
  readonly phones: PhoneStore | undefined;
  watch: NonNullable<TelephonyUser['watch']> = () => FORBIDDEN;
  readonly #refusedCalls = new PerMinute(MAX_REFUSED_PER_MINUTE);
  readonly #visitorCalls: VisitorCalls;

  constructor(given: GivenForCalls, observer: CallObserver, { callbacks, phones, bans }: Kept = {}) {
    super(given.routing);
    this.environment = new SwitchboardEnvironment(given, this.dialogs);
    this.calls = new CallRegistry(this.environment, observer);
    this.operator = new Operator(this.calls);
    this.#features = new FeatureCalls(this.calls, this);
    this.bans = bans;
    this.phones = phones;
    this.#visitorCalls = new VisitorCalls(() => given.clock.epochMs());
    this.callbacks = callbacks ? new Callbacks(callbacks, this.calls) : null;
    this.calls.callbacks = this.callbacks;
    this.environment.callbacks = this.callbacks;
  }

  get count(): number {
    const { calls, operator, callbacks } = this;
    return calls.size + operator.clicks.count + this.#features.count + (callbacks?.count ?? 0);
  }

  hangUpAll(): void {
    this.operator.clicks.cancelAll();
    this.callbacks?.hangUpAll();
    this.#features.hangUpAll();
    for (const call of [...this.calls]) call.hangUp('service-stopped');
  }

  readonly hasCallsFor = (phone: string): boolean =>
    this.calls.accountCalls.has(splitGlobalId(phone).accountId);

  mayCall(peer: Peer, resumes = false): Refusal | readonly Quota[] {
    // The account is known by the number that is dialled: #admit() asks then.
    if (peer.kind === 'local') return [];
    const { routing, outboundSlots, counts } = this.environment;
    const account = routing.account(splitGlobalId(peer.id).accountId);
    if (!account) return FORBIDDEN;
    if (!resumes && !this.#visitorCalls.mayCall(peer)) return this.#counted(TOO_MANY_VISITS, null);
    const isTrunkFull = peer.kind === 'trunk' && outboundSlots.isTrunkFull(account, peer.id);
    if (isTrunkFull || (!resumes && this.calls.isFull(account))) return this.#counted(ACCOUNT_FULL, null);
    return quotasOf(account, peer, counts);
  }

  legsCounted(key: string, count: number): void {
    this.environment.counts.set(key, count);
  }

  called(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    this.#visitorCalls.called(call.peer);
    const fresh = this.environment.routing.fresh();
    return fresh ? fresh.then(() => this.#admitCounted(call)) : this.#admitCounted(call);
  }

  #admitCounted(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    return when(this.#admit(plainCall(call)), (refusal) => this.#counted(refusal, call));
  }

  #counted<R extends Refusal | null>(refusal: R, call: IncomingCall | null): R {
    // A blocked call has a record.
    if (refusal && refusal !== DECLINED) this.calls.observer.refused?.(refusal.status, call);
    return refusal;
  }

  /** A local caller is of no account before its number is looked up: its refused offers have no record. */
  offerRefused(call: IncomingCall, refusal: Refusal): void {
    if (call.peer.kind === 'local') return;
    const account = this.environment.routing.account(splitGlobalId(call.peer.id).accountId);
    if (account) this.refuse(plainCall(call), account, refusal);
  }

  #admit(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    const { replaces } = call;
    const { transfers } = this.calls;
    if (replaces)
      return this.operator.listening.takeOver(call, replaces) ? null : transfers.pickUp(call, replaces);
    const { routing } = this.environment;
    const account =
      call.peer.kind === 'local' ? undefined : routing.account(splitGlobalId(call.peer.id).accountId);
    const asked = this.#features.admit(call, account);
    if (asked !== undefined) return asked;
    const spot = account && call.peer.kind === 'phone' ? spotOf(account, call.dialled) : null;
    if (account && spot !== null) {
      const refusal = transfers.retrieve(call, account, spot);
      return refusal && this.refuse(call, account, refusal);
    }
    const { call: read, to } = destinationFor(routing, call);
    if ('status' in to) return account ? this.refuse(read, account, to) : to;
    return this.accept(read, to);
  }

  accept(call: IncomingCall, to: Destination): Refusal | null {
    const { clock, outboundSlots } = this.environment;
    const block = blockOf(to, call);
    if (block) {
      const { facts, result } = blockedCall(call, to, block, clock.epochMs());
      this.calls.recordCall(facts, result);
      return DECLINED;
    }
    if (this.calls.isFull(to.account)) return this.refuse(call, to.account, ACCOUNT_FULL, to);
    // The limit holds for every way to call out (docs/threat-model.md T1).
    if (to.direction === 'outbound' && outboundSlots.isFull(to.account))
      return this.refuse(call, to.account, OUTBOUND_FULL, to);
    const arrival = arrivalOf(call, outboundSlots.cameFrom(call.peer, call.callId));
    this.calls.begin(to.autoAnswer ? { ...arrival, autoAnswer: to.entry } : arrival, to);
    return null;
  }

  refuse(call: IncomingCall, account: AccountRoutes, refusal: Refusal, to?: Destination): Refusal {
    const nowMs = this.environment.clock.epochMs();
    if (this.#refusedCalls.take(account.id, nowMs)) {
      const { facts, result } = refusedCall(call, account, refusal, nowMs, to);
      this.calls.recordCall(facts, result);
    }
    return refusal;
  }
}

/** Those that may have a leg of the agent, or wait in the parking spot: an agent's are known without a look at all. */
function* callsAt(calls: CallRegistry, watched: string): Iterable<Call> {
  if (isSpot(watched)) yield* calls;
  for (const id of calls.environment.agentStates.callsOf(watched)) {
    const call = calls.get(id);
    if (call) yield call;
  }
}
