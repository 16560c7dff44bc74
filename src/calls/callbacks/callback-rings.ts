// The phones that ring for a call-back: the offered agents first, and then the caller by an ordinary call of the agent; or the caller
// first, who then has the department's queue at the place that was kept.
import type { CallbackResult } from '../../domain/callback.ts';
import { nameOf } from '../../flow/flow.ts';
import type { DepartmentNode, Ref } from '../../flow/node.ts';
import { REFUSALS } from '../../flow/ringing.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import type { Target } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Arrival } from '../call/arrival.ts';
import { dialLeg } from '../call/outbound-leg.ts';
import type { CallObserver } from '../environment.ts';
import { AgentRing } from '../operator/agent-ring.ts';
import { targetOf } from '../operator/click-to-call.ts';
import type { CallFacts, CallResult } from '../records/call-record.ts';
import { type Destination, globalId, outRoute, trunkTarget } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import type { SwitchboardEnvironment } from '../switchboard-environment.ts';
import { departmentRef, eidOf } from './callback-rules.ts';
import type { CallbackSettings } from './callback-settings.ts';
import type { HeldCallback } from './held-callback.ts';

const FULL_MS = 15_000;

/** The registry of live calls. */
export interface CallbackHost {
  readonly environment: Pick<SwitchboardEnvironment, 'routing' | 'clock' | 'queues' | 'callEvents'>;
  readonly observer: Pick<CallObserver, 'began' | 'failed'>;
  contextOf(account: AccountRoutes): AccountContext;
  isFull(account: AccountRoutes): boolean;
  recordCall(facts: CallFacts, result: CallResult): void;
  begin(arrival: Arrival, to: Destination): void;
}

export interface CallbackOwner {
  readonly settings: Pick<CallbackSettings, 'failed'>;
  readonly host: CallbackHost;
  /** Counts the attempt. False: it must not be made. */
  begin(held: HeldCallback): Promise<boolean>;
  /** The caller answered. */
  reached(callId: string): void;
  /** The attempt did not reach the caller. `why`: a limit did not allow it, as a sentence. */
  failed(held: HeldCallback, result: CallbackResult, why?: string): void;
  /** The caller was not rung: the call-back waits again, after a while. */
  rest(held: HeldCallback, ms: number): void;
  /** It was cancelled, or is another node's. */
  drop(held: HeldCallback): void;
}

interface Ringing {
  readonly agent: Ref;
  readonly id: string;
  readonly target: Target;
  readonly release: Release;
}

/** Agents whose phones cannot be rung rest, as those who do not answer. */
export async function ringAgents(
  callbacks: CallbackOwner,
  held: HeldCallback,
  context: AccountContext,
  to: Destination,
): Promise<void> {
  const { account, services } = context;
  const { callId } = held.callback;
  const ready: Ringing[] = [];
  for (const agent of held.offered) {
    const found = account.agents.get(eidOf(agent));
    const target = found && targetOf(context, found, held.callback.number);
    // An agent's outside telephone takes a slot, too (docs/threat-model.md T1).
    const release = target ? await services.outboundSlots.acquire(account, target, callId) : null;
    if (target && release) ready.push({ agent, id: globalId(account.id, eidOf(agent)), target, release });
  }
  const ids = ready.map(({ id }) => id);
  const claimed = services.agentStates.claim(callId, ids, false);
  const { busy } = claimed instanceof Promise ? await claimed : claimed;
  try {
    for (const each of ready) {
      if (busy.includes(each.id)) each.release();
      else ringAgent(callbacks, held, context, to, each);
    }
  } finally {
    services.agentStates.settle(callId, ids);
  }
  if (held.rings.size === 0) noAgent(callbacks, held);
}

function ringAgent(
  callbacks: CallbackOwner,
  held: HeldCallback,
  context: AccountContext,
  to: Destination,
  { agent, id, target, release: releaseOutboundSlot }: Ringing,
): void {
  const { account, services } = context;
  const { callId, number } = held.callback;
  // The agent's phone shows the number that will be called.
  const shown = account.contacts.shown(number);
  const leg = dialLeg(context, shown, null, target, { agent: id }, releaseOutboundSlot);
  if (leg === null || typeof leg === 'string') return;
  const record = account.agents.get(eidOf(agent));
  const facts: CallFacts = {
    ...factsOf(held, leg.callId, services.clock.epochMs()),
    caller: record?.intercom ?? null,
    callerName: record?.name ?? '',
    madeBy: eidOf(agent),
    entry: to.entry,
    entryName: nameOf(to.flow, to.entry),
  };
  services.agentStates.rang(callId, globalId(account.id, departmentRef(held.callback)), agent);
  const ring = new AgentRing(context, facts, { leg, releaseOutboundSlot }, id, {
    keepsAgent: true,
    stopped: () => void held.rings.delete(ring),
    answered: () =>
      void agentAnswered(callbacks, held, ring, agent, target, to).catch((error: unknown) =>
        callbacks.settings.failed(error),
      ),
    failed: () => {
      if (held.rings.size === 0 && !held.answered && held.isBusy) noAgent(callbacks, held);
    },
    unrecorded: (error) => callbacks.host.observer.failed(error, facts, []),
  });
  held.rings.add(ring);
  leg.listen(ring);
}

