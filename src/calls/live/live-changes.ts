// Notices that something of an account has changed which its followers may show: a call at once, agents, phones and trunks within
// LOOK_MS. A notice has no content: who gets it asks for the view (live-view.ts). Accounts without followers cost nothing.

import { newId } from '../../domain/id.ts';
import type { Clock } from '../../kit/clock.ts';
import { LIVE_CHANGED } from '../events/call-events.ts';
import type { EventStream } from '../events/event-stream.ts';

/** Changes within it share a notice. */
export const NOTICE_MS = 100;
export const LOOK_MS = 1_000;
/** Agents and trunks that are looked at at once; further accounts wait for the next time. */
const LOOKED_AT = 5_000;

export interface LiveChangesParts {
  readonly stream: Pick<EventStream, 'push' | 'hasFollowers' | 'followed'>;
  readonly clock: Pick<Clock, 'after' | 'epochMs'>;
  /** What is shown of agents and trunks as one text, and of how many. */
  readonly look: (accountId: string) => { readonly text: string; readonly size: number };
  readonly failed: (error: unknown) => void;
}

export class LiveChanges {
  readonly #parts: LiveChangesParts;
  readonly #touched = new Set<string>();
  /** What was seen last of each account that is followed. */
  readonly #seen = new Map<string, string>();
  #rest: string[] = [];
  #cancelNotice: (() => void) | null = null;
  #cancelLook: () => void = () => undefined;

  constructor(parts: LiveChangesParts) {
    this.#parts = parts;
  }

  open(): void {
    this.#cancelLook = this.#parts.clock.after(LOOK_MS, () => {
      try {
        this.#look();
      } catch (error) {
        this.#parts.failed(error);
      }
      this.open();
    });
  }

  close(): void {
    this.#cancelLook();
    this.#cancelNotice?.();
    this.#cancelNotice = null;
  }

  /** Runs for every step of every call. */
  touch(accountId: string): void {
    if (this.#touched.has(accountId) || !this.#parts.stream.hasFollowers(accountId)) return;
    this.#touched.add(accountId);
    this.#cancelNotice ??= this.#parts.clock.after(NOTICE_MS, () => this.#notify());
  }

  #notify(): void {
    this.#cancelNotice = null;
    const atMs = this.#parts.clock.epochMs();
    for (const accountId of this.#touched)
      this.#parts.stream.push({
        id: newId(atMs),
        type: LIVE_CHANGED,
        accountId,
        callId: '',
        atMs,
        data: {},
      });
    this.#touched.clear();
  }

  #look(): void {
    const { stream, look } = this.#parts;
    if (this.#rest.length === 0) {
      this.#rest = [...stream.followed];
      const followed = new Set(this.#rest);
      for (const accountId of this.#seen.keys()) if (!followed.has(accountId)) this.#seen.delete(accountId);
    }
    for (let looked = 0; looked < LOOKED_AT; ) {
      const accountId = this.#rest.pop();
      if (accountId === undefined) return;
      const { text, size } = look(accountId);
      looked += size + 1;
      if (this.#seen.get(accountId) === text) continue;
      this.#seen.set(accountId, text);
      this.touch(accountId);
    }
  }
}
