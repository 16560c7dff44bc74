// Takes calls from telephony, starts each with its flow, and keeps those that are live. The rest of the service asks here about
// live calls and acts on them.
import { newId } from '../domain/id.ts';
import { nameOf } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import { when } from '../sharing/ports/when.ts';
import type { PhoneStore } from '../telephony/ports/phone-store.ts';
import type {
  BanSharing,
  IncomingCall,
  Peer,
  Quota,
  Refusal,
  ReplacedLeg,
  Telephony,
  TelephonyUser,
  TransferAnswer,
} from '../telephony/telephony.ts';
import { AccountContext, type CallServices } from './account-context.ts';
import { AgentActivity } from './agents/agent-activity.ts';
import { AgentDesk } from './agents/agent-desk.ts';
import { AgentDialogs } from './busy-lamps/agent-dialogs.ts';
import { type Arrival, arrivalOf } from './call/arrival.ts';
import { Call, type CallHost } from './call/call.ts';
import type { Side } from './call/call-input.ts';
import { ACCOUNT_FULL, AccountCalls, quotasOf } from './call-caps.ts';
import { Callbacks } from './callbacks/callbacks.ts';
import { FeatureCalls, type FeatureHost } from './features/feature-calls.ts';
import { type AskedCall, type ClickHost, type ClickOutcome, ClickToCall } from './operator/click-to-call.ts';
import { ListeningIn, type Talk } from './operator/listening-in.ts';
import { describeCall, describeCalls, type LiveCall } from './operator/live-calls.ts';
import { OutboundSlots } from './outbound-slots.ts';
import { isSpot, spotOf } from './parking/parking.ts';
import { EstimatedQueues } from './queues/wait-estimates.ts';
import { WaitReasons } from './queues/wait-reasons.ts';
import type { Answer, CallFacts, CallResult, TransferredBy } from './records/call-record.ts';
import { recoverCall } from './recovery/recover-call.ts';
import { storedCall } from './recovery/store-call.ts';
import type { LostCall } from './recovery/stored-call.ts';
import { Rooms } from './rooms/rooms.ts';
import { blockedCall, blockOf, DECLINED } from './routing/blocked-call.ts';
import { credentialsFor, credentialsOf, phoneUser } from './routing/credentials.ts';
import {
  type Destination,
  destinationFor,
  FORBIDDEN,
  globalId,
  splitGlobalId,
  trunkAmong,
} from './routing/dialling.ts';
import { PerMinute } from './routing/per-minute.ts';
import { factsOf, plainCall } from './routing/plain-call.ts';
import { MAX_REFUSED_PER_MINUTE, OUTBOUND_FULL, refusedCall } from './routing/refused-call.ts';
import type { AccountRoutes } from './routing/routing.ts';
import { optionalServices, type SwitchboardParts } from './switchboard-parts.ts';
import {
  type ConsultOrder,
  type ConsultOutcome,
  type TransferHost,
  type TransferOutcome,
  Transfers,
} from './transfers.ts';
import { TOO_MANY_VISITS, VisitorCalls } from './visitor-calls.ts';

