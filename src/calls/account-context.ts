// What the calls of one account share. Made once for each state of the account's routes, so that a call carries one reference
// instead of a closure for each question.

import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { BYTES_PER_MB } from '../domain/account-limits.ts';
import { newId } from '../domain/id.ts';
import { promptRecordingId, shippedFor } from '../domain/prompt-language.ts';
import type { CallEvent, RingTarget } from '../flow/call-state.ts';
import { type Flow, resolve } from '../flow/flow.ts';
import type { SipRefusal } from '../flow/logic-phase.ts';
import type { RecordingId, Ref } from '../flow/node.ts';
import { splitReference } from '../kinds/reference.ts';
import type { QueueEntry } from '../sharing/ports/queues.ts';
import { when } from '../sharing/ports/when.ts';
import type { PlayableSound, Target } from '../telephony/telephony.ts';
import type { Arrival } from './call/arrival.ts';
import type { AgentName } from './call/ended-leg.ts';
import { callableNumber } from './callbacks/callback-rules.ts';
import type { CallEnvironment } from './environment.ts';
import type { CallFacts } from './records/call-record.ts';
import type { CallRecording, CallRecordingFacts } from './records/call-recordings.ts';
import type { RecordingRefusal } from './records/recording-space.ts';
import { agentIdOf, globalId, outRoute, splitGlobalId, trunkTarget } from './routing/dialling.ts';
import type { AccountRoutes } from './routing/routing.ts';
import type { QueueSms } from './sms/sms-writer.ts';

export interface WantedRecording {
  /** Both sides hear a tone again and again. */
  readonly notice: boolean;
  readonly eid: string | null;
}

type DirectoryAnswer = Pick<Extract<CallEvent, { type: 'directory-told' }>, 'idleSince' | 'lastRung'>;

export class AccountContext {
  readonly account: AccountRoutes;
  readonly services: CallEnvironment;

  constructor(account: AccountRoutes, services: CallEnvironment) {
    this.account = account;
    this.services = services;
  }

  /** By the id that AgentStates knows; null: no agent. */
  agentName(agent: string | null): AgentName | null {
    if (agent === null) return null;
    const { id: eid } = splitGlobalId(agent);
    return { eid, name: this.account.agents.get(eid)?.name ?? '' };
  }

  /** Why `node` may not ring the agent: a department may not while the agent is paused or signed out of it. */
  barred(agent: string, node: Ref, busy: readonly string[]): 'agent-paused' | 'agent-busy' | null {
    const isServed =
      !node.startsWith('department||') || this.services.desk.serves(agent, globalId(this.account.id, node));
    if (!isServed) return 'agent-paused';
    return busy.includes(agent) ? 'agent-busy' : null;
  }

  /** Whether agents who talk may be rung, too. An agent may choose it for calls that no department offers. */
  isShared(node: Ref): boolean {
    const { agents, settings } = this.account;
    const { kind, id } = splitReference(node);
    const called = kind === 'extension' ? agents.get(id) : undefined;
    return called?.call_waiting ?? settings.several_calls_per_agent;
  }

  /** Null if no file was ever stored for the recording. */
  soundOf(recording: RecordingId): string | null {
    return this.account.sounds.get(recording) ?? null;
  }

  /** A built-in prompt in the account's language: its own recording of it, the shipped one, or else the English one. */
  systemSound(prompt: string): PlayableSound {
    const { language } = this.account.settings;
    if (prompt === BUILT_IN_MUSIC.prompt) return BUILT_IN_MUSIC;
    if (prompt === WAIT_TONE) return { kind: 'system', prompt };
    const sha256 = this.soundOf(promptRecordingId(language, prompt));
    if (sha256 !== null) return { kind: 'recording', sha256 };
    const shipped = shippedFor(language) ?? DEFAULT_SETTINGS.language;
    return {
      kind: 'system',
      prompt: shipped === DEFAULT_SETTINGS.language ? prompt : `${shipped}/${prompt}`,
    };
  }

  /** For who is on hold: the music of the department that the call came through last, or the account's. */
  holdSound(flow: Flow, arrivals: Iterable<Ref>): PlayableSound {
    const { hold_sound: kind, music_on_hold: own } = this.account.settings;
    if (kind !== 'music') return kind === 'tone' ? HOLD_TONE : SILENCE;
    const music = departmentMusic(flow, arrivals) ?? (own === null ? null : splitReference(own).id);
    const sha256 = music === null ? null : this.soundOf(music);
    return sha256 === null ? BUILT_IN_MUSIC : { kind: 'recording', sha256 };
  }

