// Takes calls from the telephone side, gives each its flow, and keeps those that live. What the rest of the service asks
// about calls, it asks here.

import type { Clock } from '../clock.ts';
import type { Agent } from '../domain/agent.ts';
import { newId } from '../domain/id.ts';
import { splitReference } from '../domain/reference.ts';
import type { RingTarget } from '../flow/call-state.ts';
import { type Flow, resolve } from '../flow/flow.ts';
import { type Ref, referenceTo } from '../flow/node.ts';
import { isOffered } from '../flow/ringing.ts';
import type { TrailEntry } from '../flow/trail.ts';
import type {
  Credentials,
  IncomingCall,
  Leg,
  ListenMode,
  Peer,
  Refusal,
  Target,
  Telephony,
  TelephonyUser,
} from '../telephony/telephony.ts';
import { Call } from './call/call.ts';
import type { CallEvents } from './events/call-events.ts';
import { type Click, type ClickRefused, ClickToCall } from './operator/click-to-call.ts';
import { type Listening, ListeningIn } from './operator/listening-in.ts';
import { describeCall, describeClick, type LiveCall } from './operator/live-calls.ts';
import type { AgentStates } from './queues/agent-states.ts';
import { Queues } from './queues/queue.ts';
import type { CallFacts, CallResult } from './records/call-record.ts';
import type { CallRecordings } from './records/call-recordings.ts';
import type { RecordWriter } from './records/record-writer.ts';
import { blockedCall, blockOf, DECLINED } from './routing/blocked-call.ts';
import {
  type Destination,
  destinationOf,
  dialledByAgent,
  globalId,
  outRoute,
  splitGlobalId,
  trunkAmong,
  trunkTarget,
} from './routing/dialling.ts';
import type { AccountRoutes, Routes } from './routing/routing.ts';
import type { SmsWriter } from './sms/sms-writer.ts';

export type Transferred = 'transferred' | 'unknown' | 'not-connected' | 'destination-unknown';

export interface SwitchboardParts {
  readonly routing: Routes;
  readonly agentStates: AgentStates;
  readonly clock: Clock;
  readonly writer: Pick<RecordWriter, 'add'>;
  readonly callEvents: CallEvents;
  readonly callRecordings: Pick<CallRecordings, 'begin'>;
  readonly smsWriter: Pick<SmsWriter, 'queue'>;
  readonly failed: (error: unknown, facts: CallFacts, trail: readonly TrailEntry[]) => void;
  readonly ended: (facts: CallFacts, result: CallResult) => void;
  readonly began?: (facts: CallFacts) => void;
}

interface Arrival {
  readonly leg: Leg;
  /** What it proved, and so what it may. */
  readonly peer: Peer;
  /** Whom the call keeps busy, as the desk names them. Not what the leg may: an agent may be on a telephone of the world. */
  readonly agent: string | null;
  readonly dialled: string;
  readonly caller: string | null;
  readonly callerName: string;
  readonly callId: string;
  /** The leg is answered already: it comes from another call, by a transfer, or was called by us. */
  readonly alreadyAnswered: boolean;
  /** The id the call has been promised; without one it is given one. */
  readonly id?: string;
  /** The leg is out in the world, called by us: its end gives back the room that it has there. */
  readonly releaseOutboundSlot?: () => void;
}

interface Running {
  readonly call: Call;
  readonly arrival: Arrival;
}

export class Switchboard implements TelephonyUser {
  readonly #parts: SwitchboardParts;
  readonly #calls = new Map<string, Running>();
  /** By account: how many legs are out in the world. */
  readonly #outside = new Map<string, number>();
  readonly #clicks: ClickToCall;
  readonly #listening: ListeningIn;
  readonly queues: Queues;
  #telephony: Telephony | null = null;

