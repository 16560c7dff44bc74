// The calls of agents at this node, as the lamps of colleagues show them. Nothing is kept of an agent that no phone watches: the state is
// read from the live calls when a watched agent's legs have changed.
import type { Clock } from '../../kit/clock.ts';
import type { WatchedDialog } from '../../telephony/ports/watching.ts';
import type { Call } from '../call/call.ts';
import { globalId } from '../routing/dialling.ts';

export interface WatchedAgent {
  dialogs(): readonly WatchedDialog[];
  close(): void;
}

interface Watched {
  /** Null if it is to be read from the calls. */
  dialogs: readonly WatchedDialog[] | null;
  /** A call of another node keeps the agent busy. */
  isBusyElsewhere: boolean;
  readonly watchers: Set<() => void>;
}

/** Agents whom calls of other nodes keep busy. */
export type AskNodes = () => Promise<ReadonlySet<string>>;

const NODES_MS = 1_000;
/** What a call is about is known at its own node alone. */
const ELSEWHERE: readonly WatchedDialog[] = [
  { id: 'elsewhere', state: 'confirmed', direction: 'recipient', remote: null, remoteName: '' },
];

export class AgentDialogs {
  readonly #calls: (watched: string) => Iterable<Call>;
  readonly #watched = new Map<string, Watched>();
  #changed: Set<Watched> | null = null;
  #nodes: { readonly clock: Pick<Clock, 'after'>; readonly ask: AskNodes } | null = null;
  #cancel: (() => void) | null = null;

  constructor(calls: (watched: string) => Iterable<Call>) {
    this.#calls = calls;
  }

  /** A leg of the agent has begun, rings, was answered or has ended. Called for every leg of every call. */
  changed(agent: string | null): void {
    const watched = agent === null || this.#watched.size === 0 ? undefined : this.#watched.get(agent);
    if (!watched) return;
    watched.dialogs = null;
    // Read when the call has done what it is about: in the middle of that the state is neither the old nor the new one.
    if (!this.#changed) queueMicrotask(() => this.#report());
    this.#changed ??= new Set();
    this.#changed.add(watched);
  }

  watch(agent: string, changed: () => void): WatchedAgent {
    const watched = this.#watched.get(agent) ?? {
      dialogs: null,
      isBusyElsewhere: false,
      watchers: new Set<() => void>(),
    };
    const watcher = (): void => changed();
    watched.watchers.add(watcher);
    this.#watched.set(agent, watched);
    this.#askNodes();
    return {
      dialogs: () => {
        watched.dialogs ??= [...dialogsOf(this.#calls(agent), agent)];
        return watched.dialogs.length === 0 && watched.isBusyElsewhere ? ELSEWHERE : watched.dialogs;
      },
      close: () => {
        watched.watchers.delete(watcher);
        if (watched.watchers.size === 0 && this.#watched.get(agent) === watched) this.#watched.delete(agent);
      },
    };
  }

  /** The calls of other nodes count, too: who is busy there is asked for every second, as long as there are lamps. */
  followNodes(clock: Pick<Clock, 'after'>, ask: AskNodes): void {
    this.#nodes = { clock, ask };
  }

  close(): void {
    this.#nodes = null;
    this.#cancel?.();
  }

  #askNodes(): void {
    const nodes = this.#nodes;
    if (!nodes || this.#cancel || this.#watched.size === 0) return;
    this.#cancel = nodes.clock.after(NODES_MS, () => {
      nodes
        .ask()
        .then((busy) => this.#learn(busy))
        // BusyLamps stay as they are while the database is away.
        .catch(() => undefined)
        .finally(() => {
          this.#cancel = null;
          this.#askNodes();
        });
    });
  }

  #learn(busy: ReadonlySet<string>): void {
    for (const [agent, watched] of this.#watched) {
      if (watched.isBusyElsewhere === busy.has(agent)) continue;
      watched.isBusyElsewhere = busy.has(agent);
      this.changed(agent);
    }
  }

  #report(): void {
    const all = this.#changed ?? [];
    this.#changed = null;
    for (const { watchers } of all) for (const watcher of [...watchers]) watcher();
  }
}

function* dialogsOf(calls: Iterable<Call>, agent: string): Iterable<WatchedDialog> {
  for (const call of calls) {
    if (call.isOver) continue;
    const { arrival, facts, legs } = call;
    // A parking spot, by its account and reference.
    const spot = call.phase.name === 'queued' || call.phase.name === 'joining' ? call.phase.node : null;
    if (spot !== null && agent === globalId(facts.accountId, spot))
      yield {
        id: facts.id,
        state: 'confirmed',
        direction: 'recipient',
        remote: arrival.caller,
        remoteName: arrival.callerName,
      };
    const isTalking = legs.calledLeg !== null;
    if (arrival.agent === agent && legs.callerLeg)
      yield {
        id: facts.id,
        state: isTalking || legs.caller.answeredMs !== null ? 'confirmed' : 'early',
        direction: 'initiator',
        remote: facts.dialled,
        remoteName: '',
      };
    for (const { agent: rung, leg, rangMs, target } of legs.outbound) {
      if (rung !== agent) continue;
      const waiting = rangMs === null ? 'trying' : 'early';
      const isPickable = leg !== legs.calledLeg && target.via === 'intercom';
      yield {
        ...(isPickable ? { callId: leg.callId } : {}),
        id: facts.id,
        state: leg === legs.calledLeg ? 'confirmed' : waiting,
        direction: 'recipient',
        remote: arrival.caller,
        remoteName: arrival.callerName,
      };
    }
  }
}
