import { describe, expect, it } from 'vitest';
import type { PromptLanguage } from '../domain/account.ts';
import {
  type AccountObservation,
  NO_FACTS,
  type Notification,
  type NotificationRule,
  RULE_DEFAULTS,
} from '../domain/notification.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { wordsOf } from '../domain/words/words.ts';
import type { NotificationStorage } from '../storage/ports/notifications.ts';
import type { Mail } from './mail.ts';
import { LOOK_MS, NotificationMonitor } from './notification-monitor.ts';

const START_MS = Date.parse('2026-11-17T12:00:00Z');

/** A database that several monitors, as of several nodes, share. */
class Stored {
  rows: Notification[] = [];
  readonly jobs = new Map<string, OutboxJob>();
  readonly #add = (jobs: readonly OutboxJob[]): void => {
    for (const { replaces, lane, orderKey, id } of jobs)
      for (const old of this.jobs.values())
        if (replaces === 'id' ? old.id === id : replaces && old.lane === lane && old.orderKey === orderKey)
          this.jobs.delete(old.id);
    for (const job of jobs) if (!this.jobs.has(job.id)) this.jobs.set(job.id, job);
  };

  readonly storage: NotificationStorage = {
    openNotification: async ({ notification, jobs }) => {
      const isOpen = (row: Notification): boolean =>
        row.closedAtMs === null && row.type === notification.type && row.subject === notification.subject;
      if (notification.closedAtMs === null && this.rows.some(isOpen)) return false;
      this.rows.push(notification);
      this.#add(jobs);
      return true;
    },
    resendNotification: async ({ id, sent, jobs }) => {
      this.rows = this.rows.map((row) => (row.id === id ? { ...row, sent } : row));
      this.#add(jobs);
      return true;
    },
    closeNotification: async ({ id, atMs, jobs }) => {
      if (!this.rows.some((row) => row.id === id && row.closedAtMs === null)) return false;
      this.rows = this.rows.map((row) => (row.id === id ? { ...row, closedAtMs: atMs } : row));
      this.#add(jobs);
      return true;
    },
    openNotifications: async () => this.rows.filter(({ closedAtMs }) => closedAtMs === null),
    lastNotification: async ({ type, subject }) =>
      this.rows.findLast((row) => row.type === type && row.subject === subject) ?? null,
    listNotifications: async () => this.rows,
    forgetNotifications: async () => ({ forgotten: 0 }),
  };

  /** In the order in which they are sent. */
  get heldMails(): string[] {
    const mails = [...this.jobs.values()].filter(({ lane }) => lane === 'email');
    return mails
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ json }) => (JSON.parse(json) as Mail).subject);
  }

  get mails(): string[] {
    return [...this.jobs.values()]
      .filter(({ lane }) => lane === 'email')
      .map(({ json }) => (JSON.parse(json) as Mail).subject);
  }
}

const trunk: AccountObservation = {
  accountId: 'acme',
  type: 'trunk_down',
  subject: 'trunk||t1',
  name: 'Provider',
  facts: { ...NO_FACTS, problem: '403 Forbidden' },
};
const queue = (waiting: number): AccountObservation => ({
  accountId: 'acme',
  type: 'queue_too_long',
  subject: 'department||sales',
  name: 'Sales',
  facts: { ...NO_FACTS, waiting, wait_ms: 1_000 },
});

function office(
  rules: readonly Partial<NotificationRule>[],
  stored = new Stored(),
  language: PromptLanguage = 'en',
) {
  let nowMs = START_MS;
  let seen: readonly AccountObservation[] = [];
  const events: string[] = [];
  const named = rules.map((each, index) => ({
    ...RULE_DEFAULTS,
    name: `Rule ${index}`,
    emails: ['ops@example.com'],
    ...each,
  }));
  const make = () =>
    new NotificationMonitor({
      storage: stored.storage,
      clock: { after: () => () => undefined, epochMs: () => nowMs, nowMs: () => nowMs },
      rulesOf: () => named,
      wordsOf: () => wordsOf({ language }),
      observe: async () => seen,
      isOurs: () => true,
      mayMail: async () => true,
      publish: (_account, { type }) => void events.push(type),
      failed: (error) => {
        throw error;
      },
    });
  let monitors = [make()];
  /** The state of things for so long. */
  const during = async (seconds: number, ...now: AccountObservation[]): Promise<void> => {
    seen = now;
    for (let left = seconds * 1000; left > 0; left -= LOOK_MS) {
      nowMs += LOOK_MS;
      await Promise.all(monitors.map((monitor) => monitor.look()));
    }
  };
  const restart = (nodes = 1): void => {
    monitors = Array.from({ length: nodes }, make);
  };
  return {
    stored,
    events,
    during,
    restart,
    monitor: () => monitors[0] as NotificationMonitor,
    nowMs: () => nowMs,
  };
}

