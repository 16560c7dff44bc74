// Times and changes of states, on a virtual clock; agent-presence.test.ts has the states of whole calls.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { AgentState } from '../../domain/agent-state.ts';
import { QUARTER_MS } from '../../domain/call-counts.ts';
import type { AddedCounts } from '../../storage/ports/statistics.ts';
import { AgentTimes, PUBLISH_MS } from './agent-times.ts';
import { CountingNode } from './counting-node.ts';

function bed(isCounting = true) {
  const clock = new VirtualClock(QUARTER_MS * 1_000);
  const wall = { aheadMs: 0 };
  const states = new Map<string, AgentState>();
  const active = new Set<string>();
  /** Without a phone that can ring. */
  const away = new Set<string>();
  const elsewhere = new Set<string>();
  const published: string[] = [];
  const stored: AddedCounts[] = [];
  const failures: unknown[] = [];
  const status = { isDown: false, isCounting };
  const times = new AgentTimes({
    clock: {
      after: (ms, run) => clock.after(ms, run),
      nowMs: () => clock.nowMs(),
      epochMs: () => clock.epochMs() + wall.aheadMs,
    },
    stateOf: (agent) => states.get(agent) ?? null,
    canRing: (agent) => !away.has(agent),
    isActive: (agent) => active.has(agent),
    activeAgents: () => active,
    agents: () => [['acme', [...states.keys()].map((agent) => agent.slice('acme/'.length))]],
    isCounting: () => status.isCounting,
    isBusyElsewhere: (agent) => elsewhere.has(agent),
    publish: (agent, state, previous) => void published.push(`${agent} ${previous} → ${state}`),
    store: async (added) => {
      if (status.isDown) throw new Error('down');
      stored.push(...added);
    },
    failed: (error) => void failures.push(error),
  });
  const set = (agent: string, state: AgentState): void => {
    states.set(agent, state);
    times.changed(agent);
  };
  const sums = (): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const { counts } of stored)
      for (const { subject, measure, value } of counts)
        all[`${subject} ${measure}`] = (all[`${subject} ${measure}`] ?? 0) + value;
    return all;
  };
  times.open();
  return {
    clock,
    wall,
    times,
    states,
    set,
    away,
    active,
    elsewhere,
    published,
    stored,
    failures,
    status,
    sums,
  };
}

