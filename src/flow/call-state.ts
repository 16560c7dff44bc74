// What a call is, hears and does: State, Event, Action. All of it is plain data that survives JSON, so a
// log of events is a trail, a test and a replay in one.
//
//                                       call-started
//                                            │
//                                            ▼                         (every arrow into a node counts a hop)
//   ┌───────────────────────────────── arrive at a node ◀──────────────────────────────────────────┐
//   │ menu                   │ announcement   │ agent, department, number  │ voicemail   │ hang-up  │
//   ▼                        ▼                ▼                            ▼             ▼          │
//  prompt ──────▶ waiting   announcing      looking-up ─▶ ringing        greeting      hang-up      │
//   │ ▲  ended      │ │      │ played         (order of   │ │ │            │ played     │ played    │
//   │ │             │ │      │                 agents)    │ │ └ answered   ▼            ▼           │
//   │ │         key │ │      └──────────────▶ next ──────────────────┐   recording     ended         │
//   │ │ key         │ │ time-out                          │ │      │      │ saved                   │
//   │ ▼             │ ▼                                   │ │      ▼      ▼                         │
//   └▶ collecting ◀─┘ retrying (n retries) ─▶ prompt      │ │  connected  hang-up                   │
//        │   │ no match ─▲   │ used up                    │ │      │                                │
//        │   └───────────┘   ▼                            │ │      ▼                                │
//        │                closing ── played ─▶ next ──────┼─┼──▶ ended                              │
//        └ match ─▶ next ─────────────────────────────────┼─┼───────────────────────────────────────┤
//                                      no answer, failover┘ └ none: apology (hang-up) ─▶ ended      │
//                                              └────────────────────────────────────────────────────┘
//
// A department with a queue:
//
//   arrive ─▶ joining ── queue-turn ─▶ ringing ── answered ─▶ connected
//              │ ▲ │ queue-position      ▲   │ no answer
//              │ │ ▼                     │   │
//              │ │ queued ── queue-turn ─┘   │        queued: music, now and then the position
//              │ └───────────────────────────┘
//              └ full, no agents; the longest wait, the exit key ─▶ failover
//
//   queued ◀── the key for a call-back; no, refused ──▶ callback: confirm, entry, asking ── stored ─▶ hang-up
//
// A conference room:
//
//   arrive ─▶ room-pin ── typed ─▶ room-joining ── entered ─▶ in-room ── closed, removed ─▶ ended
//                 ▲                  │ │ waits ▼       ▲
//                 └── wrong (1, 2) ──┘ │ room-waiting ─┘ entered: the host has come
//                                      └ wrong (3), full, locked, no host ─▶ failover
//   room-joining ── name ─▶ room-name: prompt, tone, the caller says the name ── entered, waits ─▶ as above
//
// caller-hung-up leads from anywhere to ended, and so does the call-limit timer. Every other wait is guarded
// by a timer of its own, so a report that never comes cannot leave a caller in silence.

import type { AskCallback, AskingCallback, CallbackAnswer } from './callback-phase.ts';
import type { LogicPhase, RequestOutcome, SendRequest, SipCall, SipRefusal } from './logic-phase.ts';
import type { QueueRules, Ref, RingStrategy, RoomNode } from './node.ts';
import type { JoiningQueue, QueuedPhase, QueueRefusal, QueueVisit } from './queue-phase.ts';
import type { RecordName, RoomAnswer, RoomPhase, TypedPin } from './room-phase.ts';
import type { Sound } from './sound.ts';
import type { StreamAction, StreamEvent, Streaming } from './stream-phase.ts';
import { NO_TIMERS, type TimerName } from './timer.ts';
import type { EndCode, EndReason, TrailEntry } from './trail.ts';
import { type CallFactsForFlow, NO_VARIABLES, type Variables } from './variables.ts';

/** One visit of one menu, with its two counters (call rule 6). */
export interface MenuVisit {
  readonly menu: Ref;
  readonly invalid: number;
  readonly timeouts: number;
}

/** One phone to ring. An agent has up to two: the registered phones, and the number to follow. */
export interface RingTarget {
  readonly id: string;
  readonly owner: Ref;
  readonly via: 'intercom' | 'number' | 'sip';
  readonly number: string;
  /** An agent or an operator chose the number: only trunks that agents may call by are used. */
  readonly byAgent?: true;
  /** The call to make where `via` is 'sip'; `number` is how it is shown. */
  readonly sip?: SipCall;
}

