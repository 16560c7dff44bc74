// The live calls of this node. What is done with them (transfers, call-backs, star codes, what operators ask) are features over this
// registry.
import { newId } from '../domain/id.ts';
import { nameOf } from '../flow/flow.ts';
import type { ReplacedLeg, TransferAnswer } from '../telephony/telephony.ts';
import { AccountContext } from './account-context.ts';
import type { Arrival } from './call/arrival.ts';
import { Call, type CallHost } from './call/call.ts';
import type { Side } from './call/call-input.ts';
import { AccountCalls } from './call-caps.ts';
import type { CallObserver } from './environment.ts';
import type { Answer, CallFacts, CallResult } from './records/call-record.ts';
import { type Destination, globalId } from './routing/dialling.ts';
import { factsOf } from './routing/plain-call.ts';
import type { AccountRoutes } from './routing/routing.ts';
import type { SwitchboardEnvironment } from './switchboard-environment.ts';
import { Transfers } from './transfers.ts';

interface CallbackCalls {
  reached(callId: string): void;
  callEnded(callId: string, result: Pick<CallResult, 'trail'>): void;
}

export class CallRegistry implements CallHost, Iterable<Call> {
  readonly environment: SwitchboardEnvironment;
  readonly observer: CallObserver;
  readonly transfers = new Transfers(this);
  /** Whom the calls to callers who are called back concern; null: none are. */
  callbacks: CallbackCalls | null = null;
  readonly accountCalls: AccountCalls;
  readonly #calls = new Map<string, Call>();
  /** A call keeps the context, and so the routes, that it began with. */
  readonly #contexts = new WeakMap<AccountRoutes, AccountContext>();

  constructor(environment: SwitchboardEnvironment, observer: CallObserver) {
    this.environment = environment;
    this.observer = observer;
    this.accountCalls = new AccountCalls(environment.counts);
  }

  [Symbol.iterator](): IterableIterator<Call> {
    return this.#calls.values();
  }

  get size(): number {
    return this.#calls.size;
  }

  get(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  /** The account's call with that id, unless it is over. */
  find(accountId: string, id: string): Call | undefined {
    const call = this.#calls.get(id);
    return call?.facts.accountId === accountId && !call.isOver ? call : undefined;
  }

  add(call: Call): void {
    this.#calls.set(call.facts.id, call);
    this.accountCalls.began(call.facts.accountId);
  }

  delete({ facts }: Call): void {
    this.#calls.delete(facts.id);
    this.accountCalls.ended(facts.accountId);
  }

  contextOf(account: AccountRoutes): AccountContext {
    const known = this.#contexts.get(account);
    if (known) return known;
    const context = new AccountContext(account, this.environment);
    this.#contexts.set(account, context);
    return context;
  }

  isFull(account: AccountRoutes): boolean {
    return this.accountCalls.isFull(account);
  }

  begin(arrival: Arrival, { account, flow, entry, direction }: Destination): void {
    const { clock, agentStates } = this.environment;
    const context = this.contextOf(account);
    const startedAtMs = clock.epochMs();
    const id = arrival.id ?? newId(startedAtMs);
    const { transferredFrom, callback } = arrival;
    const to = { direction, entry, entryName: nameOf(flow, entry) };
    const plain = { id, accountId: account.id, ...factsOf(arrival), ...to, startedAtMs };
    const known = callback ? { ...plain, callback } : plain;
    const facts: CallFacts = transferredFrom ? { ...known, transferredFrom } : known;
    const call = new Call(context, this, facts, flow, arrival);
    this.add(call);
    this.observer.began?.(facts, arrival.dialledAt === null);
    if (arrival.alreadyAnswered) this.callerAnswered(call, 0);
    if (arrival.agent !== null) agentStates.talks(id, arrival.agent);
    call.start();
  }

  transfer(call: Call, by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer {
    return this.transfers.referred(call, by, dialled, replaces);
  }

  legChanged({ facts }: Call): void {
    this.observer.legChanged?.(facts.id);
  }

  callerAnswered({ facts }: Call, atMs: number): void {
    this.observer.callerAnswered?.(facts.id, atMs);
  }

  callAnswered({ facts }: Call, answer: Answer): void {
    if (facts.callback) this.callbacks?.reached(facts.id);
    this.agentTalks(facts, answer);
    this.observer.answered?.(facts.id, answer);
  }

  agentTalks({ id, accountId }: CallFacts, { agent }: Answer): void {
    if (agent) this.environment.agentStates.talks(id, globalId(accountId, agent.eid));
  }

  callFailed({ facts, history }: Call, error: unknown): void {
    this.observer.failed(error, facts, history.trail);
  }

  callEnded(call: Call, result: CallResult): void {
    const { facts } = call;
    this.delete(call);
    this.recordCall(facts, result);
    if (facts.callback) this.callbacks?.callEnded(facts.id, result);
  }

  recordCall(facts: CallFacts, result: CallResult): void {
    // Published first: the webhook deliveries of the end are stored together with the record.
    this.environment.callEvents.callEnded(facts, result);
    this.observer.ended(facts, result);
  }
}