describe('times of agents', () => {
  it('are counted in each state, exactly, and by quarters of an hour', async () => {
    const { clock, times, set, stored, sums } = bed();
    set('acme/1', 'free');
    clock.advance(QUARTER_MS - 5_000);
    set('acme/1', 'talking');
    clock.advance(20_000);
    set('acme/1', 'wrap_up');
    clock.advance(1_000);
    await times.close();
    expect(sums()).toEqual({
      'extension||1 state free': QUARTER_MS - 5_000,
      'extension||1 state talking': 20_000,
      'extension||1 state wrap_up': 1_000,
    });
    expect(new Set(stored.map(({ atMs }) => atMs))).toEqual(
      new Set([QUARTER_MS * 1_000, QUARTER_MS * 1_001]),
    );
    expect(clock.running).toBe(0);
  });

  it('do not follow a wall clock that jumps by ten years, or back', async () => {
    const { clock, wall, times, set, stored, sums } = bed();
    set('acme/1', 'free');
    for (const years of [10, -1]) {
      clock.advance(1_000);
      wall.aheadMs = years * 365 * 24 * 3_600_000;
      clock.advance(1_000);
      set('acme/1', years > 0 ? 'talking' : 'wrap_up');
    }
    await times.close();
    expect(sums()).toEqual({ 'extension||1 state free': 2_000, 'extension||1 state talking': 2_000 });
    expect(stored.length).toBeLessThan(5);
  });

  it('of agents who never work are not kept; of one who worked they are, for a day', async () => {
    const { clock, times, set, sums } = bed();
    set('acme/never', 'unreachable');
    set('acme/1', 'unreachable');
    clock.advance(3_600_000);
    set('acme/1', 'free');
    clock.advance(60_000);
    set('acme/1', 'off_duty');
    clock.advance(60_000);
    await times.close();
    expect(sums()).toEqual({ 'extension||1 state free': 60_000, 'extension||1 state off_duty': 60_000 });
  });

  it('of a pause without a phone that can ring are not at work, though the state stays', async () => {
    const { clock, times, set, away, active, published, sums } = bed();
    set('acme/1', 'free');
    clock.advance(10_000);
    set('acme/1', 'paused');
    const enteredAtMs = times.enteredAt('acme/1');
    clock.advance(60_000);
    away.add('acme/1');
    clock.advance(1_000);
    clock.advance(15 * 3_600_000);
    away.delete('acme/1');
    clock.advance(1_000);
    clock.advance(30_000);
    expect(times.enteredAt('acme/1')).toBe(enteredAtMs);
    expect([active.size, published]).toEqual([0, ['acme/1 free → paused']]);
    await times.close();
    const counted = sums();
    expect(counted['extension||1 state free']).toBe(10_000);
    // To the second in which it is seen.
    expect(counted['extension||1 state paused']).toBeGreaterThanOrEqual(90_000);
    expect(counted['extension||1 state paused']).toBeLessThanOrEqual(92_000);
    expect(counted['extension||1 state unreachable']).toBeGreaterThanOrEqual(15 * 3_600_000 - 1_000);
  });

  it('wait for the database, and are stored once', async () => {
    const { clock, times, set, status, failures, sums } = bed();
    set('acme/1', 'free');
    status.isDown = true;
    clock.advance(1_000);
    await times.flush();
    status.isDown = false;
    clock.advance(1_000);
    await times.close();
    expect([failures.length, sums()]).toEqual([1, { 'extension||1 state free': 2_000 }]);
  });

  it('are counted by the node of the call, and otherwise by the one that counts', async () => {
    const [counting, other] = [bed(), bed(false)];
    for (const { set } of [counting, other]) set('acme/1', 'free');
    for (const { clock } of [counting, other]) clock.advance(10_000);
    // A call of the other node.
    other.active.add('acme/1');
    other.set('acme/1', 'talking');
    counting.elsewhere.add('acme/1');
    counting.times.changed('acme/1');
    for (const { clock } of [counting, other]) clock.advance(30_000);
    other.active.delete('acme/1');
    other.set('acme/1', 'free');
    counting.elsewhere.delete('acme/1');
    for (const { clock } of [counting, other]) clock.advance(5_000);
    await Promise.all([counting.times.close(), other.times.close()]);
    expect(other.sums()).toEqual({ 'extension||1 state talking': 30_000 });
    const free = counting.sums()['extension||1 state free'] ?? 0;
    expect(free).toBeGreaterThanOrEqual(14_000);
    expect(free).toBeLessThanOrEqual(15_000);
    expect(other.published).toEqual(['acme/1 null → talking', 'acme/1 talking → free']);
    expect(counting.published).toEqual([]);
  });
});

describe('changes of states', () => {
  it('are published once for what happens within half a second, and not where nothing changed in the end', () => {
    const { clock, set, published } = bed();
    set('acme/1', 'free');
    set('acme/2', 'free');
    clock.advance(PUBLISH_MS);
    expect(published).toEqual([]);
    set('acme/1', 'ringing');
    set('acme/1', 'talking');
    set('acme/2', 'ringing');
    set('acme/2', 'free');
    clock.advance(PUBLISH_MS);
    expect(published).toEqual(['acme/1 free → talking']);
  });

  it('without an event, such as the end of the working hours, are seen within a second', () => {
    const { clock, set, states, published } = bed();
    set('acme/1', 'free');
    clock.advance(5_000);
    states.set('acme/1', 'off_duty');
    clock.advance(1_000);
    clock.advance(PUBLISH_MS);
    expect(published).toEqual(['acme/1 free → off_duty']);
  });
});

describe('the node that counts', () => {
  it('is one of several, by a lease, and this one alone where there is no other', async () => {
    const clock = new VirtualClock();
    let owner: string | null = null;
    const open = async (node: string | null) => {
      const counting = new CountingNode({
        storage: {
          takeLease: async ({ node: by }) => {
            owner ??= by;
            return { taken: owner === by };
          },
        },
        agents: { busyElsewhere: async () => new Set(['acme/9']) },
        clock,
        node,
        failed: (error) => expect(error).toBeNull(),
      });
      await counting.open();
      return counting;
    };
    const [alone, a, b] = [await open(null), await open('a'), await open('b')];
    expect([alone, a, b].map((each) => each.isCounting())).toEqual([true, true, false]);
    expect([a, b].map((each) => each.isBusyElsewhere('acme/9'))).toEqual([true, false]);
    owner = null;
    a.close();
    clock.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(b.isCounting()).toBe(true);
    b.close();
  });
});