  /** Whom to dial; null: no trunk routes the number; text: why a SIP address is not dialled. */
  targetOf(
    target: RingTarget,
    { agent, caller }: Pick<Arrival, 'agent' | 'caller'>,
  ): Target | SipRefusal | null {
    if (target.sip)
      return this.services.sipAddresses.targetOf(this.account, splitReference(target.owner).id, target.sip);
    if (target.via === 'intercom') {
      const id = agentIdOf(this.account.id, target.owner);
      return id === null ? null : { kind: 'phones', id };
    }
    const route = outRoute(this.account, target.number, target.byAgent === true);
    return route && trunkTarget(this.account, route, target.number, callingEid(target, agent), caller);
  }

  /** What the ring strategies of a department go by. */
  directoryAnswer(node: Ref, agents: readonly Ref[]): DirectoryAnswer | Promise<DirectoryAnswer> {
    const { id } = this.account;
    const ids = agents.map((ref) => globalId(id, splitReference(ref).id));
    const standing = this.services.agentStates.standing(globalId(id, node), ids);
    return when(standing, ({ idleSince, lastRung }) => ({
      idleSince: Object.fromEntries(agents.map((ref, index) => [ref, idleSince.get(ids[index] ?? '') ?? 0])),
      lastRung,
    }));
  }

  rang(call: string, node: Ref, agent: Ref): void {
    this.services.agentStates.rang(call, globalId(this.account.id, node), agent);
  }

  leaveQueue(entry: QueueEntry, servedBy: Ref | null): void {
    const { queues, agentStates } = this.services;
    const agent = servedBy === null ? null : agentIdOf(this.account.id, servedBy);
    if (agent !== null) agentStates.served(agent, entry.order.rules.wrapupSeconds);
    queues.leave(entry, servedBy);
  }

  /** A number that the caller may have typed is texted where it would be called back, and a few times an hour (docs/threat-model.md T72). */
  queueSms(flow: Flow, facts: CallFacts, action: QueueSms): string | null | Promise<string | null> {
    const { smsWriter } = this.services;
    if (!action.chosen) return smsWriter.queue(flow, facts, action);
    const callable = callableNumber(this.account, action.to, true);
    if (!callable) return null;
    const caller = facts.caller === null ? '' : this.account.numbering.key(facts.caller);
    return smsWriter.queue(flow, facts, action, { caller, number: callable.key });
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

  /** Null if it may be recorded. */
  recordingRefusal(kind: CallRecordingFacts['kind']): RecordingRefusal | null {
    return this.services.callRecordings.refusal(this.account.id, kind, this.#maxBytes(kind));
  }

  #maxBytes(kind: CallRecordingFacts['kind']): number {
    const { max_call_recordings_mb, max_voicemail_mb } = this.account.limits;
    return (kind === 'call' ? max_call_recordings_mb : max_voicemail_mb) * BYTES_PER_MB;
  }

  /** Null if the conversation is not recorded. A menu on the way asks for it, or the agent on either side. */
  recordingOf(
    flow: Flow,
    callingAgent: string | null,
    owner: Ref,
    arrivals: Iterable<Ref>,
  ): WantedRecording | null {
    const { agents, settings } = this.account;
    const { kind, id } = splitReference(owner);
    const called = kind === 'extension' ? agents.get(id) : undefined;
    const calling = callingAgent === null ? undefined : agents.get(splitGlobalId(callingAgent).id);
    const isRecordingMenu = (node: Ref): boolean => {
      const passed = resolve(flow, node);
      return passed?.kind === 'menu' && passed.recordCalls === true;
    };
    if (!called?.record_calls && !calling?.record_calls && ![...arrivals].some(isRecordingMenu)) return null;
    return { notice: settings.recording_notice_tone, eid: called?.eid ?? calling?.eid ?? null };
  }
}

/** Not spoken, hence in no language. */
const WAIT_TONE = 'please-wait';
const HOLD_TONE: PlayableSound = { kind: 'tone', tone: 'hold' };
const SILENCE: PlayableSound = { kind: 'tone', tone: 'silence' };
const BUILT_IN_MUSIC = { kind: 'system', prompt: 'music-on-hold' } as const satisfies PlayableSound;

function departmentMusic(flow: Flow, arrivals: Iterable<Ref>): RecordingId | null {
  for (const node of [...arrivals].reverse()) {
    const passed = resolve(flow, node);
    if (passed?.kind === 'department') return passed.holdMusic ?? null;
  }
  return null;
}

/** Whose caller ID rules apply to an outside number: those of its owner (follow-me), or of the agent who dials. */
function callingEid({ owner }: RingTarget, callingAgent: string | null): string | null {
  const { kind, id } = splitReference(owner);
  if (kind === 'extension') return id;
  return callingAgent === null ? null : splitGlobalId(callingAgent).id;
}
