// What calls are routed by, in memory for all accounts: a call does not wait for the database and survives its outage. The
// next call sees what this process wrote: the API answers a write after read(), or else calls wait for it. What other processes
// write is seen within a second.
import type { AccountSnapshot } from '../../accounts/account-snapshot.ts';
import type { AccountSnapshots } from '../../accounts/account-snapshots.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import type { AccountLimits } from '../../domain/account-limits.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { CallerIdRules } from '../../domain/caller-id-rule.ts';
import { Numbering } from '../../domain/numbering.ts';
import type { Flow } from '../../flow/flow.ts';
import type { RecordingId, Ref } from '../../flow/node.ts';
import type { Agent } from '../../kinds/agent.ts';
import { numberKey } from '../../kinds/number-text.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import type { Webhook } from '../../kinds/webhook.ts';
import type { StoredAccount } from '../../storage/ports/accounts.ts';
import type { Topic } from '../../storage/ports/revisions.ts';
import type { Storage } from '../../storage/storage.ts';
import { ContactBook } from './contact-book.ts';

const POLL_MS = 1000;
/** How long a call waits for a write that was made just before it arrived. */
const FRESH_MS = 500;
/** A refresh that no call waits for starts this much later, and refreshes take at most a twentieth of the time. */
const LAZY_MS = 200;
const REST = 20;
/** Those that a write of the API waits for take at most a third of the time. */
const READ_REST = 2;

export interface AccountRoutes {
  readonly id: string;
  readonly settings: Settings;
  readonly limits: AccountLimits;
  readonly flow: Flow;
  readonly numbering: Numbering;
  /** By numberKey(), and where none has it by Numbering.key(). */
  readonly numbers: ReadonlyMap<string, Ref>;
  /** In queues, of callers who dial the number; those of 0 are left out. */
  readonly priorities: ReadonlyMap<string, number>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly intercoms: ReadonlyMap<string, Agent>;
  readonly sounds: ReadonlyMap<RecordingId, string>;
  readonly trunks: readonly StoredRecord<Trunk>[];
  readonly blocked: BlockList;
  readonly callerIds: CallerIdRules;
  readonly contacts: ContactBook;
  readonly webhooks: readonly StoredRecord<Webhook>[];
}

export interface RoutingParts {
  readonly storage: Storage;
  readonly snapshots: AccountSnapshots;
  /** After every change. */
  readonly changed: (accounts: readonly AccountRoutes[]) => void;
  readonly failed: (error: unknown) => void;
  /** Writes of other threads of this process so far that read() has not read: known at once, before refreshSoon() is called for them. */
  readonly writtenElsewhere?: () => number;
}

export interface Routes {
  account(id: string): AccountRoutes | undefined;
  accounts(): Iterable<AccountRoutes>;
  fresh(): Promise<void> | null;
}

export class Routing implements Routes {
  readonly #parts: RoutingParts;
  #accounts = new Map<string, AccountRoutes>();
  #revisions = new Map<Topic, number>();
  /** Writes of this process, and how many of them finished refreshes have read; a running one does not count yet. */
  #touched = 0;
  #seen = 0;
  #refreshing: Promise<boolean> | null = null;
  #lazy: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #tookMs = 0;
  #restsUntilMs = 0;

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

  /** To be called after each write of this thread. */
  touch(): void {
    this.#touched += 1;
    this.refreshSoon();
  }

  /** Reads what was written before: no call has to wait for that. False: it failed. */
  async read(): Promise<boolean> {
    const restMs = this.#restsUntilMs - performance.now();
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    return this.#refreshQuietly(true);
  }

  refreshSoon(): void {
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

  /** Null when nothing was written since the last refresh; otherwise settles when the write is read, or after FRESH_MS. */
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

  get #written(): number {
    return this.#touched + (this.#parts.writtenElsewhere?.() ?? 0);
  }

  get #isStale(): boolean {
    return this.#seen !== this.#written;
  }

  /** `always`: also where no write is known. */
  #refreshQuietly(always = false): Promise<boolean> {
    const run = (): Promise<boolean> =>
      this.#refresh().then(
        () => true,
        (error: unknown) => {
          this.#parts.failed(error);
          return false;
        },
      );
    // A running refresh may have read before the write: the next one starts when it is done.
    const next = this.#refreshing
      ? this.#refreshing.then(() => (always || this.#isStale ? run() : true))
      : run();
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
      const endedMs = performance.now();
      this.#tookMs = endedMs - beganMs;
      this.#restsUntilMs = endedMs + READ_REST * this.#tookMs;
    }
  }

  async #rebuild(accounts: readonly StoredAccount[] | null, changed: ReadonlySet<Topic>): Promise<void> {
    const next = new Map<string, AccountRoutes>();
    const present = accounts ?? [...this.#accounts.values()];
    for (const { id, settings, limits } of present) {
      const before = this.#accounts.get(id);
      const own = { settings: { ...DEFAULT_SETTINGS, ...settings }, limits };
      const same =
        before &&
        !changed.has(`records:${id}`) &&
        JSON.stringify({ settings: before.settings, limits: before.limits }) === JSON.stringify(own);
      const snapshot = same ? null : await this.#parts.snapshots.whole(id, own.settings);
      next.set(id, snapshot ? await routesOf({ id, ...own }, snapshot, before) : (before as AccountRoutes));
    }
    this.#accounts = next;
  }
}

type Own = Pick<AccountRoutes, 'id' | 'settings' | 'limits'>;

async function routesOf(
  own: Own,
  snapshot: AccountSnapshot,
  before: AccountRoutes | undefined,
): Promise<AccountRoutes> {
  const { directory, flow, webhooks } = snapshot;
  const numbering = new Numbering(own.settings);
  const agents = new Map<string, Agent>();
  const intercoms = new Map<string, Agent>();
  for (const [eid, { data }] of directory.agents) {
    agents.set(eid, data);
    if (data.intercom !== '') intercoms.set(data.intercom, data);
  }
  const numbers = new Map<string, Ref>();
  const priorities = new Map<string, number>();
  for (const { data } of snapshot.numbers) {
    numbers.set(numberKey(data.number), data.destination);
    if (data.priority > 0) priorities.set(numberKey(data.number), data.priority);
  }
  for (const { data } of snapshot.numbers) {
    const key = numbering.key(data.number);
    if (numbers.has(key)) continue;
    numbers.set(key, data.destination);
    if (data.priority > 0) priorities.set(key, data.priority);
  }
  const sounds = new Map<RecordingId, string>();
  for (const [recording, { data }] of directory.recordings) sounds.set(recording, data.sha256);
  const blocked = new BlockList(numbering);
  for (const { data } of snapshot.blockedNumbers) blocked.add(data);
  const callerIds = new CallerIdRules(
    snapshot.callerIdRules,
    (department) => directory.departments.get(department)?.data.agents ?? [],
    numbering,
  );
  const trunks = [...directory.trunks.values()];
  return {
    ...own,
    numbering,
    flow,
    numbers,
    priorities,
    agents,
    intercoms,
    sounds,
    trunks,
    blocked,
    callerIds,
    contacts: await ContactBook.of(snapshot.contacts, numbering, before?.contacts),
    webhooks,
  };
}
