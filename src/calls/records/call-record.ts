// The record of a call (CDR): each step with its time, prompt, keys and reason (docs/call-rules.md 11), how it ended, and the
// quality of its legs. The events are in it, too: fed through the state machine again they give the same call.
import type { CallEvent } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import type { EndReason, TrailEntry } from '../../flow/trail.ts';
import type { CallIdentity } from '../../telephony/ports/call-identity.ts';
import type { WebVisitor } from '../../telephony/ports/web-phone.ts';
import type { KeySource } from '../../telephony/telephony.ts';
import { type CallLadder, NO_LADDER } from '../call/call-ladder.ts';
import type { AgentName, LegRecord } from '../call/ended-leg.ts';

/** Trail entries and events of one call: a caller who presses keys for hours must not fill the database. */
export const MAX_TRAIL = 1000;
/** The size of all events with variables of voice bots and answers of requests. */
export const MAX_EVENT_BYTES = 262_144;

/** Keys of one call that are kept with their source. */
export const MAX_KEYS = 200;

export interface KeyRecord {
  readonly at_ms: number;
  readonly key: string;
  readonly source: KeySource;
}

export type CallDirection = 'inbound' | 'internal' | 'outbound';

/** Ends that the state machine does not know: the service's own. */
const OWN_ENDINGS = {
  'caller-lost': {
    cause: 102,
    word: 'recovery-on-timer-expiry',
    text: 'The caller’s phone fell silent or could no longer be reached.',
  },
  'agent-lost': {
    cause: 102,
    word: 'recovery-on-timer-expiry',
    text: 'The called side fell silent or could no longer be reached.',
  },
  'caller-blocked': { cause: 21, word: 'call-rejected', text: 'The caller is on the block list.' },
  'call-refused': { cause: 21, word: 'call-rejected', text: 'The call was refused.' },
  'star-code-done': { cause: 16, word: 'normal-clearing', text: 'The star code was carried out.' },
  'star-code-failed': { cause: 29, word: 'facility-rejected', text: 'The star code changed nothing.' },
  'callback-ended': {
    cause: 19,
    word: 'no-answer',
    text: 'The call-back ended without reaching the caller.',
  },
  transferred: { cause: 16, word: 'normal-clearing', text: 'The call was transferred.' },
  'consultation-ended': {
    cause: 16,
    word: 'normal-clearing',
    text: 'The consultation was ended: the agent is back in the call before.',
  },
  'operator-hung-up': { cause: 16, word: 'normal-clearing', text: 'The call was hung up by request.' },
  'internal-error': { cause: 41, word: 'temporary-failure', text: 'The service failed during this call.' },
  'service-stopped': {
    cause: 41,
    word: 'temporary-failure',
    text: 'The service was stopped during this call.',
  },
  interrupted: {
    cause: 41,
    word: 'temporary-failure',
    text: 'The service ended without warning during this call.',
  },
} as const;

export type OwnEndCode = keyof typeof OWN_ENDINGS;
export const OWN_END_CODES = Object.keys(OWN_ENDINGS) as readonly OwnEndCode[];

export type CallEnd = EndReason | ({ readonly code: OwnEndCode } & Omit<EndReason, 'code'>);

export function ownEnd(code: OwnEndCode): CallEnd {
  return { code, ...OWN_ENDINGS[code] };
}

/** One call became another. */
export interface Transfer {
  /** Our id of the other call. */
  readonly callId: string;
  readonly by: TransferredBy;
  /** The two calls became one: an attended transfer. Absent: a blind one, the later call began with it. */
  readonly attended?: true;
}

/** Who asked for it. Of an operator the token's id and name. */
export interface TransferredBy {
  readonly kind: 'agent' | 'operator';
  readonly id: string;
  readonly name: string;
}

/** What is known of an answer as soon as it comes: the journal keeps it for a process that is killed. */
export interface Answer {
  /** Since the call began. */
  readonly atMs: number;
  /** Null if an external number answered. */
  readonly agent: AgentName | null;
  readonly number: string;
  readonly callerAnsweredMs: number | null;
  readonly waitMs: number;
  /** The ringing time of all phones of the call. */
  readonly ringMs: number;
  /** The times of the phone that answered. Absent: the journal is of an earlier version. */
  readonly leg?: Pick<LegRecord, 'beganMs' | 'rangMs'>;
}

export interface CallFacts {
  readonly id: string;
  readonly accountId: string;
  /** The protocol's own id. */
  readonly callId: string;
  readonly direction: CallDirection;
  readonly caller: string | null;
  readonly callerName: string;
  /** What the trunk told of the caller and of the way of the call; absent: nothing. */
  readonly identity?: CallIdentity;
  /** The visitor, if the call comes from a web page; absent: any other call. */
  readonly web?: WebVisitor;
  /** The eid of the agent who calls: numbers pass from one agent to another. Absent: no agent. */
  readonly madeBy?: string;
  readonly dialled: string;
  readonly entry: Ref;
  /** As the first step shows it: the journal's reader has no flow. */
  readonly entryName?: string;
  readonly startedAtMs: number;
  readonly transferredFrom?: Transfer;
  /** The call-back that the call was made for. */
  readonly callback?: CallbackLink;
}

export interface CallbackLink {
  readonly id: string;
  /** The call that asked for it. */
  readonly callId: string;
  /** The first is 1. */
  readonly attempt: number;
}

export interface CallResult {
  readonly end: CallEnd;
  /** From the monotonic clock, so never negative. */
  readonly durationMs: number;
  readonly answeredBy: string | null;
  readonly transferredTo: Transfer | null;
  /** In queues, while no phone rang. Waiting, ringing and talking do not overlap. */
  readonly waitMs: number;
  /** While at least one phone rang: from its 180 on. */
  readonly ringMs: number;
  /** From the answer on. */
  readonly talkMs: number;
  /** Time in queues, including the ringing of their agents. */
  readonly queueMs: number;
  readonly trail: readonly TrailEntry[];
  readonly events: readonly CallEvent[];
  /** Events after them; absent: none. */
  readonly eventsLeftOut?: number;
  readonly keys: readonly KeyRecord[];
  readonly legs: readonly LegRecord[];
  readonly ladder: CallLadder;
  /** Ids of the recorded conversation and of the message. */
  readonly recording: string | null;
  readonly voicemail: string | null;
  /** At the end, sensitive ones hidden; absent: none. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The result of a call in which nothing happened. */
export const NO_RESULT: Omit<CallResult, 'end' | 'durationMs' | 'trail'> = {
  answeredBy: null,
  transferredTo: null,
  waitMs: 0,
  ringMs: 0,
  talkMs: 0,
  queueMs: 0,
  events: [],
  keys: [],
  legs: [],
  ladder: NO_LADDER,
  recording: null,
  voicemail: null,
};
