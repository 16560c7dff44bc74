// What a rule of notifications sends: e-mail and a delivery to a webhook, at once or when its quiet hours end. What is held back has an
// id of its rule, subject and hour: a night with many changes sends the last beginning in the morning, and its end if it is over. Each
// voicemail message is a subject of its own.
import { createHash } from 'node:crypto';
import { firstIdAt } from '../domain/id.ts';
import {
  describeNotification,
  type Notification,
  type NotificationRule,
  quietUntil,
} from '../domain/notification.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { deliveryJob, eventBody } from '../domain/webhook.ts';
import { labelled, type Words } from '../domain/words/words.ts';
import type { Mail } from './mail.ts';

export type NotificationEventType = 'notification.opened' | 'notification.closed';

export interface NotificationEvent {
  readonly id: string;
  readonly type: NotificationEventType;
  readonly atMs: number;
  readonly notification: Notification;
}

const MAX_SHOWN = 100;
/** Names and problems come from records and from providers: on one line, and short. */
const shown = (text: string): string => text.replace(/\p{C}/gu, ' ').slice(0, MAX_SHOWN).toWellFormed();

export function jobsOf(rule: NotificationRule, event: NotificationEvent, words: Words): OutboxJob[] {
  const { accountId } = event.notification;
  const heldUntilMs = quietUntil(rule, event.atMs);
  const held = (to: string): Partial<OutboxJob> => {
    if (heldUntilMs === null) return {};
    const { type, subject, facts } = event.notification;
    const id = hash(rule.name, type, subject, to, ...(facts.message === null ? [] : [facts.message]));
    const isOpened = event.type === 'notification.opened';
    return {
      // An end sorts behind its beginning.
      id: `${firstIdAt(heldUntilMs)}.${id}.${isOpened ? 1 : 2}`,
      orderKey: id,
      dueAtMs: heldUntilMs,
      // An end that was held back is no longer true when it begins again.
      replaces: isOpened ? 'order-key' : 'id',
    };
  };
  const jobs: OutboxJob[] = [];
  if (rule.webhook !== null) {
    const about = { id: event.id, callId: `notification ${event.notification.id}`, atMs: event.atMs };
    const data = { notification: describeNotification(event.notification), rule: rule.name };
    const body = eventBody({ ...about, type: event.type, data });
    jobs.push({ ...deliveryJob(accountId, rule.webhook, about, body), ...held(`webhook ${rule.webhook}`) });
  }
  for (const to of new Set(rule.emails)) {
    const mail: Mail = { to, ...writeNotification(event, words) };
    jobs.push({
      id: `${event.id}.${hash(rule.name, to)}`,
      accountId,
      lane: 'email',
      orderKey: '',
      dueAtMs: event.atMs,
      createdAtMs: event.atMs,
      json: JSON.stringify(mail),
      ...held(`email ${to}`),
    });
  }
  return jobs;
}

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);

function writeNotification({ type, atMs, notification }: NotificationEvent, words: Words): Omit<Mail, 'to'> {
  const isOver = type === 'notification.closed';
  const subject = headline(notification, isOver, words);
  const at = (label: string, ms: number): string => labelled(label, new Date(ms).toISOString());
  const lines = [...factLines(notification, words), at(words.mail.time, atMs)];
  if (isOver) lines.push(at(words.notification.since, notification.openedAtMs));
  return { subject, text: `${words.mail.sentence(subject)}\n\n${lines.join('\n')}\n` };
}

function headline({ type, name, facts }: Notification, isOver: boolean, { notification }: Words): string {
  const called = shown(name);
  switch (type) {
    case 'trunk_down':
      return isOver ? notification.trunkUp(called) : notification.trunkDown(called);
    case 'queue_too_long':
      return isOver ? notification.queueShort(called) : notification.queueLong(called);
    case 'voicemail_received':
      return notification.voicemail(called);
    case 'disk_nearly_full':
      return isOver ? notification.diskRoom(called) : notification.diskFull(called, facts.free_percent ?? 0);
    default:
      return type satisfies never;
  }
}

function factLines({ facts }: Notification, { notification, mail }: Words): string[] {
  const { problem, waiting, wait_ms: waitMs, caller, free_percent: free } = facts;
  return [
    ...(problem === null ? [] : [labelled(notification.reason, shown(problem))]),
    ...(waiting === null ? [] : [labelled(notification.waiting, String(waiting))]),
    ...(waitMs === null ? [] : [labelled(notification.longest, mail.seconds(Math.round(waitMs / 1000)))]),
    ...(caller === null ? [] : [labelled(mail.from, shown(caller))]),
    ...(free === null ? [] : [labelled(notification.free, `${free} %`)]),
  ];
}
