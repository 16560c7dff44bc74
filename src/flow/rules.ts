// What is true of a kind of destination, and what a call does in each of its phases: the rows of the tables that step.ts, the linter and the
// simulator ask.

import type { CallEvent, Phase, PhaseName } from './call-state.ts';
import type { Edge, Played, Use } from './facts.ts';
import type { Flow } from './flow.ts';
import type { Finding } from './lint/finding.ts';
import type { FlowNode, Ref } from './node.ts';
import type { TimerName } from './timer.ts';
import type { Turn } from './turn.ts';

/** Where the call goes on to at once; null: it stays and waits. */
export type Next = Ref | null;

export type PhaseOf<Name extends PhaseName> = Extract<Phase, { readonly name: Name }>;

/** Events that a phase may wait for; step.ts deals with the others itself. One that no phase waits for is ignored, but a caller who hangs up. */
export type AwaitedEvent = Exclude<
  CallEvent,
  {
    type:
      | 'call-started'
      | 'call-recovered'
      | 'key-pressed'
      | 'playback-finished'
      | 'timer-expired'
      | 'party-replaced';
  }
>;

/** Not those that step.ts watches in every phase. */
export type PhaseTimer = Exclude<TimerName, 'playback' | 'call-limit'>;

interface Listening<P extends Phase> {
  key(turn: Turn, phase: P, key: string): Next;
  readonly timers?: { readonly [T in PhaseTimer]?: (turn: Turn, phase: P) => Next };
  /** An event with the number of another request, or of another attempt at ringing, does not get here. */
  readonly on?: {
    readonly [T in AwaitedEvent['type']]?: (
      turn: Turn,
      phase: P,
      event: Extract<AwaitedEvent, { readonly type: T }>,
    ) => Next;
  };
}

interface Playing<P extends Phase> {
  /** The sound has ended, or should have long ago. */
  played(turn: Turn, phase: P): Next;
}

export type PhaseRules<P extends Phase> = Listening<P> &
  (P extends { readonly playback: number } ? Playing<P> : object);

export interface NodeRules<Node extends FlowNode, Name extends PhaseName = never> {
  /** A call arrives. */
  enter(turn: Turn, node: Node): Next;
  readonly phases: { readonly [N in Name]: PhaseRules<PhaseOf<N>> };
  /** Where calls go from here. */
  edges(node: Node): Edge[];
  /** Rung by it, but the call does not go on to them. */
  members?(node: Node): Omit<Edge, 'onInput'>[];
  recordings(node: Node): Played[];
  uses?(node: Node): Use[];
  /** Names of variables. */
  sets?(node: Node): string[];
  /**
   * Whether a caller is served here: somebody can be reached, or something asked or left. `serves` answers it for a destination further on;
   * a menu counts as service, as it is linted by itself.
   */
  serves(node: Node, flow: Flow, serves: (to: Ref | null) => boolean): boolean;
  /** Its phones ring, and who answers ends a circle of destinations. */
  readonly rings?: true;
  /** Calls that fail here may not have been answered. */
  readonly answersLate?: true;
  /** References besides these that lead nowhere. */
  readonly missing?: readonly NodeLint<Node>[];
  /** What is odd about it by itself. */
  readonly lint?: readonly NodeLint<Node>[];
}

type NodeLint<Node extends FlowNode> = (flow: Flow, node: Node) => Iterable<Finding>;
