// The other live nodes, by what they write into the database every second.
import { DEAD_AFTER_MS, type NodeStorage, type StoredNode } from '../storage/ports/nodes.ts';

const POLL_MS = 1_000;

export type Peer = Pick<StoredNode, 'id' | 'run' | 'url'>;

export interface PeersParts {
  readonly storage: Pick<NodeStorage, 'listNodes'>;
  /** The id of this node. */
  readonly id: string;
  readonly failed: (error: unknown) => void;
}

export class Peers {
  readonly #parts: PeersParts;
  #live: readonly Peer[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  get live(): readonly Peer[] {
    return this.#live;
  }

  /** Called when a node joins, leaves, dies or starts again. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    await this.#read();
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.start(), POLL_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** While the database is away the last list holds: the nodes are likely to be there. */
  async #read(): Promise<void> {
    try {
      const live = (await this.#parts.storage.listNodes()).filter((node) => this.#isLive(node));
      const namesOf = (peers: readonly Peer[]): string => peers.map(({ id, run }) => `${id}/${run}`).join();
      const isSame = namesOf(live) === namesOf(this.#live);
      this.#live = live.map(({ id, run, url }) => ({ id, run, url }));
      if (!isSame) for (const listener of this.#listeners) listener();
    } catch (error) {
      this.#parts.failed(error);
    }
  }

  #isLive({ id, state, silentMs, cluster }: StoredNode): boolean {
    if (id === this.#parts.id || !cluster) return false;
    return (state === 'running' || state === 'draining') && silentMs < DEAD_AFTER_MS;
  }
}
