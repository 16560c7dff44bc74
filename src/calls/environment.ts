// What exists around live calls, and who is notified of them. Made once for the node (switchboard-environment.ts); every call reaches it
// by the context of its account.

import type { TrailEntry } from '../flow/trail.ts';
import type { Clock } from '../kit/clock.ts';
import type { NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Queues } from '../sharing/ports/queues.ts';
import type { IncomingCall, Telephony } from '../telephony/telephony.ts';
import type { AgentActivity } from './agents/agent-activity.ts';
import type { AgentDesk } from './agents/agent-desk.ts';
import type { Presences } from './agents/presences.ts';
import type { BotStreams } from './bots/bot-streams.ts';
import type { CallbackDesk } from './callbacks/callback-desk.ts';
import type { CallEvents } from './events/call-events.ts';
import type { AgentSettings } from './features/agent-settings.ts';
import type { OutboundSlots } from './outbound-slots.ts';
import type { WaitReasons } from './queues/wait-reasons.ts';
import type { Answer, CallFacts, CallResult } from './records/call-record.ts';
import type { CallRecordings } from './records/call-recordings.ts';
import type { FlowRequests } from './requests/flow-requests.ts';
import type { Rooms } from './rooms/rooms.ts';
import type { SipAddresses } from './sip-addresses.ts';
import type { SmsWriter } from './sms/sms-writer.ts';
import type { CallSpeech } from './speech.ts';

export interface CallEnvironment {
  readonly clock: Clock;
  readonly telephony: Telephony;
  readonly agentStates: AgentActivity;
  readonly desk: Pick<AgentDesk, 'serves'>;
  readonly presences: Presences;
  readonly queues: Queues;
  readonly waitReasons: Pick<WaitReasons, 'textOf'>;
  /** Null if callers are not called back. */
  readonly callbacks: CallbackDesk | null;
  readonly outboundSlots: OutboundSlots;
  readonly rooms: Rooms;
  readonly counts: NodeCounts;
  readonly callEvents: CallEvents;
  readonly callRecordings: Pick<CallRecordings, 'begin' | 'refusal'>;
  readonly smsWriter: Pick<SmsWriter, 'queue'>;
  readonly flowRequests: FlowRequests;
  readonly sipAddresses: SipAddresses;
  readonly speech: CallSpeech;
  readonly bots: BotStreams;
  readonly agentSettings: AgentSettings;
  /** As AgentDialogs: for the lamps of colleagues. */
  readonly dialogs: { changed(agent: string | null): void };
}

/** Who is notified of calls: records, journals, counts and the log. */
export interface CallObserver {
  /** A click to call begins twice, with one id: when the agent is rung, and when the agent has answered. */
  readonly began?: (facts: CallFacts, isFirst: boolean) => void;
  readonly callerAnswered?: (id: string, atMs: number) => void;
  readonly answered?: (id: string, answer: Answer) => void;
  /** Begun at another node, that long ago. */
  readonly recovered?: (facts: CallFacts, ageMs: number, answer: Answer | null) => void;
  /** What another node would need of its legs has changed. */
  readonly legChanged?: (id: string) => void;
  /** Another node has the call, and makes its record. */
  readonly abandoned?: (id: string) => void;
  /** A known peer was refused before it became a call. */
  readonly refused?: (status: number, call: IncomingCall | null) => void;
  /** Its record is due. */
  readonly ended: (facts: CallFacts, result: CallResult) => void;
  readonly failed: (error: unknown, facts: CallFacts, trail: readonly TrailEntry[]) => void;
}