/** Why a phone was not rung: a limit, as docs/limits.md names it, or what SIP addresses have besides. */
export type RingRefusal = SipRefusal | 'max_calls_per_agent' | 'max_legs' | 'max_outbound_calls';

export type RingFailure = 'agent-busy' | 'agent-unreachable' | 'no-answer';

export type Phase =
  | { readonly name: 'new' }
  | { readonly name: 'prompt'; readonly visit: MenuVisit; readonly playback: number }
  | { readonly name: 'waiting'; readonly visit: MenuVisit }
  | { readonly name: 'collecting'; readonly visit: MenuVisit; readonly keys: string }
  | { readonly name: 'retrying'; readonly visit: MenuVisit; readonly playback: number }
  | { readonly name: 'closing'; readonly visit: MenuVisit; readonly playback: number; readonly next: Ref }
  | { readonly name: 'announcing'; readonly node: Ref; readonly playback: number; readonly next: Ref }
  | {
      readonly name: 'looking-up';
      readonly node: Ref;
      readonly request: number;
      readonly agents: readonly Ref[];
    }
  | {
      readonly name: 'ringing';
      readonly node: Ref;
      readonly attempt: number;
      /** Phones that may still answer. */
      readonly targets: readonly RingTarget[];
      /** Agents to try after these, in order. */
      readonly left: readonly Ref[];
      readonly ringMs: number;
      readonly failover: Ref | null;
      /** The most specific failure so far: the reason in the call record. */
      readonly failure: RingFailure;
      /** Phones that send sound before they answer. */
      readonly early: readonly string[];
      /** The queue that the caller returns to if no agent answers; null = none. */
      readonly queue: QueueVisit | null;
    }
  | JoiningQueue
  | QueuedPhase
  | AskingCallback
  | { readonly name: 'greeting'; readonly node: Ref; readonly playback: number }
  | { readonly name: 'recording'; readonly node: Ref; readonly request: number }
  | RoomPhase
  | LogicPhase
  | Streaming
  | { readonly name: 'hang-up'; readonly node: Ref; readonly playback: number; readonly end: EndCode }
  | {
      readonly name: 'connected';
      readonly node: Ref;
      readonly target: RingTarget;
      /** The department or agent that rang; absent: it is not known. */
      readonly via?: Ref;
      readonly sinceMs: number;
    }
  | { readonly name: 'ended'; readonly end: EndReason };

export type PhaseName = Phase['name'];

export interface CallState {
  readonly phase: Phase;
  /** The call's own clock at its last event. */
  readonly atMs: number;
  /** The wall clock at the call's start: opening hours are read from it. */
  readonly startedEpochMs: number;
  readonly caller: string | null;
  /** In queues: callers with a higher one come first. */
  readonly priority: number;
  readonly answered: boolean;
  /** Destinations since the caller last pressed a key (call rule 9). */
  readonly hops: number;
  /** Conversations after which the caller went on (call rule 9). */
  readonly talks: number;
  /** Keys pressed before the menu they are meant for. */
  readonly typedAhead: string;
  /** Whether the last menu is a sensitive one: keys that are pressed behind it may be the rest of what it was given. */
  readonly sensitive: boolean;
  readonly variables: Variables;
  /** For built-in variables. */
  readonly known: CallFactsForFlow;
  /** That the call came to last, and the agent who talked last. */
  readonly department: Ref | null;
  readonly agent: Ref | null;
  /** The generation of each timer, 0 = not running: an expiry of another generation is stale. */
  readonly timers: Readonly<Record<TimerName, number>>;
  /** Numbers playbacks, ring attempts, requests and timer generations. */
  readonly nextId: number;
  /** The state of the random numbers: the same seed makes the same choices. */
  readonly random: number;
}

interface At {
  /** Milliseconds since the call started. */
  readonly atMs: number;
}

interface OfTarget extends At {
  readonly attempt: number;
  readonly target: string;
}

