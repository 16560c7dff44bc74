// What the calls of this node do with agents: whose phones ring, who talks, who is in wrap-up. Stands in front of AgentStates,
// which shares no more than that an agent is busy.

import type { Ref } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import type { AgentStates, Claimed, Standing } from '../../sharing/ports/agent-states.ts';

interface Held {
  readonly call: string;
  legs: number;
  isTalking: boolean;
}

export class AgentActivity implements AgentStates {
  readonly #states: AgentStates;
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** By agent: the calls that hold the agent here. */
  readonly #held = new Map<string, Held[]>();
  /** Agents in a call from a queue, with the wrap-up time that follows it. */
  readonly #wrapupMs = new Map<string, number>();
  /** On the monotonic clock. */
  readonly #wrapUpUntilMs = new Map<string, number>();
  /** Called with the agent whose activity has changed. */
  changed: (agent: string) => void = () => undefined;

  constructor(states: AgentStates, clock: Pick<Clock, 'nowMs'>) {
    this.#states = states;
    this.#clock = clock;
  }

  /** Those that its calls hold, or held until a moment ago. */
  get agents(): Iterable<string> {
    return new Set([...this.#held.keys(), ...this.#wrapUpUntilMs.keys()]);
  }

  /** Ids of the calls that hold the agent here. */
  *callsOf(agent: string): Iterable<string> {
    for (const { call } of this.#held.get(agent) ?? []) yield call;
  }

  isActive(agent: string): boolean {
    return this.#held.has(agent) || this.isWrappingUp(agent);
  }

  isTalking(agent: string): boolean {
    return this.#held.get(agent)?.some(({ isTalking }) => isTalking) ?? false;
  }

  isRinging(agent: string): boolean {
    return this.#held.has(agent) && !this.isTalking(agent);
  }

  isWrappingUp(agent: string): boolean {
    const untilMs = this.#wrapUpUntilMs.get(agent);
    if (untilMs === undefined) return false;
    if (untilMs > this.#clock.nowMs()) return true;
    this.#wrapUpUntilMs.delete(agent);
    return false;
  }

  endWrapUp(agent: string): void {
    if (this.#wrapUpUntilMs.delete(agent)) this.changed(agent);
  }

  /** The agent has answered, or is the one who dials. */
  talks(call: string, agent: string): void {
    const held = this.#held.get(agent)?.find((each) => each.call === call);
    if (!held || held.isTalking) return;
    held.isTalking = true;
    this.changed(agent);
  }

  /** A caller of a queue with this wrap-up time has got the agent. */
  served(agent: string, wrapupSeconds: number): void {
    if (wrapupSeconds > 0) this.#wrapupMs.set(agent, wrapupSeconds * 1_000);
  }

  claim(call: string, agents: readonly (string | null)[], isShared: boolean): Claimed | Promise<Claimed> {
    return this.#states.claim(call, agents, isShared);
  }

  settle(call: string, agents: readonly (string | null)[]): void {
    this.#states.settle(call, agents);
  }

  occupy(call: string, agent: string): void {
    this.#states.occupy(call, agent);
    const calls = this.#held.get(agent);
    const held = calls?.find((each) => each.call === call);
    if (held) {
      held.legs += 1;
      return;
    }
    if (calls) calls.push({ call, legs: 1, isTalking: false });
    else this.#held.set(agent, [{ call, legs: 1, isTalking: false }]);
    this.changed(agent);
  }

  free(call: string, agent: string): void {
    this.#states.free(call, agent);
    const calls = this.#held.get(agent) ?? [];
    const held = calls.find((each) => each.call === call);
    if (!held) return;
    held.legs -= 1;
    if (held.legs > 0) return;
    calls.splice(calls.indexOf(held), 1);
    if (calls.length === 0) this.#idle(agent);
    this.changed(agent);
  }

  rang(call: string, department: string, agent: Ref): void {
    this.#states.rang(call, department, agent);
  }

  standing(department: string, agents: readonly string[]): Standing | Promise<Standing> {
    return this.#states.standing(department, agents);
  }

  #idle(agent: string): void {
    this.#held.delete(agent);
    const wrapupMs = this.#wrapupMs.get(agent);
    if (wrapupMs === undefined) return;
    this.#wrapupMs.delete(agent);
    this.#wrapUpUntilMs.set(agent, this.#clock.nowMs() + wrapupMs);
  }
}
