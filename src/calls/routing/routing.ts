// Where calls go, held in memory for all accounts: a call never waits for the database and survives its outage. What this
// process writes is seen by the next call; what other processes write, within a second.
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import type { Agent } from '../../domain/agent.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { type CallerIdRule, CallerIdRules } from '../../domain/caller-id-rule.ts';
import { numberKey } from '../../domain/number.ts';
import type { StoredRecord } from '../../domain/record.ts';
import type { Trunk } from '../../domain/trunk.ts';
import type { Webhook } from '../../domain/webhook.ts';
import type { Flow } from '../../flow/flow.ts';
import type { RecordingId, Ref } from '../../flow/node.ts';
import type { StoredAccount } from '../../storage/ports/accounts.ts';
import type { Topic } from '../../storage/ports/revisions.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Flows, WholeFlow } from './flows.ts';

const POLL_MS = 1000;
/** How long a call waits for what was written just before it came. */
const FRESH_MS = 500;
/** A refresh nobody waits for comes so much later, and takes at most a twentieth of the time. */
const LAZY_MS = 200;
const REST = 20;

export interface AccountRoutes {
  readonly id: string;
  readonly settings: Settings;
  readonly flow: Flow;
  /** By numberKey(). */
  readonly numbers: ReadonlyMap<string, Ref>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly intercoms: ReadonlyMap<string, Agent>;
  readonly sounds: ReadonlyMap<RecordingId, string>;
  readonly trunks: readonly StoredRecord<Trunk>[];
  readonly blocked: BlockList;
  readonly callerIds: CallerIdRules;
  readonly webhooks: readonly StoredRecord<Webhook>[];
}

export interface RoutingParts {
  readonly storage: Storage;
  readonly flows: Flows;
  /** After every change. */
  readonly changed: (accounts: readonly AccountRoutes[]) => void;
  readonly failed: (error: unknown) => void;
}

/** What a call needs to know of all this. */
export interface Routes {
  account(id: string): AccountRoutes | undefined;
  accounts(): Iterable<AccountRoutes>;
  fresh(): Promise<void> | null;
}

export class Routing implements Routes {
  readonly #parts: RoutingParts;
  #accounts = new Map<string, AccountRoutes>();
  #revisions = new Map<Topic, number>();
  /** Writes of this process, and how many of them a finished refresh has seen: one under way does not count yet. */
  #written = 0;
  #seen = 0;
  #refreshing: Promise<void> | null = null;
  #lazy: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #tookMs = 0;

  constructor(parts: RoutingParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    await this.#refresh();
    this.#poll = setInterval(() => void this.#refreshQuietly(), POLL_MS);
    this.#poll.unref();
  }

  close(): void {
    if (this.#poll) clearInterval(this.#poll);
    if (this.#lazy) clearTimeout(this.#lazy);
  }

  /** This process wrote something. */
  touch(): void {
    this.#written += 1;
    if (this.#lazy) return;
    this.#lazy = setTimeout(
      () => {
        this.#lazy = null;
        void this.#refreshQuietly();
      },
      Math.max(LAZY_MS, REST * this.#tookMs),
    );
    this.#lazy.unref();
  }

  /** Null when nothing was written since; otherwise settles once it is seen, or when waiting longer would be worse. */
  fresh(): Promise<void> | null {
    if (!this.#isStale) return null;
    return new Promise((resolve) => {
      const late = setTimeout(resolve, FRESH_MS);
      void this.#refreshQuietly().then(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  account(id: string): AccountRoutes | undefined {
    return this.#accounts.get(id);
  }

  accounts(): Iterable<AccountRoutes> {
    return this.#accounts.values();
  }

  get #isStale(): boolean {
    return this.#seen !== this.#written;
  }

  #refreshQuietly(): Promise<void> {
    // A refresh that is running may have read before the write: the next one begins when it is done.
    const run = (): Promise<void> => this.#refresh().catch((error: unknown) => this.#parts.failed(error));
    const next = this.#refreshing ? this.#refreshing.then(() => (this.#isStale ? run() : undefined)) : run();
    const tracked = next.finally(() => {
      if (this.#refreshing === tracked) this.#refreshing = null;
    });
    this.#refreshing = tracked;
    return tracked;
  }

  async #refresh(): Promise<void> {
    const beganMs = performance.now();
    const written = this.#written;
    try {
      const { storage } = this.#parts;
      const known: Topic[] = ['access', ...[...this.#accounts.keys()].map((id): Topic => `records:${id}`)];
      const seen = await storage.revisions(known);
      const changed = known.filter((topic, index) => this.#revisions.get(topic) !== seen[index]);
      if (changed.length > 0) {
        const accounts = changed.includes('access') ? await storage.listAccounts() : null;
        await this.#rebuild(accounts, new Set(changed));
        for (const [index, topic] of known.entries()) this.#revisions.set(topic, seen[index] ?? 0);
        this.#parts.changed([...this.#accounts.values()]);
      }
      this.#seen = written;
    } finally {
      this.#tookMs = performance.now() - beganMs;
    }
  }

  async #rebuild(accounts: readonly StoredAccount[] | null, changed: ReadonlySet<Topic>): Promise<void> {
    const next = new Map<string, AccountRoutes>();
    const present = accounts ?? [...this.#accounts.values()];
    for (const { id, settings } of present) {
      const before = this.#accounts.get(id);
      const whole = { ...DEFAULT_SETTINGS, ...settings };
      const same =
        before && !changed.has(`records:${id}`) && JSON.stringify(before.settings) === JSON.stringify(whole);
      next.set(id, same ? before : routesOf(id, whole, await this.#parts.flows.whole(id, whole)));
    }
    this.#accounts = next;
  }
}

function routesOf(id: string, settings: Settings, { flow, records }: WholeFlow): AccountRoutes {
  const numbers = new Map<string, Ref>();
  const agents = new Map<string, Agent>();
  const intercoms = new Map<string, Agent>();
  const sounds = new Map<RecordingId, string>();
  const trunks: StoredRecord<Trunk>[] = [];
  const departments = new Map<string, readonly string[]>();
  const blocked = new BlockList();
  const rules: StoredRecord<CallerIdRule>[] = [];
  const webhooks: StoredRecord<Webhook>[] = [];
  for (const record of records.values()) {
    if (record.kind === 'number') {
      numbers.set(numberKey(record.data.number), record.data.destination);
    } else if (record.kind === 'agent') {
      const agent = record.data;
      agents.set(agent.eid, agent);
      if (agent.intercom !== '') intercoms.set(agent.intercom, agent);
    } else if (record.kind === 'recording') sounds.set(record.id, record.data.sha256);
    else if (record.kind === 'trunk') trunks.push(record);
    else if (record.kind === 'department') departments.set(record.id, record.data.agents);
    else if (record.kind === 'blocked_number') blocked.add(record.data);
    else if (record.kind === 'caller_id_rule') rules.push(record);
    else if (record.kind === 'webhook') webhooks.push(record);
  }
  const callerIds = new CallerIdRules(rules, (department) => departments.get(department) ?? []);
  return { id, settings, flow, numbers, agents, intercoms, sounds, trunks, blocked, callerIds, webhooks };
}
