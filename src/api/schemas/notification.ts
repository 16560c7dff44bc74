// What may be sent for rules of notifications and for the wallboard, and how notifications are shown.
import {
  MAX_RULES,
  NOTIFICATION_TYPES,
  type NotificationRule,
  RULE_DEFAULTS,
} from '../../domain/notification.ts';
import { DEFAULT_THRESHOLDS, type WallboardThresholds } from '../../domain/wallboard.ts';
import { email } from '../../kinds/common-fields.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  oneOf,
  optional,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { clockTime, group, zone } from '../../kinds/group.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, string, time } from './output.ts';

const MAX_EMAILS = 20;
const MAX_DEPARTMENTS = 100;

const RULE = {
  name: text({ min: 1, max: 60 }),
  types: optional(
    listOf(oneOf(NOTIFICATION_TYPES), { min: 0, max: NOTIFICATION_TYPES.length, of: 'types' }),
    RULE_DEFAULTS.types,
  ),
  departments: optional(
    listOf(text({ min: 1, max: 64 }), { min: 0, max: MAX_DEPARTMENTS, of: 'ids of departments' }),
    RULE_DEFAULTS.departments,
  ),
  waiting: optional(wholeNumber(0, 1000, 'callers'), RULE_DEFAULTS.waiting),
  wait_seconds: optional(wholeNumber(0, 86_400, 'seconds'), RULE_DEFAULTS.wait_seconds),
  disk_percent: optional(wholeNumber(1, 90, 'percent'), RULE_DEFAULTS.disk_percent),
  emails: optional(listOf(email, { min: 0, max: MAX_EMAILS, of: 'addresses' }), RULE_DEFAULTS.emails),
  webhook: optional(text({ min: 1, max: 64, description: 'id of a webhook' }), RULE_DEFAULTS.webhook),
  quiet_from: optional(clockTime, RULE_DEFAULTS.quiet_from),
  quiet_to: optional(clockTime, RULE_DEFAULTS.quiet_to),
  timezone: optional(zone, RULE_DEFAULTS.timezone),
  pause_minutes: optional(wholeNumber(0, 10_080, 'minutes'), RULE_DEFAULTS.pause_minutes),
} as const;

const SAMPLE: NotificationRule = { name: 'Operations', ...RULE_DEFAULTS, emails: ['ops@example.com'] };
const rule: Field<NotificationRule> = {
  ...group(RULE, 'an object with name, types, emails …', (read) => ({
    ...read,
    types: NOTIFICATION_TYPES.filter((type) => read.types.includes(type)),
  })),
  samples: [SAMPLE],
};

const rules = listOf(rule, { min: 0, max: MAX_RULES, of: 'rules' });

/** Each name once: it is what a rule is known by. */
export const notificationRules: Field<readonly NotificationRule[]> = {
  ...rules,
  read(value, at, faults) {
    const read = rules.read(value, at, faults);
    const names = new Set<string>();
    for (const [index, each] of (read ?? []).entries()) {
      if (each && names.has(each.name))
        faults.add(
          `${at}/${index}/name`,
          'value_not_allowed',
          `${named(at)} ${index} has the name of another.`,
        );
      if (each) names.add(each.name);
    }
    return read;
  },
};

const percent = (value: number) => optional(wholeNumber(0, 100, 'percent'), value);
const callers = (value: number) => optional(wholeNumber(0, 1000, 'callers'), value);
const seconds = (value: number) => optional(wholeNumber(0, 86_400, 'seconds'), value);
const D = DEFAULT_THRESHOLDS;
export const THRESHOLDS = {
  waiting_warning: callers(D.waiting_warning),
  waiting_critical: callers(D.waiting_critical),
  wait_warning_seconds: seconds(D.wait_warning_seconds),
  wait_critical_seconds: seconds(D.wait_critical_seconds),
  service_level_warning: percent(D.service_level_warning),
  service_level_critical: percent(D.service_level_critical),
  abandoned_warning: percent(D.abandoned_warning),
  abandoned_critical: percent(D.abandoned_critical),
} as const;
export const thresholds: Field<WallboardThresholds> = {
  ...group(THRESHOLDS, 'an object with thresholds', (read) => read),
  samples: [{ ...D, waiting_warning: 4 }],
};

export const NOTIFICATIONS_QUERY = {
  ...PAGE_QUERY,
  open: optional(oneOf(['true', 'false'], 'true: only those whose condition holds'), null),
} as const;

const orNull = (type: string) => ({ type: [type, 'null'] });
export const NOTIFICATION_SCHEMAS: Record<string, JsonSchema> = {
  Notification: object({
    id: string,
    type: { enum: NOTIFICATION_TYPES },
    subject: string,
    name: string,
    facts: object({
      problem: orNull('string'),
      waiting: orNull('integer'),
      wait_ms: orNull('integer'),
      caller: orNull('string'),
      message: orNull('string'),
      free_percent: orNull('number'),
    }),
    opened_at: time,
    closed_at: orNull('string'),
  }),
};
