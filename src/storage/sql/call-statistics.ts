// The SQL for statistics. A row holds all counts of a subject (the account, a menu, an agent, a department) in one hour, each in
// quarters, so that days and hours of every time zone come out exact. Rows by day make it cheap to compare all agents or all menus.
import { type Count, QUARTER_MS } from '../../domain/call-counts.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { CallSummary } from '../ports/calls.ts';
import { COMPARED_KINDS, type CountOf, type CountSpan } from '../ports/statistics.ts';
import { clean } from './call-row.ts';
import { integer, text } from './columns.ts';
import { CountSums, type RaisedRow, type RaisedSum, raise, raiseRows, readCounts } from './count-rows.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, Tx } from './tx.ts';

const DAY = 96;
const MANY = 64;
/** Days that are read at once: a year of an account with thousands of menus would not fit in memory. */
const DAYS_AT_ONCE = 8;

const HOURS = { account_id: 'text', subject: 'text', hour: 'bigint' } as const;
const DAYS = { account_id: 'text', kind: 'text', day: 'bigint', subject: 'text' } as const;

const COMPARED: ReadonlySet<string> = new Set(COMPARED_KINDS);

export interface RaisedCounts {
  readonly hours: readonly RaisedRow[];
  readonly days: readonly RaisedRow[];
}

/** Counts of many calls, summed: one row per subject and hour. */
export class CallCounts {
  readonly #hours = new CountSums();
  readonly #days = new CountSums();

  add(
    { accountId, startedAtMs }: Pick<CallSummary, 'accountId' | 'startedAtMs'>,
    counts: readonly Count[],
  ): void {
    const quarter = Math.floor(startedAtMs / QUARTER_MS);
    const hour = Math.floor(quarter / 4);
    const day = Math.floor(quarter / DAY);
    let last: string | null = null;
    let ofHour: RaisedSum | null = null;
    let ofDay: RaisedSum | null = null;
    for (const { subject: named, measure: counted, value } of counts) {
      // Counts of one subject are mostly adjacent.
      if (named !== last || !ofHour) {
        const subject = clean(named);
        const { kind } = splitReference(subject);
        ofHour = this.#hours.row([accountId, subject, hour]);
        ofDay = COMPARED.has(kind) ? this.#days.row([accountId, kind, day, subject]) : null;
        last = named;
      }
      const measure = clean(counted);
      raise(ofHour, measure, 4, quarter - hour * 4, value);
      if (ofDay) raise(ofDay, measure, 1, 0, value);
    }
  }

  raised(): RaisedCounts {
    return { hours: this.#hours.rows(), days: this.#days.rows() };
  }
}

export async function raiseCounts(tx: Tx, { hours, days }: RaisedCounts): Promise<void> {
  await raiseRows(tx, 'call_counts', HOURS, hours);
  await raiseRows(tx, 'call_days', DAYS, days);
}

export const addCounts: Operation<'addCounts'> = async (tx, { added }) => {
  const sums = new CallCounts();
  for (const { accountId, atMs: startedAtMs, counts } of added) sums.add({ accountId, startedAtMs }, counts);
  await raiseCounts(tx, sums.raised());
};

type Take = (measure: string, quarter: number, value: number) => void;

/** Those of an hour's quarters that lie in the span. */
function eachQuarter(row: SqlRow, { fromQuarter, toQuarter }: CountSpan, take: Take): void {
  const first = integer(row['hour']) * 4;
  const counts = readCounts(row);
  for (const measure in counts) {
    const quarters = counts[measure] ?? [];
    for (let index = 0; index < quarters.length; index++) {
      const quarter = first + index;
      const value = quarters[index] ?? 0;
      if (value !== 0 && quarter >= fromQuarter && quarter < toQuarter) take(measure, quarter, value);
    }
  }
}

export const sumCounts: Operation<'sumCounts'> = async (tx, span) => {
  const { accountId, subject, bucketQuarters, offsetQuarters } = span;
  const sums = new Map<string, Map<number, number>>();
  const rows = await tx.all(
    'SELECT hour, counts FROM call_counts WHERE account_id = $1 AND subject = $2 AND hour >= $3 AND hour < $4',
    [accountId, subject, Math.floor(span.fromQuarter / 4), Math.ceil(span.toQuarter / 4)],
  );
  for (const row of rows) {
    eachQuarter(row, span, (measure, quarter, value) => {
      const bucket = Math.floor((quarter + offsetQuarters) / bucketQuarters);
      let buckets = sums.get(measure);
      if (!buckets) {
        buckets = new Map();
        sums.set(measure, buckets);
      }
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
    });
  }
  return [...sums].map(([measure, buckets]) => ({
    measure,
    buckets: [...buckets.keys()],
    values: [...buckets.values()],
  }));
};

class Comparison {
  readonly #sums = new Map<string, Map<string, number>>();

