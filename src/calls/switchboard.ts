// Takes calls from telephony, starts each with its flow, and keeps those that are live. The rest of the service asks here about
// live calls and acts on them.

import type { Clock } from '../clock.ts';
import type { Agent } from '../domain/agent.ts';
import { newId } from '../domain/id.ts';
import { nameOf, resolve } from '../flow/flow.ts';
import { type Ref, referenceTo } from '../flow/node.ts';
import { isOffered } from '../flow/ringing.ts';
import type { TrailEntry } from '../flow/trail.ts';
import type {
  Credentials,
  IncomingCall,
  ListenMode,
  Peer,
  PhoneStore,
  Quota,
  Refusal,
  Telephony,
  TelephonyUser,
} from '../telephony/telephony.ts';
import { AccountContext, type CallServices } from './account-context.ts';
import type { Arrival } from './call/arrival.ts';
import { Call, type CallHost } from './call/call.ts';
import type { Side } from './call/call-input.ts';
import { calledSide } from './call/called-side.ts';
import { ACCOUNT_FULL, AccountCalls, legQuotas } from './call-caps.ts';
import { type Click, type ClickHost, type ClickRefused, ClickToCall } from './operator/click-to-call.ts';
import { ListeningIn, type ListenOutcome } from './operator/listening-in.ts';
import { describeCall, describeClick, type LiveCall } from './operator/live-calls.ts';
import { NO_SLOT, OutboundSlots } from './outbound-slots.ts';
import { Queues } from './queues/queue.ts';
import type { Answer, CallFacts, CallResult, TransferredBy } from './records/call-record.ts';
import type { RecordWriter } from './records/record-writer.ts';
import { blockedCall, blockOf, DECLINED } from './routing/blocked-call.ts';
import {
  agentIdOf,
  type Destination,
  destinationOf,
  dialledByAgent,
  FORBIDDEN,
  globalId,
  outRoute,
  splitGlobalId,
  trunkAmong,
} from './routing/dialling.ts';
import { plainCall } from './routing/plain-call.ts';
import { OUTBOUND_FULL, RefusedCalls, refusedCall } from './routing/refused-call.ts';
import type { AccountRoutes, Routes } from './routing/routing.ts';

export type TransferOutcome = 'transferred' | 'unknown' | 'not-connected' | 'destination-unknown';

export interface SwitchboardParts
  extends Pick<CallServices, 'agentStates' | 'callEvents' | 'callRecordings' | 'smsWriter'> {
  readonly routing: Routes;
  readonly clock: Clock;
  readonly writer: Pick<RecordWriter, 'add'>;
  readonly failed: (error: unknown, facts: CallFacts, trail: readonly TrailEntry[]) => void;
  readonly ended: (facts: CallFacts, result: CallResult) => void;
  /** A click to call begins twice, with one id: when the agent is rung, and when the agent has answered. */
  readonly began?: (facts: CallFacts, isFirst: boolean) => void;
  readonly callerAnswered?: (id: string, atMs: number) => void;
  readonly answered?: (id: string, answer: Answer) => void;
  /** Of a known peer, before it became a call. */
  readonly refused?: (status: number, call: IncomingCall | null) => void;
  readonly phones?: PhoneStore;
}

export class Switchboard implements TelephonyUser, CallHost, ClickHost {
  readonly #parts: SwitchboardParts;
  readonly #calls = new Map<string, Call>();
  readonly #outboundSlots = new OutboundSlots();
  readonly #accountCalls = new AccountCalls();
  readonly #clicks = new ClickToCall(this);
  readonly #listening = new ListeningIn();
  readonly #refusedCalls = new RefusedCalls();
  readonly queues: Queues;
  #services: CallServices | null = null;
  /** A call keeps the context, and so the routes, that it began with. */
  readonly #contexts = new WeakMap<AccountRoutes, AccountContext>();

