// Looks at what notifications are about and opens and closes them, once for each change of a state. What is open is stored, so a start
// repeats none; of several nodes that see the same, the first to store it sends it.

import { newId } from '../domain/id.ts';
import {
  type AccountObservation,
  concerns,
  describeNotification,
  dueRules,
  GONE_MS,
  type Notification,
  type NotificationRule,
  type Observation,
  TRUNK_MS,
} from '../domain/notification.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import type { Words } from '../domain/words/words.ts';
import type { Clock } from '../kit/clock.ts';
import type { NotificationStorage } from '../storage/ports/notifications.ts';
import { jobsOf, type NotificationEvent, type NotificationEventType } from './notification-jobs.ts';

export const LOOK_MS = 2_000;
/** Open notifications of all accounts. */
const MAX_OPEN = 10_000;

export interface MonitorParts {
  readonly storage: NotificationStorage;
  readonly clock: Pick<Clock, 'after' | 'epochMs' | 'nowMs'>;
  readonly rulesOf: (accountId: string) => readonly NotificationRule[];
  /** What mails of the account are written in. */
  readonly wordsOf: (accountId: string) => Words;
  /** Everything that a notification may be about: trunks that are down, queues with callers, the disk. `open`: looked at in any case. */
  readonly observe: (open: readonly Notification[]) => Promise<readonly AccountObservation[]>;
  /** Whether this node says when it is over. */
  readonly isOurs: (notification: Notification) => Promise<boolean> | boolean;
  /** Whether one more e-mail of the account may be sent. */
  readonly mayMail: (accountId: string) => Promise<boolean>;
  readonly publish: (accountId: string, event: NotificationEvent, details: object) => void;
  readonly failed: (error: unknown) => void;
}

const keyOf = ({ accountId, type, subject }: AccountObservation | Notification): string =>
  `${accountId} ${type} ${subject}`;

