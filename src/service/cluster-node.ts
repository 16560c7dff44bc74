// This process as one of the nodes of a database: its heartbeat, and the clearing of what dead nodes left. The database's clock decides
// who is dead, so a node that was stopped or cut off learns it from its next heartbeat, and goes on with its calls.
import type { Logger } from 'pino';
import { interruptedByDeath } from '../calls/records/live-call-rows.ts';
import type { Probed } from '../nodes/node-probe.ts';
import {
  type BeatResult,
  DEAD_AFTER_MS,
  type JoinResult,
  type NodeBeat,
  type NodeIdentity,
  type StoredNode,
} from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import { StartError } from './start-error.ts';
import { LOOK_MS, Takeover, type TakeoverCalls } from './takeover.ts';

export const BEAT_MS = 1000;
/** Between tries to join while a node with this id seems to live; one that was killed stays silent. */
const JOIN_RETRY_MS = 500;
/** A longer pause between two heartbeats, of this node or of the database, says nothing of the others: they may have had it, too. */
const STEADY_GAP_MS = 3000;
const LEASE = { name: 'reaper', seconds: 5 };
/** What another node cleared late, after this one had returned, is claimed once more. */
const CLAIM_AGAIN_MS = 5000;
const BATCH = 500;
/** What other nodes do not take over by then is cleared. */
const CLAIM_MS = 5000;

export interface ClusterNodeParts {
  readonly node: NodeIdentity;
  /** The run of a process with this id that was killed, if known. */
  readonly formerRun: string | null;
  readonly url: string;
  readonly version: string;
  /** False: no other node may use the database. */
  readonly cluster: boolean;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly sharing: {
    /** Frees what the node held. */
    nodeDied(node: string): Promise<void>;
    /** This node holds again what it has. */
    claimAgain(): Promise<void>;
    /** Places in queues of these calls of a dead node become those of this one. */
    adopt(node: string, calls: readonly string[]): Promise<void>;
  };
  readonly probe: (url: string) => Promise<Probed>;
  readonly maxCalls: number;
}

/** The telephone side of this node; null while it opens, or where SIP is off. */
export interface ClusterCalls extends TakeoverCalls {
  writeLiveCalls(): void;
  setDrain(isOn: boolean): void;
}

export class ClusterNode {
  readonly #parts: ClusterNodeParts;
  readonly #calls: () => ClusterCalls | null;
  /** Another process has started with this id. */
  readonly #replaced: () => void;
  readonly #formerSeenAtMs: number;
  readonly #takeover: Takeover;
  /** By node and death: since when its calls are to be claimed by others. */
  readonly #claimableSince = new Map<string, number>();
  #lookTimer: NodeJS.Timeout | undefined;
  #deaths: number;
  #drain = false;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  #reaping: Promise<void> | null = null;
  #isAway = false;
  #beatMs = Number.NEGATIVE_INFINITY;
  /** Since when this node’s heartbeats are written without a pause. */
  #steadySinceMs = Infinity;

  /** Rejects with StartError when another node excludes this one. */
  static async join(
    parts: ClusterNodeParts,
    calls: () => ClusterCalls | null,
    replaced: () => void,
  ): Promise<ClusterNode> {
    const { storage, node, formerRun, sharing } = parts;
    const beat = beatOf(parts, { state: 'running', calls: 0 });
    let first: StoredNode | null = null;
    for (;;) {
      const joined: JoinResult = await storage.joinNode({ ...beat, deadAfterMs: DEAD_AFTER_MS, formerRun });
      if (joined.joined) {
        // What a former run held, before the first call takes something.
        await sharing.nodeDied(node.id);
        return new ClusterNode(parts, calls, replaced, joined);
      }
      const isBeating =
        first !== null && first.id === joined.by.id && first.heartbeatAtMs !== joined.by.heartbeatAtMs;
      if (isBeating) throw refusal(joined, parts);
      first ??= joined.by;
      await new Promise((resolve) => setTimeout(resolve, JOIN_RETRY_MS));
    }
  }

