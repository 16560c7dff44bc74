import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallRow } from '../../storage/ports/calls.ts';
import { NO_LADDER } from '../call/call-ladder.ts';
import { type CallFacts, type CallResult, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';
import { MAX_WAITING, RecordWriter, WAIT_MS } from './record-writer.ts';

const facts = (id: number): CallFacts => ({
  id: String(id),
  accountId: 'a',
  callId: `${id}@x`,
  direction: 'inbound',
  caller: null,
  callerName: 'Ann',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1000,
});

const result: CallResult = {
  end: ownEnd('caller-lost'),
  durationMs: 1,
  answeredBy: null,
  transferredTo: null,
  waitMs: 0,
  ringMs: 0,
  talkMs: 0,
  queueMs: 0,
  trail: [{ atMs: 0, node: 'ivr||main', code: 'arrived', text: '' }],
  events: [],
  keys: [],
  legs: [],
  ladder: NO_LADDER,
  recording: null,
  voicemail: null,
};

function writerOver(save: (calls: readonly CallRow[]) => Promise<void>, held?: string[]) {
  const failures: number[] = [];
  const lost: number[] = [];
  const unserializable: string[] = [];
  const settled: string[] = [];
  const writer = new RecordWriter({
    storage: { saveCalls: ({ calls }) => save(calls) },
    failed: (_error, waiting) => void failures.push(waiting),
    lost: (records) => void lost.push(records),
    unserializable: (_error, { id }) => void unserializable.push(id),
    settled: (id) => void settled.push(id),
    ...(held ? { held: ({ row }) => void held.push(row.id) } : {}),
  });
  return { writer, failures, lost, unserializable, settled };
}

describe('call records', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('share a write when they come together', async () => {
    const batches: number[] = [];
    const { writer } = writerOver(async (calls) => void batches.push(calls.length));
    for (let id = 0; id < 1200; id++) writer.add(facts(id), result);
    await vi.advanceTimersByTimeAsync(3 * WAIT_MS);
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
    for (let id = 0; id < 3; id++) writer.add(facts(id), result);
    await vi.advanceTimersByTimeAsync(3500);
    expect(failures.length).toBeGreaterThan(1);
    away = false;
    writer.add(facts(3), result);
    await vi.advanceTimersByTimeAsync(2000);
    expect(written).toEqual(['0', '1', '2', '3']);
  });

  it('are put into the journal once, while the database does not take them, and not otherwise', async () => {
    let isAway = false;
    const held: string[] = [];
    const { writer } = writerOver(async () => {
      if (isAway) throw new Error('away');
    }, held);
    writer.add(facts(1), result);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(held).toEqual([]);
    isAway = true;
    writer.add(facts(2), result);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    writer.add(facts(3), result);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(held).toEqual(['2', '3']);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    writer.add(facts(4), result);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([held, writer.failure]).toEqual([['2', '3'], null]);
  });

  it('are lost, the oldest first and loudly, when they are too many', async () => {
    const { writer, lost } = writerOver(() => new Promise(() => undefined));
    for (let id = 0; id <= MAX_WAITING; id++) writer.add(facts(id), result);
    expect(writer.waiting).toBeLessThanOrEqual(MAX_WAITING);
    expect(lost).toEqual([500]);
  });

  it('are in the database within half a second', async () => {
    const written: CallRow[] = [];
    const { writer } = writerOver(async (calls) => void written.push(...calls));
    writer.add(facts(1), result);
    expect(writer.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(written).toEqual([callRow(facts(1), result)]);
    expect(written[0]?.index?.words).toContain('ivr:main');
  });

  it('are serialized while the database does not answer, so that nothing else of a call is held', async () => {
    const { writer } = writerOver(() => new Promise(() => undefined));
    writer.add(facts(1), result);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    let read = 0;
    const watched = new Proxy(result, {
      get: (target, name) => {
        read += 1;
        return Reflect.get(target, name);
      },
    });
    writer.add(facts(2), watched);
    expect(read).toBe(0);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(read).toBeGreaterThan(0);
    expect(writer.waiting).toBe(2);
  });

  it('are written without one that cannot be serialized, which is reported', async () => {
    const written: string[] = [];
    const { writer, failures, lost, unserializable, settled } = writerOver(
      async (calls) => void written.push(...calls.map(({ id }) => id)),
    );
    for (const id of [1, 2, 3])
      writer.add({ ...facts(id), startedAtMs: id === 2 ? Number.NaN : 1000 }, result);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(written).toEqual(['1', '3']);
    expect({ failures, lost, unserializable }).toEqual({ failures: [], lost: [], unserializable: ['2'] });
    // It is lost, so the journal of running calls drops it, too.
    expect(settled.sort()).toEqual(['1', '2', '3']);
  });

  it('are made 50 at a time, not each at the end of its call', () => {
    const { writer, unserializable } = writerOver(async () => undefined);
    writer.add({ ...facts(0), startedAtMs: Number.NaN }, result);
    for (let id = 1; id < 49; id++) writer.add(facts(id), result);
    expect(unserializable).toEqual([]);
    writer.add(facts(49), result);
    expect(unserializable).toEqual(['0']);
    writer.close();
  });

  it('are tried again after a second, not whenever a call ends', async () => {
    let tries = 0;
    const { writer } = writerOver(async () => {
      tries += 1;
      throw new Error('away');
    });
    for (let id = 0; id < 50; id++) {
      writer.add(facts(id), result);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(tries).toBeLessThanOrEqual(5);
    expect(tries).toBeGreaterThan(2);
  });

  it('are all written by a flush, which gives up when the database does not take them', async () => {
    const written: string[] = [];
    const well = writerOver(async (calls) => void written.push(...calls.map(({ id }) => id)));
    for (let id = 0; id < 1100; id++) well.writer.add(facts(id), result);
    await well.writer.flush();
    expect(written).toHaveLength(1100);
    const ill = writerOver(() => Promise.reject(new Error('away')));
    ill.writer.add(facts(1), result);
    await ill.writer.flush();
    expect(ill.writer.waiting).toBe(1);
  });
});