  constructor(parts: SwitchboardParts) {
    this.#parts = parts;
    this.#listening = new ListeningIn({ ...parts, telephony: () => this.#telephony });
    const { agentStates, clock } = parts;
    this.queues = new Queues({
      agentStates,
      clock,
      isPresent: (agent) => this.isPresent(agent),
      random: Math.random,
    });
    this.#clicks = new ClickToCall({
      ...parts,
      telephony: () => this.#telephony,
      over: (facts, result) => this.#over(facts, result),
      isFull: (account) => this.#isFull(account),
      acquireOutboundSlot: (account) => this.#acquireOutboundSlot(account),
      begin: ({
        leg,
        id,
        agentId: agent,
        isPhone,
        releaseOutboundSlot,
        account,
        agent: { intercom, name },
        dialled,
        to,
      }) =>
        this.#begin(
          {
            leg,
            id,
            // On a telephone of the world the agent may talk, and not send calls elsewhere.
            peer: isPhone ? { kind: 'phone', id: agent } : { kind: 'local' },
            releaseOutboundSlot,
            agent,
            dialled,
            caller: intercom,
            callerName: name,
            callId: leg.id,
            alreadyAnswered: true,
          },
          { ...to, account },
        ),
    });
  }

  /** The telephone side needs us before it can exist, and we need it after. */
  use(telephony: Telephony): void {
    this.#telephony = telephony;
  }

  liveCallsOf(accountId: string): LiveCall[] {
    const live = this.#clicks.factsOf(accountId).map(describeClick);
    for (const { call } of this.#calls.values())
      if (call.facts.accountId === accountId && !call.isOver) live.push(describeCall(call));
    return live.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  get calls(): Call[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  get count(): number {
    return this.#calls.size + this.#clicks.count;
  }

  /** Whether the agent is on duty and can be rung, busy or not. Looked at now: who waits in line outlives many changes. */
  isPresent(agent: string): boolean {
    const { accountId, id } = splitGlobalId(agent);
    const account = this.#parts.routing.account(accountId);
    const node = account?.flow.nodes.get(referenceTo('agent', id));
    if (!account || node?.kind !== 'agent') return false;
    if (!isOffered(account.flow, node, this.#parts.clock.epochMs())) return false;
    if ((this.#telephony?.phonesOf(agent).length ?? 0) > 0) return true;
    return node.followMeNumber !== null && outRoute(account, node.followMeNumber, false) !== null;
  }

  hangUpAll(): void {
    this.#clicks.cancelAll();
    for (const { call } of [...this.#calls.values()]) call.hangUp('service-stopped');
  }

  /** Another account's call is as unknown as none. */
  hangUp(accountId: string, id: string): boolean {
    if (this.#clicks.cancel(accountId, id)) return true;
    const call = this.#find(accountId, id)?.call;
    call?.hangUp('operator-hung-up');
    return call !== undefined;
  }

  /** Sends one side of a call elsewhere, whatever it is doing; whoever else is in it is hung up. */
  transferTo(accountId: string, id: string, party: 'caller' | 'called', entry: Ref): Transferred {
    const running = this.#find(accountId, id);
    const account = this.#parts.routing.account(accountId);
    if (!running || !account) return this.#clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
    // Nobody is cut off for somebody's slip of the pen.
    if (!resolve(account.flow, entry)) return 'destination-unknown';
    const { call, arrival } = running;
    const staying = party === 'caller' ? arrival : this.#calledSide(call, arrival);
    const alreadyAnswered = call.answered;
    const { direction } = call.facts;
    const released = staying && call.release(party === 'caller' ? 'called' : 'caller');
    if (!released) return 'not-connected';
    this.#begin(
      { ...without(staying), ...released, dialled: entry, alreadyAnswered },
      { account, flow: account.flow, entry, direction },
    );
    return 'transferred';
  }

  /** Rings an agent, who then hears a conversation, or takes part in it. */
  listenIn(accountId: string, id: string, eid: string, mode: ListenMode): Listening {
    const call = this.#find(accountId, id)?.call;
    const account = this.#parts.routing.account(accountId);
    if (call && account) return this.#listening.listen(call, account, eid, mode);
    return this.#clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
  }

  clickToCall(accountId: string, wanted: Click): ClickRefused | null {
    const account = this.#parts.routing.account(accountId);
    return account ? this.#clicks.start(account, wanted) : { refused: 'agent-unknown' };
  }

  #find(accountId: string, id: string): Running | undefined {
    const running = this.#calls.get(id);
    return running?.call.facts.accountId === accountId && !running.call.isOver ? running : undefined;
  }

  #isFull({ id, settings }: AccountRoutes): boolean {
    return (this.#outside.get(id) ?? 0) >= settings.max_outbound_calls;
  }

  #acquireOutboundSlot(account: AccountRoutes): (() => void) | null {
    if (this.#isFull(account)) return null;
    const { id } = account;
    this.#outside.set(id, (this.#outside.get(id) ?? 0) + 1);
    let out = true;
    return () => {
      if (!out) return;
      out = false;
      const left = (this.#outside.get(id) ?? 1) - 1;
      if (left > 0) this.#outside.set(id, left);
      else this.#outside.delete(id);
    };
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

  called(call: IncomingCall): Refusal | null | Promise<Refusal | null> {
    const fresh = this.#parts.routing.fresh();
    return fresh ? fresh.then(() => this.#take(call)) : this.#take(call);
  }

  #take(call: IncomingCall): Refusal | null {
    const to = destinationOf(this.#parts.routing, call.peer, call.dialled, call.toUser);
    if ('status' in to) return to;
    const block = blockOf(to, call);
    if (block) {
      const { facts, result } = blockedCall(call, to, block, this.#parts.clock.epochMs());
      this.#over(facts, result);
      return DECLINED;
    }
    // An account that has its fill of calls outside makes no more, whoever asks (T1).
    if (to.direction === 'outbound' && this.#isFull(to.account)) return { status: 403 };
    const agent = call.peer.kind === 'phone' ? call.peer.id : null;
    const { leg, peer, dialled, caller, callerName, callId } = call;
    this.#begin({ leg, peer, agent, dialled, caller, callerName, callId, alreadyAnswered: false }, to);
    return null;
  }

  #begin(arrival: Arrival, { account, flow, entry, direction }: Destination): void {
    const telephony = this.#telephony;
    if (!telephony) throw new Error('A call came before the telephone side was there.');
    const { clock, agentStates, callEvents, callRecordings, smsWriter } = this.#parts;
    const { leg, agent, caller, callerName, dialled, callId, alreadyAnswered } = arrival;
    const startedAtMs = clock.epochMs();
    const id = arrival.id ?? newId(startedAtMs);
    const facts = {
      id,
      accountId: account.id,
      callId,
      direction,
      caller,
      callerName,
      dialled,
      entry,
      startedAtMs,
    };
    const call = new Call({
      facts,
      flow,
      clock,
      agentStates,
      telephony,
      caller: leg,
      callerNumber: caller,
      callerName,
      callingAgent: agent,
      alreadyAnswered,
      seed: Number.parseInt(id.slice(-8), 16) || 1,
      severalCallsPerAgent: account.settings.several_calls_per_agent,
      soundOf: (recording) => account.sounds.get(recording) ?? null,
      acquireOutboundSlot: () => this.#acquireOutboundSlot(account),
      releaseOutboundSlot: arrival.releaseOutboundSlot ?? nothing,
      agentOf: (target) => agentId(account.id, target.owner),
      targetOf: (target): Target | null => {
        if (target.via === 'intercom') {
          const owner = agentId(account.id, target.owner);
          return owner === null ? null : { kind: 'phones', id: owner };
        }
        const route = outRoute(account, target.number, direction === 'outbound');
        return route && trunkTarget(account, route, target.number, followed(target, agent), caller);
      },
      directory: (node, agents) => ({
        idleSince: Object.fromEntries(
          agents.map((ref) => [ref, agentStates.idleSince(globalId(account.id, idOf(ref)))]),
        ),
        lastRung: agentStates.lastRung(globalId(account.id, node)),
      }),
      joinQueue: (order, report) =>
        this.queues.join(order, { accountId: account.id, callId: id, caller }, report),
      rang: (node, agent) => agentStates.rang(globalId(account.id, node), agent),
      callRecording: (callRecording, call, channels) => {
        const nowMs = clock.epochMs();
        const facts = { ...callRecording, id: newId(nowMs), call, startedAtMs: nowMs };
        return callRecordings.begin(facts, channels, account.settings.max_voicemails);
      },
      recording: (owner, trail) => wantedRecording(account, flow, agent, owner, trail),
      transfer: (from, by, to) => this.#transfer(from, arrival, by, to),
      noted: (facts, entry) => callEvents.trailEntryAdded(facts, entry),
      text: (its, of, action) => smsWriter.queue(its, of, action),
      failed: this.#parts.failed,
      over: (ended, result) => {
        this.#calls.delete(ended.facts.id);
        this.#over(ended.facts, result);
      },
    });
    this.#calls.set(id, { call, arrival });
    this.#parts.began?.(facts);
    call.start();
  }

  #over(facts: CallFacts, result: CallResult): void {
    const { writer, callEvents, ended } = this.#parts;
    // The end is told first: what leaves the service because of it is stored with the record.
    callEvents.callEnded(facts, result);
    writer.add(facts, result);
    ended(facts, result);
  }

  /** Only an agent may send the other side elsewhere, and only to where the agent may call. */
  #transfer(call: Call, arrival: Arrival, by: 'caller' | 'called', dialled: string): boolean {
    const account = this.#parts.routing.account(call.facts.accountId);
    const { phase } = call;
    if (!account || phase.name !== 'connected') return false;
    const onPhone = phase.target.via === 'intercom';
    const isAgent = by === 'caller' ? arrival.peer.kind === 'phone' : onPhone;
    if (!isAgent) return false;
    const to = dialledByAgent(account, dialled);
    if ('status' in to) return false;
    const staying = by === 'called' ? arrival : this.#calledSide(call, arrival);
    if (!staying) return false;
    // After the answer to the transfer has left: the leg that asked for it is hung up.
    queueMicrotask(() => {
      const released = call.release(by);
      if (released) this.#begin({ ...without(staying), ...released, dialled, alreadyAnswered: true }, to);
    });
    return true;
  }

  /** The side that was called, as one that calls now; null while nobody has answered. */
  #calledSide(call: Call, arrival: Arrival): Arrival | null {
    const { phase, facts } = call;
    if (phase.name !== 'connected') return null;
    const agent = agentId(facts.accountId, phase.target.owner);
    const onPhone = agent !== null && phase.target.via === 'intercom';
    return {
      ...arrival,
      peer: onPhone ? { kind: 'phone', id: agent } : { kind: 'local' },
      agent,
      caller: phase.target.number,
      callerName: '',
    };
  }
}

/** Another call has another id. */
function without({ id: _id, ...arrival }: Arrival): Omit<Arrival, 'id'> {
  return arrival;
}

/** Because of a menu that the call came through, or of an agent on either side. */
function wantedRecording(
  { id: accountId, agents, settings }: AccountRoutes,
  flow: Flow,
  callingAgent: string | null,
  owner: Ref,
  trail: readonly TrailEntry[],
): { notice: boolean; eid: string | null } | null {
  const { kind, id } = splitReference(owner);
  const called = kind === 'extension' ? agents.get(id) : undefined;
  const calling =
    callingAgent === null ? undefined : agents.get(callingAgent.slice(globalId(accountId, '').length));
  const isRecordingMenu = ({ code, node }: TrailEntry): boolean => {
    if (code !== 'arrived' || node === null) return false;
    const passed = resolve(flow, node);
    return passed?.kind === 'menu' && passed.recordCalls === true;
  };
  if (!called?.record_calls && !calling?.record_calls && !trail.some(isRecordingMenu)) return null;
  return { notice: settings.recording_notice_tone, eid: called?.eid ?? calling?.eid ?? null };
}

/** Whose call it is to a number outside: that of the agent whose number to follow it is, or of the one who dials. */
function followed({ owner }: RingTarget, calling: string | null): string | null {
  const { kind, id } = splitReference(owner);
  if (kind === 'extension') return id;
  return calling === null ? null : splitGlobalId(calling).id;
}

const idOf = (ref: Ref): string => splitReference(ref).id;
const nothing = (): void => undefined;

function agentId(accountId: string, owner: RingTarget['owner']): string | null {
  const { kind, id } = splitReference(owner);
  return kind === 'extension' ? globalId(accountId, id) : null;
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
