import { describe, expect, it } from 'vitest';
import { grouped } from './group.ts';
import { StorageError } from './storage.ts';

describe('grouping', () => {
  it('inputs that arrive together, or during one flush, are flushed together', async () => {
    const sizes: number[] = [];
    const double = grouped<number, number>(
      async (inputs) => {
        sizes.push(inputs.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return inputs.map((value) => ({ value: value * 2 }));
      },
      { maxGroup: 50, maxPending: 1000 },
    );
    const first = Promise.all([1, 2, 3].map(double));
    await new Promise((resolve) => setImmediate(resolve));
    const later = Promise.all(Array.from({ length: 120 }, (_, index) => double(index)));
    expect(await first).toEqual([2, 4, 6]);
    expect((await later).at(-1)).toBe(238);
    expect(sizes).toEqual([3, 50, 50, 20]);
  });

  it('a flush that fails fails its own group and no other', async () => {
    let flushes = 0;
    const ask = grouped<number, number>(
      async (inputs) => {
        if (++flushes === 1) throw new StorageError('unavailable', 'down');
        return inputs.map((value) => ({ value }));
      },
      { maxGroup: 10, maxPending: 20 },
    );
    await expect(ask(1)).rejects.toThrow('down');
    await expect(ask(2)).resolves.toBe(2);
  });

  it('a group may hold successes and failures', async () => {
    const ask = grouped<number, number>(
      async (inputs) =>
        inputs.map((value) => (value < 0 ? { error: new StorageError('full', 'full') } : { value })),
      { maxGroup: 10, maxPending: 20 },
    );
    const results = await Promise.allSettled([ask(1), ask(-1), ask(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects at once when too many inputs are pending', async () => {
    const never = grouped<number, number>(() => new Promise(() => undefined), { maxGroup: 1, maxPending: 4 });
    void never(1).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    void never(2).catch(() => undefined);
    void never(3).catch(() => undefined);
    await expect(never(4)).rejects.toMatchObject({ reason: 'overloaded' });
  });

  it('accounts take turns, and one that fills its half leaves the other half to others (T40)', async () => {
    const order: string[] = [];
    const write = grouped<{ accountId: string; id: string }, void>(
      async (inputs) => {
        order.push(inputs.map(({ id }) => id).join(' '));
        return inputs.map(() => ({ value: undefined }));
      },
      { maxGroup: 2, maxPending: 8 },
    );
    const writing = ['a1', 'a2', 'a3', 'a4', 'b1'].map((id) => write({ accountId: id.slice(0, 1), id }));
    await expect(write({ accountId: 'a', id: 'a5' })).rejects.toMatchObject({ reason: 'overloaded' });
    await Promise.all(writing);
    expect(order).toEqual(['a1 b1', 'a2 a3', 'a4']);
  });
});
