// What a kind of destination does, and what a call does in each of its phases: the rows of the tables that step.ts asks.

import type { CallEvent, Phase, PhaseName } from './call-state.ts';
import type { FlowNode, Ref } from './node.ts';
import type { TimerName } from './timer.ts';
import type { Turn } from './turn.ts';

/** Where the call goes on to at once; null: it stays and waits. */
export type Next = Ref | null;

export type PhaseOf<Name extends PhaseName> = Extract<Phase, { readonly name: Name }>;

/** Events that mean something only where they are waited for; step.ts deals with the others itself. */
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

interface Listening<P extends Phase> {
  key(turn: Turn, phase: P, key: string): Next;
  readonly timers?: { readonly [T in TimerName]?: (turn: Turn, phase: P) => Next };
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
}
