// What a destination can be. Every node is plain, readonly data: the records of an account are compiled
// into these once, and a call only ever reads them.

/** A reference as the API writes it: `<kind>||<id>`, for example `extension||42`. */
export type Ref = string;

/** A recording's id alone, without its `recording||` in front. */
export type RecordingId = string;

export interface MenuOption {
  readonly keys: string;
  readonly destination: Ref;
  readonly smsTemplate: string | null;
  /** The webhook that is notified when the option is chosen, whatever events it has subscribed to. */
  readonly webhook?: string;
}

/** An IVR. The members mirror the payload of POST /v1/ivr, one by one. */
export interface MenuNode {
  readonly kind: 'menu';
  readonly ref: Ref;
  readonly name: string;
  readonly recording: RecordingId;
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
  /** How callers wait while no agent is free; null = they do not wait. */
  readonly queue: QueueRules | null;
}

export interface QueueRules {
  /** Heard while waiting; null = the built-in music. */
  readonly music: RecordingId | null;
  /** How often the position is announced; 0 = never. */
  readonly announceSeconds: number;
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
}

export interface AnnouncementNode {
  readonly kind: 'announcement';
  readonly ref: Ref;
  readonly name: string;
  readonly recording: RecordingId;
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
}

/** A telephone number outside, reached over a trunk. */
export interface NumberNode {
  readonly kind: 'number';
  readonly ref: Ref;
  readonly name: string;
  readonly number: string;
  readonly ringSeconds: number | null;
  readonly failover: Ref | null;
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
  'hang-up': 'hangup',
} as const satisfies Record<NodeKind, string>;

export function referenceTo(kind: NodeKind, id: string): Ref {
  return `${REFERENCE_KINDS[kind]}||${id}`;
}
