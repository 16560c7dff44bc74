// What this node knows of agents now, by routes, registered phones, presences and its own calls: whether a call may be offered to one,
// and the one state that all show.

import { type AgentState, agentState } from '../../domain/agent-state.ts';
import { type AgentNode, type DepartmentNode, referenceTo } from '../../flow/node.ts';
import { isOffered } from '../../flow/ringing.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Duty } from '../../sharing/ports/queues.ts';
import type { Telephony } from '../../telephony/telephony.ts';
import { globalId, outRoute, splitGlobalId } from '../routing/dialling.ts';
import type { AccountRoutes, Routes } from '../routing/routing.ts';
import type { AgentActivity } from './agent-activity.ts';
import type { AgentPhones, AgentView } from './agent-view.ts';
import type { Presences } from './presences.ts';

const NONE: readonly string[] = [];

export interface AgentDeskParts {
  readonly routing: Pick<Routes, 'account'>;
  readonly presences: Pick<Presences, 'of' | 'isPaused'>;
  readonly clock: Pick<Clock, 'epochMs'>;
}

/** Since when; null: not known. */
export interface AgentSince {
  readonly stateSince: (agent: string) => number | null;
  readonly phonesGoneAt: (agent: string) => number | null;
}

export class AgentDesk implements Duty {
  readonly #parts: AgentDeskParts;
  /** Known once the times of agents are counted. */
  since: AgentSince = { stateSince: () => null, phonesGoneAt: () => null };
  readonly #activity: Pick<AgentActivity, 'isTalking' | 'isRinging' | 'isWrappingUp'>;
  readonly #telephony: () => Pick<Telephony, 'phonesOf'> | undefined;

  /** `telephony`: undefined until it is open. */
  constructor(
    parts: AgentDeskParts,
    activity: Pick<AgentActivity, 'isTalking' | 'isRinging' | 'isWrappingUp'>,
    telephony: () => Pick<Telephony, 'phonesOf'> | undefined,
  ) {
    this.#parts = parts;
    this.#activity = activity;
    this.#telephony = telephony;
  }

  /** By the routes of now: a queued call outlives many changes. */
  isPresent(agent: string): boolean {
    const found = this.#find(agent);
    if (!found || this.#parts.presences.isPaused(agent)) return false;
    const { account, node } = found;
    if (!isOffered(account.flow, node, this.#parts.clock.epochMs())) return false;
    if (this.#phonesOf(agent).some(({ reachable }) => reachable)) return true;
    return hasFollowMe(account, node);
  }

  isSignedIn(agent: string, department: string): boolean {
    const signedOut = this.#parts.presences.of(agent)?.signedOut ?? NONE;
    return signedOut.length === 0 || !signedOut.includes(splitReference(splitGlobalId(department).id).id);
  }

  /** Whether calls of the department are offered at all: neither paused nor signed out. */
  serves(agent: string, department: string): boolean {
    return !this.#parts.presences.isPaused(agent) && this.isSignedIn(agent, department);
  }

  levelsOf(department: string): DepartmentNode['levels'] {
    return this.#department(department)?.levels;
  }

  priorityOf(department: string): number {
    return this.#department(department)?.priority ?? 0;
  }

  togetherOf(department: string): number {
    return this.#department(department)?.together ?? 1;
  }

  /** Null if there is no such agent. */
  stateOf(agent: string): AgentState | null {
    const found = this.#find(agent);
    if (!found) return null;
    const { account, node } = found;
    const { presences, clock } = this.#parts;
    const activity = this.#activity;
    return agentState({
      isTalking: activity.isTalking(agent),
      isRinging: activity.isRinging(agent),
      isBlocked: node.blocked,
      isOffDuty: !isOffered(account.flow, { ...node, blocked: false }, clock.epochMs()),
      isPaused: presences.isPaused(agent),
      hasPhone: this.#canRing(agent, account, node),
      isWrappingUp: activity.isWrappingUp(agent),
    });
  }

  /** The views of the account's agents, or of these; those that do not exist are left out. */
  viewOf(accountId: string, eids?: readonly string[]): AgentView[] {
    const account = this.#parts.routing.account(accountId);
    return [...(eids ?? account?.agents.keys() ?? [])].flatMap((eid) => {
      const agent = globalId(accountId, eid);
      const state = this.stateOf(agent);
      if (state === null) return [];
      const presence = this.#parts.presences.of(agent);
      const { pausedAtMs = null, reason = '', signedOut = [] } = presence ?? {};
      const paused = pausedAtMs === null ? null : { reason, sinceMs: pausedAtMs };
      const sinceMs = state === 'paused' ? pausedAtMs : this.since.stateSince(agent);
      const phones = this.#phonesIn(agent);
      return [{ eid, state, sinceMs, paused, signedOut, phones, canRing: this.canRing(agent) }];
    });
  }

  /** A phone that answers, or a follow-me number that a trunk routes. */
  canRing(agent: string): boolean {
    const found = this.#find(agent);
    return found !== null && this.#canRing(agent, found.account, found.node);
  }

  #canRing(agent: string, account: AccountRoutes, node: AgentNode): boolean {
    return this.#phonesOf(agent).some(({ answers }) => answers) || hasFollowMe(account, node);
  }

  #find(agent: string): { readonly account: AccountRoutes; readonly node: AgentNode } | null {
    const { accountId, id } = splitGlobalId(agent);
    const account = this.#parts.routing.account(accountId);
    const node = account?.flow.nodes.get(referenceTo('agent', id));
    return account && node?.kind === 'agent' ? { account, node } : null;
  }

  #department(department: string): DepartmentNode | null {
    const { accountId, id } = splitGlobalId(department);
    const node = this.#parts.routing.account(accountId)?.flow.nodes.get(id);
    return node?.kind === 'department' ? node : null;
  }

  hasPhone(agent: string): boolean {
    return this.#phonesOf(agent).length > 0;
  }

  #phonesIn(agent: string): AgentPhones {
    const phones = this.#phonesOf(agent);
    const registered = phones.length;
    const reachable = phones.filter(({ answers }) => answers).length;
    return { registered, reachable, goneAtMs: registered > 0 ? null : this.since.phonesGoneAt(agent) };
  }

  #phonesOf(agent: string): ReturnType<Telephony['phonesOf']> {
    return this.#telephony()?.phonesOf(agent) ?? [];
  }
}

const hasFollowMe = (account: AccountRoutes, { followMeNumber }: AgentNode): boolean =>
  followMeNumber !== null && outRoute(account, followMeNumber, false) !== null;
