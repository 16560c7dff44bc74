// What is known of a destination without a call: where it leads, what it plays, which variables it reads and sets; with the place in its
// payload that says so.

import type { RecordingId, Ref } from './node.ts';
import { variablesIn } from './variables.ts';

export interface Edge {
  readonly pointer: string;
  readonly to: Ref;
  /** Whether the caller has to press something for the call to go there. */
  readonly onInput: boolean;
  /** The call goes there when the called side has hung up. */
  readonly afterTalk?: true;
}

export interface Played {
  readonly pointer: string;
  readonly recording: RecordingId;
}

export interface Use {
  readonly pointer: string;
  readonly variable: string;
}

export function pressed(pointer: string, to: Ref): Edge {
  return { pointer, to, onInput: true };
}

/** Whoever was called has talked: the caller need not have done anything. */
export function afterTalk(to: Ref | undefined): Edge[] {
  return to === undefined
    ? []
    : [{ pointer: '/after_call_destination', to, onInput: false, afterTalk: true }];
}

export function unasked(pointer: string, to: Ref | null): Edge[] {
  return to === null ? [] : [{ pointer, to, onInput: false }];
}

export function played(pointer: string, recording: RecordingId | null): Played[] {
  return recording === null ? [] : [{ pointer, recording }];
}

export const inTemplate = (pointer: string, template: string): Use[] =>
  variablesIn(template).map((variable) => ({ pointer, variable }));

/** In place of a name, among those that a destination sets. */
export const ANY_VARIABLE = '*';
