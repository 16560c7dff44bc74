// Pauses of agents and the departments that they are signed out of, in memory: every ring asks here. A change is stored first, then known
// here, then noticed to the other nodes, which read the account's again.
import type { Logger } from 'pino';
import type { AgentPresence, PresenceChange } from '../../domain/agent-presence.ts';
import { isPlain } from '../../domain/agent-presence.ts';
import { globalId } from '../../domain/global-id.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Notices } from '../../sharing/ports/notices.ts';
import type { AgentPresenceStorage } from '../../storage/ports/agent-presence.ts';

const TOPIC = 'presence';

export interface PresencesParts {
  readonly storage: AgentPresenceStorage;
  /** This node and how it hears of the others; absent: it is the only one. */
  readonly sharing?: { readonly node: string; readonly notices: Notices } | undefined;
  readonly epochMs: () => number;
  readonly failed: (error: unknown) => void;
}

export class Presences {
  readonly #parts: PresencesParts;
  /** Agents who are paused or signed out, by account and id together. */
  #known = new Map<string, AgentPresence>();
  /** Called with the agent whose presence has changed, at this node or another. */
  changed: (agent: string) => void = () => undefined;
  /** Reads one after the other: the last one knows the most. */
  #reading: Promise<void> = Promise.resolve();
  #unsubscribe: () => void = () => undefined;

  constructor(parts: PresencesParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { sharing } = this.#parts;
    await this.#read(null);
    if (!sharing) return;
    const heard = (text: string): void => {
      const [node = '', accountId = ''] = text.split(' ');
      if (node !== sharing.node) void this.#readSoon(accountId);
    };
    this.#unsubscribe = sharing.notices.subscribe(TOPIC, heard, () => void this.#readSoon(null));
  }

  close(): void {
    this.#unsubscribe();
  }

  of(agent: string): AgentPresence | undefined {
    return this.#known.get(agent);
  }

  isPaused(agent: string): boolean {
    return (this.#known.get(agent)?.pausedAtMs ?? null) !== null;
  }

  /** Rejects with StorageError. */
  async change(accountId: string, eid: string, change: PresenceChange): Promise<AgentPresence> {
    const { storage, sharing, epochMs, failed } = this.#parts;
    const presence = await storage.changePresence({ accountId, eid, change, atMs: epochMs() });
    this.#set(globalId(accountId, eid), presence);
    // A notice that is lost is made up for when listening begins again.
    if (sharing)
      Promise.resolve(sharing.notices.publish(TOPIC, `${sharing.node} ${accountId}`)).catch(failed);
    return presence;
  }

  #readSoon(accountId: string | null): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read(accountId)).catch(this.#parts.failed);
    return this.#reading;
  }

  /** `accountId` null: of all accounts. */
  async #read(accountId: string | null): Promise<void> {
    const rows = await this.#parts.storage.listPresence({ accountId });
    const read = new Map(rows.map((row) => [globalId(row.accountId, row.eid), row]));
    for (const [agent, { accountId: of }] of this.#known)
      if ((accountId === null || of === accountId) && !read.has(agent)) this.#set(agent, null);
    for (const [agent, row] of read) this.#set(agent, row);
  }

  #set(agent: string, presence: AgentPresence | null): void {
    const before = this.#known.get(agent);
    if (presence === null || isPlain(presence)) this.#known.delete(agent);
    else this.#known.set(agent, presence);
    if (JSON.stringify(before ?? null) !== JSON.stringify(this.#known.get(agent) ?? null))
      this.changed(agent);
  }
}

export const openPresences = ({
  storage,
  sharing,
  clock,
  logger,
}: Pick<PresencesParts, 'storage' | 'sharing'> & {
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly logger: Pick<Logger, 'warn'>;
}): Presences =>
  new Presences({
    storage,
    sharing,
    epochMs: () => clock.epochMs(),
    failed: (err) => logger.warn({ err }, 'presence of agents not read or shared; retrying'),
  });