describe('notifications', () => {
  it('of a trunk are sent once when it has been down for a while, and once when it is up again', async () => {
    const { stored, events, during } = office([{}]);
    await during(8, trunk);
    expect(stored.rows).toEqual([]);
    await during(300, trunk);
    expect(stored.mails).toEqual(['Trunk Provider is down']);
    await during(60);
    expect(stored.mails).toEqual(['Trunk Provider is down', 'Trunk Provider is up again']);
    expect(events).toEqual(['notification.opened', 'notification.closed']);
    expect(stored.rows.map(({ closedAtMs }) => closedAtMs !== null)).toEqual([true]);
  });

  it('of a state that comes and goes are sent once in the pause of the rule, and shown all the same', async () => {
    const { stored, during } = office([{ pause_minutes: 15 }]);
    for (let minute = 0; minute < 10; minute++) {
      await during(20, queue(9));
      await during(40, queue(0));
    }
    expect(stored.rows).toHaveLength(10);
    expect(stored.mails).toEqual(['The queue of Sales is too long', 'The queue of Sales is short again']);
    await during(600, queue(0));
    await during(20, queue(9));
    expect(stored.mails).toHaveLength(3);
  });

  it('that are open survive a restart: nothing is sent again, and their end is sent', async () => {
    const { stored, during, restart } = office([{}]);
    await during(20, queue(9));
    restart();
    await during(20, queue(9));
    expect(stored.mails).toEqual(['The queue of Sales is too long']);
    await during(30, queue(0));
    expect(stored.mails).toEqual(['The queue of Sales is too long', 'The queue of Sales is short again']);
  });

  it('are sent by one of several nodes that see the same', async () => {
    const { stored, during, restart } = office([{}]);
    restart(3);
    await during(60, trunk, queue(9));
    await during(60);
    expect(stored.mails.toSorted()).toEqual([
      'The queue of Sales is short again',
      'The queue of Sales is too long',
      'Trunk Provider is down',
      'Trunk Provider is up again',
    ]);
  });

  it('go to each rule by its own threshold', async () => {
    const { stored, during } = office([
      { name: 'team', waiting: 3, emails: ['team@example.com'] },
      { name: 'boss', waiting: 10, emails: ['boss@example.com'] },
    ]);
    const to = () => [...stored.jobs.values()].map(({ json }) => (JSON.parse(json) as Mail).to);
    await during(20, queue(4));
    expect(to()).toEqual(['team@example.com']);
    await during(20, queue(12));
    expect(to()).toEqual(['team@example.com', 'boss@example.com']);
    expect(stored.rows).toHaveLength(1);
  });

  it('of quiet hours are due when these end, one of each however often it changed', async () => {
    const quiet = { quiet_from: '11:00', quiet_to: '13:00', pause_minutes: 0, webhook: 'hook' };
    const { stored, during } = office([quiet]);
    for (let round = 0; round < 5; round++) {
      await during(20, queue(9));
      await during(40, queue(0));
    }
    const jobs = [...stored.jobs.values()];
    expect(jobs.map(({ lane }) => lane).toSorted()).toEqual(['email', 'email', 'webhook', 'webhook']);
    expect(new Set(jobs.map(({ dueAtMs }) => dueAtMs))).toEqual(
      new Set([Date.parse('2026-11-17T13:00:00Z')]),
    );
    const mails = jobs.filter(({ lane }) => lane === 'email').toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(mails.map(({ json }) => (JSON.parse(json) as Mail).subject)).toEqual([
      'The queue of Sales is too long',
      'The queue of Sales is short again',
    ]);
  });

  it.each([0, 15, 24 * 60])(
    'of quiet hours end with the present state, whatever the pause (%i minutes)',
    async (pause_minutes) => {
      const { stored, during } = office([{ quiet_from: '11:00', quiet_to: '13:00', pause_minutes }]);
      await during(300, trunk);
      await during(300);
      expect(stored.heldMails).toEqual(['Trunk Provider is down', 'Trunk Provider is up again']);
      await during(1_200, trunk);
      expect(stored.heldMails).toEqual(['Trunk Provider is down']);
      await during(60);
      expect(stored.heldMails).toEqual(['Trunk Provider is down', 'Trunk Provider is up again']);
      const [down, up] = [...stored.jobs.values()].map(({ createdAtMs }) => createdAtMs - START_MS);
      expect([down, up].map((ms) => Math.round((ms ?? 0) / 60_000))).toEqual([10, 30]);
    },
  );

  it('of quiet hours that a rule with a higher threshold sends are the present state, too', async () => {
    const quiet = { quiet_from: '11:00', quiet_to: '13:00', waiting: 10 };
    const { stored, during } = office([{ waiting: 3, emails: [] }, quiet]);
    await during(20, queue(12));
    await during(60, queue(0));
    await during(20, queue(4));
    expect(stored.heldMails.at(-1)).toBe('The queue of Sales is short again');
    await during(20, queue(12));
    expect(stored.heldMails).toEqual(['The queue of Sales is too long']);
  });

  it('of each new message are sent, without a pause, and of each in quiet hours, too', async () => {
    const message = (id: string): AccountObservation => ({
      ...trunk,
      type: 'voicemail_received',
      subject: 'voicemail||sales',
      name: 'Sales',
      facts: { ...NO_FACTS, caller: id, message: id },
    });
    for (const quiet of [{}, { quiet_from: '11:00', quiet_to: '13:00' }]) {
      const { stored, monitor } = office([{ ...quiet, webhook: 'hook' }]);
      for (const id of ['m1', 'm2', 'm3']) await monitor().happened(message(id));
      expect(stored.mails).toHaveLength(3);
      expect([...stored.jobs.values()].filter(({ lane }) => lane === 'webhook')).toHaveLength(3);
    }
  });

  it('of a new message are closed at once, and sent to the webhook of the rule', async () => {
    const { stored, monitor } = office([{ emails: [], webhook: 'hook' }]);
    const facts = { ...NO_FACTS, caller: '+4930123', message: 'm1' };
    const message = {
      ...trunk,
      type: 'voicemail_received',
      subject: 'voicemail||sales',
      name: 'Sales',
      facts,
    } as const;
    await monitor().happened(message);
    const [job] = stored.jobs.values();
    expect(job).toMatchObject({ lane: 'webhook', subject: 'hook' });
    expect(JSON.parse(job?.json ?? '')).toMatchObject({
      type: 'notification.opened',
      data: { notification: { type: 'voicemail_received', facts: { caller: '+4930123' } }, rule: 'Rule 0' },
    });
    expect(stored.rows[0]?.closedAtMs).not.toBeNull();
  });

  it('that no rule is about are not made', async () => {
    const { stored, during } = office([{ types: ['disk_nearly_full'] }]);
    await during(60, trunk, queue(99));
    expect(stored.rows).toEqual([]);
  });

  it('have no line of a provider or a name in a header of the mail', async () => {
    const { stored, during } = office([{}]);
    await during(20, { ...trunk, name: 'Evil\r\nBcc: all@example.com' });
    expect(stored.mails).toEqual(['Trunk Evil  Bcc: all@example.com is down']);
  });
});

it('mails are in the language of the account', async () => {
  const { during, stored } = office([{}], undefined, 'hi');
  await during(12, trunk);
  await during(20);
  expect(stored.mails).toEqual(['ट्रंक Provider बंद है', 'ट्रंक Provider फिर चालू है']);
  const [{ text } = { text: '' }] = [...stored.jobs.values()].map(({ json }) => JSON.parse(json) as Mail);
  expect(text.split('\n').slice(0, 3)).toEqual(['ट्रंक Provider बंद है।', '', 'कारण:     403 Forbidden']);
});
