// Call-backs of this node: each waits in its department's queue with the place of the caller who asked for it; when it is its turn, the
// agent and the caller are rung, in the order of the department. Attempts are counted in the database before the caller is rung
// (storage/ports/callbacks.ts), so that none is made twice, whatever dies.
import { type Callback, type CallbackResult, isOpen } from '../../domain/callback.ts';
import { newId } from '../../domain/id.ts';
import type { CallbackAnswer } from '../../flow/callback-phase.ts';
import type { Ref } from '../../flow/node.ts';
import type { QueuedCall, QueueEntry, QueueOrder } from '../../sharing/ports/queues.ts';
import type { CallResult } from '../records/call-record.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import type { CallbackDesk, CallbackRequest } from './callback-desk.ts';
import { type CallbackEnd, describeCallback, endedCallback, endOf, resultOf } from './callback-record.ts';
import { type CallbackHost, type CallbackOwner, ringAgents, ringCaller } from './callback-rings.ts';
import {
  callableNumber,
  callingDepartment,
  departmentRef,
  eidOf,
  isWithinHours,
  outsideOf,
} from './callback-rules.ts';
import type { CallbackSettings } from './callback-settings.ts';
import { HeldCallback, keyOf } from './held-callback.ts';

export const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** How soon opening hours and the end of a pause are noticed. */
const LOOK_MS = 1_000;
/** Calls of the account, or out of it, are as many as may be: a little later. */
const FULL_MS = 15_000;
/** The database is away. */
const RETRY_MS = 2_000;
/** A node that died during an attempt leaves it to another after the longest time that a phone rings. */
const INTERRUPTED_MS = 300_000;
const MAX_HELD = 1_000;

export class Callbacks implements CallbackOwner, CallbackDesk {
  readonly settings: CallbackSettings;
  readonly host: CallbackHost;
  readonly #held = new Map<string, HeldCallback>();
  /** By the id of the call that is made. */
  readonly #byCall = new Map<string, HeldCallback>();
  #cancelLook: (() => void) | null = null;
  #cancelRenewal: (() => void) | null = null;
  readonly #settling = new Set<string>();
  /** There has been one. */
  #isUsed = false;
  #isStopped = true;

  constructor(settings: CallbackSettings, host: CallbackHost) {
    this.settings = settings;
    this.host = host;
  }