export class NotificationMonitor {
  readonly #parts: MonitorParts;
  /** Since when a condition holds that is not open yet, and since when an open one does not, by the clock that is never set. */
  readonly #holdsSince = new Map<string, number>();
  readonly #goneSince = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  open(): void {
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => {
      this.#looking = this.look()
        .catch(this.#parts.failed)
        .then(() => {
          if (!this.#isClosed) this.open();
        });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#looking;
  }

  async look(): Promise<void> {
    const { storage, observe, clock } = this.#parts;
    const open = await storage.openNotifications({ limit: MAX_OPEN });
    const byKey = new Map(open.map((each) => [keyOf(each), each]));
    const nowMs = clock.nowMs();
    const holding = new Set<string>();
    for (const observation of await observe(open)) {
      const key = keyOf(observation);
      if (!this.#rules(observation).some((rule) => concerns(rule, observation))) continue;
      holding.add(key);
      const known = byKey.get(key);
      if (known) await this.#sendMore(known, observation);
      else if (this.#hasHeld(key, observation, nowMs)) await this.#begin(observation);
    }
    for (const key of this.#holdsSince.keys()) if (!holding.has(key)) this.#holdsSince.delete(key);
    for (const [key, notification] of byKey) {
      if (holding.has(key)) this.#goneSince.delete(key);
      else if (await this.#isOver(key, notification, nowMs)) await this.#end(notification);
    }
    for (const key of this.#goneSince.keys()) if (!byKey.has(key)) this.#goneSince.delete(key);
  }

  /** Notifies of what is over as soon as it happens: a new message. */
  async happened(observation: AccountObservation): Promise<void> {
    if (this.#rules(observation).some((rule) => concerns(rule, observation)))
      await this.#begin(observation, true);
  }

  #rules({ accountId }: AccountObservation): readonly NotificationRule[] {
    return this.#parts.rulesOf(accountId);
  }

  #hasHeld(key: string, { type }: Observation, nowMs: number): boolean {
    const sinceMs = this.#holdsSince.get(key) ?? nowMs;
    this.#holdsSince.set(key, sinceMs);
    return nowMs - sinceMs >= (type === 'trunk_down' ? TRUNK_MS : 0);
  }

  async #isOver(key: string, notification: Notification, nowMs: number): Promise<boolean> {
    if (!(await this.#parts.isOurs(notification))) {
      this.#goneSince.delete(key);
      return false;
    }
    const sinceMs = this.#goneSince.get(key) ?? nowMs;
    this.#goneSince.set(key, sinceMs);
    return nowMs - sinceMs >= GONE_MS;
  }

  async #begin(observation: AccountObservation, isOverAtOnce = false): Promise<void> {
    const { storage, clock } = this.#parts;
    const { accountId, type, subject, name, facts } = observation;
    const atMs = Math.round(clock.epochMs());
    const last = await storage.lastNotification({ accountId, type, subject });
    const due = dueRules(this.#rules(observation), observation, last?.sent ?? {}, atMs);
    const sent = { ...recent(last?.sent, this.#rules(observation)), ...sentNow(due, atMs) };
    const notification: Notification = {
      accountId,
      id: newId(atMs),
      type,
      subject,
      name,
      facts,
      openedAtMs: atMs,
      closedAtMs: isOverAtOnce ? atMs : null,
      sent,
    };
    const event = this.#event('notification.opened', notification, atMs);
    if (await storage.openNotification({ notification, jobs: await this.#jobs(due, event) }))
      this.#publish(event);
  }

  /** A rule with a higher threshold, or one that was made since. */
  async #sendMore(known: Notification, observation: AccountObservation): Promise<void> {
    const { storage, clock } = this.#parts;
    const atMs = Math.round(clock.epochMs());
    // A rule that was sent this one gets no more of it.
    const others = this.#rules(observation).filter(({ name }) => !wasSent(known, name));
    const due = dueRules(others, observation, known.sent, atMs).filter(sendsAnything);
    if (due.length === 0) return;
    const event = this.#event('notification.opened', { ...known, facts: observation.facts }, atMs);
    const sent = { ...known.sent, ...sentNow(due, atMs) };
    const { accountId, id, sent: before } = known;
    await storage.resendNotification({ accountId, id, before, sent, jobs: await this.#jobs(due, event) });
  }

  async #end(open: Notification): Promise<void> {
    const { storage, clock, rulesOf } = this.#parts;
    const { accountId, id } = open;
    const atMs = Math.round(clock.epochMs());
    const event = this.#event('notification.closed', { ...open, closedAtMs: atMs }, atMs);
    const rules = rulesOf(accountId).filter(({ name }) => wasSent(open, name));
    if (await storage.closeNotification({ accountId, id, atMs, jobs: await this.#jobs(rules, event) }))
      this.#publish(event);
  }

  #event(type: NotificationEventType, notification: Notification, atMs: number): NotificationEvent {
    return { id: newId(atMs), type, atMs, notification };
  }

  #publish(event: NotificationEvent): void {
    const { notification } = event;
    this.#parts.publish(notification.accountId, event, { notification: describeNotification(notification) });
  }

  async #jobs(rules: readonly NotificationRule[], event: NotificationEvent): Promise<OutboxJob[]> {
    const { accountId } = event.notification;
    const words = this.#parts.wordsOf(accountId);
    // Two rules may name one webhook.
    const jobs = new Map(rules.flatMap((rule) => jobsOf(rule, event, words)).map((job) => [job.id, job]));
    const allowed: OutboxJob[] = [];
    for (const job of jobs.values())
      if (job.lane !== 'email' || (await this.#parts.mayMail(accountId))) allowed.push(job);
    return allowed;
  }
}

const sendsAnything = ({ emails, webhook }: NotificationRule): boolean =>
  emails.length > 0 || webhook !== null;

const sentNow = (rules: readonly NotificationRule[], atMs: number): Record<string, number> =>
  Object.fromEntries(rules.filter(sendsAnything).map(({ name }) => [name, atMs]));

/** When the rules were last sent: from the notification before, for rules that still exist. */
const recent = (
  sent: Notification['sent'] = {},
  rules: readonly NotificationRule[],
): Record<string, number> =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => rules.some((rule) => rule.name === name)));

const wasSent = ({ sent, openedAtMs }: Notification, rule: string): boolean =>
  Object.hasOwn(sent, rule) && (sent[rule] ?? 0) >= openedAtMs;
