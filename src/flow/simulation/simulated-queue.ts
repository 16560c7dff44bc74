// The queue of a department in a simulated call: who is busy until when and who waits before this caller is in the
// scenario, so everything that will happen is known at the start.

import type { Action, CallEvent } from '../call-state.ts';
import { type Flow, resolve } from '../flow.ts';
import type { Ref } from '../node.ts';
import { isOffered } from '../ringing.ts';
import { chooseAgents, levelsOf } from '../strategy.ts';
import type { Scenario } from './scenario.ts';

/** How long those who wait before the caller talk to the agent they get. */
const TALK_MS = 60_000;
/** How long an agent who did not answer is left in peace, as in live calls. */
const REST_MS = 10_000;

type Join = Extract<Action, { type: 'join-queue' }>;

export class SimulatedQueue {
  readonly #flow: () => Flow;
  readonly #scenario: () => Scenario;
  readonly #epochMs: number;
  readonly #freeAtMs = new Map<Ref, number>();
  #order: Join | null = null;
  /** When those before the caller get their agents. */
  #servedAtMs: readonly number[] = [];
  #offered: readonly Ref[] = [];

  /** Both as they are at the moment: the scenario may change during the call. */
  constructor(flow: () => Flow, scenario: () => Scenario, epochMs: number) {
    this.#flow = flow;
    this.#scenario = scenario;
    this.#epochMs = epochMs;
  }

  join(order: Join, atMs: number): CallEvent[] {
    const { request, node, rules } = order;
    const signedOut = this.#scenario().signedOut?.[node] ?? [];
    const agents = order.agents.filter((agent) => !signedOut.includes(agent));
    this.#order = { ...order, agents };
    for (const agent of agents) {
      if (!this.#freeAtMs.has(agent)) this.#freeAtMs.set(agent, this.#firstFreeMs(agent, atMs));
    }
    if (!rules.joinWhenEmpty && !agents.some((agent) => this.#isThere(agent, atMs))) {
      return [{ type: 'queue-refused', atMs, request, why: 'queue-empty' }];
    }
    const ahead = this.#scenario().waiting?.[node] ?? 0;
    this.#servedAtMs = Array.from({ length: ahead }, () => this.#serve(atMs));
    const events = this.#coming(atMs);
    const waits = events[0]?.type === 'queue-position';
    if (waits && rules.maxWaiting > 0 && this.#before(atMs) >= rules.maxWaiting) {
      return [{ type: 'queue-refused', atMs, request, why: 'queue-full' }];
    }
    return events;
  }

  resume(atMs: number): CallEvent[] {
    for (const agent of this.#offered) this.#freeAtMs.set(agent, atMs + REST_MS);
    return this.#coming(atMs);
  }

  position(atMs: number): CallEvent[] {
    if (!this.#order) return [];
    const { request } = this.#order;
    return [{ type: 'queue-position', atMs, request, position: this.#before(atMs) + 1 }];
  }

  /** Its turn at once, or its place now and its turn when it comes, if it ever does. */
  #coming(atMs: number): CallEvent[] {
    if (!this.#order) return [];
    const { request, agents, strategy, node } = this.#order;
    // Those ahead have taken the agents who are free before.
    const turnMs = Math.max(atMs, this.#earliest(agents).freeMs);
    if (turnMs === Number.POSITIVE_INFINITY) return this.position(atMs);
    const { idleSince = {}, lastRung = {}, seed = 1 } = this.#scenario();
    this.#offered = chooseAgents(strategy, agents, (agent) => this.#freeMs(agent) <= turnMs, {
      idleSince: (agent) => idleSince[agent],
      lastRung: lastRung[node] ?? null,
      random: () => fraction(seed + turnMs),
      levelOf: levelsOf(resolve(this.#flow(), node)),
    });
    const turn: CallEvent = { type: 'queue-turn', atMs: turnMs, request, agents: this.#offered };
    return turnMs > atMs ? [...this.position(atMs), turn] : [turn];
  }

  /** Gives the agent who is free first to one who waited before, and returns when that is. */
  #serve(atMs: number): number {
    const { agent, freeMs } = this.#earliest(this.#order?.agents ?? []);
    const servedMs = Math.max(atMs, freeMs);
    if (agent !== null) this.#freeAtMs.set(agent, servedMs + TALK_MS);
    return servedMs;
  }

  #earliest(agents: readonly Ref[]): { agent: Ref | null; freeMs: number } {
    let first: { agent: Ref | null; freeMs: number } = { agent: null, freeMs: Number.POSITIVE_INFINITY };
    for (const agent of agents) {
      const freeMs = this.#freeMs(agent);
      if (freeMs < first.freeMs) first = { agent, freeMs };
    }
    return first;
  }

  #before(atMs: number): number {
    return this.#servedAtMs.filter((servedMs) => servedMs > atMs).length;
  }

  #freeMs(agent: Ref): number {
    return this.#freeAtMs.get(agent) ?? Number.POSITIVE_INFINITY;
  }

  #isThere(agent: Ref, atMs: number): boolean {
    const node = resolve(this.#flow(), agent);
    if (node?.kind !== 'agent' || !isOffered(this.#flow(), node, this.#epochMs + atMs)) return false;
    const does = this.#scenario().agents?.[agent]?.do;
    return does !== 'unreachable' && does !== 'paused';
  }

  #firstFreeMs(agent: Ref, atMs: number): number {
    if (!this.#isThere(agent, atMs)) return Number.POSITIVE_INFINITY;
    const behaviour = this.#scenario().agents?.[agent];
    return behaviour?.do === 'busy' ? (behaviour.forMs ?? Number.POSITIVE_INFINITY) : 0;
  }
}

/** A number in [0, 1) that looks random and is the same every time. */
function fraction(seed: number): number {
  return (Math.imul(Math.trunc(seed) ^ 0x9e3779b9, 0x85ebca6b) >>> 0) / 4_294_967_296;
}
