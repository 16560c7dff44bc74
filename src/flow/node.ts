// What a destination can be. Every node is plain, readonly data: the records of an account are compiled
// into these once, and a call only ever reads them.

import type { CollectNode, MessageNode, RequestNode, SipAddressNode, SwitchNode } from './logic-nodes.ts';
import type { RecordingId, Ref } from './ref.ts';
import type { StreamNode } from './stream-phase.ts';

export type { RecordingId, Ref };

export interface MenuOption {
  readonly keys: string;
  readonly destination: Ref;
  readonly smsTemplate: string | null;
  /** The webhook that is notified when the option is chosen, whatever events it has subscribed to. */
  readonly webhook?: string;
  /** The priority of the caller who chooses it, in queues from then on; absent: as before. */
  readonly priority?: number;
}

/** An IVR. The members mirror the payload of POST /v1/ivr, one by one. */
export interface MenuNode {
  readonly kind: 'menu';
  readonly ref: Ref;
  readonly name: string;
  readonly recording: RecordingId;
  /** Spoken in place of the recording; a template. */
  readonly text?: string;
  /** How long to wait for the first key after the prompt. 0 = do not wait. */
  readonly timeoutSeconds: number;
  readonly options: readonly MenuOption[];
  readonly incorrectCount: number;
  readonly invalidRecording: RecordingId;
  /** Played before `invalidDestination`; null = `invalidRecording` is played there too. */
  readonly recordingInvalid: RecordingId | null;
  readonly invalidDestination: Ref;
  readonly timeoutRetryRecording: RecordingId;
  readonly timeoutRecording: RecordingId;
  readonly timeoutDestination: Ref;
  readonly timeoutTries: number;
  /** Calls that come through here are recorded once they are connected. */
  readonly recordCalls?: boolean;
  /** The keys that are pressed here are hidden in records, events and logs (hidden-keys.ts). */
  readonly sensitive?: boolean;
}

export interface AgentNode {
  readonly kind: 'agent';
  readonly ref: Ref;
  readonly eid: string;
  readonly name: string;
  /** The number the agent's phones register under; empty = none. */
  readonly intercom: string;
  readonly followMeNumber: string | null;
  readonly blocked: boolean;
  /** The time group in which calls are offered to the agent; null = always. */
  readonly hours: Ref | null;
  readonly failover: Ref | null;
  /** No call is offered; a direct one goes on as to a busy agent. */
  readonly doNotDisturb?: true;
  /** Forwards calls to this agent, not to a department. */
  readonly forwards?: Forwards;
  /** Where the caller goes on when the agent hangs up first. */
  readonly afterCall?: Ref;
}

export interface Forwards {
  readonly always: Ref | null;
  readonly busy: Ref | null;
  readonly noAnswer: Ref | null;
}

export type RingStrategy = 'simultaneous' | 'in_order' | 'random' | 'round_robin' | 'longest_idle';

export interface DepartmentNode {
  readonly kind: 'department';
  readonly ref: Ref;
  readonly name: string;
  readonly agents: readonly Ref[];
  readonly strategy: RingStrategy;
  /** How long one agent's phones ring; null = the account's setting. */
  readonly ringSeconds: number | null;
  readonly failover: Ref | null;
  /** What a side of its calls hears while the other one holds; absent: the account's music. */
  readonly holdMusic?: RecordingId;
  /** By agent, 1 where none is set: agents of a lower level are rung first. Absent: all are of one. */
  readonly levels?: Readonly<Record<Ref, number>>;
  /** An agent of several departments serves callers of the one with the highest first; absent: 0. */
  readonly priority?: number;
  /** How many agents ring at once by another strategy than simultaneous; absent: 1. */
  readonly together?: number;
  /** Where the caller goes on when the agent hangs up first; the agent's own is not used then. */
  readonly afterCall?: Ref;
  /** How callers wait while no agent is free; null = they do not wait. */
  readonly queue: QueueRules | null;
}

export interface QueueRules {
  /** Heard while waiting; null = the built-in music. */
  readonly music: RecordingId | null;
  /** How often the position is announced; 0 = never. */
  readonly announceSeconds: number;
  /** With the position, the estimated wait where it is known; absent: not. */
  readonly announceWait?: true;
  /** A recording between the music; absent: none. */
  readonly message?: { readonly recording: RecordingId; readonly seconds: number };
  /** The longest wait; 0 = as long as a call may last. */
  readonly maxWaitSeconds: number;
  /** Callers in the queue at once; 0 = as many as any queue may have. */
  readonly maxWaiting: number;
  /** How long agents rest after a call of this queue. */
  readonly wrapupSeconds: number;
  /** Whether callers may wait while no agent is there at all. */
  readonly joinWhenEmpty: boolean;
  /** The key that leaves the queue for the failover. */
  readonly exitKey: string | null;
  /** How callers are called back instead of waiting; absent = they are not. */
  readonly callback?: CallbackRules;
  /** Where callers go who find the queue full, or have waited for the longest time; absent: to the failover. */
  readonly fullDestination?: Ref;
  readonly timeoutDestination?: Ref;
}

