// Calls of nodes that died: this one goes on with its share of them. A process that was killed refuses connections at once, so a node
// that misses heartbeats and refuses is declared dead without the wait for its silence (docs/decisions/0024-recovered-calls.md).
import type { Logger } from 'pino';
import type { InterruptedCall } from '../calls/records/interrupted-calls.ts';
import { interruptedByDeath } from '../calls/records/live-call-rows.ts';
import type { Takeover as Taken } from '../calls/recovery/lost-calls.ts';
import type { Probed } from '../nodes/node-probe.ts';
import type { StoredLiveCall } from '../storage/ports/live-calls.ts';
import type { NodeIdentity, StoredNode } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';

export const LOOK_MS = 500;
/** A heartbeat is due every second: one is missing. */
const SUSPECT_MS = 1_500;
const PROBE_AGAIN_MS = 300;
/** Calls of one claim, and the pause until the next: some 250 calls a second, and as much for every other node. */
const CLAIM = 25;
const CLAIM_PAUSE_MS = 100;
/** Nodes that died longer ago have left nothing. */
const FORGET_MS = 120_000;

export interface TakeoverParts {
  readonly node: NodeIdentity;
  readonly storage: Pick<
    Storage,
    'listNodes' | 'deadNodes' | 'declareDead' | 'claimLiveCalls' | 'saveLiveCalls'
  >;
  readonly logger: Logger;
  readonly deadAfterMs: number;
  /** The limit of this node: it takes no more calls than it has room for. */
  readonly maxCalls: number;
  readonly probe: (url: string) => Promise<Probed>;
  /** Places in queues and claims of agents become those of this node. */
  readonly adopt: (node: string, calls: readonly string[]) => Promise<void>;
}

export interface TakeoverCalls {
  readonly isDraining: boolean;
  readonly running: number;
  /** Those that cannot go on. */
  recoverCalls(rows: readonly StoredLiveCall[], about: Taken): StoredLiveCall[];
  recordInterrupted(calls: readonly InterruptedCall[]): Promise<number>;
}

type DeadNode = Pick<StoredNode, 'id' | 'heartbeatAtMs'>;

export class Takeover {
  readonly #parts: TakeoverParts;
  /** By id: the death that is dealt with. */
  readonly #done = new Map<string, number>();
  #looking: Promise<void> | null = null;
  #isFailing = false;

  constructor(parts: TakeoverParts) {
    this.#parts = parts;
  }

  /** Some times a second, while this node is known to be alive. */
  look(calls: TakeoverCalls): Promise<void> {
    this.#looking ??= this.#look(calls)
      .then(() => {
        this.#isFailing = false;
      })
      .catch((err: unknown) => {
        if (!this.#isFailing) this.#parts.logger.warn({ err }, 'calls of dead nodes not taken; retrying');
        this.#isFailing = true;
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  get looking(): Promise<void> | null {
    return this.#looking;
  }

  async #look(calls: TakeoverCalls): Promise<void> {
    const { storage, node, deadAfterMs } = this.#parts;
    const others = (await storage.listNodes()).filter(({ id }) => id !== node.id);
    const alive = others.filter(({ state }) => state === 'running' || state === 'draining');
    if (alive.some(({ silentMs }) => silentMs >= deadAfterMs)) await storage.deadNodes({ deadAfterMs });
    const suspects = alive.filter(({ silentMs }) => silentMs >= SUSPECT_MS && silentMs < deadAfterMs);
    await Promise.all(suspects.map((each) => this.#suspect(each)));
    const dead = suspects.length > 0 ? await storage.listNodes() : others;
    for (const each of dead) if (each.state === 'dead' && each.id !== node.id) await this.#take(each, calls);
    for (const id of this.#done.keys()) if (!others.some((each) => each.id === id)) this.#done.delete(id);
  }

  /** Twice, some time apart: a node that starts again, or an overloaded one, is left alone. */
  async #suspect({ id, run, url }: StoredNode): Promise<void> {
    const { probe, storage, logger } = this.#parts;
    if ((await probe(url)) !== 'refused') return;
    await new Promise((resolve) => setTimeout(resolve, PROBE_AGAIN_MS));
    if ((await probe(url)) !== 'refused') return;
    const { declared } = await storage.declareDead({ id, run, silentMs: SUSPECT_MS });
    if (declared) logger.warn({ node: id }, 'node misses heartbeats and refuses connections: it is dead');
  }

  async #take(dead: StoredNode, calls: TakeoverCalls): Promise<void> {
    if (calls.isDraining || dead.silentMs > FORGET_MS || this.#done.get(dead.id) === dead.deaths) return;
    // One that answers has lost its database alone: its calls go on there.
    const isThere = (await this.#parts.probe(dead.url)) === 'answers';
    if (!isThere) await this.takeAll(dead, null, calls);
    this.#done.set(dead.id, dead.deaths);
  }

  /** How many go on. `exceptRun`: as LiveCallStorage has it. */
  async takeAll(dead: DeadNode, exceptRun: string | null, calls: TakeoverCalls): Promise<number> {
    const { storage, node, logger, adopt, maxCalls } = this.#parts;
    let taken = 0;
    for (;;) {
      const limit = Math.min(CLAIM, maxCalls - calls.running);
      // The rest is for other nodes; what none has taken in time is recorded as interrupted.
      if (limit <= 0) break;
      const claim = { node: dead.id, exceptRun, claimer: node, limit };
      const { calls: rows, nowMs } = await storage.claimLiveCalls(claim);
      if (rows.length === 0) break;
      await adopt(
        dead.id,
        rows.map(({ id }) => id),
      ).catch((err: unknown) => logger.warn({ err }, 'places in queues not taken over'));
      taken += await this.#recover(dead, rows, nowMs, calls);
      await new Promise((resolve) => setTimeout(resolve, CLAIM_PAUSE_MS));
    }
    if (taken > 0) logger.warn({ node: dead.id, calls: taken }, 'calls of a dead node go on at this one');
    return taken;
  }

  async #recover(
    dead: DeadNode,
    rows: readonly StoredLiveCall[],
    nowMs: number,
    calls: TakeoverCalls,
  ): Promise<number> {
    const { node, storage } = this.#parts;
    // The last heartbeat of a forgotten node is not known.
    const about = { from: dead.id, by: node.id, lastSeenMs: dead.heartbeatAtMs || nowMs, nowMs };
    const ended = calls.recoverCalls(rows, about);
    if (ended.length > 0) {
      await calls.recordInterrupted(interruptedByDeath(ended, dead.heartbeatAtMs));
      const removed = ended.map(({ id }) => id);
      await storage.saveLiveCalls({ node: node.id, run: node.run, saved: [], removed });
    }
    return rows.length - ended.length;
  }
}
