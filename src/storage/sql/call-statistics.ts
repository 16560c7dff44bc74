// The SQL for statistics: sums by subject and hour, each hour in quarters, so that days and hours of every time zone come out
// exact; and sums by day, so that comparing all agents over a month reads days and not hours.
import { countsOf, QUARTER_MS } from '../../domain/call-counts.ts';
import { splitReference } from '../../domain/reference.ts';
import type { CountOf, CountSeries, CountSpan } from '../storage.ts';
import { clean, type ReadCall } from './call-row.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const DAY = 96;
const QUARTERS = ['q0', 'q1', 'q2', 'q3'] as const;
const HOUR_COLUMNS = {
  account_id: 'text',
  subject: 'text',
  hour: 'bigint',
  measure: 'text',
  q0: 'bigint',
  q1: 'bigint',
  q2: 'bigint',
  q3: 'bigint',
} as const;
const DAY_COLUMNS = {
  account_id: 'text',
  kind: 'text',
  day: 'bigint',
  subject: 'text',
  measure: 'text',
  value: 'bigint',
} as const;

/** One row per subject, hour and measure, however many calls. */
export async function raiseCounts(tx: Tx, calls: readonly ReadCall[]): Promise<void> {
  const hours = new Sums();
  const days = new Sums();
  for (const { row, past } of calls) {
    const quarter = Math.floor(row.startedAtMs / QUARTER_MS);
    for (const { subject, measure, value } of countsOf(past)) {
      const named = [clean(subject), clean(measure)] as const;
      hours.add([row.accountId, named[0], Math.floor(quarter / 4), named[1]], quarter % 4, value);
      const { kind } = splitReference(subject);
      if (kind === 'extension' || kind === 'department')
        days.add([row.accountId, kind, Math.floor(quarter / DAY), ...named], 0, value);
    }
  }
  await tx.insert(
    'call_counts',
    HOUR_COLUMNS,
    hours.rows(4),
    `ON CONFLICT (account_id, subject, hour, measure) DO UPDATE SET ${QUARTERS.map(
      (name) => `${name} = call_counts.${name} + excluded.${name}`,
    ).join(', ')}`,
  );
  await tx.insert(
    'call_days',
    DAY_COLUMNS,
    days.rows(1),
    `ON CONFLICT (account_id, kind, day, subject, measure) DO UPDATE SET value = call_days.value + excluded.value`,
  );
}

class Sums {
  readonly #all = new Map<string, { readonly key: readonly SqlValue[]; readonly sums: number[] }>();

  add(key: readonly SqlValue[], at: number, value: number): void {
    const place = JSON.stringify(key);
    const found = this.#all.get(place) ?? { key, sums: [0, 0, 0, 0] };
    found.sums[at] = (found.sums[at] ?? 0) + value;
    this.#all.set(place, found);
  }

