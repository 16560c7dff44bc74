// The time in the first bytes of a frame of µ-law, which nothing on the way changes: by the monotonic clock, which all processes of a
// machine share.

const MARK = 0xb07a;

export interface Delays {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const nowUs = (): number => Number((process.hrtime.bigint() / 1_000n) & 0xffff_ffffn);

export function writeStamp(bytes: Buffer, at: number): void {
  bytes.writeUInt16BE(MARK, at);
  bytes.writeUInt32BE(nowUs(), at + 2);
}

/** Milliseconds since it was written; null: there is none. */
export function readStamp(bytes: Buffer, at: number): number | null {
  if (bytes.readUInt16BE(at) !== MARK) return null;
  return ((nowUs() - bytes.readUInt32BE(at + 2)) >>> 0) / 1_000;
}

export function delaysOf(delays: number[]): Delays {
  delays.sort((one, other) => one - other);
  const at = (share: number): number =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN;
  return { count: delays.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
