import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallRow } from '../storage/storage.ts';
import { MAX_WAITING, RecordWriter } from './record-writer.ts';

const row = (id: number): CallRow => ({
  accountId: 'a',
  id: String(id),
  startedAtMs: 0,
  endedAtMs: 1,
  direction: 'inbound',
  caller: null,
  dialled: '100',
  entry: 'ivr||main',
  endCode: 'caller-hung-up',
  cause: 16,
  answeredBy: null,
  ringMs: 0,
  talkMs: 0,
  json: '{}',
});

function writerOver(save: (calls: readonly CallRow[]) => Promise<void>) {
  const failures: number[] = [];
  const lost: number[] = [];
  const writer = new RecordWriter({
    storage: { saveCalls: ({ calls }) => save(calls) },
    failed: (_error, waiting) => void failures.push(waiting),
    lost: (records) => void lost.push(records),
  });
  return { writer, failures, lost };
}

describe('call records', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('share a write when they come together', async () => {
    const batches: number[] = [];
    const { writer } = writerOver(async (calls) => void batches.push(calls.length));
    for (let id = 0; id < 1200; id++) writer.add(row(id));
    await vi.advanceTimersByTimeAsync(500);
    expect(batches).toEqual([500, 500, 200]);
    expect(writer.waiting).toBe(0);
  });

  it('wait while the database is away and are written when it is back, in order and once', async () => {
    let away = true;
    const written: string[] = [];
    const { writer, failures } = writerOver(async (calls) => {
      if (away) throw new Error('away');
      written.push(...calls.map(({ id }) => id));
    });
    for (let id = 0; id < 3; id++) writer.add(row(id));
    await vi.advanceTimersByTimeAsync(3500);
    expect(failures.length).toBeGreaterThan(1);
    away = false;
    writer.add(row(3));
    await vi.advanceTimersByTimeAsync(2000);
    expect(written).toEqual(['0', '1', '2', '3']);
  });

  it('are lost, the oldest first and loudly, when they are too many', async () => {
    const { writer, lost } = writerOver(() => new Promise(() => undefined));
    for (let id = 0; id <= MAX_WAITING; id++) writer.add(row(id));
    expect(writer.waiting).toBeLessThanOrEqual(MAX_WAITING);
    expect(lost).toEqual([500]);
  });

  it('are all written by a flush, which gives up when the database does not take them', async () => {
    const written: string[] = [];
    const well = writerOver(async (calls) => void written.push(...calls.map(({ id }) => id)));
    for (let id = 0; id < 1100; id++) well.writer.add(row(id));
    await well.writer.flush();
    expect(written).toHaveLength(1100);
    const ill = writerOver(() => Promise.reject(new Error('away')));
    ill.writer.add(row(1));
    await ill.writer.flush();
    expect(ill.writer.waiting).toBe(1);
  });
});