  /** Sorted, so that two nodes lock the rows in the same order. */
  rows(width: number): SqlValue[][] {
    return [...this.#all]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { key, sums }]) => [...key, ...sums.slice(0, width)]);
  }
}

/** Whole hours inside a span, and the hours at its ends of which only some quarters belong to it. */
function partsOf({ fromQuarter, toQuarter }: CountSpan): { from: number; to: number; ends: number[] } {
  const from = Math.ceil(fromQuarter / 4);
  const to = Math.floor(toQuarter / 4);
  const ends = [Math.floor(fromQuarter / 4), to].filter((hour) => {
    const whole = hour >= from && hour < to;
    return !whole && hour * 4 < toQuarter && (hour + 1) * 4 > fromQuarter;
  });
  return { from, to: Math.max(from, to), ends: [...new Set(ends)] };
}

export async function sumCounts(
  tx: Tx,
  input: CountSpan & { subject: string; bucketQuarters: number; offsetQuarters: number },
): Promise<CountSeries[]> {
  const { accountId, subject, bucketQuarters, offsetQuarters } = input;
  const sums = new Map<string, Map<number, number>>();
  const add = (measure: string, bucket: number, value: number): void => {
    const buckets = sums.get(measure) ?? new Map<number, number>();
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
    sums.set(measure, buckets);
  };
  const { from, to, ends } = partsOf(input);
  const first = '(hour * 4 + CAST($5 AS BIGINT)) / CAST($6 AS BIGINT)';
  const last = '(hour * 4 + 3 + CAST($5 AS BIGINT)) / CAST($6 AS BIGINT)';
  const rows = await tx.all(
    `SELECT ${first} AS bucket, ${last} AS last, measure, SUM(q0) AS q0, SUM(q1) AS q1, SUM(q2) AS q2, SUM(q3) AS q3
     FROM call_counts WHERE account_id = $1 AND subject = $2 AND hour >= $3 AND hour < $4 GROUP BY 1, 2, 3`,
    [accountId, subject, from, to, offsetQuarters, bucketQuarters],
  );
  // Buckets are whole hours long, so the quarter at which a bucket ends within an hour is the same all along.
  const turn = 4 - (((offsetQuarters % 4) + 4) % 4);
  for (const row of rows) {
    for (const [quarter, name] of QUARTERS.entries())
      add(String(row['measure']), Number(quarter < turn ? row['bucket'] : row['last']), Number(row[name]));
  }
  const inBucket = (quarter: number): number => Math.floor((quarter + offsetQuarters) / bucketQuarters);
  for (const row of await endRows(tx, accountId, subject, ends))
    eachQuarter(row, input, (quarter, value) => add(String(row['measure']), inBucket(quarter), value));
  return [...sums].map(([measure, buckets]) => ({
    measure,
    buckets: [...buckets.keys()],
    values: [...buckets.values()],
  }));
}

async function endRows(
  tx: Tx,
  accountId: string,
  subject: string,
  ends: readonly number[],
): Promise<SqlRow[]> {
  const [one, other = one] = ends;
  if (one === undefined || other === undefined) return [];
  return tx.all(
    `SELECT hour, measure, q0, q1, q2, q3 FROM call_counts
     WHERE account_id = $1 AND subject = $2 AND hour IN ($3, $4)`,
    [accountId, subject, one, other],
  );
}

function eachQuarter(row: SqlRow, span: CountSpan, take: (quarter: number, value: number) => void): void {
  for (const [index, name] of QUARTERS.entries()) {
    const quarter = Number(row['hour']) * 4 + index;
    if (quarter >= span.fromQuarter && quarter < span.toQuarter) take(quarter, Number(row[name]));
  }
}

export async function compareCounts(
  tx: Tx,
  span: CountSpan & { kind: 'extension' | 'department' },
): Promise<CountOf[]> {
  const { accountId, kind, fromQuarter, toQuarter } = span;
  const sums = new Map<string, { subject: string; measure: string; value: number }>();
  const add = (row: SqlRow, value: number): void => {
    const [subject, measure] = [String(row['subject']), String(row['measure'])];
    const place = `${subject} ${measure}`;
    const found = sums.get(place);
    if (found) found.value += value;
    else sums.set(place, { subject, measure, value });
  };
  const fromDay = Math.ceil(fromQuarter / DAY);
  const toDay = Math.max(fromDay, Math.floor(toQuarter / DAY));
  const whole = await tx.all(
    `SELECT subject, measure, SUM(value) AS value FROM call_days
     WHERE account_id = $1 AND kind = $2 AND day >= $3 AND day < $4 GROUP BY 1, 2`,
    [accountId, kind, fromDay, toDay],
  );
  for (const row of whole) add(row, Number(row['value']));
  const beginning = { ...span, toQuarter: Math.min(toQuarter, fromDay * DAY) };
  const end = { ...span, fromQuarter: Math.max(beginning.toQuarter, toDay * DAY) };
  for (const part of [beginning, end]) {
    if (part.fromQuarter < part.toQuarter) await comparePart(tx, part, add);
  }
  return [...sums.values()].filter(({ value }) => value !== 0);
}

const MANY = 64;

/** Less than a day: by the hours of whoever has counts on these days. */
async function comparePart(
  tx: Tx,
  span: CountSpan & { kind: string },
  add: (row: SqlRow, value: number) => void,
): Promise<void> {
  const { accountId, kind, fromQuarter, toQuarter } = span;
  const days = [Math.floor(fromQuarter / DAY), Math.floor((toQuarter - 1) / DAY)];
  const rows = await tx.all(
    'SELECT DISTINCT subject FROM call_days WHERE account_id = $1 AND kind = $2 AND day >= $3 AND day <= $4',
    [accountId, kind, ...days],
  );
  const subjects = rows.map((row) => String(row['subject']));
  const marks = Array.from({ length: MANY }, (_, index) => `$${index + 4}`).join(', ');
  for (let from = 0; from < subjects.length; from += MANY) {
    const these = Array.from({ length: MANY }, (_, index) => subjects[from + index] ?? subjects[from] ?? '');
    const counted = await tx.all(
      `SELECT subject, hour, measure, q0, q1, q2, q3 FROM call_counts
       WHERE account_id = $1 AND subject IN (${marks}) AND hour >= $2 AND hour <= $3`,
      [accountId, Math.floor(fromQuarter / 4), Math.floor((toQuarter - 1) / 4), ...these],
    );
    for (const row of counted) eachQuarter(row, span, (_, value) => add(row, value));
  }
}
