// What every database must do with the jobs of the outbox.
import { describe, expect, it } from 'vitest';
import type { ClaimedJob, JobResult, Lane, OutboxJob } from '../../domain/outbox-job.ts';
import type { Opened } from './opened.contract.ts';

const LEASE_MS = 1000;

export function outboxContract(opened: () => Opened): void {
  describe('the outbox', () => {
    // Each test has an account of its own; claiming goes over all accounts, so it leaves nothing waiting behind.
    let account = 'jobs';
    let made = 0;
    const job = (id: string, changes: Partial<OutboxJob> = {}): OutboxJob => ({
      id,
      accountId: account,
      lane: 'webhook',
      orderKey: '',
      dueAtMs: 100,
      createdAtMs: 90,
      json: `{"of":"${id}"}`,
      ...changes,
    });
    const add = (...jobs: OutboxJob[]) => opened().storage.addJobs({ jobs });
    const claim = (
      nowMs: number,
      changes: { worker?: string; limit?: number; busyAccounts?: string[]; busySubjects?: string[] } = {},
    ) =>
      opened().storage.claimJobs({
        lane: 'webhook',
        worker: 'w',
        nowMs,
        leaseMs: LEASE_MS,
        limit: 100,
        ...changes,
      });
    const result = (
      { accountId, id, attempts }: Pick<ClaimedJob, 'accountId' | 'id' | 'attempts'>,
      outcome: JobResult['outcome'] = 'done',
      more: Partial<JobResult> = {},
    ): JobResult => ({ accountId, id, attempts, outcome, ...more });
    const settle = (results: JobResult[], nowMs = 200, worker = 'w') =>
      opened().storage.settleJobs({ worker, nowMs, results });
    const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);
    const counts = async (lane: Lane = 'webhook') =>
      (await opened().storage.countJobs()).find((one) => one.lane === lane);
    const alone = (test: () => Promise<void>) => async () => {
      account = `jobs ${++made}`;
      await test();
      const left = await claim(Number.MAX_SAFE_INTEGER - LEASE_MS, { worker: 'rest', limit: 1000 });
      await settle(
        left.map((one) => result(one)),
        0,
        'rest',
      );
    };

    it(
      'a job is claimed when it is due, once, with its tries counted',
      alone(async () => {
        await add(job('a'), job('later', { dueAtMs: 5000 }), job('elsewhere', { lane: 'sms' }));
        expect(await claim(99)).toEqual([]);
        expect(await claim(100)).toEqual([
          { ...job('a'), attempts: 1, failures: 0, queuedAtMs: 90, dueAtMs: 100 + LEASE_MS },
        ]);
        expect(await claim(100)).toEqual([]);
      }),
    );

    it(
      'a job whose lease ended is claimed again, and the first worker may not settle it any more',
      alone(async () => {
        await add(job('a'));
        const [first] = await claim(100, { worker: 'one' });
        expect(await claim(100 + LEASE_MS - 1, { worker: 'two' })).toEqual([]);
        const [second] = await claim(100 + LEASE_MS, { worker: 'two' });
        expect(second).toMatchObject({ attempts: 2, failures: 0 });
        if (!first || !second) throw new Error('Nothing was claimed.');
        await settle([result(first, 'dead', { error: 'late' })], 1200, 'one');
        // Not even under the name of the worker that has it now.
        await settle([result(first, 'dead', { error: 'late' })], 1200, 'two');
        expect((await opened().storage.getJob(first))?.state).toBe('waiting');
        await settle([result(second)], 1300, 'two');
        expect(await opened().storage.getJob(first)).toMatchObject({ state: 'done', settledAtMs: 1300 });
      }),
    );

    it(
      'of the jobs with one order key only the oldest is claimed, until it is done or dead',
      alone(async () => {
        const inOrder = (id: string) => job(id, { orderKey: 'call 1' });
        await add(inOrder('1'), inOrder('2'), inOrder('3'), job('4', { orderKey: 'call 2' }), job('5'));
        const first = await claim(100);
        expect(ids(first)).toEqual(['1', '4', '5']);
        await settle(first.map((one) => result(one)));
        const [second] = await claim(100);
        expect(second?.id).toBe('2');
        if (!second) return;
        await settle([result(second, 'retry', { dueAtMs: 900, error: 'busy' })]);
        expect(await claim(899)).toEqual([]);
        const [again] = await claim(900);
        expect(again).toMatchObject({ id: '2', attempts: 2, failures: 1 });
        if (again) await settle([result(again, 'dead', { error: 'gone' })]);
        expect(ids(await claim(900))).toEqual(['3']);
      }),
    );

    it(
      'an account that is busy is passed over, and a claim stops at its limit',
      alone(async () => {
        const mine = account;
        await add(job('a'), job('b'), job('c'), job('x', { accountId: `${mine} other` }));
        expect(ids(await claim(100, { busyAccounts: [mine] }))).toEqual(['x']);
        expect(ids(await claim(100, { limit: 2, busyAccounts: ['p', 'q', 'r'] }))).toEqual(['a', 'b']);
      }),
    );

    it(
      'a subject that is busy is passed over, and its jobs are listed by themselves',
      alone(async () => {
        const of = (id: string, subject: string) => job(id, { subject });
        await add(of('1', 'slow'), of('2', 'slow'), of('3', 'quick'), job('4'));
        expect(ids(await claim(100, { busySubjects: ['slow', 'p', 'q'] }))).toEqual(['3', '4']);
        const [first] = await claim(100, { limit: 1 });
        expect(first).toMatchObject({ id: '1', subject: 'slow' });
        const list = async (more: object) =>
          ids(
            await opened().storage.listJobs({ accountId: account, lane: 'webhook', limit: 9, ...more }),
          ).join();
        expect(await list({ subject: 'slow' })).toBe('2,1');
        expect(await list({ subject: 'slow', after: '1' })).toBe('2');
        expect(await list({ subject: 'quick', state: 'waiting' })).toBe('3');
        expect(await list({ subject: 'unknown' })).toBe('');
      }),
    );

    it(
      'a job that was not tried waits without its attempt being counted',
      alone(async () => {
        await add(job('a'));
        const [first] = await claim(100);
        if (first) await settle([result(first, 'later', { dueAtMs: 500, error: 'resting' })]);
        expect(await claim(499)).toEqual([]);
        expect(await opened().storage.getJob({ accountId: account, id: 'a' })).toMatchObject({
          state: 'waiting',
          attempts: 0,
          failures: 0,
          error: 'resting',
        });
        expect(await claim(500)).toMatchObject([{ id: 'a', attempts: 1 }]);
      }),
    );

    it(
      'two connections never hold one job at once',
      alone(async () => {
        const other = await opened().another();
        const mine = account;
        await add(...Array.from({ length: 300 }, (_, index) => job(`${1000 + index}`)));
        const held: string[] = [];
        await Promise.all(
          Array.from({ length: 40 }, async (_, round) => {
            const storage = round % 2 ? other : opened().storage;
            const worker = `w${round}`;
            const got = await storage.claimJobs({
              lane: 'webhook',
              worker,
              nowMs: 100,
              leaseMs: LEASE_MS,
              limit: 10,
            });
            held.push(...ids(got));
            await storage.settleJobs({ worker, nowMs: 150, results: got.map((one) => result(one)) });
          }),
        );
        expect(new Set(held).size).toBe(held.length);
        const rest = await claim(100, { limit: 1000 });
        expect(held.length + rest.length).toBe(300);
        const done = await other.listJobs({ accountId: mine, lane: 'webhook', state: 'done', limit: 1000 });
        expect(ids(done).sort()).toEqual(held.sort());
        await other.close();
      }),
    );

    it(
      'jobs added in one order are claimed in that order, even when the first is not awaited',
      alone(async () => {
        const order = Array.from({ length: 50 }, (_, index) => `${1000 + index}`);
        const adding = order.map((id) => add(job(id, { orderKey: 'k' })));
        const seen: string[] = [];
        while (seen.length < order.length) {
          const got = await claim(100, { limit: 10 });
          seen.push(...ids(got));
          await settle(got.map((one) => result(one)));
        }
        await Promise.all(adding);
        expect(seen).toEqual(order);
      }),
    );

    it(
      'a job that is sent again is added once, and with the calls that caused it',
      alone(async () => {
        await add(job('a'));
        await add(job('a', { json: '{"changed":true}' }), job('b'));
        await opened().storage.saveCalls({ calls: [], jobs: [job('c')] });
        const got = await claim(100);
        expect(ids(got)).toEqual(['a', 'b', 'c']);
        expect(got[0]?.json).toBe(job('a').json);
        await settle(got.map((one) => result(one)));
      }),
    );

    it(
      'lists are newest first, by lane and state, of the own account alone',
      alone(async () => {
        await add(job('1'), job('2'), job('3'), job('4', { lane: 'email' }));
        const [first] = await claim(100, { limit: 1 });
        if (first) await settle([result(first, 'dead', { error: 'no\0 way' })]);
        const list = async (more: object) =>
          ids(
            await opened().storage.listJobs({ accountId: account, lane: 'webhook', limit: 10, ...more }),
          ).join();
        expect(await list({})).toBe('3,2,1');
        expect(await list({ limit: 1, before: '3' })).toBe('2');
        expect(await list({ maxBytes: 1 })).toBe('3,2');
        expect(await list({ maxBytes: 100_000 })).toBe('3,2,1');
        expect(await list({ state: 'dead' })).toBe('1');
        expect(await list({ state: 'waiting', before: '3' })).toBe('2');
        expect(await list({ accountId: 'other' })).toBe('');
        expect(await opened().storage.getJob({ accountId: account, id: '1' })).toMatchObject({
          state: 'dead',
          failures: 1,
          error: 'no\ufffd way',
          settledAtMs: 200,
        });
        expect(await opened().storage.getJob({ accountId: account, id: '2' })).toMatchObject({
          state: 'waiting',
          error: null,
          settledAtMs: null,
        });
        expect(await opened().storage.getJob({ accountId: 'other', id: '1' })).toBeNull();
      }),
    );

    it(
      'a job is settled by the worker that has its lease, and by no other',
      alone(async () => {
        await add(job('a'));
        const [one] = await claim(100, { worker: 'one' });
        if (one) await settle([result(one)], 200, 'two');
        const read = () => opened().storage.getJob({ accountId: account, id: 'a' });
        expect(await read()).toMatchObject({ state: 'waiting', settledAtMs: null });
        if (one) await settle([result(one)], 200, 'one');
        expect(await read()).toMatchObject({ state: 'done', settledAtMs: 200 });
      }),
    );

    it(
      'a finished job that is requeued several times at once is requeued once',
      alone(async () => {
        await add(job('a'));
        const [one] = await claim(100);
        if (one) await settle([result(one, 'dead')]);
        const before = await counts();
        const other = await opened().another();
        const requeues = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            (at % 2 === 0 ? opened().storage : other).requeueJob({ accountId: account, id: 'a', nowMs: 700 }),
          ),
        );
        await other.close();
        expect(requeues.filter(({ requeued }) => requeued)).toHaveLength(1);
        expect(await counts()).toMatchObject({ waiting: (before?.waiting ?? 0) + 1 });
      }),
    );

    it(
      'a finished job can be requeued from its first attempt, a waiting one cannot',
      alone(async () => {
        await add(job('a'));
        const requeue = (accountId = account) =>
          opened().storage.requeueJob({ accountId, id: 'a', nowMs: 700 });
        expect(await requeue()).toEqual({ requeued: false });
        const [one] = await claim(100);
        if (one) await settle([result(one, 'dead')]);
        expect(await requeue('other')).toEqual({ requeued: false });
        const before = await counts();
        expect(await requeue()).toEqual({ requeued: true, lane: 'webhook' });
        expect(await counts()).toEqual({
          lane: 'webhook',
          waiting: (before?.waiting ?? 0) + 1,
          dead: (before?.dead ?? 0) - 1,
        });
        const [again] = await claim(700);
        expect(again).toMatchObject({ id: 'a', attempts: 1, failures: 0, queuedAtMs: 700, createdAtMs: 90 });
      }),
    );

    it(
      'finished jobs are deleted in batches, dead ones by an age of their own, waiting ones never',
      alone(async () => {
        await add(job('1'), job('2'), job('3'), job('4'), job('5'));
        const got = await claim(100, { limit: 4 });
        const dead = await counts();
        await settle(
          got.map((one, index) => result(one, index < 3 ? 'done' : 'dead')),
          -5000,
        );
        const forget = (deadBeforeMs: number) =>
          opened().storage.forgetJobs({ doneBeforeMs: -4000, deadBeforeMs, limit: 2 });
        expect((await counts())?.dead).toBe((dead?.dead ?? 0) + 1);
        // Settled at -5000: not before it.
        expect(
          await opened().storage.forgetJobs({ doneBeforeMs: -5000, deadBeforeMs: -5000, limit: 9 }),
        ).toEqual({ forgotten: 0 });
        expect(await forget(-6000)).toEqual({ forgotten: 2 });
        expect(await forget(-6000)).toEqual({ forgotten: 1 });
        expect(await forget(-4000)).toEqual({ forgotten: 1 });
        expect(await forget(-4000)).toEqual({ forgotten: 0 });
        expect((await counts())?.dead).toBe(dead?.dead);
        expect(
          ids(await opened().storage.listJobs({ accountId: account, lane: 'webhook', limit: 9 })),
        ).toEqual(['5']);
      }),
    );

    it(
      'what waits is counted, and beyond the most an account may have the newest is refused',
      alone(async () => {
        const email = (id: string) => job(id, { lane: 'email' });
        const addUpTo = (mostWaiting: number, ...jobs: OutboxJob[]) =>
          opened().storage.addJobs({ jobs, mostWaiting });
        const before = (await counts('email'))?.waiting ?? 0;
        expect(await addUpTo(3, email('1'), email('2'))).toEqual({ refused: [] });
        expect(await addUpTo(3, email('3'), email('4'), job('5'))).toEqual({ refused: ['4'] });
        expect((await counts('email'))?.waiting).toBe(before + 3);
        const claiming = { lane: 'email', worker: 'w', nowMs: 100, leaseMs: LEASE_MS, limit: 9 } as const;
        const [one] = await opened().storage.claimJobs(claiming);
        expect(await addUpTo(3, email('4'))).toEqual({ refused: ['4'] });
        if (one) await settle([result(one)]);
        expect(await addUpTo(3, email('4'), email('6'))).toEqual({ refused: ['6'] });
        expect(await add(email('6'))).toEqual({ refused: [] });
      }),
    );
  });
}
