import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import type { ClaimedJob, JobResult, OutboxJob } from '../domain/outbox-job.ts';
import type { JobClaim } from '../storage/ports/outbox.ts';
import { nextTry, PATIENCE } from './back-off.ts';
import type { JobHandler, LaneOptions, Verdict } from './lane-runner.ts';
import { Outbox } from './outbox.ts';

interface Held {
  job: ClaimedJob;
  worker: string;
  state: 'waiting' | 'done' | 'dead';
  error: string | undefined;
}

/** A database as storage.contract.ts wants it, as far as a runner asks. */
class JobStore {
  readonly held: Held[] = [];
  broken = false;
  mostClaimed = 0;

  add(...jobs: OutboxJob[]): void {
    for (const job of jobs)
      this.held.push({
        job: { ...job, attempts: 0, failures: 0, queuedAtMs: job.createdAtMs },
        worker: '',
        state: 'waiting',
        error: undefined,
      });
  }

  claimJobs = async (input: JobClaim): Promise<ClaimedJob[]> => {
    if (this.broken) throw new Error('away');
    const { lane, worker, nowMs, leaseMs, limit, busyAccounts = [], busySubjects = [] } = input;
    const waiting = this.held.filter(({ state, job }) => state === 'waiting' && job.lane === lane);
    const first = (held: Held): boolean =>
      held.job.orderKey === '' || waiting.find(({ job }) => job.orderKey === held.job.orderKey) === held;
    const due = waiting
      .filter(
        (held) =>
          held.job.dueAtMs <= nowMs &&
          !busyAccounts.includes(held.job.accountId) &&
          !busySubjects.includes(held.job.subject ?? '') &&
          first(held),
      )
      .slice(0, limit);
    for (const held of due) {
      held.worker = worker;
      held.job = { ...held.job, attempts: held.job.attempts + 1, dueAtMs: nowMs + leaseMs };
    }
    this.mostClaimed = Math.max(this.mostClaimed, due.length);
    return due.map(({ job }) => job);
  };

  settleJobs = async ({ worker, results }: { worker: string; results: readonly JobResult[] }) => {
    if (this.broken) throw new Error('away');
    for (const { id, attempts, outcome, dueAtMs = 0, error } of results) {
      const held = this.held.find(({ job }) => job.id === id);
      if (!held || held.worker !== worker || held.job.attempts !== attempts) continue;
      held.error = error;
      held.worker = '';
      if (outcome === 'retry') held.job = { ...held.job, dueAtMs, failures: held.job.failures + 1 };
      else if (outcome === 'later') held.job = { ...held.job, dueAtMs, attempts: attempts - 1 };
      else held.state = outcome;
    }
  };

  forgetJobs = async () => ({ forgotten: 0 });

  states(): string {
    return this.held.map(({ job, state }) => `${job.id} ${state}`).join(', ');
  }
}

let clock: VirtualClock;
let jobStore: JobStore;
let failures: number;
beforeEach(() => {
  clock = new VirtualClock();
  jobStore = new JobStore();
  failures = 0;
});

const job = (id: string, changes: Partial<OutboxJob> = {}): OutboxJob => ({
  id,
  accountId: 'a',
  lane: 'sms',
  orderKey: '',
  dueAtMs: 0,
  createdAtMs: clock.epochMs(),
  json: '{}',
  ...changes,
});

function outboxWith(handler: JobHandler, options: Partial<LaneOptions> = {}): Outbox {
  const outbox = new Outbox({
    storage: jobStore,
    clock,
    failed: () => {
      failures += 1;
    },
    settled: () => undefined,
  });
  outbox.serve('sms', handler, options);
  outbox.start();
  return outbox;
}

/** Everything that is settled already has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number, step = ms): Promise<void> {
  await settled();
  for (let left = ms; left > 0; left -= step) {
    clock.advance(Math.min(step, left));
    await settled();
  }
}

/** A handler whose verdicts the test gives. */
function byHand() {
  const begun: { id: string; end: (verdict: Verdict) => void; signal: AbortSignal }[] = [];
  const handler: JobHandler = (one, signal) =>
    new Promise((end) => void begun.push({ id: one.id, end, signal }));
  return { begun, handler, ids: () => begun.map(({ id }) => id).join() };
}

