// What every database must do with the messages and jobs of two accounts that have the same ids (docs/threat-model.md T17).
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { NewMessage } from '../../domain/sms-message.ts';
import type { Storage } from '../storage.ts';
import type { Opened } from './opened.contract.ts';

const [ONE, OTHER] = ['tenant one', 'tenant other'];
const BOTH = [ONE, OTHER];
const EVER = Number.MAX_SAFE_INTEGER;

export function tenantJobContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('of two accounts with the same ids', () => {
    it('a message and its job are changed for one alone', async () => {
      const message = (accountId: string, id: string): NewMessage => ({
        id,
        accountId,
        callId: null,
        to: '+49',
        templateId: null,
        text: accountId,
        parts: 1,
        createdAtMs: 1000,
      });
      const all = BOTH.flatMap((accountId) => [message(accountId, 'x'), message(accountId, 'y')]);
      await storage.queueMessages({ messages: all });
      const states = async () =>
        (await Promise.all(all.map((one) => storage.getMessage(one)))).map(
          (one) => `${one?.state} ${one?.gatewayIds}`,
        );
      const change = (accountId: string, id: string, gatewayId: string) =>
        ({ accountId, id, state: 'sent', gatewayIds: [gatewayId] }) as const;
      await storage.changeMessages({ changes: [change(ONE, 'x', 'tenant-g1')], atMs: 2 });
      expect(await states()).toEqual(['sent tenant-g1', 'queued ', 'queued ', 'queued ']);
      await storage.changeMessages({ changes: [change(OTHER, 'x', 'tenant-g2')], atMs: 2 });
      await storage.takeReceipts({
        receipts: [{ gatewayId: 'tenant-g1', state: 'delivered', error: null }],
        atMs: 3,
      });
      expect(await states()).toEqual(['delivered tenant-g1', 'queued ', 'sent tenant-g2', 'queued ']);
      const jobs = await storage.claimJobs({
        lane: 'sms',
        worker: 'w',
        nowMs: EVER - 10,
        leaseMs: 10,
        limit: 1000,
      });
      const ours = jobs.filter(({ accountId, id }) => accountId === ONE && id === 'y');
      const settle = (outcome: 'dead' | 'done', which: typeof jobs) =>
        storage.settleJobs({
          worker: 'w',
          nowMs: 5,
          results: which.map(({ accountId, id, attempts }) => ({ accountId, id, attempts, outcome })),
        });
      await settle('dead', ours);
      expect(await states()).toEqual(['delivered tenant-g1', 'failed ', 'sent tenant-g2', 'queued ']);
      const jobStates = async () =>
        (await Promise.all(all.map((one) => storage.getJob(one)))).map((one) => one?.state);
      expect(await jobStates()).toEqual(['waiting', 'dead', 'waiting', 'waiting']);
      await settle(
        'done',
        jobs.filter((job) => !ours.includes(job)),
      );
      expect(await storage.requeueJob({ accountId: ONE, id: 'y', nowMs: 6 })).toMatchObject({
        requeued: true,
      });
      expect(await jobStates()).toEqual(['done', 'waiting', 'done', 'done']);
      const again = await storage.claimJobs({ lane: 'sms', worker: 'w', nowMs: 7, leaseMs: 10, limit: 1000 });
      await settle('done', again);
    });

    it('a retry holds back the jobs of its own account, lane and order key alone', async () => {
      const job = (
        accountId: string,
        id: string,
        orderKey: string,
        lane: OutboxJob['lane'] = 'webhook',
      ): OutboxJob => ({
        id,
        accountId,
        lane,
        orderKey,
        dueAtMs: 100,
        createdAtMs: 90,
        json: accountId,
      });
      const all = [
        job(ONE, 'j0', 'o', 'email'),
        job(ONE, 'j1', 'o'),
        job(ONE, 'j2', 'o'),
        job(ONE, 'j3', 'p'),
        job(ONE, 'j4', ''),
        job(ONE, 'j5', 'o', 'email'),
        job(OTHER, 'j1', 'o'),
        job(OTHER, 'j2', 'o'),
      ];
      await storage.addJobs({ jobs: all });
      const claimed = await storage.claimJobs({
        lane: 'webhook',
        worker: 'w',
        nowMs: 100,
        leaseMs: 10,
        limit: 9,
      });
      expect(claimed.map(({ accountId, id, json }) => [accountId, id, json])).toEqual(
        expect.arrayContaining([
          [ONE, 'j1', ONE],
          [ONE, 'j3', ONE],
          [ONE, 'j4', ONE],
          [OTHER, 'j1', OTHER],
        ]),
      );
      expect(claimed).toHaveLength(4);
      await storage.settleJobs({
        worker: 'w',
        nowMs: 105,
        results: [{ accountId: ONE, id: 'j1', attempts: 1, outcome: 'retry', dueAtMs: 900 }],
      });
      const due = (await Promise.all(all.map((one) => storage.getJob(one)))).map((one) => one?.dueAtMs);
      expect(due).toEqual([100, 900, 900, 110, 110, 100, 110, 100]);
      const listed = await storage.listJobs({ accountId: ONE, lane: 'webhook', limit: 9 });
      expect(listed.map(({ id }) => id)).toEqual(['j4', 'j3', 'j2', 'j1']);
      for (const lane of ['webhook', 'email'] as const)
        for (let left = all.length; left > 0; left--) {
          const rest = await storage.claimJobs({
            lane,
            worker: 'z',
            nowMs: EVER - 10,
            leaseMs: 10,
            limit: 99,
          });
          await storage.settleJobs({
            worker: 'z',
            nowMs: 1_000,
            results: rest.map(({ accountId, id, attempts }) => ({
              accountId,
              id,
              attempts,
              outcome: 'done',
            })),
          });
        }
    });
  });
}
