// The phase of a call whose caller asks to be called back.
import type { Ref } from './node.ts';
import type { SystemPrompt } from './sound.ts';

export interface AskingCallback {
  readonly name: 'callback';
  readonly node: Ref;
  /** The wait in the queue, whose place is kept. */
  readonly queue: { readonly request: number; readonly sinceMs: number };
  /** 0 while nothing is played. */
  readonly playback: number;
  /** Prompts that follow. */
  readonly rest: readonly SystemPrompt[];
  readonly stage: 'confirm' | 'entry' | 'asking' | 'refused';
  /** What is confirmed; while it is typed, the keys so far. */
  readonly number: string;
  readonly typed: boolean;
  readonly tries: number;
  readonly request: number;
  /** Agents who became free while the request is on its way. */
  readonly turn: readonly Ref[] | null;
}

/** Answered by callback-answered. */
export interface AskCallback {
  readonly type: 'ask-callback';
  readonly request: number;
  /** The request of join-queue, whose place is kept. */
  readonly queue: number;
  readonly node: Ref;
  readonly number: string;
  readonly typed: boolean;
}

/** number: it may not be dialled. open: it is to be called back already. limit: too many in this hour. */
export type CallbackAnswer = 'stored' | 'number' | 'open' | 'limit' | 'failed';
