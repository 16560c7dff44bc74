// The environment of this node's calls, made once from what the service brings along.

import type { Clock } from '../kit/clock.ts';
import type { Allowance } from '../sharing/ports/allowance.ts';
import type { NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Agents } from '../sharing/ports/queues.ts';
import type { Slots } from '../sharing/ports/slots.ts';
import type { Telephony } from '../telephony/telephony.ts';
import { AgentActivity } from './agents/agent-activity.ts';
import { AgentDesk } from './agents/agent-desk.ts';
import type { Presences } from './agents/presences.ts';
import { type BotStreams, NO_BOTS } from './bots/bot-streams.ts';
import type { CallbackDesk } from './callbacks/callback-desk.ts';
import type { CallEnvironment } from './environment.ts';
import type { CallEvents } from './events/call-events.ts';
import type { AgentSettings } from './features/agent-settings.ts';
import { OutboundSlots } from './outbound-slots.ts';
import { EstimatedQueues } from './queues/wait-estimates.ts';
import { WaitReasons } from './queues/wait-reasons.ts';
import { type FlowRequests, NO_REQUESTS } from './requests/flow-requests.ts';
import { Rooms } from './rooms/rooms.ts';
import type { Routes } from './routing/routing.ts';
import { NO_SIP_ADDRESSES, type SipAddresses } from './sip-addresses.ts';
import { type CallSpeech, NO_SPEECH } from './speech.ts';

/** What calls reach beyond telephones; what is absent does nothing. */
interface Outside {
  readonly flowRequests: FlowRequests;
  readonly sipAddresses: SipAddresses;
  readonly speech: CallSpeech;
  readonly bots: BotStreams;
}

/** What a service brings along for its calls. */
export interface GivenForCalls {
  readonly agents: Agents;
  readonly presences: Presences;
  readonly routing: Routes;
  readonly clock: Clock;
  readonly callEvents: CallEvents;
  readonly callRecordings: CallEnvironment['callRecordings'];
  readonly smsWriter: CallEnvironment['smsWriter'];
  readonly slots: Slots;
  /** Clicks to call over all nodes; absent: this is the only one. */
  readonly clicks?: Allowance;
  readonly counts: NodeCounts;
  readonly agentSettings: AgentSettings;
  readonly outside?: Partial<Outside>;
}

export class SwitchboardEnvironment implements CallEnvironment {
  readonly given: GivenForCalls;
  readonly clock: Clock;
  readonly routing: Routes;
  readonly presences: Presences;
  readonly counts: NodeCounts;
  readonly callEvents: CallEvents;
  readonly callRecordings: GivenForCalls['callRecordings'];
  readonly smsWriter: GivenForCalls['smsWriter'];
  readonly agentSettings: AgentSettings;
  readonly flowRequests: FlowRequests;
  readonly sipAddresses: SipAddresses;
  readonly speech: CallSpeech;
  readonly bots: BotStreams;
  readonly agentStates: AgentActivity;
  readonly desk: AgentDesk;
  readonly queues: EstimatedQueues;
  readonly waitReasons: WaitReasons;
  readonly rooms: Rooms;
  readonly outboundSlots: OutboundSlots;
  /** The calls of agents, for the lamps of colleagues. */
  readonly dialogs: { changed(agent: string | null): void };
  /** Null if callers are not called back. */
  callbacks: CallbackDesk | null = null;
  #telephony: Telephony | undefined;

  constructor(given: GivenForCalls, dialogs: CallEnvironment['dialogs']) {
    this.given = given;
    const { clock, agents, slots, outside = {} } = given;
    this.clock = clock;
    this.routing = given.routing;
    this.presences = given.presences;
    this.counts = given.counts;
    this.callEvents = given.callEvents;
    this.callRecordings = given.callRecordings;
    this.smsWriter = given.smsWriter;
    this.agentSettings = given.agentSettings;
    this.flowRequests = outside.flowRequests ?? NO_REQUESTS;
    this.sipAddresses = outside.sipAddresses ?? NO_SIP_ADDRESSES;
    this.speech = outside.speech ?? NO_SPEECH;
    this.bots = outside.bots ?? NO_BOTS;
    this.dialogs = dialogs;
    this.agentStates = new AgentActivity(agents.agentStates, clock);
    this.desk = new AgentDesk(given, this.agentStates, () => this.#telephony);
    this.queues = new EstimatedQueues(agents.openQueues(this.desk), clock);
    this.waitReasons = new WaitReasons(this, clock);
    this.rooms = new Rooms(slots);
    this.outboundSlots = new OutboundSlots(slots);
  }

  get telephony(): Telephony {
    if (!this.#telephony) throw new Error('A call came before telephony was set.');
    return this.#telephony;
  }

  /** Telephony needs its user before it can be opened, so it comes second. */
  use(telephony: Telephony): void {
    this.#telephony = telephony;
  }
}
