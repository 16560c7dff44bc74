// What operators order of the transfer of a call, and what became of it.
import type { Ref } from '../flow/node.ts';
import type { Side } from './call/call-input.ts';

export type TransferOutcome =
  | 'transferred'
  | 'unknown'
  | 'not-connected'
  | 'destination-unknown'
  /** The call waits for a consultation, or is one. */
  | 'consulting';

export type ConsultOrder =
  /** `party` waits while the other side, an agent, talks to the destination. */
  | { readonly kind: 'begin'; readonly party: Side; readonly to: Ref }
  /** The party that waits takes the agent's place. */
  | { readonly kind: 'complete' }
  /** The agent is back with the party that waits; the consultation is hung up. */
  | { readonly kind: 'cancel' };

/** The id of the consultation, a call of its own; or why there is none. */
export type ConsultOutcome =
  | { readonly id: string }
  | Exclude<TransferOutcome, 'transferred'>
  /** The side that would consult is not an agent's. */
  | 'no-agent'
  | 'full'
  /** A third party takes part, or it is in a conference room. */
  | 'three-way'
  /** The call neither waits for a consultation nor is one. */
  | 'not-consulting'
  /** The call is ending: no other takes the agent's place. */
  | 'not-joinable';
