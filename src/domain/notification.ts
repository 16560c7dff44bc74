// Notifications: what somebody should know of now, and the rules that say who gets which of them by e-mail or webhook. One stays open
// while its condition holds; a new voicemail message is over as soon as it is there.
import { DAY_MS, dayOf, offsetMs } from '../flow/hours/zone.ts';

export const NOTIFICATION_TYPES = [
  'trunk_down',
  'queue_too_long',
  'voicemail_received',
  'disk_nearly_full',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** What is true of the subject; what does not concern the type is null. */
export interface NotificationFacts {
  /** Why a trunk is down. */
  readonly problem: string | null;
  readonly waiting: number | null;
  /** How long the caller has waited who waits longest. */
  readonly wait_ms: number | null;
  readonly caller: string | null;
  /** The id of a voicemail message. */
  readonly message: string | null;
  readonly free_percent: number | null;
}

export const NO_FACTS: NotificationFacts = {
  problem: null,
  waiting: null,
  wait_ms: null,
  caller: null,
  message: null,
  free_percent: null,
};

export interface Notification {
  readonly accountId: string;
  readonly id: string;
  readonly type: NotificationType;
  /** `trunk||…`, `department||…`, `voicemail||…` or `node||…`. */
  readonly subject: string;
  /** What the subject was called then. */
  readonly name: string;
  readonly facts: NotificationFacts;
  readonly openedAtMs: number;
  /** Null if the condition holds. */
  readonly closedAtMs: number | null;
  /** When each rule was last sent one of this type and subject, by the rule's name. */
  readonly sent: Readonly<Record<string, number>>;
}

/** Who gets which notifications, from when on. Its name is its identity. */
export interface NotificationRule {
  readonly name: string;
  readonly types: readonly NotificationType[];
  /** Ids of departments whose queues count; none: all of them. */
  readonly departments: readonly string[];
  /** A queue is too long with so many callers; 0: however many. */
  readonly waiting: number;
  /** And when a caller waits for so long; 0: however long. */
  readonly wait_seconds: number;
  /** The disk is nearly full below so much free space. */
  readonly disk_percent: number;
  readonly emails: readonly string[];
  /** The id of a webhook. */
  readonly webhook: string | null;
  /** Local times between which nothing is sent; what happened meanwhile follows then. Null: no quiet hours. */
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly timezone: string;
  /** The same thing is sent again after so long at the earliest; voicemail messages are never the same. */
  readonly pause_minutes: number;
}

export const RULE_DEFAULTS: Omit<NotificationRule, 'name'> = {
  types: NOTIFICATION_TYPES,
  departments: [],
  waiting: 5,
  wait_seconds: 180,
  disk_percent: 10,
  emails: [],
  webhook: null,
  quiet_from: null,
  quiet_to: null,
  timezone: 'UTC',
  pause_minutes: 15,
};

/** The rules of an account that has made none: everything is shown in the console, and nothing is sent. */
export const DEFAULT_RULES: readonly NotificationRule[] = [{ name: 'Console', ...RULE_DEFAULTS }];

export const MAX_RULES = 20;
/** A trunk that is down for less is not noticed: a registration that is renewed, a restart. */
export const TRUNK_MS = 10_000;
/** A condition is over when it was gone for so long. */
export const GONE_MS = 15_000;

/** A subject as it is now. */
export interface Observation extends Pick<Notification, 'type' | 'subject' | 'name' | 'facts'> {}

export interface AccountObservation extends Observation {
  readonly accountId: string;
}

/** Whether the rule is about it and its thresholds are passed. */
export function concerns(rule: NotificationRule, { type, subject, facts }: Observation): boolean {
  if (!rule.types.includes(type)) return false;
  const { waiting, wait_ms: waitMs, free_percent: free } = facts;
  switch (type) {
    case 'queue_too_long': {
      const department = subject.slice(subject.indexOf('||') + 2);
      if (rule.departments.length > 0 && !rule.departments.includes(department)) return false;
      const isLong = rule.waiting > 0 && (waiting ?? 0) >= rule.waiting;
      return isLong || (rule.wait_seconds > 0 && (waitMs ?? 0) >= rule.wait_seconds * 1000);
    }
    case 'disk_nearly_full':
      return free !== null && free < rule.disk_percent;
    default:
      return true;
  }
}

/** When the quiet hours that it is now end; null: it is none. */
export function quietUntil(
  { quiet_from: from, quiet_to: to, timezone }: NotificationRule,
  nowMs: number,
): number | null {
  if (from === null || to === null || from === to) return null;
  const localMs = nowMs + offsetMs(timezone, nowMs);
  const midnightMs = dayOf(localMs) * DAY_MS;
  const [fromMs, toMs] = [midnightMs + timeMs(from), midnightMs + timeMs(to)];
  const overMidnight = fromMs > toMs;
  const isQuiet = overMidnight ? localMs >= fromMs || localMs < toMs : localMs >= fromMs && localMs < toMs;
  if (!isQuiet) return null;
  const endMs = overMidnight && localMs >= fromMs ? toMs + DAY_MS : toMs;
  // By the offset of then: a clock may be changed in the night.
  return endMs - offsetMs(timezone, endMs - offsetMs(timezone, nowMs));
}

function timeMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}

/** The rules that are sent something now: not again within their pause. */
export function dueRules(
  rules: readonly NotificationRule[],
  observation: Observation,
  sent: Notification['sent'],
  nowMs: number,
): NotificationRule[] {
  return rules.filter((rule) => {
    const lastMs = Object.hasOwn(sent, rule.name) ? sent[rule.name] : undefined;
    // Each message is a new thing.
    const hasPause = observation.type !== 'voicemail_received' && lastMs !== undefined;
    return !(hasPause && isPaused(rule, lastMs, nowMs)) && concerns(rule, observation);
  });
}

/** What was held back in the same quiet hours is replaced, so no pause is needed. */
function isPaused(rule: NotificationRule, lastMs: number, nowMs: number): boolean {
  if (lastMs <= nowMs - rule.pause_minutes * 60_000) return false;
  const heldUntilMs = quietUntil(rule, nowMs);
  return heldUntilMs === null || quietUntil(rule, lastMs) !== heldUntilMs;
}

/** As API, events and webhooks show it. */
export function describeNotification(notification: Notification) {
  const { id, type, subject, name, facts, openedAtMs, closedAtMs } = notification;
  return {
    id,
    type,
    subject,
    name,
    facts: { ...NO_FACTS, ...facts },
    opened_at: new Date(openedAtMs).toISOString(),
    closed_at: closedAtMs === null ? null : new Date(closedAtMs).toISOString(),
  };
}
