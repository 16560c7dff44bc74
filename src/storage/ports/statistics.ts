// Counts of calls, kept by quarter of an hour when calls are saved.

/** Quarters of an hour since 1970: the unit of statistics. */
export interface CountSpan {
  readonly accountId: string;
  readonly fromQuarter: number;
  /** Not included. */
  readonly toQuarter: number;
}

/** Kinds whose counts are also kept by day, so that all records of a kind can be compared. */
export const COMPARED_KINDS = ['extension', 'department', 'ivr', 'collect', 'request', 'stream'] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

export interface CountSeries {
  readonly measure: string;
  readonly buckets: readonly number[];
  readonly values: readonly number[];
}

export interface CountOf {
  readonly subject: string;
  readonly measure: string;
  readonly value: number;
}

/** What is counted beside calls: time of agents in their states. */
export interface AddedCounts {
  readonly accountId: string;
  /** The quarter that it counts for. */
  readonly atMs: number;
  readonly counts: readonly CountOf[];
}

export interface StatisticsStorage {
  addCounts(input: { readonly added: readonly AddedCounts[] }): Promise<void>;
  /** By measure, in buckets of so many quarters, shifted by an offset in quarters. */
  sumCounts(
    input: CountSpan & { subject: string; bucketQuarters: number; offsetQuarters: number },
  ): Promise<CountSeries[]>;
  /** By subject and measure, for all subjects of a kind of reference. */
  compareCounts(input: CountSpan & { kind: ComparedKind }): Promise<CountOf[]>;
}
