// Registered phones on their way to the database and back, so that agents can be called right after a restart (fault R29), and from
// every node. Changes are written in batches, the last one of a phone alone; while the database is unavailable they wait. Calls never wait
// for it. Other nodes get a notice when a contact changes, and read refreshes every two seconds.
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { Counts } from '../kit/fair-share.ts';
import type { Notices } from '../sharing/ports/notices.ts';
import type {
  BindingAddress,
  BindingStorage,
  RemovedBinding,
  StoredBinding,
} from '../storage/ports/bindings.ts';
import {
  PHONE_SLACK_MS,
  type PhoneStore,
  type RemovedPhone,
  type StoredPhone,
} from '../telephony/ports/phone-store.ts';
import { nameOf, PhoneChanges } from './phone-changes.ts';
import { globalId, splitGlobalId } from './routing/dialling.ts';

/** From a REGISTER to its write: those that come together share one. */
export const WAIT_MS = 1_000;
const CLOCKS_MS = 1_000;
/** The same of a contact that other nodes do not know yet: until it is written, a death of this node loses it. */
export const NEWS_MS = 10;
const RETRY_MS = 5_000;
const BATCH = 500;
/** A failed batch is written one by one: after so many failures in a row the database is taken to be unavailable. */
const MAX_FAILURES = 2;
/**
 * Phones with a change that is not written yet. Beyond it the oldest change of the account that has most is lost: that phone registers
 * again after a restart.
 */
export const MAX_WAITING = 100_000;
/** As many as the registrar holds. */
export const MAX_RESTORED = 100_000;
const PAGE = 5_000;
/** A database that does not answer must not delay the start for longer. */
const LOAD_MS = 5_000;

export interface RegistrationsParts {
  readonly storage: BindingStorage;
  readonly clock: Pick<Clock, 'after' | 'epochMs'>;
  readonly failed: (error: unknown, waiting: number) => void;
  /** The database takes the changes of others, but not this one. */
  readonly dropped: (error: unknown, phone: BindingAddress) => void;
  readonly notLoaded: (error: unknown) => void;
  /** The other nodes; absent: there is none. */
  readonly sharing?: { readonly node: string; readonly notices: Notices };
}

interface Change {
  /** With the latest expiry that this process has given the row. */
  readonly address: RemovedBinding;
  /** Null if it is removed. */
  readonly saved: StoredBinding | null;
  readonly isNews: boolean;
}

interface Failed {
  readonly error: unknown;
  readonly entry: readonly [string, Change];
}

export class Registrations implements PhoneStore {
  readonly #parts: RegistrationsParts;
  /** By phone, the oldest change first. */
  readonly #waiting = new Map<string, Change>();
  #writing: Promise<boolean> | null = null;
  /** The phones of the batch that is being written. */
  #inFlight: ReadonlySet<string> = new Set();
  #cancel: (() => void) | null = null;
  /** Among those that wait is a contact that other nodes do not know yet. */
  #isNewsWaiting = false;
  readonly #changes: PhoneChanges | null;

  constructor(parts: RegistrationsParts) {
    this.#parts = parts;
    const { storage, clock, sharing } = parts;
    this.#changes = sharing
      ? new PhoneChanges({
          storage,
          clock,
          ...sharing,
          failed: (error) => parts.failed(error, this.waiting),
          isWaiting: (binding) => {
            const phone = nameOf(binding);
            return this.#waiting.has(phone) || this.#inFlight.has(phone);
          },
        })
      : null;
  }

  get node(): string | null {
    return this.#parts.sharing?.node ?? null;
  }

  follow(changed: (phones: readonly StoredPhone[]) => void): void {
    this.#changes?.follow((bindings) => changed(bindings.map((each) => this.#phoneOf(each))));
  }