export type CallEvent =
  | ({
      readonly type: 'call-started';
      readonly entry: Ref;
      readonly epochMs: number;
      readonly seed: number;
      readonly caller: string | null;
      /** By an earlier call (transfer), or because the service dialled the caller (click to call). */
      readonly answered?: true;
      /** The priority of the number that was dialled; absent: 0. */
      readonly priority?: number;
      /** What the call begins with. */
      readonly variables?: { readonly [name: string]: string };
      readonly known?: CallFactsForFlow;
    } & At)
  /** In place of call-started: the node that had the call died, and another one goes on with it. */
  | ({
      readonly type: 'call-recovered';
      /** Where it was: it arrives there again, unless it was connected. */
      readonly node: Ref;
      /** The phone that it was connected with. */
      readonly talkedTo: RingTarget | null;
      readonly epochMs: number;
      readonly seed: number;
      readonly caller: string | null;
      readonly priority?: number;
      readonly variables?: Variables;
      readonly known?: CallFactsForFlow;
    } & At)
  | ({ readonly type: 'key-pressed'; readonly key: string } & At)
  | ({ readonly type: 'playback-finished'; readonly playback: number } & At)
  | ({ readonly type: 'timer-expired'; readonly timer: TimerName; readonly generation: number } & At)
  | ({
      readonly type: 'directory-told';
      readonly request: number;
      /** Since when each agent is idle, in epoch milliseconds; agents left out count as idle last. */
      readonly idleSince: { readonly [agent: Ref]: number };
      /** The agent of this department who was offered a call last: round robin goes on after them. */
      readonly lastRung: Ref | null;
    } & At)
  | ({ readonly type: 'ring-progressed' } & OfTarget)
  | ({ readonly type: 'early-media' } & OfTarget)
  | ({ readonly type: 'agent-answered' } & OfTarget)
  | ({ readonly type: 'agent-busy' } & OfTarget)
  | ({ readonly type: 'agent-unreachable'; readonly why?: RingRefusal } & OfTarget)
  | ({ readonly type: 'ring-failed' } & OfTarget)
  /** Paused, or signed out of the department that rings: the phone is not rung. */
  | ({ readonly type: 'agent-paused' } & OfTarget)
  | ({ readonly type: 'agent-hung-up' } & At)
  /** A phone that was not rung answers in place of those that are. */
  | ({ readonly type: 'picked-up'; readonly target: RingTarget } & At)
  /** Another takes the place of one side: by an attended transfer, or by a phone that takes the call over. */
  | ({
      readonly type: 'party-replaced';
      /** The called side now; null: the caller's was replaced. */
      readonly target: RingTarget | null;
      /** The number of the caller now. */
      readonly caller: string | null;
      /** The priority of the caller who comes; absent: 0. */
      readonly priority?: number;
      readonly text: string;
    } & At)
  | ({
      readonly type: 'voicemail-recorded';
      readonly request: number;
      readonly saved: boolean;
      /** Not saved because nothing was said. */
      readonly empty?: boolean;
      /** Not recorded because the box holds as many as it may. */
      readonly full?: boolean;
    } & At)
  /** The call is first in the queue; these agents are reserved for it until resume-queue or leave-queue. */
  | ({ readonly type: 'queue-turn'; readonly request: number; readonly agents: readonly Ref[] } & At)
  /** No agent is free; the answer to join-queue, resume-queue and ask-position. 1 = the next. */
  | ({
      readonly type: 'queue-position';
      readonly request: number;
      readonly position: number;
      /** Until an agent answers, by the waits of the last callers; absent: not known. */
      readonly estimateMs?: number;
    } & At)
  | ({ readonly type: 'queue-refused'; readonly request: number; readonly why: QueueRefusal } & At)
  /** The answer to ask-callback. */
  | ({ readonly type: 'callback-answered'; readonly request: number; readonly answer: CallbackAnswer } & At)
  /** The answer to join-room; `entered` also follows `waits`, when the host has come, and either of them follows `name`. */
  | ({ readonly type: 'room-answered'; readonly request: number; readonly answer: RoomAnswer } & At)
  /** closed: the host has left. removed: by an operator. */
  | ({
      readonly type: 'room-left';
      readonly request: number;
      readonly why: 'closed' | 'removed' | 'failed';
    } & At)
  /** The answer to send-request. */
  | ({ readonly type: 'request-answered'; readonly request: number; readonly outcome: RequestOutcome } & At)
  | StreamEvent
  | ({ readonly type: 'caller-hung-up' } & At);

