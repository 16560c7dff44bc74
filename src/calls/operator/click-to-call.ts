// Click to call: the agent's phones ring first; whoever picks up is then the caller of an ordinary call to the number. Until then
// there is no call, only a phone that rings: it is kept here, and written down when nobody picks up.

import type { Clock } from '../../clock.ts';
import type { Agent } from '../../domain/agent.ts';
import { type EndCode, endReason } from '../../flow/trail.ts';
import type { Leg, LegEnd, Target, Telephony } from '../../telephony/telephony.ts';
import { type CallLadder, callLadder } from '../call/call-ladder.ts';
import type { LegRecord } from '../call/ended-leg.ts';
import { nothing, QUIET } from '../call/quiet-leg.ts';
import type { AgentStates } from '../queues/agent-states.ts';
import { type CallEnd, type CallFacts, type CallResult, ownEnd } from '../records/call-record.ts';
import { type Destination, dialledByAgent, globalId, outRoute, trunkTarget } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';

/** Agents of one account whose phones ring for it at the same time. */
export const MAX_RINGING = 20;
const MINUTE_MS = 60_000;

export type ClickRefusal =
  | 'agent-unknown'
  | 'product-not-applied'
  | 'agent-blocked'
  | 'agent-busy'
  | 'agent-unreachable'
  | 'number-unknown'
  | 'number-not-allowed'
  | 'outbound-full'
  | 'too-many';

export interface ClickRefused {
  readonly refused: ClickRefusal;
  readonly retryAfterSeconds?: number;
}

/** Who is to call whom, and the id that the call has been promised. */
export interface Click {
  readonly id: string;
  readonly eid: string;
  readonly number: string;
}

export interface ClickParts {
  readonly clock: Clock;
  readonly agentStates: AgentStates;
  readonly telephony: () => Telephony | null;
  /** Told as of any call, so that a process that is killed leaves a record of it. */
  readonly began?: (facts: CallFacts) => void;
  /** Nobody picked up: that is all there was to the call. */
  readonly over: (facts: CallFacts, result: CallResult) => void;
  /** Whether the account has its fill of calls outside. */
  readonly isFull: (account: AccountRoutes) => boolean;
  /** Room for one more call outside, until the returned function is called; null: there is none. */
  readonly acquireOutboundSlot: (account: AccountRoutes) => (() => void) | null;
  readonly begin: (answered: Answered) => void;
}

export interface Answered {
  readonly leg: Leg;
  readonly id: string;
  readonly account: AccountRoutes;
  readonly agent: Agent;
  /** As the desk names the agent. */
  readonly agentId: string;
  /** The agent is on a registered phone, not on a telephone of the world. */
  readonly isPhone: boolean;
  /** To be called when the leg ends. */
  readonly releaseOutboundSlot: () => void;
  readonly dialled: string;
  readonly to: Destination;
}

interface Ringing {
  readonly accountId: string;
  readonly facts: CallFacts;
  readonly leg: Leg;
  /** Why we stopped ringing; null: we did not, or nobody picked up in time. */
  stopped: 'operator-hung-up' | 'service-stopped' | null;
}

export class ClickToCall {
  readonly #parts: ClickParts;
  readonly #ringing = new Map<string, Ringing>();
  /** By account: when it asked within the last minute. */
  readonly #asked = new Map<string, number[]>();

  constructor(parts: ClickParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#ringing.size;
  }