  constructor(parts: SwitchboardParts) {
    this.#parts = parts;
    const { agentStates, clock } = parts;
    const isPresent = (agent: string): boolean => this.isPresent(agent);
    this.queues = new Queues({ agentStates, clock, isPresent, random: Math.random });
  }

  /** Telephony needs its user before it can be opened, so it comes second. */
  use(telephony: Telephony): void {
    const { agentStates, clock, callEvents, callRecordings, smsWriter } = this.#parts;
    const { queues } = this;
    const outboundSlots = this.#outboundSlots;
    this.#services = {
      clock,
      telephony,
      agentStates,
      queues,
      outboundSlots,
      callEvents,
      callRecordings,
      smsWriter,
    };
  }

  liveCallsOf(accountId: string): LiveCall[] {
    const live = this.#clicks.factsOf(accountId).map(describeClick);
    for (const call of this.#calls.values())
      if (call.facts.accountId === accountId && !call.isOver) live.push(describeCall(call));
    return live.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  get calls(): Call[] {
    return [...this.#calls.values()];
  }

  get count(): number {
    return this.#calls.size + this.#clicks.count;
  }

  /** Whether the agent is on duty and can be rung, busy or not. By the routes of now: a queued call outlives many changes. */
  isPresent(agent: string): boolean {
    const { accountId, id } = splitGlobalId(agent);
    const account = this.#parts.routing.account(accountId);
    const node = account?.flow.nodes.get(referenceTo('agent', id));
    if (!account || node?.kind !== 'agent') return false;
    if (!isOffered(account.flow, node, this.#parts.clock.epochMs())) return false;
    if (this.#services?.telephony.phonesOf(agent).some(({ reachable }) => reachable)) return true;
    return node.followMeNumber !== null && outRoute(account, node.followMeNumber, false) !== null;
  }

  hangUpAll(): void {
    this.#clicks.cancelAll();
    for (const call of [...this.#calls.values()]) call.hangUp('service-stopped');
  }

  /** False: the account has no such call. */
  hangUp(accountId: string, id: string): boolean {
    if (this.#clicks.cancel(accountId, id)) return true;
    const call = this.#find(accountId, id);
    call?.hangUp('operator-hung-up');
    return call !== undefined;
  }

  /** Sends one side of a call elsewhere, in any phase of the call; the other side is hung up. */
  transferTo(accountId: string, id: string, party: Side, entry: Ref, by: TransferredBy): TransferOutcome {
    const call = this.#find(accountId, id);
    const account = this.#parts.routing.account(accountId);
    if (!call || !account) return this.#clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
    // Checked first: a wrong destination must not end the conversation.
    const node = resolve(account.flow, entry);
    if (!node) return 'destination-unknown';
    const alreadyAnswered = call.legs.caller.answeredMs !== null;
    const { direction } = call.facts;
    const to = { account, flow: account.flow, entry, direction };
    const isMoved = this.#move(call, party === 'caller' ? 'called' : 'caller', {
      dialled: entry,
      shown: node.name,
      alreadyAnswered,
      to,
      by,
    });
    return isMoved ? 'transferred' : 'not-connected';
  }

  /** One side of the call becomes the caller of another, and both records name each other. False: there is no such side. */
  #move(call: Call, leaving: Side, next: NextCall): boolean {
    const { dialled, shown, alreadyAnswered, to, by } = next;
    const staying = leaving === 'called' ? call.arrival : calledSide(call);
    const id = newId(this.#parts.clock.epochMs());
    const released = staying && call.release(leaving, { callId: id, by }, shown);
    if (!released) return false;
    const transferredFrom = { callId: call.facts.id, by };
    this.begin(
      { ...staying, ...released, id, dialled, alreadyAnswered, transferredFrom, dialledAt: null },
      to,
    );
    return true;
  }

  listenIn(accountId: string, id: string, eid: string, mode: ListenMode): ListenOutcome {
    const call = this.#find(accountId, id);
    const account = this.#parts.routing.account(accountId);
    if (call && account) return this.#listening.listen(call, this.#contextOf(account), eid, mode);
    return this.#clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
  }

  clickToCall(accountId: string, click: Click): ClickRefused | null {
    const account = this.#parts.routing.account(accountId);
    return account ? this.#clicks.start(this.#contextOf(account), click) : { refused: 'agent-unknown' };
  }

  trunkOf(ids: readonly string[], dialled: readonly string[]): string {
    return trunkAmong(this.#parts.routing, ids, dialled);
  }

  credentialsOf(user: string): readonly Credentials[] {
    const all: Credentials[] = [];
    for (const account of this.#parts.routing.accounts()) {
      const agent = account.intercoms.get(user);
      if (agent) all.push(credentials(account.id, agent));
    }
    return all;
  }

  credentialsFor(id: string, user: string): Credentials | undefined {
    const { accountId, id: eid } = splitGlobalId(id);
    const agent = this.#parts.routing.account(accountId)?.intercoms.get(user);
    return agent?.eid === eid ? credentials(accountId, agent) : undefined;
  }

  get phones(): PhoneStore | undefined {
    return this.#parts.phones;
  }

  mayCall(peer: Peer): Refusal | readonly Quota[] {
    // The account is known by the number that is dialled: #admit() asks then.
    if (peer.kind === 'local') return [];
    const account = this.#parts.routing.account(splitGlobalId(peer.id).accountId);
    if (!account) return FORBIDDEN;
    if (this.isFull(account)) return this.#counted(ACCOUNT_FULL, null);
    return legQuotas(account, peer.kind === 'phone' ? peer.id : null);
  }

  isFull(account: AccountRoutes): boolean {
    return this.#accountCalls.isFull(account);
  }

  called(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    const fresh = this.#parts.routing.fresh();
    const admit = (): Refusal | null => this.#counted(this.#admit(call), call);
    return fresh ? fresh.then(admit) : admit();
  }

  begin(arrival: Arrival, { account, flow, entry, direction }: Destination): void {
    const context = this.#contextOf(account);
    const startedAtMs = this.#parts.clock.epochMs();
    const id = arrival.id ?? newId(startedAtMs);
    const accountId = account.id;
    const { caller, callerName, dialled, callId, transferredFrom } = arrival;
    const to = { dialled, entry, entryName: nameOf(flow, entry) };
    const plain = { id, accountId, callId, direction, caller, callerName, ...to, startedAtMs };
    const facts: CallFacts = transferredFrom ? { ...plain, transferredFrom } : plain;
    const call = new Call(context, this, facts, flow, arrival);
    this.#calls.set(id, call);
    this.#accountCalls.began(accountId);
    this.callBegan(facts, arrival.dialledAt === null);
    if (arrival.alreadyAnswered) this.callerAnswered(call, 0);
    call.start();
  }

  callBegan(facts: CallFacts, isFirst: boolean): void {
    this.#parts.began?.(facts, isFirst);
  }

  callerAnswered({ facts }: Call, atMs: number): void {
    this.#parts.callerAnswered?.(facts.id, atMs);
  }

  callAnswered({ facts }: Call, answer: Answer): void {
    this.#parts.answered?.(facts.id, answer);
  }

  callFailed({ facts, history }: Call, error: unknown): void {
    this.#parts.failed(error, facts, history.trail);
  }

  clickFailed(facts: CallFacts, error: unknown): void {
    this.#parts.failed(error, facts, []);
  }

  callEnded({ facts }: Call, result: CallResult): void {
    this.#calls.delete(facts.id);
    this.#accountCalls.ended(facts.accountId);
    this.recordCall(facts, result);
  }

  recordCall(facts: CallFacts, result: CallResult): void {
    const { writer, callEvents, ended } = this.#parts;
    // Published first: the webhook deliveries of the end are stored together with the record.
    callEvents.callEnded(facts, result);
    writer.add(facts, result);
    ended(facts, result);
  }

  /** Only agents may transfer, and only to where they may call. */
  transfer(call: Call, by: Side, dialled: string): boolean {
    const account = this.#parts.routing.account(call.facts.accountId);
    const { phase, arrival } = call;
    if (!account || phase.name !== 'connected') return false;
    const isAgent = by === 'caller' ? arrival.peer.kind === 'phone' : phase.target.via === 'intercom';
    if (!isAgent) return false;
    const to = dialledByAgent(account, dialled);
    if ('status' in to) return false;
    const agent = by === 'caller' ? arrival.agent : agentIdOf(account.id, phase.target.owner);
    const { eid, name } = this.#contextOf(account).agentName(agent) ?? { eid: '', name: '' };
    const asked = { kind: 'agent', id: eid, name } as const;
    // After the response to the REFER has been sent: the leg that sent it is hung up.
    queueMicrotask(() => {
      try {
        this.#move(call, by, { dialled, shown: dialled, alreadyAnswered: true, to, by: asked });
      } catch (error) {
        this.callFailed(call, error);
      }
    });
    return true;
  }

  #counted<R extends Refusal | null>(refusal: R, call: IncomingCall | null): R {
    // A blocked call has a record.
    if (refusal && refusal !== DECLINED) this.#parts.refused?.(refusal.status, call);
    return refusal;
  }

  #find(accountId: string, id: string): Call | undefined {
    const call = this.#calls.get(id);
    return call?.facts.accountId === accountId && !call.isOver ? call : undefined;
  }

  #contextOf(account: AccountRoutes): AccountContext {
    const known = this.#contexts.get(account);
    if (known) return known;
    if (!this.#services) throw new Error('A call came before telephony was set.');
    const context = new AccountContext(account, this.#services);
    this.#contexts.set(account, context);
    return context;
  }

  #admit(signalled: IncomingCall): Refusal | null {
    const call = plainCall(signalled);
    const { routing, clock } = this.#parts;
    const to = destinationOf(routing, call.peer, call.dialled, call.toUser);
    if ('status' in to) {
      const account =
        call.peer.kind === 'local' ? undefined : routing.account(splitGlobalId(call.peer.id).accountId);
      return account ? this.#refuse(call, account, to) : to;
    }
    const block = blockOf(to, call);
    if (block) {
      const { facts, result } = blockedCall(call, to, block, clock.epochMs());
      this.recordCall(facts, result);
      return DECLINED;
    }
    if (this.isFull(to.account)) return this.#refuse(call, to.account, ACCOUNT_FULL, to);
    // The limit holds for every way to call out (docs/threat-model.md T1).
    if (to.direction === 'outbound' && this.#outboundSlots.isFull(to.account))
      return this.#refuse(call, to.account, OUTBOUND_FULL, to);
    const { leg, peer, dialled, caller, callerName, callId } = call;
    const arrival = {
      leg,
      releaseOutboundSlot: NO_SLOT,
      peer,
      agent: peer.kind === 'phone' ? peer.id : null,
      dialled,
      caller,
      callerName,
      callId,
      alreadyAnswered: false,
      id: null,
      transferredFrom: null,
      dialledAt: null,
    };
    this.begin(arrival, to);
    return null;
  }

  #refuse(call: IncomingCall, account: AccountRoutes, refusal: Refusal, to?: Destination): Refusal {
    const nowMs = this.#parts.clock.epochMs();
    if (this.#refusedCalls.mayRecord(account.id, nowMs)) {
      const { facts, result } = refusedCall(call, account, refusal, nowMs, to);
      this.recordCall(facts, result);
    }
    return refusal;
  }
}

interface NextCall {
  readonly dialled: string;
  /** The destination in the trail of the former call. */
  readonly shown: string;
  readonly alreadyAnswered: boolean;
  readonly to: Destination;
  readonly by: TransferredBy;
}

function credentials(accountId: string, { eid, sip, sip_sha256 }: Agent): Credentials {
  return {
    id: globalId(accountId, eid),
    realm: sip.realm,
    md5: sip.md5,
    sha256: sip.sha256,
    requireSha256: sip_sha256 === true,
  };
}
