// What an account may store: records of configuration, their bytes, and those of its prompts. The database counts, and not for every request: a
// count of records is reused for some seconds, plus what was created since. Voicemail and call recordings: calls/records/recording-space.ts.
import type { Account } from '../../domain/account.ts';
import { ACCOUNT_LIMITS, BYTES_PER_MB } from '../../domain/account-limits.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import type { UsageOf } from '../../storage/ports/usage.ts';
import type { Storage } from '../../storage/storage.ts';
import { CountedBytes, configurationBytes, promptBytes } from './counted-bytes.ts';

const REUSED_MS = 10_000;
/** A count that refuses is made anew sooner: something may have been deleted. */
const REFUSING_REUSED_MS = 1_000;
const MAX_COUNTS = 10_000;

type Used = Readonly<Record<string, number>>;
type Owner = Pick<Account, 'id' | 'limits'>;

export const reached = (what: string, limit: string): Problem =>
  problem(
    'quota_reached',
    `The account may store no more ${what}: its limit is ${limit}. Delete some, or ask the operator for more.`,
  );

const CONFIGURATION_FULL = (mb: number): Problem =>
  problem(
    'quota_reached',
    `The records of the account, with former versions and deleted ones, have ${mb} MB: that is its limit (max_configuration_mb). Delete records and erase them for good, or ask the operator for more.`,
  );

export class Quotas {
  readonly #storage: Pick<Storage, 'usage'>;
  readonly #prompts: CountedBytes;
  readonly #configuration: CountedBytes;
  readonly #counts = new Map<string, { records: number; countedMs: number }>();
  /** Requests at once share one answer, which is as of the first of them. */
  readonly #asked = new Map<string, Promise<Used>>();

  constructor(storage: Pick<Storage, 'usage' | 'promptSounds' | 'configurationBytes' | 'revisions'>) {
    this.#storage = storage;
    this.#prompts = new CountedBytes(storage, promptBytes(storage));
    this.#configuration = new CountedBytes(storage, configurationBytes(storage));
  }

  /** Null if there is room for one more record, and it counts from now on. */
  async refuseRecord({ id, limits: { max_records: max } }: Owner): Promise<Problem | null> {
    if (max >= ACCOUNT_LIMITS.max_records.values[1]) return null;
    const known = this.#counts.get(id);
    const ageMs = performance.now() - (known?.countedMs ?? Number.NEGATIVE_INFINITY);
    const isFull = known !== undefined && known.records >= max;
    const count = known && ageMs < (isFull ? REFUSING_REUSED_MS : REUSED_MS) ? known : await this.#count(id);
    if (count.records >= max) return reached('records', `${max} records`);
    count.records += 1;
    return null;
  }

  /** Null if there is room for so many bytes of prompts, and they count from now on. 0: how many is not known yet. */
  async refuseSound(
    { id, limits: { max_recordings_mb: max } }: Owner,
    bytes: number,
  ): Promise<Problem | null> {
    if (max >= ACCOUNT_LIMITS.max_recordings_mb.values[1]) return null;
    const used = await this.#prompts.of(id);
    if (used + Math.max(1, bytes) > max * BYTES_PER_MB) return reached('recordings', `${max} MB`);
    this.#prompts.add(id, bytes);
    return null;
  }

  /** Null if there is room for a record or another version of one, as it is stored, and its bytes count from now on. */
  async refuseBytes(
    { id, limits: { max_configuration_mb: max } }: Owner,
    json: string,
  ): Promise<Problem | null> {
    if (max >= ACCOUNT_LIMITS.max_configuration_mb.values[1]) return null;
    const bytes = Buffer.byteLength(json);
    if ((await this.#configuration.of(id)) + bytes > max * BYTES_PER_MB) return CONFIGURATION_FULL(max);
    this.#configuration.add(id, bytes);
    return null;
  }

  used(accountId: string): Promise<Used> {
    const earlier = this.#asked.get(accountId);
    if (earlier) return earlier;
    const asked = this.#used(accountId).finally(() => this.#asked.delete(accountId));
    this.#asked.set(accountId, asked);
    return asked;
  }

  async #used(accountId: string): Promise<Used> {
    const ask = (of: UsageOf): Promise<number> => this.#storage.usage({ accountId, of });
    const [records, configuration, recordings, voicemail, calls] = await Promise.all([
      ask('records'),
      this.#configuration.of(accountId),
      this.#prompts.of(accountId),
      ask('voicemail'),
      ask('call_recordings'),
    ]);
    return {
      records,
      configuration_bytes: configuration,
      recordings_bytes: recordings,
      voicemail_bytes: voicemail,
      call_recordings_bytes: calls,
    };
  }

  async #count(accountId: string): Promise<{ records: number; countedMs: number }> {
    const records = await this.#storage.usage({ accountId, of: 'records' });
    const count = { records, countedMs: performance.now() };
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(accountId, count);
    return count;
  }
}