  add(subject: string, measure: string, value: number): void {
    const sums = this.#sums.get(subject) ?? new Map<string, number>();
    this.#sums.set(subject, sums.set(measure, (sums.get(measure) ?? 0) + value));
  }

  list(): CountOf[] {
    return [...this.#sums].flatMap(([subject, sums]) =>
      [...sums].map(([measure, value]) => ({ subject, measure, value })),
    );
  }
}

/** Whole days from rows by day; the remainder at either end from rows by hour. */
export const compareCounts: Operation<'compareCounts'> = async (tx, span) => {
  const { accountId, kind, fromQuarter, toQuarter } = span;
  const comparison = new Comparison();
  const fromDay = Math.ceil(fromQuarter / DAY);
  const toDay = Math.max(fromDay, Math.floor(toQuarter / DAY));
  for (let day = fromDay; day < toDay; day += DAYS_AT_ONCE) {
    const whole = await tx.all(
      'SELECT subject, counts FROM call_days WHERE account_id = $1 AND kind = $2 AND day >= $3 AND day < $4',
      [accountId, kind, day, Math.min(toDay, day + DAYS_AT_ONCE)],
    );
    for (const row of whole) {
      for (const [measure, [value = 0]] of Object.entries(readCounts(row)))
        comparison.add(text(row['subject']), measure, value);
    }
  }
  const beginning = { ...span, toQuarter: Math.min(toQuarter, fromDay * DAY) };
  const end = { ...span, fromQuarter: Math.max(beginning.toQuarter, toDay * DAY) };
  for (const part of [beginning, end]) {
    if (part.fromQuarter < part.toQuarter) await comparePart(tx, part, comparison);
  }
  return comparison.list();
};

/** Less than two days: from the hours of the subjects that have counts on these days. */
async function comparePart(
  tx: Tx,
  span: CountSpan & { kind: string },
  comparison: Comparison,
): Promise<void> {
  const { accountId, kind, fromQuarter, toQuarter } = span;
  const rows = await tx.all(
    'SELECT DISTINCT subject FROM call_days WHERE account_id = $1 AND kind = $2 AND day >= $3 AND day <= $4',
    [accountId, kind, Math.floor(fromQuarter / DAY), Math.floor((toQuarter - 1) / DAY)],
  );
  const subjects = rows.map((row) => text(row['subject']));
  const marks = Array.from({ length: MANY }, (_, index) => `$${index + 4}`).join(', ');
  for (let from = 0; from < subjects.length; from += MANY) {
    // Padded with repetitions, so that one prepared statement serves every count.
    const these = Array.from({ length: MANY }, (_, index) => subjects[from + index] ?? subjects[from] ?? '');
    const counted = await tx.all(
      `SELECT subject, hour, counts FROM call_counts
       WHERE account_id = $1 AND subject IN (${marks}) AND hour >= $2 AND hour < $3`,
      [accountId, Math.floor(fromQuarter / 4), Math.ceil(toQuarter / 4), ...these],
    );
    for (const row of counted)
      eachQuarter(row, span, (measure, _, value) => comparison.add(text(row['subject']), measure, value));
  }
}