  /** Those whose agent has not picked up yet. */
  factsOf(accountId: string): CallFacts[] {
    return [...this.#ringing.values()]
      .filter((each) => each.accountId === accountId)
      .map(({ facts }) => facts);
  }

  cancel(accountId: string, id: string): boolean {
    const ringing = this.#ringing.get(id);
    if (ringing?.accountId !== accountId) return false;
    ringing.stopped = 'operator-hung-up';
    ringing.leg.hangUp();
    return true;
  }

  isRinging(accountId: string, id: string): boolean {
    return this.#ringing.get(id)?.accountId === accountId;
  }

  cancelAll(): void {
    for (const ringing of [...this.#ringing.values()]) {
      ringing.stopped = 'service-stopped';
      ringing.leg.hangUp();
    }
  }

  /** Null when the agent's phones ring. */
  start(account: AccountRoutes, { id, eid, number }: Click): ClickRefused | null {
    const agent = account.agents.get(eid);
    if (!agent) return { refused: 'agent-unknown' };
    if (agent.product_clicktocall !== 1) return { refused: 'product-not-applied' };
    if (agent.custom_status === 1) return { refused: 'agent-blocked' };
    const to = dialledByAgent(account, number);
    if ('status' in to) return { refused: to.status === 404 ? 'number-unknown' : 'number-not-allowed' };
    if (to.direction === 'outbound' && this.#parts.isFull(account)) return { refused: 'outbound-full' };
    const agentId = globalId(account.id, eid);
    if (this.#parts.agentStates.isBusy(agentId)) return { refused: 'agent-busy' };
    const retryAfterSeconds = this.#take(account);
    if (retryAfterSeconds > 0) return { refused: 'too-many', retryAfterSeconds };
    return this.#ring({ id, account, agent, agentId, dialled: number, to });
  }

  #ring(wanted: Omit<Answered, 'leg' | 'isPhone' | 'releaseOutboundSlot'>): ClickRefused | null {
    const { id, account, agent, agentId, dialled, to } = wanted;
    const { clock, agentStates, begin } = this.#parts;
    const telephony = this.#parts.telephony();
    const target = telephony && this.#targetOf(account, agent, dialled, telephony);
    if (!target) return { refused: 'agent-unreachable' };
    const isPhone = target.kind === 'phones';
    // The agent's telephone outside counts as much as any other (T1).
    const releaseOutboundSlot = isPhone ? nothing : this.#parts.acquireOutboundSlot(account);
    if (!releaseOutboundSlot) return { refused: 'outbound-full' };
    // The agent's phone shows whom it will call.
    const leg = telephony.dial(target, { caller: dialled, callerName: '' });
    if (!leg) {
      releaseOutboundSlot();
      return { refused: 'agent-unreachable' };
    }
    const startedAtMs = clock.epochMs();
    const beganMs = clock.nowMs();
    const facts: CallFacts = {
      id,
      accountId: account.id,
      callId: leg.id,
      direction: to.direction,
      caller: agent.intercom,
      callerName: agent.name,
      dialled,
      entry: to.entry,
      startedAtMs,
    };
    agentStates.begin(agentId);
    const ringing: Ringing = { accountId: account.id, facts, leg, stopped: null };
    this.#ringing.set(id, ringing);
    this.#parts.began?.(facts);
    const late = clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
    const over = (): void => {
      late();
      this.#ringing.delete(id);
      agentStates.end(agentId, clock.epochMs());
    };
    leg.listen({
      ...QUIET,
      answered: () => {
        over();
        begin({ ...wanted, leg, isPhone, releaseOutboundSlot });
      },
      ended: (end, statistics) => {
        releaseOutboundSlot();
        over();
        const ringMs = clock.nowMs() - beganMs;
        const why = ringing.stopped === null ? endReason(codeOf(end)) : ownEnd(ringing.stopped);
        void Promise.resolve(statistics).then((whole) =>
          this.#tell(
            facts,
            agent,
            why,
            { role: 'caller', number: agent.intercom, end, statistics: whole },
            ringMs,
            callLadder([leg.ladder?.()], undefined, beganMs),
          ),
        );
      },
    });
    return null;
  }

  /** Registered phones; an agent who has none is called at the number to follow, where a trunk reaches it. */
  #targetOf(account: AccountRoutes, agent: Agent, dialled: string, telephony: Telephony): Target | null {
    const { eid, follow_me_number: number } = agent;
    const id = globalId(account.id, eid);
    if (telephony.phonesOf(id).length > 0) return { kind: 'phones', id };
    const route = number === '' ? null : outRoute(account, number, false);
    return route && trunkTarget(account, route, number, eid, dialled);
  }

  /** 0 when one more may be asked for, else the seconds to wait. */
  #take({ id, settings }: AccountRoutes): number {
    if (this.factsOf(id).length >= MAX_RINGING) return 1;
    const nowMs = this.#parts.clock.nowMs();
    const asked = (this.#asked.get(id) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS);
    const oldest = asked[0];
    if (asked.length >= settings.clicks_per_minute)
      return oldest === undefined ? 60 : Math.ceil((oldest + MINUTE_MS - nowMs) / 1000);
    asked.push(nowMs);
    this.#asked.set(id, asked);
    return 0;
  }

  #tell(
    facts: CallFacts,
    agent: Agent,
    reason: CallEnd,
    leg: LegRecord,
    ringMs: number,
    ladder: CallLadder,
  ): void {
    const durationMs = Math.round(ringMs);
    const result: CallResult = {
      end: reason,
      durationMs,
      answeredBy: null,
      ringMs: durationMs,
      talkMs: 0,
      queueMs: 0,
      trail: [
        {
          atMs: 0,
          node: null,
          code: 'ringing',
          text: `Rings ${agent.name}, who is to call ${facts.dialled}.`,
        },
        { atMs: durationMs, node: null, code: 'ended', text: reason.text },
      ],
      events: [],
      keys: [],
      ladder,
      recording: null,
      voicemail: null,
      legs: [leg],
    };
    this.#parts.over(facts, result);
  }
}

function codeOf({ outcome }: LegEnd): EndCode {
  if (outcome === 'busy' || outcome === 'declined') return 'agent-busy';
  return outcome === 'no-answer' ? 'no-answer' : 'agent-unreachable';
}