export interface CallbackRules {
  /** The key that asks for it. */
  readonly key: string;
  /** How often it is offered; 0 = never. */
  readonly offerSeconds: number;
  /** What offers it; null = the built-in prompt. */
  readonly recording: RecordingId | null;
  /** Who is rung first. */
  readonly first: 'agent' | 'caller';
  readonly attempts: number;
  /** Between two attempts. */
  readonly pauseSeconds: number;
  /** The time group in which callers are called back; null = always. */
  readonly hours: Ref | null;
  /** Call-backs that may be asked for in an hour. */
  readonly perHour: number;
}

export interface AnnouncementNode {
  readonly kind: 'announcement';
  readonly ref: Ref;
  readonly name: string;
  /** Null for `text` alone. */
  readonly recording: RecordingId | null;
  /** Spoken in place of the recording; a template. */
  readonly text?: string;
  readonly next: Ref;
}

/** Minutes of a wall-clock day, 0 to 1440. `to` at or before `from` lies on the next day. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

export interface WeeklyRange extends MinuteRange {
  /** ISO weekdays on which the range starts: 1 = Monday … 7 = Sunday. */
  readonly days: readonly number[];
}

/** Days that differ from the week: `YYYY-MM-DD`, or `MM-DD` for every year; both ends included. */
export interface DateException {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Open then; empty = closed all day. */
  readonly ranges: readonly MinuteRange[];
}

/** A time group. As a destination it leads on; as an agent's hours only its times are read. */
export interface HoursNode {
  readonly kind: 'hours';
  readonly ref: Ref;
  readonly name: string;
  /** An IANA name such as `Europe/Berlin`. */
  readonly zone: string;
  readonly weekly: readonly WeeklyRange[];
  readonly exceptions: readonly DateException[];
  readonly openDestination: Ref | null;
  readonly closedDestination: Ref | null;
  /** Closed by hand until then; null or past: the times decide. */
  readonly closedUntilMs?: number | null;
}

/** A telephone number outside, reached over a trunk. */
export interface NumberNode {
  readonly kind: 'number';
  readonly ref: Ref;
  readonly name: string;
  readonly number: string;
  readonly ringSeconds: number | null;
  readonly failover: Ref | null;
  /** An agent or an operator chose it, not the flow: only trunks that agents may call by are used. */
  readonly byAgent?: true;
}

export interface VoicemailNode {
  readonly kind: 'voicemail';
  readonly ref: Ref;
  readonly name: string;
  readonly mailbox: string;
  /** null = the built-in greeting. */
  readonly greeting: RecordingId | null;
  readonly maxSeconds: number;
  /** The message ends after so much silence; missing: it does not. */
  readonly silenceSeconds?: number;
  /** New messages are mailed to somebody. */
  readonly mailed?: boolean;
}

/** A conference room. */
export interface RoomNode {
  readonly kind: 'room';
  readonly ref: Ref;
  readonly name: string;
  /** Digits; null: none is asked for. */
  readonly pin: string | null;
  /** Makes its caller the host. */
  readonly hostPin: string | null;
  /** Asks for the PIN; null = the built-in prompt. */
  readonly pinRecording: RecordingId | null;
  /** Whether callers hear music until a host is there. */
  readonly waitForHost: boolean;
  /** Heard while waiting; null = the built-in music. */
  readonly music: RecordingId | null;
  /** Whether the conference ends when the last host leaves. */
  readonly endWithHost: boolean;
  /** True: a tone for callers who join or leave. 'name': and the name that the caller said. */
  readonly announce: boolean | 'name';
  readonly maxParticipants: number;
  readonly record: boolean;
  /** For callers who are not let in. */
  readonly failover: Ref | null;
}

export interface HangUpNode {
  readonly kind: 'hang-up';
  readonly ref: Ref;
  readonly name: string;
  /** A goodbye; null = none. */
  readonly recording: RecordingId | null;
  readonly busy: boolean;
}

export type FlowNode =
  | MenuNode
  | AgentNode
  | DepartmentNode
  | AnnouncementNode
  | HoursNode
  | NumberNode
  | VoicemailNode
  | RoomNode
  | CollectNode
  | RequestNode
  | StreamNode
  | SwitchNode
  | MessageNode
  | SipAddressNode
  | HangUpNode;

export type NodeKind = FlowNode['kind'];

export const REFERENCE_KINDS = {
  menu: 'ivr',
  agent: 'extension',
  department: 'department',
  announcement: 'announcement',
  hours: 'timegroup',
  number: 'number',
  voicemail: 'voicemail',
  room: 'room',
  collect: 'collect',
  request: 'request',
  stream: 'stream',
  switch: 'switch',
  message: 'message',
  'sip-address': 'sip_address',
  'hang-up': 'hangup',
} as const satisfies Record<NodeKind, string>;

export function referenceTo(kind: NodeKind, id: string): Ref {
  return `${REFERENCE_KINDS[kind]}||${id}`;
}