export type Action =
  | { readonly type: 'answer' }
  /** What is played from here on is heard before the answer. */
  | { readonly type: 'progress' }
  | {
      readonly type: 'play';
      readonly playback: number;
      readonly sound: Sound;
      readonly durationMs: number;
      /** Begins again at its end, until stop-playing or whatever else is to be heard. */
      readonly loop?: true;
    }
  | { readonly type: 'stop-playing'; readonly playback: number }
  | {
      readonly type: 'start-timer';
      readonly timer: TimerName;
      readonly generation: number;
      readonly ms: number;
    }
  | { readonly type: 'stop-timer'; readonly timer: TimerName; readonly generation: number }
  /** Answered by `directory-told`: which of these agents is idle since when, and who was rung last. */
  | {
      readonly type: 'ask-directory';
      readonly request: number;
      readonly node: Ref;
      readonly agents: readonly Ref[];
    }
  /** Ring all targets together; the caller hears ringback from now until stop-ringing or connect. */
  | {
      readonly type: 'ring';
      readonly attempt: number;
      readonly node: Ref;
      readonly targets: readonly RingTarget[];
      readonly ringMs: number;
    }
  /** Targets are named one by one; one that answers after this is cleared without asking the machine. */
  | {
      readonly type: 'stop-ringing';
      readonly attempt: number;
      readonly targets: readonly string[];
      /** Another phone has answered: these list no missed call. */
      readonly elsewhere?: true;
    }
  /** The caller, answered or not, hears the target that rings in place of ringback, and is heard there. */
  | { readonly type: 'connect-early'; readonly attempt: number; readonly target: string }
  | { readonly type: 'connect'; readonly attempt: number; readonly target: RingTarget }
  /** The called side has hung up, and the caller goes on. */
  | { readonly type: 'end-talk' }
  /** Answered by queue-turn, queue-position or queue-refused. */
  | {
      readonly type: 'join-queue';
      readonly request: number;
      readonly node: Ref;
      /** The department's list itself: calls of one snapshot share it. */
      readonly agents: readonly Ref[];
      readonly strategy: RingStrategy;
      readonly rules: QueueRules;
      /** The priority of the caller; absent: 0. */
      readonly priority?: number;
    }
  /** No agent answered: the call keeps its position. Answered by queue-turn or queue-position. */
  | { readonly type: 'resume-queue'; readonly request: number }
  | { readonly type: 'ask-position'; readonly request: number }
  | AskCallback
  /** Always, once, when a call that joined goes elsewhere or ends. */
  | { readonly type: 'leave-queue'; readonly request: number; readonly servedBy: Ref | null }
  | {
      readonly type: 'queue-sms';
      /** The menu, the keys that were pressed in it (of a sensitive one none), and where they lead. */
      readonly node: Ref;
      readonly keys: string;
      readonly destination: Ref;
      readonly template: string;
      readonly to: string;
      /** The number is neither the caller's nor one that the flow names: the rule of call-backs holds for it. */
      readonly chosen?: true;
      /** The variables of the call that the template has. */
      readonly variables?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'record-voicemail';
      readonly request: number;
      readonly mailbox: string;
      readonly maxMs: number;
      /** Null if only the longest time, # or hanging up ends it. */
      readonly silenceMs: number | null;
    }
  /** What was recorded up to here is kept. */
  | { readonly type: 'stop-recording'; readonly request: number }
  /** Answered by room-answered. */
  | {
      readonly type: 'join-room';
      readonly request: number;
      readonly room: RoomNode;
      readonly isHost: boolean;
      /** A wrong one is asked about as a right one is: the room counts them over all calls. */
      readonly pin: TypedPin;
    }
  | RecordName
  /** Always, once, when a call that asked to join goes elsewhere or ends, unless it was refused or let go. */
  | { readonly type: 'leave-room'; readonly request: number }
  | SendRequest
  /** The call goes on elsewhere: what it asked for is no longer waited for. */
  | { readonly type: 'cancel-request'; readonly request: number }
  | StreamAction
  | { readonly type: 'note'; readonly entry: TrailEntry }
  /** Always the last action of a call, also when the caller left first: it clears both legs. */
  | { readonly type: 'hang-up'; readonly end: EndReason };

export const NEW_CALL: CallState = {
  phase: { name: 'new' },
  atMs: 0,
  startedEpochMs: 0,
  caller: null,
  priority: 0,
  answered: false,
  hops: 0,
  talks: 0,
  typedAhead: '',
  sensitive: false,
  variables: NO_VARIABLES,
  known: {},
  department: null,
  agent: null,
  timers: NO_TIMERS,
  nextId: 1,
  random: 0,
};
