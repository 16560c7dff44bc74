// Whether an account may record more: its quotas of voicemail and call recordings, and the reserve of free space on the disk. What is
// stored is summed up by the database, not for every call: a sum is reused for half a minute, plus what was added since.

import type { CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import type { Storage } from '../../storage/storage.ts';

const REUSED_MS = 30_000;
/** A sum that refuses is made anew sooner: messages may have been deleted. */
const REFUSING_REUSED_MS = 2_000;
const MAX_SUMS = 10_000;

type Kind = CallRecordingRow['kind'];

/** Why nothing is recorded: the disk is nearly full, or the account has used its space. */
export type RecordingRefusal = 'reserve' | 'quota';

interface Sum {
  bytes: number;
  summedMs: number;
  summing: Promise<void> | null;
}

interface Disk {
  readonly isLow: boolean;
}

export class RecordingSpace {
  readonly #storage: Pick<Storage, 'usage'>;
  readonly #disk: Disk;
  readonly #sums = new Map<string, Sum>();

  constructor(storage: Pick<Storage, 'usage'>, disk: Disk) {
    this.#storage = storage;
    this.#disk = disk;
  }

  get isLow(): boolean {
    return this.#disk.isLow;
  }

  /** By what is known now: a call waits for no count. An account whose sum is not known yet may record. */
  refusal(accountId: string, kind: Kind, maxBytes: number): RecordingRefusal | null {
    if (this.isLow) return 'reserve';
    const sum = this.#sumOf(accountId, kind);
    const isFull = sum.bytes >= maxBytes;
    if (performance.now() - sum.summedMs > (isFull ? REFUSING_REUSED_MS : REUSED_MS))
      void this.#update(sum, accountId, kind);
    return isFull ? 'quota' : null;
  }

  /** By what is stored, where it can be known. Rejects when the database does not answer. */
  async refusalNow(accountId: string, kind: Kind, maxBytes: number): Promise<RecordingRefusal | null> {
    if (this.isLow) return 'reserve';
    const sum = this.#sumOf(accountId, kind);
    if (sum.bytes >= maxBytes || performance.now() - sum.summedMs > REUSED_MS)
      await this.#update(sum, accountId, kind);
    return sum.bytes >= maxBytes ? 'quota' : null;
  }

  added(accountId: string, kind: Kind, bytes: number): void {
    const sum = this.#sums.get(`${accountId} ${kind}`);
    if (sum) sum.bytes += bytes;
  }

  #sumOf(accountId: string, kind: Kind): Sum {
    const key = `${accountId} ${kind}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      if (this.#sums.size >= MAX_SUMS) this.#sums.clear();
      sum = { bytes: 0, summedMs: Number.NEGATIVE_INFINITY, summing: null };
      this.#sums.set(key, sum);
    }
    return sum;
  }

  #update(sum: Sum, accountId: string, kind: Kind): Promise<void> {
    sum.summing ??= this.#storage
      .usage({ accountId, of: kind === 'call' ? 'call_recordings' : 'voicemail' })
      .then(
        (bytes) => {
          sum.bytes = bytes;
          sum.summedMs = performance.now();
        },
        // Without the database the last sum holds.
        () => undefined,
      )
      .finally(() => {
        sum.summing = null;
      });
    return sum.summing;
  }
}
