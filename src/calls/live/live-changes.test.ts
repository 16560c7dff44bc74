import { describe, expect, it } from 'vitest';
import type { PublishedEvent } from '../events/call-events.ts';
import { EventStream, type Follower } from '../events/event-stream.ts';
import { LiveChanges, LOOK_MS, NOTICE_MS } from './live-changes.ts';

/** Timers run when the test says so. */
function office() {
  const stream = new EventStream();
  const timers = new Map<() => void, number>();
  const state = { text: 'as it was', looks: 0 };
  const changes = new LiveChanges({
    stream,
    clock: {
      epochMs: () => 1_000,
      after: (ms, then) => {
        timers.set(then, ms);
        return () => void timers.delete(then);
      },
    },
    look: () => {
      state.looks += 1;
      return { text: state.text, size: 1 };
    },
    failed: (error) => {
      throw error;
    },
  });
  changes.open();
  const run = (ms: number): void => {
    for (const [then, of] of [...timers])
      if (of === ms) {
        timers.delete(then);
        then();
      }
  };
  const look = (): void => run(LOOK_MS);
  const notices = async (follower: Follower): Promise<number> => {
    run(NOTICE_MS);
    const followed = await follower.next(1);
    return Array.isArray(followed) ? (followed as PublishedEvent[]).length : 0;
  };
  const follow = (): Follower => {
    const follower = stream.follow('acme', null);
    if (typeof follower === 'string') throw new Error(follower);
    return follower;
  };
  return { changes, follow, look, notices, state };
}

describe('notices of changes', () => {
  it('several steps of calls share one', async () => {
    const { changes, follow, notices } = office();
    const follower = follow();
    changes.touch('acme');
    changes.touch('acme');
    expect(await notices(follower)).toBe(1);
    expect(await notices(follower)).toBe(0);
  });

  it('one comes where agents or trunks differ from the last look, and none otherwise', async () => {
    const { follow, look, notices, state } = office();
    const follower = follow();
    look();
    expect(await notices(follower)).toBe(1);
    look();
    expect(await notices(follower)).toBe(0);
    state.text = 'trunk lost';
    look();
    expect(await notices(follower)).toBe(1);
  });

  it('an account that is not followed is not looked at', () => {
    const { follow, look, state } = office();
    look();
    expect(state.looks).toBe(0);
    follow();
    look();
    expect(state.looks).toBe(1);
  });

  it('they are not kept for clients that come back: those begin with the whole', async () => {
    const { changes, follow, notices } = office();
    const follower = follow();
    changes.touch('acme');
    await notices(follower);
    follower.close();
    const again = follow();
    expect(await notices(again)).toBe(0);
  });
});
