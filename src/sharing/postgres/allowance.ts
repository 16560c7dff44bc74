// An allowance over all nodes: one row for each account, taken from by a conditional update. Periods are those of the database's clock.
import { MemoryAllowance } from '../memory/allowance.ts';
import type { Allowance, AllowanceTerms } from '../ports/allowance.ts';
import type { SharedDatabase } from './database.ts';

const TAKE = `INSERT INTO allowances (name, account_id, period, used)
  SELECT $1, $2, period, 1 FROM (
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000 / $3::bigint)::bigint AS period) AS present
  ON CONFLICT (name, account_id) DO UPDATE SET
    used = CASE WHEN allowances.period = excluded.period THEN allowances.used + 1 ELSE 1 END, period = excluded.period
  WHERE allowances.period <> excluded.period OR allowances.used < $4::bigint
  RETURNING used`;

export interface PostgresAllowanceParts {
  readonly database: Pick<SharedDatabase, 'run'>;
  readonly nowMs: () => number;
  /** The database did not answer: what this node took itself decides. */
  readonly failed: (error: unknown) => void;
}

export class PostgresAllowance implements Allowance {
  readonly #terms: AllowanceTerms;
  readonly #parts: PostgresAllowanceParts;
  /** What this node took. */
  readonly #own: MemoryAllowance;

  constructor(terms: AllowanceTerms, parts: PostgresAllowanceParts) {
    this.#terms = terms;
    this.#parts = parts;
    this.#own = new MemoryAllowance(terms, parts.nowMs);
  }

  async take(accountId: string, most = this.#terms.most): Promise<boolean> {
    const { name, periodMs } = this.#terms;
    if (most <= 0) return false;
    try {
      const rows = await this.#parts.database.run((tx) => tx.query(TAKE, [name, accountId, periodMs, most]));
      if (rows.length > 0) this.#own.take(accountId, most);
      return rows.length > 0;
    } catch (error) {
      this.#parts.failed(error);
      return this.#own.take(accountId, most);
    }
  }

  get secondsLeft(): number {
    return this.#own.secondsLeft;
  }
}
