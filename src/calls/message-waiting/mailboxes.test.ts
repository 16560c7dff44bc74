import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { Mailboxes } from './mailboxes.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function bed() {
  const clock = new VirtualClock();
  const counts = new Map<string, { unheard: number; heard: number }>();
  const state = { revision: 1, isAway: false, counted: 0, asked: 0, errors: 0 };
  const mailboxes = new Mailboxes({
    storage: {
      revisions: async (topics) => {
        state.asked += 1;
        if (state.isAway) throw new Error('away');
        return topics.map(() => state.revision);
      },
      messageCounts: async ({ boxes }) => {
        state.counted += boxes.length;
        return boxes.flatMap((box) => {
          const found = counts.get(box);
          return found ? [{ box, ...found }] : [];
        });
      },
    },
    clock,
    failed: () => {
      state.errors += 1;
    },
  });
  const second = async (): Promise<void> => {
    clock.advance(1_000);
    await settled();
  };
  return { mailboxes, clock, counts, state, second };
}

describe('watched voicemail boxes', () => {
  it('are counted at once, and again when a message was left, heard or deleted', async () => {
    const { mailboxes, counts, state, second } = bed();
    counts.set('sales', { unheard: 1, heard: 2 });
    const changed = vi.fn();
    const box = mailboxes.watch('acme', 'sales', changed);
    expect(box.counts()).toBeNull();
    await settled();
    expect(box.counts()).toEqual({ unheard: 1, heard: 2 });
    expect(changed).toHaveBeenCalledTimes(1);
    await second();
    expect([state.asked, state.counted]).toEqual([2, 1]);
    counts.set('sales', { unheard: 0, heard: 3 });
    state.revision = 2;
    await second();
    expect(box.counts()).toEqual({ unheard: 0, heard: 3 });
    expect(changed).toHaveBeenCalledTimes(2);
    state.revision = 3;
    await second();
    expect([state.counted, changed.mock.calls.length]).toEqual([3, 2]);
  });

  it('of one account share a question, and an empty box has no messages', async () => {
    const { mailboxes, counts, state } = bed();
    const one = mailboxes.watch('acme', 'sales', vi.fn());
    const two = mailboxes.watch('acme', 'support', vi.fn());
    await settled();
    expect([one.counts(), two.counts()]).toEqual([
      { unheard: 0, heard: 0 },
      { unheard: 0, heard: 0 },
    ]);
    counts.set('support', { unheard: 1, heard: 0 });
    expect(state.counted).toBe(2);
  });

  it('are not asked for when no phone watches them any more', async () => {
    const { mailboxes, clock, state, second } = bed();
    const changed = vi.fn();
    const [one, two] = [mailboxes.watch('acme', 'sales', changed), mailboxes.watch('acme', 'sales', changed)];
    await settled();
    expect(changed).toHaveBeenCalledTimes(2);
    one.close();
    await second();
    two.close();
    two.close();
    await second();
    const { asked } = state;
    await second();
    expect([state.asked - asked, clock.running]).toEqual([0, 0]);
  });

  it('stay as they were while the database is away; one error is reported', async () => {
    const { mailboxes, counts, state, second } = bed();
    const box = mailboxes.watch('acme', 'sales', vi.fn());
    await settled();
    state.isAway = true;
    counts.set('sales', { unheard: 4, heard: 0 });
    state.revision = 2;
    await second();
    await second();
    expect([box.counts(), state.errors]).toEqual([{ unheard: 0, heard: 0 }, 1]);
    state.isAway = false;
    await second();
    expect(box.counts()).toEqual({ unheard: 4, heard: 0 });
    mailboxes.close();
    expect(mailboxes).toBeDefined();
  });
});