export class Switchboard implements TelephonyUser, CallHost, ClickHost, FeatureHost, TransferHost {
  readonly #parts: SwitchboardParts;
  readonly #calls = new Map<string, Call>();
  readonly #outboundSlots: OutboundSlots;
  readonly #accountCalls: AccountCalls;
  readonly #clicks: ClickToCall;
  readonly #listening = new ListeningIn((accountId, id) => this.#talk(accountId, id));
  readonly #features = new FeatureCalls(this);
  readonly #refusedCalls = new PerMinute(MAX_REFUSED_PER_MINUTE);
  readonly #visitorCalls = new VisitorCalls(() => this.#parts.clock.epochMs());
  readonly queues: EstimatedQueues;
  readonly rooms: Rooms;
  /** Null: callers are not called back. */
  readonly callbacks: Callbacks | null;
  readonly transfers = new Transfers(this);
  readonly activity: AgentActivity;
  readonly desk: AgentDesk;
  readonly dialogs = new AgentDialogs((watched) => this.#callsAt(watched));
  readonly bans: BanSharing | undefined;
  readonly phones: PhoneStore | undefined;
  watch: NonNullable<TelephonyUser['watch']> = () => FORBIDDEN;
  #services: CallServices | null = null;
  /** A call keeps the context, and so the routes, that it began with. */
  readonly #contexts = new WeakMap<AccountRoutes, AccountContext>();

  constructor(parts: SwitchboardParts) {
    this.#parts = parts;
    this.bans = parts.bans;
    this.phones = parts.phones;
    this.#clicks = new ClickToCall(this, parts.clicks ?? null);
    this.#outboundSlots = new OutboundSlots(parts.slots);
    this.rooms = new Rooms(parts.slots);
    this.#accountCalls = new AccountCalls(parts.counts);
    this.activity = new AgentActivity(parts.agents.agentStates, parts.clock);
    this.desk = new AgentDesk(parts, this.activity, () => this.#services?.telephony);
    this.queues = new EstimatedQueues(parts.agents.openQueues(this.desk), parts.clock);
    const { callbacks, clock, callEvents } = parts;
    const called = callbacks && { ...callbacks, clock, callEvents, queues: this.queues };
    this.callbacks = called ? new Callbacks(called, this) : null;
  }

  /** Telephony needs its user before it can be opened, so it comes second. */
  use(telephony: Telephony): void {
    const { clock, presences, callEvents, callRecordings, smsWriter, counts, agentSettings } = this.#parts;
    const { desk, queues, rooms, dialogs, callbacks } = this;
    const agents = { agentStates: this.activity, desk, presences, dialogs, agentSettings };
    const waitReasons = new WaitReasons(this, clock);
    const shared = { queues, waitReasons, callbacks, rooms, outboundSlots: this.#outboundSlots, counts };
    const outside = { callEvents, callRecordings, smsWriter, ...optionalServices(this.#parts) };
    this.#services = { clock, telephony, ...agents, ...shared, ...outside };
  }

  /** Those that may have a leg of the agent, or wait in the parking spot: an agent's are known without a look at all. */
  *#callsAt(watched: string): Iterable<Call> {
    if (isSpot(watched)) yield* this.#calls.values();
    for (const id of this.activity.callsOf(watched)) {
      const call = this.#calls.get(id);
      if (call) yield call;
    }
  }

  liveCallsOf(accountId: string): LiveCall[] {
    return describeCalls(accountId, this.#clicks.factsOf(accountId), this.#calls.values());
  }

  liveCallOf(accountId: string, id: string): LiveCall | null {
    const call = this.findCall(accountId, id);
    return call ? describeCall(call) : null;
  }

  get calls(): Call[] {
    return [...this.#calls.values()];
  }

  get count(): number {
    return this.#calls.size + this.#clicks.count + this.#features.count + (this.callbacks?.count ?? 0);
  }

  hangUpAll(): void {
    this.#clicks.cancelAll();
    this.callbacks?.hangUpAll();
    this.#features.hangUpAll();
    for (const call of [...this.#calls.values()]) call.hangUp('service-stopped');
  }

  /** False: the account has no such call. */
  hangUp(accountId: string, id: string): boolean {
    if (this.#clicks.cancel(accountId, id)) return true;
    const call = this.findCall(accountId, id);
    call?.hangUp('operator-hung-up');
    return call !== undefined;
  }

  transferTo(accountId: string, id: string, party: Side, entry: Ref, by: TransferredBy): TransferOutcome {
    if (this.#clicks.isRinging(accountId, id)) return 'not-connected';
    return this.transfers.to(accountId, id, party, entry, by);
  }

  consult(accountId: string, id: string, order: ConsultOrder, by: TransferredBy): ConsultOutcome {
    if (this.#clicks.isRinging(accountId, id)) return 'not-connected';
    return this.transfers.consult(accountId, id, order, by);
  }

  readonly listenIn: ListeningIn['listenIn'] = (...asked) => this.#listening.listenIn(...asked);
  readonly addParty: ListeningIn['addParty'] = (...asked) => this.#listening.addParty(...asked);

  #talk(accountId: string, id: string): Talk | 'not-connected' | 'unknown' {
    const call = this.findCall(accountId, id);
    const account = this.#parts.routing.account(accountId);
    if (call && account) return { call, context: this.contextOf(account) };
    return this.#clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
  }

  clickToCall(accountId: string, asked: AskedCall): ClickOutcome {
    const account = this.#parts.routing.account(accountId);
    const context = account && this.contextOf(account);
    if (!context) return { refused: 'agent-unknown' };
    return 'eid' in asked ? this.#clicks.start(context, asked) : this.#clicks.place(context, asked);
  }

  readonly trunkOf: TelephonyUser['trunkOf'] = (...asked) => trunkAmong(this.#parts.routing, ...asked);
  readonly phoneUser = (id: string): string | null => phoneUser(this.#parts.routing, id);
  readonly credentialsOf: TelephonyUser['credentialsOf'] = (user) => credentialsOf(this.#parts.routing, user);
  readonly credentialsFor: TelephonyUser['credentialsFor'] = (...asked) =>
    credentialsFor(this.#parts.routing, ...asked);
  readonly srtpOf: NonNullable<TelephonyUser['srtpOf']> = (phone) =>
    this.#parts.routing.account(splitGlobalId(phone).accountId)?.settings.srtp ?? 'off';

  readonly hasCallsFor = (phone: string): boolean => this.#accountCalls.has(splitGlobalId(phone).accountId);

  mayCall(peer: Peer, resumes = false): Refusal | readonly Quota[] {
    // The account is known by the number that is dialled: #admit() asks then.
    if (peer.kind === 'local') return [];
    const account = this.#parts.routing.account(splitGlobalId(peer.id).accountId);
    if (!account) return FORBIDDEN;
    if (!resumes && !this.#visitorCalls.mayCall(peer)) return this.#counted(TOO_MANY_VISITS, null);
    const isTrunkFull = peer.kind === 'trunk' && this.#outboundSlots.isTrunkFull(account, peer.id);
    if (isTrunkFull || (!resumes && this.isFull(account))) return this.#counted(ACCOUNT_FULL, null);
    return quotasOf(account, peer, this.#parts.counts);
  }

  legsCounted(key: string, count: number): void {
    this.#parts.counts.set(key, count);
  }

  isFull(account: AccountRoutes): boolean {
    return this.#accountCalls.isFull(account);
  }

  called(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    this.#visitorCalls.called(call.peer);
    const fresh = this.#parts.routing.fresh();
    const admit = (): Refusal | null | Promise<Refusal | null> =>
      when(this.#admit(plainCall(call)), (refusal) => this.#counted(refusal, call));
    return fresh ? fresh.then(admit) : admit();
  }

  begin(arrival: Arrival, { account, flow, entry, direction }: Destination): void {
    const context = this.contextOf(account);
    const startedAtMs = this.#parts.clock.epochMs();
    const id = arrival.id ?? newId(startedAtMs);
    const { transferredFrom, callback } = arrival;
    const to = { direction, entry, entryName: nameOf(flow, entry) };
    const plain = { id, accountId: account.id, ...factsOf(arrival), ...to, startedAtMs };
    const known = callback ? { ...plain, callback } : plain;
    const facts: CallFacts = transferredFrom ? { ...known, transferredFrom } : known;
    const call = new Call(context, this, facts, flow, arrival);
    this.#calls.set(id, call);
    this.#accountCalls.began(account.id);
    this.callBegan(facts, arrival.dialledAt === null);
    if (arrival.alreadyAnswered) this.callerAnswered(call, 0);
    if (arrival.agent !== null) this.activity.talks(id, arrival.agent);
    call.start();
  }

  storeCall(id: string): string | null {
    const call = this.#calls.get(id);
    const stored = call && !call.isOver ? storedCall(call) : null;
    return stored && JSON.stringify(stored);
  }

  /** A call of a node that died. False: it cannot go on. */
  recover(lost: LostCall): boolean {
    const account = this.#parts.routing.account(lost.facts.accountId);
    if (!account || this.#calls.has(lost.facts.id)) return false;
    const listed = (call: Call): void => {
      const { facts, ageMs, answer } = lost;
      this.#calls.set(facts.id, call);
      this.#accountCalls.began(account.id);
      this.#parts.recovered?.(facts, ageMs, answer);
    };
    const call = recoverCall(this.contextOf(account), this, lost, listed);
    if (call?.arrival.agent) this.activity.talks(call.facts.id, call.arrival.agent);
    if (call && lost.answer) this.#agentTalks(call.facts, lost.answer);
    return call !== null;
  }

  /** Others took this node for dead, and have these calls: they are dropped without a word to their phones, and without a record. */
  abandon(ids: readonly string[]): void {
    for (const id of ids) {
      const call = this.#calls.get(id);
      if (!call) continue;
      this.#calls.delete(id);
      this.#accountCalls.ended(call.facts.accountId);
      call.abandon();
      if (call.facts.callback) this.callbacks?.callEnded(id, { trail: [] });
      this.#parts.abandoned?.(id);
    }
  }

  legChanged({ facts }: Call): void {
    this.#parts.legChanged?.(facts.id);
  }

  callBegan(facts: CallFacts, isFirst: boolean): void {
    this.#parts.began?.(facts, isFirst);
  }

  callerAnswered({ facts }: Call, atMs: number): void {
    this.#parts.callerAnswered?.(facts.id, atMs);
  }

  callAnswered({ facts }: Call, answer: Answer): void {
    if (facts.callback) this.callbacks?.reached(facts.id);
    this.#agentTalks(facts, answer);
    this.#parts.answered?.(facts.id, answer);
  }

  #agentTalks({ id, accountId }: CallFacts, { agent }: Answer): void {
    if (agent) this.activity.talks(id, globalId(accountId, agent.eid));
  }

  callFailed({ facts, history }: Call, error: unknown): void {
    this.#parts.failed(error, facts, history.trail);
  }

  callUnrecorded(facts: CallFacts, error: unknown): void {
    this.#parts.failed(error, facts, []);
  }

  callEnded({ facts }: Call, result: CallResult): void {
    this.#calls.delete(facts.id);
    this.#accountCalls.ended(facts.accountId);
    this.recordCall(facts, result);
    if (facts.callback) this.callbacks?.callEnded(facts.id, result);
  }

  recordCall(facts: CallFacts, result: CallResult): void {
    const { writer, callEvents, ended } = this.#parts;
    // Published first: the webhook deliveries of the end are stored together with the record.
    callEvents.callEnded(facts, result);
    writer.add(facts, result);
    ended(facts, result);
  }

  transfer(call: Call, by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer {
    return this.transfers.referred(call, by, dialled, replaces);
  }

  #counted<R extends Refusal | null>(refusal: R, call: IncomingCall | null): R {
    // A blocked call has a record.
    if (refusal && refusal !== DECLINED) this.#parts.refused?.(refusal.status, call);
    return refusal;
  }

  readonly account = (id: string): AccountRoutes | undefined => this.#parts.routing.account(id);

  readonly newId = (): string => newId(this.#parts.clock.epochMs());

  findCall(accountId: string, id: string): Call | undefined {
    const call = this.#calls.get(id);
    return call?.facts.accountId === accountId && !call.isOver ? call : undefined;
  }

  contextOf(account: AccountRoutes): AccountContext {
    const known = this.#contexts.get(account);
    if (known) return known;
    if (!this.#services) throw new Error('A call came before telephony was set.');
    const context = new AccountContext(account, this.#services);
    this.#contexts.set(account, context);
    return context;
  }

  /** A local caller is of no account before its number is looked up: its refused offers have no record. */
  offerRefused(call: IncomingCall, refusal: Refusal): void {
    if (call.peer.kind === 'local') return;
    const account = this.#parts.routing.account(splitGlobalId(call.peer.id).accountId);
    if (account) this.refuse(plainCall(call), account, refusal);
  }

  #admit(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    const { replaces } = call;
    if (replaces)
      return this.#listening.takeOver(call, replaces) ? null : this.transfers.pickUp(call, replaces);
    const { routing } = this.#parts;
    const account =
      call.peer.kind === 'local' ? undefined : routing.account(splitGlobalId(call.peer.id).accountId);
    const asked = this.#features.admit(call, account);
    if (asked !== undefined) return asked;
    const spot = account && call.peer.kind === 'phone' ? spotOf(account, call.dialled) : null;
    if (account && spot !== null) {
      const refusal = this.transfers.retrieve(call, account, spot);
      return refusal && this.refuse(call, account, refusal);
    }
    const { call: read, to } = destinationFor(routing, call);
    if ('status' in to) return account ? this.refuse(read, account, to) : to;
    return this.accept(read, to);
  }

  accept(call: IncomingCall, to: Destination): Refusal | null {
    const block = blockOf(to, call);
    if (block) {
      const { facts, result } = blockedCall(call, to, block, this.#parts.clock.epochMs());
      this.recordCall(facts, result);
      return DECLINED;
    }
    if (this.isFull(to.account)) return this.refuse(call, to.account, ACCOUNT_FULL, to);
    // The limit holds for every way to call out (docs/threat-model.md T1).
    if (to.direction === 'outbound' && this.#outboundSlots.isFull(to.account))
      return this.refuse(call, to.account, OUTBOUND_FULL, to);
    const arrival = arrivalOf(call, this.#outboundSlots.cameFrom(call.peer, call.callId));
    this.begin(to.autoAnswer ? { ...arrival, autoAnswer: to.entry } : arrival, to);
    return null;
  }

  refuse(call: IncomingCall, account: AccountRoutes, refusal: Refusal, to?: Destination): Refusal {
    const nowMs = this.#parts.clock.epochMs();
    if (this.#refusedCalls.take(account.id, nowMs)) {
      const { facts, result } = refusedCall(call, account, refusal, nowMs, to);
      this.recordCall(facts, result);
    }
    return refusal;
  }
}
