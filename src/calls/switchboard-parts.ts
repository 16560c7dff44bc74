// What the switchboard needs.

import type { TrailEntry } from '../flow/trail.ts';
import type { Clock } from '../kit/clock.ts';
import type { Allowance } from '../sharing/ports/allowance.ts';
import type { NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Agents } from '../sharing/ports/queues.ts';
import type { Slots } from '../sharing/ports/slots.ts';
import type { PhoneStore } from '../telephony/ports/phone-store.ts';
import type { BanSharing, IncomingCall } from '../telephony/telephony.ts';
import type { CallServices } from './account-context.ts';
import type { Presences } from './agents/presences.ts';
import { type BotStreams, NO_BOTS } from './bots/bot-streams.ts';
import type { CallbacksParts } from './callbacks/callback-parts.ts';
import type { AgentSettings } from './features/agent-settings.ts';
import type { Answer, CallFacts, CallResult, TransferredBy } from './records/call-record.ts';
import type { RecordWriter } from './records/record-writer.ts';
import { type FlowRequests, NO_REQUESTS } from './requests/flow-requests.ts';
import type { Destination } from './routing/dialling.ts';
import type { Routes } from './routing/routing.ts';
import { NO_SIP_ADDRESSES, type SipAddresses } from './sip-addresses.ts';
import { type CallSpeech, NO_SPEECH } from './speech.ts';

export interface SwitchboardParts extends Pick<CallServices, 'callEvents' | 'callRecordings' | 'smsWriter'> {
  readonly agents: Agents;
  readonly presences: Presences;
  readonly routing: Routes;
  readonly clock: Clock;
  readonly writer: Pick<RecordWriter, 'add'>;
  readonly failed: (error: unknown, facts: CallFacts, trail: readonly TrailEntry[]) => void;
  readonly ended: (facts: CallFacts, result: CallResult) => void;
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
  /** Of a known peer, before it became a call. */
  readonly refused?: (status: number, call: IncomingCall | null) => void;
  readonly phones?: PhoneStore;
  readonly bans?: BanSharing;
  readonly slots: Slots;
  /** Clicks to call over all nodes; absent: this is the only one. */
  readonly clicks?: Allowance;
  readonly counts: NodeCounts;
  readonly agentSettings: AgentSettings;
  /** Absent: calls ask no systems. */
  readonly flowRequests?: FlowRequests;
  /** Absent: no SIP address is dialled. */
  readonly sipAddresses?: SipAddresses;
  /** Absent: no text is spoken. */
  readonly speech?: CallSpeech;
  /** Absent: calls talk with no voice bots. */
  readonly bots?: BotStreams;
  /** Absent: callers are not called back. */
  readonly callbacks?: Pick<CallbacksParts, 'storage' | 'node' | 'isShared' | 'failed'>;
}

/** What calls reach beyond telephones; what is absent does nothing. */
export const optionalServices = ({
  flowRequests = NO_REQUESTS,
  sipAddresses = NO_SIP_ADDRESSES,
  speech = NO_SPEECH,
  bots = NO_BOTS,
}: SwitchboardParts) => ({ flowRequests, sipAddresses, speech, bots });

/** Of one side of a call that is transferred. */
export interface NextCall {
  readonly dialled: string;
  /** The destination in the trail of the former call. */
  readonly shown: string;
  readonly alreadyAnswered: boolean;
  readonly to: Destination;
  readonly by: TransferredBy;
}