  /** Another node is gone: this one pings its phones. */
  async nodeDied(node: string): Promise<void> {
    if (this.#changes && node !== this.node) await this.#changes.takeOver(node);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async load(): Promise<readonly StoredPhone[]> {
    const phones: StoredPhone[] = [];
    let late = false;
    let cancel = (): void => undefined;
    const timeout = new Promise<never>((_, reject) => {
      cancel = this.#parts.clock.after(LOAD_MS, () => {
        late = true;
        reject(new Error('the database did not answer in time'));
      });
    });
    try {
      await Promise.race([this.#loadAll(phones, () => late), timeout]);
    } catch (error) {
      // Those that were read are good; the others register again by themselves.
      this.#parts.notLoaded(error);
    } finally {
      cancel();
    }
    return phones;
  }

  save(phone: StoredPhone, isNews = false): void {
    const saved = bindingOf({ ...phone, expiresAtMs: this.#byDatabase(phone.expiresAtMs) });
    this.#change({ address: saved, saved, isNews });
  }

  remove({ id, ...removed }: RemovedPhone): void {
    const { accountId, id: agent } = splitGlobalId(id);
    // Nodes reckon the expiry of a phone by their own clocks, so what they know of it differs by little.
    const expiresAtMs = this.#byDatabase(removed.expiresAtMs) + (this.#changes ? CLOCKS_MS : 0);
    this.#change({ address: { ...removed, accountId, agent, expiresAtMs }, saved: null, isNews: true });
  }

  #byDatabase(ms: number): number {
    return Math.round(ms + (this.#changes?.offsetMs ?? 0));
  }

  #phoneOf(binding: StoredBinding): StoredPhone {
    const { expiresAtMs } = binding;
    const isRemoved = expiresAtMs === 0;
    return phoneOf({
      ...binding,
      expiresAtMs: isRemoved ? 0 : expiresAtMs - (this.#changes?.offsetMs ?? 0),
    });
  }

  /** Writes all there is; gives up at the first failure. */
  async flush(): Promise<void> {
    let isWritten = true;
    while (isWritten && (this.#writing || this.#waiting.size > 0))
      isWritten = await (this.#writing ?? this.#write());
  }

  close(): void {
    this.#changes?.close();
    this.#stopTimer();
  }

  #stopTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #loadAll(phones: StoredPhone[], isLate: () => boolean): Promise<void> {
    await this.#changes?.begin();
    const expiringAfterMs = this.#parts.clock.epochMs() - PHONE_SLACK_MS;
    let after: BindingAddress | null = null;
    while (phones.length < MAX_RESTORED && !isLate()) {
      const page: StoredBinding[] = await this.#parts.storage.listBindings({
        after,
        expiringAfterMs,
        limit: PAGE,
      });
      for (const binding of page) phones.push(this.#phoneOf(binding));
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  #change({ address, saved, isNews }: Change): void {
    const phone = nameOf(address);
    // The row may be as late as a change that is replaced before it was written.
    const before = this.#waiting.get(phone);
    const expiresAtMs = Math.max(address.expiresAtMs, before?.address.expiresAtMs ?? 0);
    const isWaitedFor = isNews || before?.isNews === true;
    this.#waiting.delete(phone);
    this.#waiting.set(phone, { address: { ...address, expiresAtMs }, saved, isNews: isWaitedFor });
    if (this.#waiting.size > MAX_WAITING) this.#dropOldest();
    const isUrgent = isNews && this.#changes !== null;
    if (isUrgent && !this.#isNewsWaiting) this.#stopTimer();
    this.#isNewsWaiting ||= isUrgent;
    this.#writeIn(isUrgent ? NEWS_MS : WAIT_MS);
  }

  /** Drops changes of the account with most: one that makes too many loses its own. Several at once, since each time it looks at all. */
  #dropOldest(): void {
    const counts = new Counts();
    for (const { address } of this.#waiting.values()) counts.add(address.accountId, 1);
    const { account, count } = counts.most();
    let left = Math.min(Math.ceil(count / 2), MAX_WAITING / 100);
    for (const [phone, { address }] of this.#waiting) {
      if (left === 0) return;
      if (address.accountId !== account) continue;
      this.#waiting.delete(phone);
      left -= 1;
    }
  }

  #writeIn(ms: number): void {
    this.#cancel ??= this.#parts.clock.after(ms, () => {
      this.#cancel = null;
      if (!this.#writing) void this.#write();
    });
  }

  #write(): Promise<boolean> {
    this.#stopTimer();
    this.#writing = this.#writeBatch().finally(() => {
      this.#inFlight = new Set();
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const batch: [string, Change][] = [];
    this.#isNewsWaiting = false;
    for (const entry of this.#waiting) {
      if (batch.length === BATCH) break;
      batch.push(entry);
      this.#waiting.delete(entry[0]);
    }
    this.#inFlight = new Set(batch.map(([phone]) => phone));
    try {
      await this.#save(batch);
    } catch (error) {
      const left = batch.length === 1 ? batch : await this.#saveSingly(batch);
      for (const [phone, change] of left) if (!this.#waiting.has(phone)) this.#waiting.set(phone, change);
      if (left.length > 0) {
        this.#parts.failed(error, this.#waiting.size);
        this.#writeIn(RETRY_MS);
        return false;
      }
    }
    const isFull = batch.length === BATCH || this.#waiting.size >= BATCH;
    if (this.#waiting.size > 0) this.#writeIn(isFull ? 0 : this.#isNewsWaiting ? NEWS_MS : WAIT_MS);
    return true;
  }

  async #save(batch: readonly (readonly [string, Change])[]): Promise<void> {
    const saved = batch.flatMap(([, each]) => each.saved ?? []);
    const removed = batch.flatMap(([, each]) => (each.saved === null ? each.address : []));
    await this.#parts.storage.saveBindings({ saved, removed });
    this.#changes?.wrote(batch.map(([, { address }]) => address));
    if (batch.some(([, { isNews }]) => isNews)) this.#changes?.publish();
  }

  /**
   * One change that the database never takes must not hold back all others: it is dropped when the one after it is written. Returns
   * what is left to write, with those that failed at the end, so that the next attempt begins with others.
   */
  async #saveSingly(batch: readonly (readonly [string, Change])[]): Promise<(readonly [string, Change])[]> {
    const failed: Failed[] = [];
    for (const [index, entry] of batch.entries()) {
      try {
        await this.#save([entry]);
      } catch (error) {
        failed.push({ error, entry });
        if (failed.length < MAX_FAILURES) continue;
        return [...batch.slice(index + 1), ...failed.map((each) => each.entry)];
      }
      for (const each of failed.splice(0)) this.#parts.dropped(each.error, each.entry[1].address);
    }
    return failed.map((each) => each.entry);
  }
}

function bindingOf({ id, protocol, ...phone }: StoredPhone): StoredBinding {
  const { accountId, id: agent } = splitGlobalId(id);
  return { ...phone, accountId, agent, transport: protocol };
}

function phoneOf({ accountId, agent, transport, ...binding }: StoredBinding): StoredPhone {
  return { ...binding, id: globalId(accountId, agent), protocol: transport };
}

type LoggedParts = Pick<RegistrationsParts, 'storage' | 'clock' | 'sharing'> & {
  readonly logger: Pick<Logger, 'warn'>;
};

/** With what goes wrong in the log. */
export function openRegistrations({ storage, clock, logger, sharing }: LoggedParts): Registrations {
  return new Registrations({
    ...(sharing ? { sharing } : {}),
    storage,
    clock,
    failed: (err, waiting) => logger.warn({ err, waiting }, 'registered phones not stored; retrying'),
    dropped: (err, { accountId, agent }) =>
      logger.warn(
        { err, accountId, agent },
        'registered phone not stored; it registers again after a restart',
      ),
    notLoaded: (err) =>
      logger.warn({ err }, 'registered phones not restored; agents are reachable when their phones register'),
  });
}