describe('a lane', () => {
  test('takes every job that is due, never more at once than it may', async () => {
    const { begun, handler } = byHand();
    jobStore.add(...Array.from({ length: 50 }, (_, index) => job(`${index}`, { accountId: `${index}` })));
    const outbox = outboxWith(handler, { concurrency: 10, perAccount: 4 });
    await settled();
    expect(outbox.running).toBe(10);
    while (jobStore.states().includes('waiting')) {
      expect(outbox.running).toBeLessThanOrEqual(10);
      begun.shift()?.end('done');
      await settled();
    }
    expect(outbox.running).toBe(0);
  });

  test('takes a job at once when it is woken, and by itself within a second', async () => {
    const { handler, ids } = byHand();
    const outbox = outboxWith(handler);
    await settled();
    jobStore.add(job('woken'));
    outbox.wake('sms');
    await settled();
    expect(ids()).toBe('woken');
    jobStore.add(job('found'));
    await pass(1000);
    expect(ids()).toBe('woken,found');
  });

  test('keeps the order of an order key', async () => {
    const { begun, handler, ids } = byHand();
    jobStore.add(job('1', { orderKey: 'k' }), job('2', { orderKey: 'k' }), job('x'));
    outboxWith(handler);
    await settled();
    expect(ids()).toBe('1,x');
    begun[0]?.end('done');
    await settled();
    expect(ids()).toBe('1,x,2');
  });

  test('leaves room for other accounts when one has many slow jobs', async () => {
    const { handler, ids } = byHand();
    jobStore.add(...Array.from({ length: 30 }, (_, index) => job(`a${index}`)), job('b', { accountId: 'b' }));
    const outbox = outboxWith(handler, { concurrency: 16, perAccount: 4 });
    await settled();
    expect(ids()).toContain('b');
    expect(outbox.running).toBeLessThanOrEqual(8);
  });

  test('leaves room for other subjects of the same account when one is slow', async () => {
    const { handler, ids } = byHand();
    const many = Array.from({ length: 30 }, (_, index) => job(`a${index}`, { subject: 'slow' }));
    jobStore.add(...many, job('b', { subject: 'quick' }));
    const outbox = outboxWith(handler, { concurrency: 32, perAccount: 32, perSubject: 4 });
    await settled();
    expect(ids()).toContain('b');
    expect(outbox.running).toBeLessThanOrEqual(8);
  });

  test('a job that may not be tried yet waits as long as it is told, without an attempt, but not for ever', async () => {
    let resting = true;
    jobStore.add(job('1'));
    outboxWith(async () => (resting ? { later: 'resting', afterMs: 10_000 } : { done: 'HTTP 204' }));
    await pass(9000, 500);
    expect(jobStore.held[0]).toMatchObject({ state: 'waiting', error: 'resting', job: { attempts: 0 } });
    resting = false;
    await pass(2000, 500);
    expect(jobStore.held[0]).toMatchObject({ state: 'done', error: 'HTTP 204', job: { attempts: 1 } });
    resting = true;
    jobStore.add(job('2'));
    await pass(PATIENCE.maxAgeMs + 60_000, 60_000);
    expect(jobStore.held[1]).toMatchObject({ state: 'dead', error: 'resting' });
  });

  test('tries again later and later, and gives up after so many tries', async () => {
    const tries: number[] = [];
    jobStore.add(job('1'));
    outboxWith(
      async () => {
        tries.push(clock.epochMs());
        return { retry: 'no' };
      },
      { patience: { ...PATIENCE, maxFailures: 5 } },
    );
    await pass(60_000, 100);
    const gaps = tries.slice(1).map((atMs, index) => atMs - (tries[index] ?? 0));
    expect(gaps).toHaveLength(4);
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(500 * 2 ** index);
      // The poll adds up to a second.
      expect(gap).toBeLessThanOrEqual(1000 * 2 ** index + 1100);
    }
    expect(jobStore.held[0]).toMatchObject({ state: 'dead', error: 'no' });
  });

  test('waits by failures: tries that ended with their process make it no slower', async () => {
    const tries: number[] = [];
    jobStore.add(job('1'));
    // Ten processes claimed it and were killed.
    for (const held of jobStore.held) held.job = { ...held.job, attempts: 10 };
    outboxWith(async () => {
      tries.push(clock.epochMs());
      return tries.length === 1 ? { retry: 'busy' } : 'done';
    });
    await pass(3000, 100);
    expect(jobStore.held[0]).toMatchObject({ state: 'done', job: { attempts: 12, failures: 1 } });
  });

  test('waits as long as the other side asks, and gives up at once when told so', async () => {
    const tries: string[] = [];
    jobStore.add(job('slow'), job('hopeless'));
    outboxWith(async ({ id }) => {
      tries.push(id);
      return id === 'slow' ? { retry: 'throttled', afterMs: 30_000 } : { dead: 'no such number' };
    });
    await pass(29_000, 500);
    expect(tries).toEqual(['slow', 'hopeless']);
    await pass(3000, 500);
    expect(tries).toEqual(['slow', 'hopeless', 'slow']);
    expect(jobStore.held[1]).toMatchObject({ state: 'dead', error: 'no such number' });
  });

  test('a handler that throws or never ends is a failed try, and is told to stop', async () => {
    const { begun, handler } = byHand();
    jobStore.add(job('throws'), job('hangs'));
    outboxWith(
      (one, signal) => (one.id === 'throws' ? Promise.reject(new Error('oops')) : handler(one, signal)),
      { tryMs: 5000, patience: { ...PATIENCE, maxFailures: 1 } },
    );
    await pass(5000, 1000);
    expect(begun[0]?.signal.aborted).toBe(true);
    expect(jobStore.held.map(({ error }) => error)).toEqual(['oops', 'There was no answer in time.']);
    begun[0]?.end('done');
    await settled();
    expect(jobStore.states()).toBe('throws dead, hangs dead');
  });

  test('survives a database that is away: what was done is noted when it is back', async () => {
    const { begun, handler, ids } = byHand();
    jobStore.add(job('1'), job('2', { dueAtMs: clock.epochMs() + 1500 }));
    outboxWith(handler);
    await settled();
    jobStore.broken = true;
    begun[0]?.end('done');
    await pass(3000, 500);
    expect(failures).toBeGreaterThan(0);
    expect(jobStore.states()).toBe('1 waiting, 2 waiting');
    jobStore.broken = false;
    await pass(2000, 500);
    expect(jobStore.states()).toBe('1 done, 2 waiting');
    expect(ids()).toBe('1,2');
  });

  test('drains: waits for what is under way, gives back the rest, takes nothing more', async () => {
    const { begun, handler, ids } = byHand();
    jobStore.add(job('quick'), job('slow'));
    const outbox = outboxWith(handler);
    await settled();
    const drained = outbox.drain(2000);
    jobStore.add(job('new'));
    outbox.wake('sms');
    begun[0]?.end('done');
    await pass(2000, 500);
    await drained;
    expect(ids()).toBe('quick,slow');
    expect(begun[1]?.signal.aborted).toBe(true);
    expect(jobStore.states()).toBe('quick done, slow waiting, new waiting');
    expect(jobStore.held[1]?.job.dueAtMs).toBeLessThanOrEqual(clock.epochMs());
    expect(jobStore.held[1]?.job.failures).toBe(0);
    expect(clock.running).toBe(0);
  });

  test('drains at once when nothing is under way', async () => {
    const outbox = outboxWith(async () => 'done');
    await settled();
    await outbox.drain(60_000);
    expect(clock.running).toBe(0);
  });
});

test('the wait before the next try stays within its bounds, and ends', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 0, max: 2 * PATIENCE.maxAgeMs }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failures, ageMs, chance) => {
        const waitMs = nextTry(PATIENCE, { failures, ageMs }, () => chance);
        if (failures >= PATIENCE.maxFailures || ageMs >= PATIENCE.maxAgeMs) expect(waitMs).toBeNull();
        if (waitMs === null) return;
        expect(waitMs).toBeGreaterThanOrEqual(PATIENCE.firstMs / 2);
        expect(waitMs).toBeLessThanOrEqual(PATIENCE.capMs);
      },
    ),
  );
});