  /** Phones that ring. */
  get count(): number {
    let count = 0;
    for (const { rings } of this.#held.values()) count += rings.size;
    return count;
  }

  /** A node that takes no calls makes none. */
  drain(isOn: boolean): void {
    void (isOn ? this.stop() : this.start());
  }

  /** What a former process of this node held is its own again. */
  async start(): Promise<void> {
    if (!this.#isStopped) return;
    const { storage, node } = this.settings;
    const { clock } = this.host.environment;
    this.#isStopped = false;
    try {
      await storage.releaseCallbacks({ node, nowMs: clock.epochMs() });
      await this.#claim();
    } catch (error) {
      this.settings.failed(error);
    }
    this.#renewLater();
  }

  /** Those that wait are another node's; phones that ring go on to ring. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelLook?.();
    this.#cancelRenewal?.();
    this.#cancelLook = null;
    for (const held of [...this.#held.values()]) if (!held.isBusy) this.#forget(held);
    const { storage, node } = this.settings;
    const { clock } = this.host.environment;
    if (!this.#isUsed) return;
    await storage.releaseCallbacks({ node, nowMs: clock.epochMs() }).catch(this.settings.failed);
  }

  hangUpAll(): void {
    for (const { rings } of this.#held.values())
      for (const ring of [...rings]) ring.cancel('service-stopped');
  }

  async ask(account: AccountRoutes, request: CallbackRequest): Promise<CallbackAnswer> {
    const { facts, entry, node, number, typed } = request;
    const department = callingDepartment(account.flow, node);
    const callable = callableNumber(account, number, typed);
    if (!department || !callable) return 'number';
    const { storage } = this.settings;
    const { clock, queues, callEvents } = this.host.environment;
    const nowMs = clock.epochMs();
    const callback: Callback = {
      accountId: account.id,
      id: newId(nowMs),
      department: eidOf(node),
      number: callable.number,
      numberKey: callable.key,
      callerKey: facts.caller === null ? '' : account.numbering.key(facts.caller),
      typed,
      askedBy: facts.id,
      place: queues.callbackPlace(entry),
      priority: entry.order.priority ?? 0,
      askedAtMs: nowMs,
      state: 'waiting',
      attempts: 0,
      dueAtMs: nowMs,
      callId: newId(nowMs),
      result: null,
      endedAtMs: null,
    };
    const limits = { department: department.rules.perHour, account: account.settings.callbacks_per_hour };
    const refusal = await storage.addCallback({ callback, limits });
    if (refusal !== null) return refusal === 'open' ? 'open' : 'limit';
    callEvents.publish('callback.asked', facts, nowMs, { callback: describeCallback(callback) });
    // The place is taken before the caller leaves it.
    await this.#claim().catch(this.settings.failed);
    return 'stored';
  }

  /** The caller waits again: no call-back is needed. */
  async calledAgain(account: AccountRoutes, node: Ref, caller: string | null): Promise<void> {
    const numberKey = caller === null ? '' : account.numbering.key(caller);
    if (numberKey === '' || !callingDepartment(account.flow, node)) return;
    const { storage } = this.settings;
    const { clock } = this.host.environment;
    const which = { department: eidOf(node), numberKey };
    const cancelled = await storage.cancelCallbacks({ accountId: account.id, which, nowMs: clock.epochMs() });
    for (const callback of cancelled) this.#over(callback, 'cancelled', 'The caller called again.');
  }

  /** The caller whom this call rang is in the department's queue, with the place of the call-back. */
  takeOver(callId: string, { node, request }: QueueOrder, call: QueuedCall): QueueEntry | null {
    const held = this.#byCall.get(callId);
    if (!held?.answered || departmentRef(held.callback) !== node) return null;
    return held.handOver(call, request);
  }

  /** A call of ours has reached the caller. */
  reached(callId: string): void {
    const held = this.#byCall.get(callId);
    if (!held) return;
    this.#forget(held);
    void this.#settle(held.callback, 'done', null);
    this.#over({ ...held.callback, state: 'done' }, 'done', null);
  }

  /** A call of ours has ended. */
  callEnded(callId: string, { trail }: Pick<CallResult, 'trail'>): void {
    const held = this.#byCall.get(callId);
    if (held) this.failed(held, resultOf(trail.map(({ code }) => code)));
  }

  /** The attempt did not reach the caller. */
  failed(held: HeldCallback, result: CallbackResult, why: string | null = null): void {
    const { callback } = held;
    const account = this.host.environment.routing.account(callback.accountId);
    const rules = account && callingDepartment(account.flow, departmentRef(callback))?.rules;
    if (!rules || callback.attempts >= rules.attempts) {
      this.#end({ ...held.callback, result }, 'failed', why);
      return;
    }
    const nowMs = this.host.environment.clock.epochMs();
    const next = { ...callback, result, dueAtMs: nowMs + rules.pauseSeconds * 1_000, callId: newId(nowMs) };
    this.#byCall.delete(callback.callId);
    this.#byCall.set(next.callId, held);
    void this.#settle(next, 'waiting', result);
    held.callback = next;
    this.rest(held, 0);
  }

  /** Counts the attempt. False: it must not be made. */
  async begin(held: HeldCallback): Promise<boolean> {
    const { storage, node } = this.settings;
    const { clock } = this.host.environment;
    const { callback } = held;
    const nowMs = clock.epochMs();
    const dueAtMs = nowMs + INTERRUPTED_MS;
    const isBegun = await storage.beginCallback({ ...callback, node, nowMs, leaseMs: LEASE_MS, dueAtMs });
    if (isBegun) held.callback = { ...callback, state: 'calling', attempts: callback.attempts + 1 };
    return isBegun;
  }

  /** The caller was not rung: the call-back waits again, after a while. */
  rest(held: HeldCallback, ms: number): void {
    this.#leave(held);
    held.notBeforeMs = this.host.environment.clock.epochMs() + ms;
    held.isBusy = false;
    held.answered = null;
    held.callback = { ...held.callback, state: 'waiting' };
    if (this.#isStopped) this.#forget(held);
    else this.#lookLater();
  }

  /** It was cancelled, or is another node's. */
  drop(held: HeldCallback): void {
    this.#forget(held);
  }

  async #claim(): Promise<void> {
    const { storage, node } = this.settings;
    const { clock } = this.host.environment;
    const limit = MAX_HELD - this.#held.size;
    if (limit <= 0 || this.#isStopped) return;
    const nowMs = clock.epochMs();
    for (const callback of await storage.claimCallbacks({ node, nowMs, leaseMs: LEASE_MS, limit })) {
      this.#hold(callback);
    }
    this.#lookLater();
  }

  #hold(callback: Callback): void {
    if (this.#held.has(keyOf(callback))) return;
    const held = new HeldCallback(callback, (each) => this.#turnLater(each));
    this.#isUsed = true;
    this.#held.set(held.key, held);
    this.#byCall.set(callback.callId, held);
    this.#consider(held);
  }

  #lookLater(): void {
    if (this.#held.size === 0 || this.#cancelLook || this.#isStopped) return;
    this.#cancelLook = this.host.environment.clock.after(LOOK_MS, () => {
      this.#cancelLook = null;
      for (const held of [...this.#held.values()]) this.#consider(held);
      this.#lookLater();
    });
  }

  /** Whether it may wait for an agent now. */
  #consider(held: HeldCallback): void {
    if (held.isBusy) return;
    const { callback } = held;
    const nowMs = this.host.environment.clock.epochMs();
    const account = this.host.environment.routing.account(callback.accountId);
    const department = account && callingDepartment(account.flow, departmentRef(callback));
    const end = department ? endOf(callback, department.rules.attempts, nowMs) : 'cancelled';
    if (!department || end) {
      this.#end(callback, end ?? 'cancelled', department ? null : NO_DEPARTMENT);
      return;
    }
    const isDue =
      nowMs >= Math.max(callback.dueAtMs, held.notBeforeMs) &&
      isWithinHours(account.flow, department.rules, nowMs);
    if (!isDue) this.#leave(held);
    if (!isDue || held.entry) return;
    const { node, queue } = department;
    const { ref, agents, strategy } = node;
    const { accountId, callId, number: caller, place, priority } = callback;
    const rules = { request: 0, node: ref, agents, strategy, rules: queue };
    const order: QueueOrder = { type: 'join-queue', ...rules, ...(priority > 0 ? { priority } : {}) };
    held.entry = this.host.environment.queues.join(order, { accountId, callId, caller, place }, held);
  }

  /** Not at once: the queue may still be joining it. */
  #turnLater(held: HeldCallback): void {
    this.host.environment.clock.after(0, () => {
      if (held.isBusy || !held.entry || this.#held.get(held.key) !== held) return;
      held.isBusy = true;
      this.#turn(held).catch((error: unknown) => {
        this.settings.failed(error);
        this.rest(held, RETRY_MS);
      });
    });
  }

  async #turn(held: HeldCallback): Promise<void> {
    const { callback } = held;
    const stored = await this.settings.storage.getCallback(callback);
    if (stored?.state !== 'waiting') return this.#gone(held, stored);
    const account = this.host.environment.routing.account(callback.accountId);
    const department = account && callingDepartment(account.flow, departmentRef(callback));
    const to = account && outsideOf(account, callback.number);
    if (!account || !department || !to) return this.#end(callback, 'failed', NOT_ALLOWED);
    const context = this.host.contextOf(account);
    if (this.host.isFull(account) || context.services.outboundSlots.isFull(account))
      return this.rest(held, FULL_MS);
    if (department.rules.first === 'agent') await ringAgents(this, held, context, to);
    else await ringCaller(this, held, context, department.node);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.host.environment.clock.after(RENEW_MS, () => {
      this.#renew()
        .catch(this.settings.failed)
        .finally(() => this.#isStopped || this.#renewLater());
    });
  }

  async #renew(): Promise<void> {
    const { storage, node, isShared } = this.settings;
    const { clock } = this.host.environment;
    const before = [...this.#held.values()];
    if (this.#isUsed) {
      const kept = await storage.renewCallbacks({ node, nowMs: clock.epochMs(), leaseMs: LEASE_MS });
      const keys = new Set(kept.map(keyOf));
      for (const held of before)
        if (!keys.has(held.key) && !held.isBusy && this.#held.get(held.key) === held)
          this.#gone(held, await storage.getCallback(held.callback));
      for (const each of kept) await this.#findLost(each);
    }
    // Also alone: its own leases end while the process, or the database, stands still.
    if (isShared || this.#isUsed) await this.#claim();
  }

  /** Ours by the database, and not held here: an answer of the database was lost. */
  async #findLost(of: Pick<Callback, 'accountId' | 'id'>): Promise<void> {
    const isKnown = (): boolean => this.#held.has(keyOf(of)) || this.#settling.has(keyOf(of));
    if (isKnown()) return;
    const stored = await this.settings.storage.getCallback(of);
    if (!stored || !isOpen(stored) || isKnown() || this.#isStopped) return;
    if (stored.state === 'calling') await this.#settle(stored, 'waiting', 'interrupted');
    this.#hold({ ...stored, state: 'waiting' });
    this.#lookLater();
  }

  /** Cancelled elsewhere, or another node's. */
  #gone(held: HeldCallback, stored: Callback | null): void {
    this.#forget(held);
    if (stored?.state === 'cancelled') this.#over(stored, 'cancelled', null);
  }

  #end(callback: Callback, end: CallbackEnd, why: string | null): void {
    const held = this.#held.get(keyOf(callback));
    if (held) this.#forget(held);
    void this.#settle(callback, end, callback.result);
    this.#over({ ...callback, state: end }, end, why);
  }

  /** Its record, where no call has one; its event, and its count, which is of when it was asked for, as `callbacks_asked` is. */
  #over(callback: Callback, end: CallbackEnd | 'done', why: string | null): void {
    const held = this.#held.get(keyOf(callback));
    if (held) this.#forget(held);
    const { storage, failed } = this.settings;
    const { clock, callEvents } = this.host.environment;
    const atMs = clock.epochMs();
    const { facts, result } = endedCallback(callback, end === 'done' ? 'failed' : end, why, atMs);
    if (end !== 'done') this.host.recordCall(facts, result);
    callEvents.publish('callback.ended', facts, atMs, { callback: describeCallback(callback) });
    const measure = end === 'done' ? 'callbacks_done' : 'callbacks_failed';
    const counts = [{ subject: departmentRef(callback), measure, value: 1 }];
    const added = [{ accountId: callback.accountId, atMs: callback.askedAtMs, counts }];
    storage.addCounts({ added }).catch(failed);
  }

  /** Tried again while the database is away: the lease outlives a short outage. */
  async #settle(callback: Callback, state: CallbackEnd | 'done' | 'waiting', result: CallbackResult | null) {
    const { storage, node, failed } = this.settings;
    const { clock } = this.host.environment;
    const { attempts, dueAtMs, callId } = callback;
    const settled = { ...callback, node, attempts, state, dueAtMs, callId, result };
    const key = keyOf(callback);
    this.#settling.add(key);
    for (let tries = 0; tries < 30; tries++) {
      try {
        await storage.settleCallback({ ...settled, nowMs: clock.epochMs() });
        break;
      } catch (error) {
        failed(error);
        await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
      }
    }
    this.#settling.delete(key);
  }

  #leave(held: HeldCallback): void {
    const { entry } = held;
    held.entry = null;
    if (entry) this.host.environment.queues.leave(entry, null);
  }

  #forget(held: HeldCallback): void {
    this.#leave(held);
    this.#held.delete(held.key);
    if (this.#byCall.get(held.callback.callId) === held) this.#byCall.delete(held.callback.callId);
  }
}

const NO_DEPARTMENT = 'The department does not call back any more.';

const NOT_ALLOWED = 'The number may not be dialled any more.';