/** The call-back stays where it is in the queue, and the agents rest. */
function noAgent(callbacks: CallbackOwner, held: HeldCallback): void {
  held.isBusy = false;
  held.offered = [];
  if (held.entry) callbacks.host.environment.queues.resume(held.entry);
}

async function agentAnswered(
  callbacks: CallbackOwner,
  held: HeldCallback,
  ring: AgentRing,
  agent: Ref,
  target: Target,
  to: Destination,
): Promise<void> {
  if (held.answered) return ring.leg.hangUp();
  held.answered = ring;
  for (const other of [...held.rings]) if (other !== ring) other.cancel('operator-hung-up');
  let isBegun = false;
  try {
    isBegun = await callbacks.begin(held);
  } finally {
    if (!isBegun || ring.isOver) {
      ring.leg.hangUp();
      // Counted, and not made: the caller was not rung.
      if (isBegun) callbacks.failed(held, 'interrupted');
      else callbacks.drop(held);
    }
  }
  if (!isBegun || ring.isOver) return;
  const { facts } = ring;
  if (held.entry) callbacks.host.environment.queues.leave(held.entry, agent);
  held.entry = null;
  callbacks.host.observer.began?.({ ...facts, ...linkOf(held) }, true);
  callbacks.host.begin(arrivalOf(held, ring, target.kind === 'phones', ring.agentId), to);
  ring.release();
}

export async function ringCaller(
  callbacks: CallbackOwner,
  held: HeldCallback,
  context: AccountContext,
  department: DepartmentNode,
): Promise<void> {
  const { account, services } = context;
  const { callId, number } = held.callback;
  const route = outRoute(account, number, true);
  const target = route && trunkTarget(account, route, number, null, null);
  const releaseOutboundSlot = target && (await services.outboundSlots.acquire(account, target, callId));
  if (!target || !releaseOutboundSlot) return callbacks.rest(held, FULL_MS);
  let isBegun = false;
  try {
    isBegun = await callbacks.begin(held);
  } finally {
    if (!isBegun) releaseOutboundSlot();
  }
  if (!isBegun) return callbacks.drop(held);
  const shown = { caller: null, callerName: '' };
  const leg = dialLeg(context, shown, null, target, { agent: null }, releaseOutboundSlot);
  if (leg === null) return callbacks.failed(held, 'unreachable');
  if (typeof leg === 'string')
    return callbacks.failed(held, 'unreachable', `The caller was not called: ${REFUSALS[leg]}.`);
  const facts: CallFacts = {
    ...factsOf(held, leg.callId, services.clock.epochMs()),
    caller: number,
    callerName: context.account.contacts.nameOf(number),
    entry: department.ref,
    entryName: department.name,
    ...linkOf(held),
  };
  const ring = new AgentRing(context, facts, { leg, releaseOutboundSlot }, null, {
    stopped: () => void held.rings.delete(ring),
    answered: () => callerAnswered(callbacks, held, context, ring),
    failed: (result) => {
      callbacks.host.recordCall(facts, result);
      callbacks.failed(held, resultOf(result));
    },
    unrecorded: (error) => callbacks.host.observer.failed(error, facts, []),
  });
  held.rings.add(ring);
  callbacks.host.observer.began?.(facts, true);
  leg.listen(ring);
}

function resultOf({ end: { code } }: CallResult): 'busy' | 'no-answer' | 'unreachable' {
  if (code === 'agent-busy') return 'busy';
  return code === 'no-answer' ? 'no-answer' : 'unreachable';
}

function callerAnswered(
  callbacks: CallbackOwner,
  held: HeldCallback,
  { account }: AccountContext,
  ring: AgentRing,
): void {
  held.answered = ring;
  const { callId } = held.callback;
  const { entry } = ring.facts;
  // The flow joins the queue in this turn of the event loop, and has the place (Callbacks.takeOver).
  callbacks.host.begin(arrivalOf(held, ring, false, null), {
    account,
    flow: account.flow,
    entry,
    direction: 'outbound',
  });
  callbacks.reached(callId);
}

const linkOf = ({ callback: { id, askedBy, attempts } }: HeldCallback): Pick<CallFacts, 'callback'> => ({
  callback: { id, callId: askedBy, attempt: attempts },
});

function factsOf(held: HeldCallback, sipCallId: string, startedAtMs: number) {
  const { callId: id, accountId, number: dialled } = held.callback;
  return {
    id,
    accountId,
    callId: sipCallId,
    direction: 'outbound',
    dialled,
    startedAtMs,
  } as const;
}

function arrivalOf(held: HeldCallback, ring: AgentRing, isPhone: boolean, agent: string | null): Arrival {
  const { facts, leg, releaseOutboundSlot, beganMs, rangMs } = ring;
  const { priority } = held.callback;
  return {
    leg,
    releaseOutboundSlot,
    // An agent on an outside telephone, and the caller, may talk, but not transfer.
    peer: isPhone && agent !== null ? { kind: 'phone', id: agent } : { kind: 'local' },
    agent,
    dialled: facts.dialled,
    caller: facts.caller,
    callerName: facts.callerName,
    ...(agent === null ? { isContact: true } : {}),
    callId: leg.callId,
    alreadyAnswered: true,
    id: facts.id,
    transferredFrom: null,
    dialledAt: { beganMs, rangMs },
    ...(priority > 0 ? { priority } : {}),
    ...linkOf(held),
  };
}
