// Registered phones on their way to the database and back, so that agents can be called right after a restart (fault R29). Changes are
// written in batches, the last one of a phone alone; while the database is unavailable they wait. Calls never wait for it.
import type { Clock } from '../clock.ts';
import type {
  BindingAddress,
  BindingStorage,
  RemovedBinding,
  StoredBinding,
} from '../storage/ports/bindings.ts';
import { PHONE_SLACK_MS, type PhoneStore, type StoredPhone } from '../telephony/telephony.ts';
import { globalId, splitGlobalId } from './routing/dialling.ts';

/** From a REGISTER to its write: those that come together share one. */
export const WAIT_MS = 1_000;
const RETRY_MS = 5_000;
const BATCH = 500;
/** Of a failed batch that is written one by one: after so many failures in a row the database is taken to be unavailable. */
const MAX_FAILURES = 2;
/** Phones with a change that is not written yet. Beyond it the oldest change is lost: that phone registers again after a restart. */
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
}

interface Change {
  /** With the latest expiry that this process has given the row. */
  readonly address: RemovedBinding;
  /** Null: it is removed. */
  readonly saved: StoredBinding | null;
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
  #cancel: (() => void) | null = null;

  constructor(parts: RegistrationsParts) {
    this.#parts = parts;
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

  save(phone: StoredPhone): void {
    const saved = bindingOf(phone);
    this.#change({ address: saved, saved });
  }

  remove({ id, key, expiresAtMs }: Pick<StoredPhone, 'id' | 'key' | 'expiresAtMs'>): void {
    const { accountId, id: agent } = splitGlobalId(id);
    this.#change({ address: { accountId, agent, key, expiresAtMs }, saved: null });
  }

  /** Writes all there is; gives up at the first failure. */
  async flush(): Promise<void> {
    let isWritten = true;
    while (isWritten && (this.#writing || this.#waiting.size > 0))
      isWritten = await (this.#writing ?? this.#write());
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #loadAll(phones: StoredPhone[], isLate: () => boolean): Promise<void> {
    const expiringAfterMs = this.#parts.clock.epochMs() - PHONE_SLACK_MS;
    let after: BindingAddress | null = null;
    while (phones.length < MAX_RESTORED && !isLate()) {
      const page: StoredBinding[] = await this.#parts.storage.listBindings({
        after,
        expiringAfterMs,
        limit: PAGE,
      });
      for (const binding of page) phones.push(phoneOf(binding));
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  #change({ address, saved }: Change): void {
    const { accountId, agent, key } = address;
    const phone = JSON.stringify([accountId, agent, key]);
    // The row may be as late as a change that is replaced before it was written.
    const beforeMs = this.#waiting.get(phone)?.address.expiresAtMs ?? 0;
    const expiresAtMs = Math.max(address.expiresAtMs, beforeMs);
    this.#waiting.delete(phone);
    this.#waiting.set(phone, { address: { accountId, agent, key, expiresAtMs }, saved });
    if (this.#waiting.size > MAX_WAITING)
      for (const oldest of this.#waiting.keys()) {
        this.#waiting.delete(oldest);
        break;
      }
    this.#writeIn(WAIT_MS);
  }

  #writeIn(ms: number): void {
    this.#cancel ??= this.#parts.clock.after(ms, () => {
      this.#cancel = null;
      if (!this.#writing) void this.#write();
    });
  }

  #write(): Promise<boolean> {
    this.close();
    this.#writing = this.#writeBatch().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const batch: [string, Change][] = [];
    for (const entry of this.#waiting) {
      if (batch.length === BATCH) break;
      batch.push(entry);
      this.#waiting.delete(entry[0]);
    }
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
    if (this.#waiting.size > 0) this.#writeIn(this.#waiting.size >= BATCH ? 0 : WAIT_MS);
    return true;
  }

  async #save(batch: readonly (readonly [string, Change])[]): Promise<void> {
    const saved = batch.flatMap(([, each]) => each.saved ?? []);
    const removed = batch.flatMap(([, each]) => (each.saved === null ? each.address : []));
    await this.#parts.storage.saveBindings({ saved, removed });
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
