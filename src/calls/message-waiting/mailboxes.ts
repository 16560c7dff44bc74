// How many messages wait in the voicemail boxes that phones watch. The revision of an account's messages rises with each one that is
// left, heard or deleted, at any node: it is asked for every second, and the boxes are counted when it has risen.
import type { Clock } from '../../kit/clock.ts';
import type { MessageCount } from '../../storage/ports/call-recordings.ts';
import type { Topic } from '../../storage/ports/revisions.ts';
import type { Storage } from '../../storage/storage.ts';

const POLL_MS = 1_000;
/** Accounts in one question. */
const BATCH = 256;

export type Counts = Pick<MessageCount, 'unheard' | 'heard'>;

export interface WatchedBox {
  /** Null if not counted yet. */
  counts(): Counts | null;
  close(): void;
}

export interface MailboxesParts {
  readonly storage: Pick<Storage, 'revisions' | 'messageCounts'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Once, until it works again. */
  readonly failed: (error: unknown) => void;
}

interface Box {
  counts: Counts | null;
  readonly watchers: Set<() => void>;
}

interface WatchedAccount {
  readonly boxes: Map<string, Box>;
  /** The revision of the last count. */
  revision: number | null;
}

const NONE: Counts = { unheard: 0, heard: 0 };

export class Mailboxes {
  readonly #parts: MailboxesParts;
  readonly #accounts = new Map<string, WatchedAccount>();
  #cancel: (() => void) | null = null;
  #isReading = false;
  #isAskedAgain = false;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: MailboxesParts) {
    this.#parts = parts;
  }

  watch(accountId: string, box: string, changed: () => void): WatchedBox {
    const account = this.#accounts.get(accountId) ?? { boxes: new Map<string, Box>(), revision: null };
    const watched = account.boxes.get(box) ?? { counts: null, watchers: new Set<() => void>() };
    // Its own function, so that two watches of one phone are two.
    const watcher = (): void => changed();
    watched.watchers.add(watcher);
    account.boxes.set(box, watched);
    this.#accounts.set(accountId, account);
    if (watched.counts === null) this.#read();
    return {
      counts: () => watched.counts,
      close: () => {
        watched.watchers.delete(watcher);
        if (watched.watchers.size > 0 || account.boxes.get(box) !== watched) return;
        account.boxes.delete(box);
        if (account.boxes.size === 0) this.#accounts.delete(accountId);
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #read(): void {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    this.#cancel?.();
    this.#cancel = null;
    void this.#readAll()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((error: unknown) => {
        if (!this.#isFailing) this.#parts.failed(error);
        this.#isFailing = true;
      })
      .finally(() => {
        this.#isReading = false;
        const isAskedAgain = this.#isAskedAgain && !this.#isFailing;
        this.#isAskedAgain = false;
        if (this.#isClosed || this.#accounts.size === 0) return;
        if (isAskedAgain) this.#read();
        else this.#cancel = this.#parts.clock.after(POLL_MS, () => this.#read());
      });
  }

  async #readAll(): Promise<void> {
    const all = [...this.#accounts];
    for (let from = 0; from < all.length && !this.#isClosed; from += BATCH) {
      const batch = all.slice(from, from + BATCH);
      const topics = batch.map(([id]): Topic => `messages:${id}`);
      const revisions = await this.#parts.storage.revisions(topics);
      for (const [index, [id, account]] of batch.entries())
        await this.#count(id, account, revisions[index] ?? 0);
    }
  }

  async #count(accountId: string, account: WatchedAccount, revision: number): Promise<void> {
    const isChanged = account.revision !== revision;
    const boxes = [...account.boxes].filter(([, { counts }]) => isChanged || counts === null);
    for (let from = 0; from < boxes.length; from += BATCH) {
      const batch = boxes.slice(from, from + BATCH);
      const found = await this.#parts.storage.messageCounts({ accountId, boxes: batch.map(([id]) => id) });
      const byBox = new Map(found.map((counts) => [counts.box, counts]));
      for (const [id, box] of batch) {
        const { unheard, heard } = byBox.get(id) ?? NONE;
        const isSame = box.counts?.unheard === unheard && box.counts.heard === heard;
        box.counts = { unheard, heard };
        if (!isSame) for (const watcher of [...box.watchers]) watcher();
      }
    }
    account.revision = revision;
  }
}
