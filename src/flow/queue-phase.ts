// The phases of a call whose caller waits in the queue of a department.
import type { Ref } from './node.ts';
import type { SystemPrompt } from './sound.ts';

/** One wait in the queue of a department. */
export interface QueueVisit {
  readonly request: number;
  /** When the call joined, on its own clock. */
  readonly sinceMs: number;
}

export type QueueRefusal = 'queue-full' | 'queue-empty';

/** Has asked to join the queue, or for the next turn, and waits for the answer. */
export interface JoiningQueue {
  readonly name: 'joining';
  readonly node: Ref;
  readonly queue: QueueVisit;
  readonly returned: boolean;
}

export type QueueAnnouncement = 'position' | 'message' | 'offer';

export interface QueuedPhase {
  readonly name: 'queued';
  readonly node: Ref;
  readonly queue: QueueVisit;
  readonly playback: number;
  readonly hears: 'music' | 'built-in-music' | QueueAnnouncement;
  /** Heard after that. */
  readonly next?: SystemPrompt;
  /** Became due meanwhile: heard before the music goes on, each once. */
  readonly due?: readonly QueueAnnouncement[];
}
