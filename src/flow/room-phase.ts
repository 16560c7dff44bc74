// The phases of a call at a conference room (nodes/room.ts).
import type { Ref } from './node.ts';

export type RoomPhase =
  /** `playback`: 0 after the prompt. */
  | {
      readonly name: 'room-pin';
      readonly node: Ref;
      readonly playback: number;
      readonly keys: string;
      readonly attempt: number;
    }
  /** Has asked to join the conference, and waits for the answer. `attempt`: at the PIN. */
  | { readonly name: 'room-joining'; readonly node: Ref; readonly request: number; readonly attempt: number }
  /** Has been let in, and says the name that the others will hear. `playback`: 0 after the prompt. */
  | { readonly name: 'room-name'; readonly node: Ref; readonly request: number; readonly playback: number }
  /** Hears music until the host comes. */
  | { readonly name: 'room-waiting'; readonly node: Ref; readonly request: number; readonly playback: number }
  | { readonly name: 'in-room'; readonly node: Ref; readonly request: number };

export const ROOM_PHASES: ReadonlySet<string> = new Set<RoomPhase['name']>([
  'room-pin',
  'room-joining',
  'room-name',
  'room-waiting',
  'in-room',
]);

/** 'none': none is asked for, or none was typed where only the host has one. */
export type TypedPin = 'none' | 'right' | 'wrong';

export type RoomAnswer =
  | 'entered'
  | 'waits'
  /** It is let in once it has said its name: record-name. */
  | 'name'
  | 'wrong-pin'
  /** Too many wrong ones were tried of late: also the answer to a right one. */
  | 'pins-refused'
  | 'full'
  | 'locked'
  | 'elsewhere'
  | 'failed';

/** A tone, then what the caller says, until stop-recording, silence or the longest time. Answered by room-answered. */
export interface RecordName {
  readonly type: 'record-name';
  readonly request: number;
  readonly maxMs: number;
  readonly silenceMs: number;
}
