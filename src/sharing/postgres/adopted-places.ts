// Places in queues of calls that another node had: this one goes on with them, and they keep their numbers.
import type { Ref } from '../../flow/node.ts';
import type { SharedDatabase } from './database.ts';

export interface Place {
  readonly department: Ref;
  readonly number: number;
  readonly offer: number;
  readonly sinceMs: number;
}

export class AdoptedPlaces {
  /** By call. Those of the last adoption: the calls join at once. */
  readonly #places = new Map<string, Place>();

  /** Agents that were offered are freed with everything else of the dead node. */
  async adopt(
    database: Pick<SharedDatabase, 'run'>,
    from: string,
    to: string,
    calls: readonly string[],
  ): Promise<void> {
    this.#places.clear();
    const rows = await database.run(async (tx) => {
      await tx.query(
        `SELECT pg_advisory_xact_lock(hashtextextended(account_id, 17)) FROM (
          SELECT DISTINCT account_id FROM queue_callers WHERE node = $1 AND call_id = ANY ($2::text[]) ORDER BY account_id) AS accounts`,
        [from, calls],
      );
      return tx.query(
        `UPDATE queue_callers SET node = $2, offered = NULL WHERE node = $1 AND call_id = ANY ($3::text[])
         RETURNING call_id, department, number, offer, since`,
        [from, to, calls],
      );
    });
    for (const row of rows)
      this.#places.set(String(row['call_id']), {
        department: String(row['department']) as Ref,
        number: Number(row['number']),
        offer: Number(row['offer']),
        sinceMs: Number(row['since']),
      });
  }

  /** Null if it has none there. */
  take(call: string, department: Ref): Place | null {
    const place = this.#places.get(call);
    if (place?.department !== department) return null;
    this.#places.delete(call);
    return place;
  }
}
