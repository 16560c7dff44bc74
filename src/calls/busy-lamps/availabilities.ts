// The states of agents as phones that subscribe to their presence show them: by their calls at once, by hours, pauses, wrap-up and registered
// phones within two seconds.

import type { AgentState } from '../../domain/agent-state.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Availability } from '../../telephony/ports/watching.ts';
import type { AgentDesk } from '../agents/agent-desk.ts';
import type { AgentDialogs, WatchedAgent } from './agent-dialogs.ts';

const POLL_MS = 2_000;

export interface Presence {
  readonly availability: Availability;
  /** For people. */
  readonly note: string;
}

const SHOWN: Readonly<Record<AgentState, Presence>> = {
  talking: { availability: 'busy', note: '' },
  ringing: { availability: 'busy', note: '' },
  blocked: { availability: 'away', note: '' },
  off_duty: { availability: 'away', note: 'Off duty' },
  paused: { availability: 'away', note: 'Paused' },
  unreachable: { availability: 'away', note: '' },
  wrap_up: { availability: 'busy', note: 'Wrap-up' },
  free: { availability: 'free', note: '' },
};

interface Watched {
  readonly calls: WatchedAgent;
  readonly watchers: Set<() => void>;
  shown: Presence;
}

export class Availabilities {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #dialogs: Pick<AgentDialogs, 'watch'>;
  readonly #desk: Pick<AgentDesk, 'stateOf'>;
  readonly #watched = new Map<string, Watched>();
  #cancel: (() => void) | null = null;

  constructor(
    clock: Pick<Clock, 'after'>,
    dialogs: Pick<AgentDialogs, 'watch'>,
    desk: Pick<AgentDesk, 'stateOf'>,
  ) {
    this.#clock = clock;
    this.#dialogs = dialogs;
    this.#desk = desk;
  }

  watch(agent: string, changed: () => void): { of(): Presence; close(): void } {
    const watched = this.#watched.get(agent) ?? this.#begin(agent);
    const watcher = (): void => changed();
    watched.watchers.add(watcher);
    this.#pollLater();
    return {
      of: () => watched.shown,
      close: () => {
        watched.watchers.delete(watcher);
        if (watched.watchers.size > 0 || this.#watched.get(agent) !== watched) return;
        watched.calls.close();
        this.#watched.delete(agent);
      },
    };
  }

  close(): void {
    this.#cancel?.();
  }

  #begin(agent: string): Watched {
    const calls = this.#dialogs.watch(agent, () => this.#look(agent, watched));
    const watched: Watched = { calls, watchers: new Set(), shown: SHOWN.unreachable };
    watched.shown = this.#now(agent, watched);
    this.#watched.set(agent, watched);
    return watched;
  }

  #now(agent: string, { calls }: Watched): Presence {
    if (calls.dialogs().length > 0) return SHOWN.talking;
    return SHOWN[this.#desk.stateOf(agent) ?? 'unreachable'];
  }

  #look(agent: string, watched: Watched): void {
    const now = this.#now(agent, watched);
    if (now === watched.shown) return;
    watched.shown = now;
    for (const watcher of [...watched.watchers]) watcher();
  }

  #pollLater(): void {
    if (this.#cancel || this.#watched.size === 0) return;
    this.#cancel = this.#clock.after(POLL_MS, () => {
      this.#cancel = null;
      for (const [agent, watched] of [...this.#watched]) this.#look(agent, watched);
      this.#pollLater();
    });
  }
}
