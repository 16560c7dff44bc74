// Registered phones on their way to the database and back, so that agents can be called right after a restart (fault R29). Changes are
// written in batches, the last one of a phone alone; while the database is unavailable they wait. Calls never wait for it.
import type { Clock } from '../clock.ts';
import type { BindingAddress, BindingStorage, StoredBinding } from '../storage/ports/bindings.ts';
import { PHONE_SLACK_MS, type PhoneStore, type StoredPhone } from '../telephony/telephony.ts';
import { globalId, splitGlobalId } from './routing/dialling.ts';

/** From a REGISTER to its write: those that come together share one. */
export const WAIT_MS = 1_000;
const RETRY_MS = 5_000;
const BATCH = 500;
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
  readonly notLoaded: (error: unknown) => void;
}

/** Null: it is removed. */
interface Change {
  readonly address: BindingAddress;
  readonly saved: StoredBinding | null;
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

  remove({ id, key }: Pick<StoredPhone, 'id' | 'key'>): void {
    const { accountId, id: agent } = splitGlobalId(id);
    this.#change({ address: { accountId, agent, key }, saved: null });
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

  #change(change: Change): void {
    const { accountId, agent, key } = change.address;
    const phone = JSON.stringify([accountId, agent, key]);
    this.#waiting.delete(phone);
    this.#waiting.set(phone, change);
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
    const batch = [...this.#waiting].slice(0, BATCH);
    for (const [phone] of batch) this.#waiting.delete(phone);
    const saved = batch.flatMap(([, each]) => each.saved ?? []);
    const removed = batch.flatMap(([, each]) => (each.saved === null ? each.address : []));
    try {
      await this.#parts.storage.saveBindings({ saved, removed });
    } catch (error) {
      for (const [phone, change] of batch) if (!this.#waiting.has(phone)) this.#waiting.set(phone, change);
      this.#parts.failed(error, this.#waiting.size);
      this.#writeIn(RETRY_MS);
      return false;
    }
    if (this.#waiting.size > 0) this.#writeIn(this.#waiting.size >= BATCH ? 0 : WAIT_MS);
    return true;
  }
}

function bindingOf({ id, protocol, ...phone }: StoredPhone): StoredBinding {
  const { accountId, id: agent } = splitGlobalId(id);
  return { ...phone, accountId, agent, transport: protocol };
}

function phoneOf({ accountId, agent, transport, ...binding }: StoredBinding): StoredPhone {
  return { ...binding, id: globalId(accountId, agent), protocol: transport };
}
