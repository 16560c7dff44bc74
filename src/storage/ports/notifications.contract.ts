// What every database must do with notifications: one is open for each subject, stored together with its jobs.
import { describe, expect, it } from 'vitest';
import { newId } from '../../domain/id.ts';
import { NO_FACTS, type Notification } from '../../domain/notification.ts';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { Opened } from './opened.contract.ts';

const accountId = 'notified';

function notification(subject: string, change: Partial<Notification> = {}): Notification {
  const id = newId(Date.now());
  return {
    accountId,
    id,
    type: 'trunk_down',
    subject,
    name: 'Provider',
    facts: { ...NO_FACTS, problem: '403' },
    openedAtMs: 1_000,
    closedAtMs: null,
    sent: {},
    ...change,
  };
}

const job = (id: string): OutboxJob => ({
  id: `${id}.email`,
  accountId,
  lane: 'email',
  orderKey: '',
  dueAtMs: 1,
  createdAtMs: 1,
  json: '{}',
});

export function notificationContract(opened: () => Opened): void {
  describe('notifications', () => {
    const isStored = async (id: string) =>
      (await opened().storage.getJob({ accountId, id: `${id}.email` })) !== null;

    it('are open once for each type and subject: a second one and its jobs are not stored', async () => {
      const { storage } = opened();
      const [first, second] = [notification('trunk||a'), notification('trunk||a')];
      const other = notification('trunk||a', { type: 'queue_too_long' });
      expect(await storage.openNotification({ notification: first, jobs: [job(first.id)] })).toBe(true);
      expect(await storage.openNotification({ notification: second, jobs: [job(second.id)] })).toBe(false);
      expect(await storage.openNotification({ notification: other, jobs: [] })).toBe(true);
      expect([await isStored(first.id), await isStored(second.id)]).toEqual([true, false]);
      const open = await storage.openNotifications({ limit: 100 });
      expect(open.filter((each) => each.accountId === accountId)).toEqual(
        expect.arrayContaining([first, other]),
      );
    });

    it('close once, and may open again then', async () => {
      const { storage } = opened();
      const first = notification('trunk||b');
      await storage.openNotification({ notification: first, jobs: [] });
      const close = { accountId, id: first.id, atMs: 2_000 };
      expect(await storage.closeNotification({ ...close, jobs: [job(first.id)] })).toBe(true);
      expect(await storage.closeNotification({ ...close, jobs: [job(`${first.id}x`)] })).toBe(false);
      expect([await isStored(first.id), await isStored(`${first.id}x`)]).toEqual([true, false]);
      const again = notification('trunk||b', { sent: { Ops: 5 } });
      expect(await storage.openNotification({ notification: again, jobs: [] })).toBe(true);
      const asked = { accountId, type: 'trunk_down', subject: 'trunk||b' } as const;
      expect(await storage.lastNotification(asked)).toEqual(again);
    });

    it('are sent to more rules by the first that says so', async () => {
      const { storage } = opened();
      const first = notification('trunk||c');
      await storage.openNotification({ notification: first, jobs: [] });
      const resend = { accountId, id: first.id, before: {}, sent: { Ops: 7 } };
      expect(await storage.resendNotification({ ...resend, jobs: [job(first.id)] })).toBe(true);
      expect(await storage.resendNotification({ ...resend, jobs: [] })).toBe(false);
      const asked = { accountId, type: 'trunk_down', subject: 'trunk||c' } as const;
      expect((await storage.lastNotification(asked))?.sent).toEqual({ Ops: 7 });
    });

    it('replace the waiting jobs that are no longer true, and those stay counted', async () => {
      const { storage } = opened();
      const own = 'notified-quiet';
      const held = (key: string, order: 1 | 2): OutboxJob => ({
        ...job(key),
        id: `${key}.${order}`,
        accountId: own,
        orderKey: key,
        dueAtMs: 9e15,
        json: JSON.stringify(newId(Date.now())),
        replaces: order === 1 ? 'order-key' : 'id',
      });
      const ids = async () =>
        (await storage.listJobs({ accountId: own, lane: 'email', limit: 10 })).map(({ id, json }) => [
          id,
          json,
        ]);
      const waiting = async () =>
        (await storage.countJobs()).find(({ lane }) => lane === 'email')?.waiting ?? 0;
      const before = await waiting();
      const open = async (jobs: OutboxJob[]) => {
        const one = notification('trunk||q', { accountId: own });
        expect(await storage.openNotification({ notification: one, jobs })).toBe(true);
        return { accountId: own, id: one.id, atMs: 2_000 };
      };
      const other = held('other', 1);
      const first = await open([held('night', 1), other]);
      await storage.closeNotification({ ...first, jobs: [held('night', 2)] });
      const again = held('night', 1);
      const second = await open([again]);
      expect(await ids()).toEqual([
        ['other.1', other.json],
        ['night.1', again.json],
      ]);
      expect(await waiting()).toBe(before + 2);
      await storage.closeNotification({ ...second, jobs: [held('night', 2)] });
      const third = await open([]);
      const late = held('night', 2);
      await storage.closeNotification({ ...third, jobs: [late] });
      expect(await ids()).toEqual([
        ['other.1', other.json],
        ['night.2', late.json],
        ['night.1', again.json],
      ]);
      expect(await waiting()).toBe(before + 3);
      const fourth = await open([]);
      const more = held('night', 1);
      const resend = { accountId: own, id: fourth.id, before: {}, sent: { Ops: 1 } };
      expect(await storage.resendNotification({ ...resend, jobs: [more] })).toBe(true);
      expect(await ids()).toEqual([
        ['other.1', other.json],
        ['night.1', more.json],
      ]);
      expect(await waiting()).toBe(before + 2);
    });

    it('are listed newest first, of one account alone, and forgotten when they are closed and old', async () => {
      const { storage } = opened();
      const own = 'notified-list';
      const [old, open, last] = [
        notification('trunk||a', { accountId: own, closedAtMs: 500 }),
        notification('trunk||b', { accountId: own }),
        notification('voicemail||c', { accountId: own, type: 'voicemail_received', closedAtMs: 9_000 }),
      ];
      for (const each of [old, open, last]) await storage.openNotification({ notification: each, jobs: [] });
      const list = (more: object = {}) => storage.listNotifications({ accountId: own, limit: 10, ...more });
      expect(await list()).toEqual([last, open, old]);
      expect(await list({ before: last.id, limit: 1 })).toEqual([open]);
      expect(await list({ open: true })).toEqual([open]);
      await storage.forgetNotifications({ beforeMs: 600, limit: 100 });
      expect(await list()).toEqual([last, open]);
    });
  });
}
