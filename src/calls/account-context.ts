// What the calls of one account share. Made once for each state of the account's routes, so that a call carries one reference
// instead of a closure for each question.
import type { Clock } from '../clock.ts';
import { BYTES_PER_MB } from '../domain/account-limits.ts';
import { newId } from '../domain/id.ts';
import { splitReference } from '../domain/reference.ts';
import type { CallEvent, RingTarget } from '../flow/call-state.ts';
import { type Flow, resolve } from '../flow/flow.ts';
import type { RecordingId, Ref } from '../flow/node.ts';
import type { TrailEntry } from '../flow/trail.ts';
import type { Target, Telephony } from '../telephony/telephony.ts';
import type { Arrival } from './call/arrival.ts';
import type { AgentName } from './call/ended-leg.ts';
import type { CallEvents } from './events/call-events.ts';
import type { OutboundSlots } from './outbound-slots.ts';
import type { AgentStates } from './queues/agent-states.ts';
import type { Queues } from './queues/queue.ts';
import type { CallDirection, CallFacts } from './records/call-record.ts';
import type { CallRecording, CallRecordingFacts, CallRecordings } from './records/call-recordings.ts';
import type { RecordingRefusal } from './records/recording-space.ts';
import { agentIdOf, globalId, outRoute, splitGlobalId, trunkTarget } from './routing/dialling.ts';
import type { AccountRoutes } from './routing/routing.ts';
import type { SmsWriter } from './sms/sms-writer.ts';

export interface CallServices {
  readonly clock: Clock;
  readonly telephony: Telephony;
  readonly agentStates: AgentStates;
  readonly queues: Queues;
  readonly outboundSlots: OutboundSlots;
  readonly callEvents: CallEvents;
  readonly callRecordings: Pick<CallRecordings, 'begin' | 'refusal'>;
  readonly smsWriter: Pick<SmsWriter, 'queue'>;
}

export interface WantedRecording {
  /** Both sides hear a tone again and again. */
  readonly notice: boolean;
  readonly eid: string | null;
}

type DirectoryAnswer = Pick<Extract<CallEvent, { type: 'directory-told' }>, 'idleSince' | 'lastRung'>;

export class AccountContext {
  readonly account: AccountRoutes;
  readonly services: CallServices;

  constructor(account: AccountRoutes, services: CallServices) {
    this.account = account;
    this.services = services;
  }

  /** By the id that AgentStates knows; null: no agent. */
  agentName(agent: string | null): AgentName | null {
    if (agent === null) return null;
    const { id: eid } = splitGlobalId(agent);
    return { eid, name: this.account.agents.get(eid)?.name ?? '' };
  }

  /** Null: no file was ever stored for the recording. */
  soundOf(recording: RecordingId): string | null {
    return this.account.sounds.get(recording) ?? null;
  }

  /** Whom to dial; null: no trunk routes the number. */
  targetOf(target: RingTarget, { agent, caller }: Arrival, direction: CallDirection): Target | null {
    if (target.via === 'intercom') {
      const id = agentIdOf(this.account.id, target.owner);
      return id === null ? null : { kind: 'phones', id };
    }
    const route = outRoute(this.account, target.number, direction === 'outbound');
    return route && trunkTarget(this.account, route, target.number, callingEid(target, agent), caller);
  }

  /** What the ring strategies of a department go by. */
  directoryAnswer(node: Ref, agents: readonly Ref[]): DirectoryAnswer {
    const { agentStates } = this.services;
    const idleSince = (ref: Ref): number =>
      agentStates.idleSince(globalId(this.account.id, splitReference(ref).id));
    return {
      idleSince: Object.fromEntries(agents.map((ref) => [ref, idleSince(ref)])),
      lastRung: agentStates.lastRung(globalId(this.account.id, node)),
    };
  }

  rang(node: Ref, agent: Ref): void {
    this.services.agentStates.rang(globalId(this.account.id, node), agent);
  }

  beginRecording(
    about: Pick<CallRecordingFacts, 'kind' | 'box' | 'eid'>,
    call: CallFacts,
    channels: 1 | 2,
  ): CallRecording {
    const startedAtMs = this.services.clock.epochMs();
    const facts = { ...about, id: newId(startedAtMs), call, startedAtMs };
    return this.services.callRecordings.begin(facts, channels, {
      messages: this.account.settings.max_voicemails,
      bytes: this.#maxBytes(about.kind),
    });
  }

  /** Null: it may be recorded. */
  recordingRefusal(kind: CallRecordingFacts['kind']): RecordingRefusal | null {
    return this.services.callRecordings.refusal(this.account.id, kind, this.#maxBytes(kind));
  }

  #maxBytes(kind: CallRecordingFacts['kind']): number {
    const { max_call_recordings_mb, max_voicemail_mb } = this.account.limits;
    return (kind === 'call' ? max_call_recordings_mb : max_voicemail_mb) * BYTES_PER_MB;
  }

  /** Null: the conversation is not recorded. A menu on the way asks for it, or the agent on either side. */
  recordingOf(
    flow: Flow,
    callingAgent: string | null,
    owner: Ref,
    trail: readonly TrailEntry[],
  ): WantedRecording | null {
    const { agents, settings } = this.account;
    const { kind, id } = splitReference(owner);
    const called = kind === 'extension' ? agents.get(id) : undefined;
    const calling = callingAgent === null ? undefined : agents.get(splitGlobalId(callingAgent).id);
    const isRecordingMenu = ({ code, node }: TrailEntry): boolean => {
      if (code !== 'arrived' || node === null) return false;
      const passed = resolve(flow, node);
      return passed?.kind === 'menu' && passed.recordCalls === true;
    };
    if (!called?.record_calls && !calling?.record_calls && !trail.some(isRecordingMenu)) return null;
    return { notice: settings.recording_notice_tone, eid: called?.eid ?? calling?.eid ?? null };
  }
}

/** Whose caller ID rules apply to an outside number: those of its owner (follow-me), or of the agent who dials. */
function callingEid({ owner }: RingTarget, callingAgent: string | null): string | null {
  const { kind, id } = splitReference(owner);
  if (kind === 'extension') return id;
  return callingAgent === null ? null : splitGlobalId(callingAgent).id;
}