  private constructor(
    parts: ClusterNodeParts,
    calls: () => ClusterCalls | null,
    replaced: () => void,
    { deaths, formerSeenAtMs }: Extract<JoinResult, { joined: true }>,
  ) {
    this.#parts = parts;
    this.#calls = calls;
    this.#replaced = replaced;
    this.#deaths = deaths;
    this.#formerSeenAtMs = formerSeenAtMs ?? 0;
    this.#takeover = new Takeover({ ...parts, deadAfterMs: DEAD_AFTER_MS, adopt: parts.sharing.adopt });
    this.#timer = setInterval(() => void this.#tick(), BEAT_MS).unref();
    if (parts.cluster) this.#lookTimer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** With the telephone side open: records what a former run of this node left. */
  async opened(): Promise<void> {
    const { node, logger } = this.#parts;
    const calls = this.#calls();
    if (!calls) return;
    try {
      const former = { id: node.id, heartbeatAtMs: this.#formerSeenAtMs };
      await this.#takeover.takeAll(former, node.run, calls);
      const recorded = await this.#clearCalls(node.id, this.#formerSeenAtMs, node.run, calls);
      if (recorded > 0)
        logger.warn({ calls: recorded }, 'calls interrupted by a crash; their records are written');
    } catch (err) {
      logger.warn({ err }, 'calls of a former run not recorded; retrying at the next start');
    }
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#lookTimer);
    await this.#takeover.looking;
    await this.#beating;
    await this.#reaping;
    const { storage, node } = this.#parts;
    await storage.leaveNode(node);
    await storage.releaseLeases({ node: node.id });
  }

  #look(): void {
    const calls = this.#calls();
    if (calls && this.#isSteadyNow) void this.#takeover.look(calls);
  }

  /** The others have seen a heartbeat of late. */
  get isKnownAlive(): boolean {
    return performance.now() - this.#beatMs <= STEADY_GAP_MS;
  }

  get #isSteadyNow(): boolean {
    return this.isKnownAlive && performance.now() - this.#steadySinceMs >= DEAD_AFTER_MS;
  }

  async #tick(): Promise<void> {
    // A database that hangs is asked once at a time.
    if (this.#beating) return;
    this.#beating = this.#beat();
    await this.#beating;
    this.#beating = null;
  }

  async #beat(): Promise<void> {
    const { storage, logger } = this.#parts;
    const calls = this.#calls();
    const state = this.#drain || calls?.isDraining ? 'draining' : 'running';
    try {
      const beat = await storage.beatNode(beatOf(this.#parts, { state, calls: calls?.running ?? 0 }));
      if (this.#isAway) logger.info('heartbeat reaches the database again');
      this.#heard(beat);
      if (this.#isSteady() && calls && beat.alive) this.#reapBeside(calls);
    } catch (err) {
      if (!this.#isAway)
        logger.warn({ err }, 'heartbeat not written; other nodes may take this one for dead');
      this.#isAway = true;
    }
  }

  /** After an outage of the database every node is silent: each first has the time to be seen again. */
  #isSteady(): boolean {
    const nowMs = performance.now();
    if (this.#isAway || nowMs - this.#beatMs > STEADY_GAP_MS) this.#steadySinceMs = nowMs;
    this.#isAway = false;
    this.#beatMs = nowMs;
    return nowMs - this.#steadySinceMs >= DEAD_AFTER_MS;
  }

  #heard(beat: BeatResult): void {
    const { logger, node } = this.#parts;
    if (!beat.alive) {
      clearInterval(this.#timer);
      clearInterval(this.#lookTimer);
      logger.error({ node: node.id }, 'another process has started with this NODE_ID; draining');
      this.#replaced();
      return;
    }
    if (beat.deaths !== this.#deaths) {
      this.#deaths = beat.deaths;
      logger.warn(
        { node: node.id },
        'other nodes took this one for dead; its calls go on and are claimed again',
      );
      void this.#claimAgain();
      setTimeout(() => void this.#claimAgain(), CLAIM_AGAIN_MS).unref();
    }
    if (beat.drain === this.#drain) return;
    this.#drain = beat.drain;
    logger.info(
      { node: node.id },
      beat.drain ? 'drained by request: new calls get 503' : 'takes calls again',
    );
    this.#calls()?.setDrain(beat.drain);
  }

  async #claimAgain(): Promise<void> {
    const { sharing, logger } = this.#parts;
    this.#calls()?.writeLiveCalls();
    await sharing
      .claimAgain()
      .catch((err: unknown) => logger.warn({ err }, 'what this node holds is not claimed again; retrying'));
  }

  /** Not in the heartbeat: thousands of calls take longer than this node may be silent. */
  #reapBeside(calls: ClusterCalls): void {
    this.#reaping ??= this.#reap(calls)
      .catch((err: unknown) =>
        this.#parts.logger.warn({ err }, 'what a dead node left is not cleared; retrying'),
      )
      .finally(() => {
        this.#reaping = null;
      });
  }

  /** One node at a time clears what dead ones left. */
  async #reap(calls: ClusterCalls): Promise<void> {
    const { storage, node, sharing, logger, cluster } = this.#parts;
    if (!cluster) return;
    if (!(await storage.takeLease({ ...LEASE, node: node.id })).taken) return;
    for (const dead of await storage.deadNodes({ deadAfterMs: DEAD_AFTER_MS })) {
      if (dead.id === node.id || (await this.#isClaimable(dead))) continue;
      const recorded = await this.#clearCalls(dead.id, dead.heartbeatAtMs, null, calls);
      await sharing.nodeDied(dead.id);
      await storage.releaseLeases({ node: dead.id });
      await storage.clearedNode(dead);
      const facts = { node: dead.id, silentMs: dead.silentMs, calls: recorded };
      if (dead.state === 'dead') logger.warn(facts, 'node is dead: its calls are recorded as interrupted');
    }
  }

  /** Others may go on with its calls: agents and places in queues are freed when they had the time for it. */
  async #isClaimable({ id, deaths, state }: StoredNode): Promise<boolean> {
    const key = `${id} ${deaths}`;
    const left =
      state === 'dead' ? await this.#parts.storage.countClaimable({ node: id, exceptRun: null }) : 0;
    const nowMs = performance.now();
    const sinceMs = this.#claimableSince.get(key) ?? nowMs;
    if (left === 0 || nowMs - sinceMs > CLAIM_MS) {
      this.#claimableSince.delete(key);
      return false;
    }
    this.#claimableSince.set(key, sinceMs);
    return true;
  }

  /** How many calls had no record yet. */
  async #clearCalls(
    node: string,
    lastSeenMs: number,
    exceptRun: string | null,
    calls: ClusterCalls,
  ): Promise<number> {
    const { storage } = this.#parts;
    let recorded = 0;
    let after = '';
    for (;;) {
      const rows = await storage.leftLiveCalls({ node, exceptRun, after, limit: BATCH });
      if (rows.length === 0) break;
      recorded += await calls.recordInterrupted(interruptedByDeath(rows, lastSeenMs));
      after = rows.at(-1)?.id ?? '';
    }
    await storage.dropLiveCalls({ node, exceptRun });
    return recorded;
  }
}

function beatOf(
  { node, url, version, cluster }: ClusterNodeParts,
  now: Pick<NodeBeat, 'state' | 'calls'>,
): NodeBeat {
  return { ...node, url, version, cluster, ...now };
}

function refusal(
  { reason, by }: Extract<JoinResult, { joined: false }>,
  { cluster, node }: ClusterNodeParts,
): StartError {
  if (reason === 'id')
    return new StartError(
      `NODE_ID ${node.id} is in use by a node at ${by.url}. Stop that process, or set NODE_ID to another id.`,
    );
  return new StartError(
    cluster
      ? `The node ${by.id} at ${by.url} uses this database with CLUSTER=off, so no other node may. Stop it, or start it with CLUSTER=on.`
      : `The node ${by.id} at ${by.url} uses this database. With CLUSTER=off no other node may: stop it, or leave CLUSTER out.`,
  );
}
