// What may be sent for tokens and settings.
import { DEFAULT_SETTINGS, HOLD_SOUNDS, SCOPES, type Scope } from '../../domain/account.ts';
import { ACCOUNT_LIMITS, LIMIT_NAMES, type LimitName } from '../../domain/account-limits.ts';
import { MAX_REASON } from '../../domain/agent-presence.ts';
import { COUNTRIES } from '../../domain/numbering.ts';
import { SERVICE_LEVEL_SECONDS } from '../../domain/queue-visits.ts';
import { FAILED_CALLS } from '../../flow/flow.ts';
import { email } from '../../kinds/common-fields.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  oneOf,
  optional,
  pattern,
  shown,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { recording } from '../../kinds/reference-fields.ts';
import { SRTP_MODES } from '../../kinds/trunk-choices.ts';
import { notificationRules, thresholds } from './notification.ts';
import { callButtons } from './phone-session.ts';
import { zone } from './statistics.ts';

export const TOKEN_FIELDS = {
  name: text({ min: 1, max: 100 }),
  expires_in_days: optional(wholeNumber(1, 3650, 'days'), null),
  scopes: optional(scopes(), null),
} as const;

/** At least one, each at most once. */
function scopes(): Field<readonly Scope[]> {
  const each = oneOf(SCOPES);
  const schema = { type: 'array', items: each.output, minItems: 1, uniqueItems: true };
  const description =
    'what the token may do; admin is everything. Not sent: what the token that makes it may do';
  return {
    input: { ...schema, description },
    output: schema,
    samples: [['read', 'calls']],
    read(value, at, faults) {
      if (!Array.isArray(value)) {
        faults.add(at, 'list_expected', `${named(at)} must be a list of ${SCOPES.join(', ')}.`);
        return undefined;
      }
      if (value.length === 0) faults.add(at, 'list_too_short', `${named(at)} must name at least one.`);
      const read = value
        .slice(0, SCOPES.length + 1)
        .map((one, index) => each.read(one, `${at}/${index}`, faults));
      return SCOPES.filter((scope) => read.includes(scope));
    },
  };
}

const onOff = (fallback: boolean) => optional(oneOf([true, false]), fallback);

const countryWords = 'a country code of two capital letters (ISO 3166), such as DE; null for none';
const country: Field<string> = {
  input: { type: 'string', pattern: '^([A-Za-z]{2})?$', description: countryWords },
  output: { type: 'string', pattern: '^([A-Z]{2})?$', description: countryWords },
  samples: ['DE'],
  read(value, at, faults) {
    const code = typeof value === 'string' ? value.toUpperCase() : null;
    if (code === '' || (code !== null && COUNTRIES.includes(code))) return code;
    faults.add(at, 'value_not_allowed', `${named(at)} must be ${countryWords}; it was ${shown(value)}.`);
    return undefined;
  },
};
const areaCode = pattern(/^[0-9]{0,6}$/, 'the area code of local numbers, up to 6 digits; null for none');

export const LANGUAGE = pattern(
  /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/,
  'the tag of a language in small letters, such as en, hi, de or pt-br',
);

/** Stored as "" where it is not set; readers see null. */
function shownAsNull(field: Field<string>, none: string): Field<string> {
  return { ...optional(field, none), output: { ...field.output, type: ['string', 'null'] } };
}

const zoneField = zone();
/** Empty: none. */
const timezone: Field<string> = {
  ...zoneField,
  samples: ['Asia/Kolkata'],
  read: (value, at, faults) => (value === '' ? '' : zoneField.read(value, at, faults)),
};
const RECIPIENTS = listOf(email, { min: 0, max: 20, of: 'e-mail addresses' });

export const SETTINGS_FIELDS = {
  sms_templates: onOff(DEFAULT_SETTINGS.sms_templates),
  strict_references: onOff(DEFAULT_SETTINGS.strict_references),
  loopback_calls: onOff(DEFAULT_SETTINGS.loopback_calls),
  ring_seconds: optional(wholeNumber(5, 300, 'seconds'), DEFAULT_SETTINGS.ring_seconds),
  several_calls_per_agent: onOff(DEFAULT_SETTINGS.several_calls_per_agent),
  pause_reasons: optional(
    listOf(text({ min: 1, max: MAX_REASON }), { min: 0, max: 50, of: 'reasons' }),
    DEFAULT_SETTINGS.pause_reasons,
  ),
  failed_calls: optional(oneOf(FAILED_CALLS), DEFAULT_SETTINGS.failed_calls),
  srtp: optional(oneOf(SRTP_MODES), DEFAULT_SETTINGS.srtp),

  language: optional(LANGUAGE, DEFAULT_SETTINGS.language),
  hold_sound: optional(oneOf(HOLD_SOUNDS, 'what who is on hold hears'), DEFAULT_SETTINGS.hold_sound),
  music_on_hold: optional(recording(), DEFAULT_SETTINGS.music_on_hold),
  intercom_auto_answer: onOff(DEFAULT_SETTINGS.intercom_auto_answer),
  parking_spots: optional(wholeNumber(0, 99), DEFAULT_SETTINGS.parking_spots),
  parking_seconds: optional(wholeNumber(10, 3_600, 'seconds'), DEFAULT_SETTINGS.parking_seconds),

  recording_notice_tone: onOff(DEFAULT_SETTINGS.recording_notice_tone),
  keep_recordings_days: optional(wholeNumber(0, 36_500, 'days'), DEFAULT_SETTINGS.keep_recordings_days),
  keep_voicemails_days: optional(wholeNumber(0, 36_500, 'days'), DEFAULT_SETTINGS.keep_voicemails_days),
  max_voicemails: optional(wholeNumber(1, 10_000), DEFAULT_SETTINGS.max_voicemails),

  keep_call_records_days: optional(wholeNumber(0, 36_500, 'days'), DEFAULT_SETTINGS.keep_call_records_days),

  country: shownAsNull(country, DEFAULT_SETTINGS.country),
  area_code: shownAsNull(areaCode, DEFAULT_SETTINGS.area_code),

  max_outbound_calls: optional(wholeNumber(0, 10_000), DEFAULT_SETTINGS.max_outbound_calls),
  clicks_per_minute: optional(wholeNumber(0, 6000), DEFAULT_SETTINGS.clicks_per_minute),
  callbacks_per_hour: optional(wholeNumber(0, 10_000), DEFAULT_SETTINGS.callbacks_per_hour),

  service_level_seconds: optional(oneOf(SERVICE_LEVEL_SECONDS), DEFAULT_SETTINGS.service_level_seconds),

  timezone: shownAsNull(timezone, DEFAULT_SETTINGS.timezone),
  report_daily_to: optional(RECIPIENTS, DEFAULT_SETTINGS.report_daily_to),
  report_weekly_to: optional(RECIPIENTS, DEFAULT_SETTINGS.report_weekly_to),
  report_hour: optional(wholeNumber(0, 23), DEFAULT_SETTINGS.report_hour),
  require_publish: onOff(DEFAULT_SETTINGS.require_publish),

  keep_audit_days: optional(wholeNumber(0, 36_500, 'days'), DEFAULT_SETTINGS.keep_audit_days),

  wallboard: optional(thresholds, DEFAULT_SETTINGS.wallboard),
  notification_rules: optional(notificationRules, DEFAULT_SETTINGS.notification_rules),
  call_buttons: optional(callButtons, DEFAULT_SETTINGS.call_buttons),
} as const;

function limitSchema(name: LimitName): JsonSchema {
  const { values, meaning: description } = ACCOUNT_LIMITS[name];
  if (typeof values === 'string') return { type: 'boolean', description };
  return { type: 'integer', minimum: values[0], maximum: values[1], description };
}

export const LIMITS_OUTPUT: Record<string, JsonSchema> = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, limitSchema(name)]),
);

const amount = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

export const USED_OUTPUT: Record<string, JsonSchema> = {
  records: amount('Records of configuration, of max_records'),
  configuration_bytes: amount('Bytes of records, of max_configuration_mb'),
  recordings_bytes: amount('Bytes of prompts, of max_recordings_mb'),
  voicemail_bytes: amount('Bytes of voicemail messages, of max_voicemail_mb'),
  call_recordings_bytes: amount('Bytes of recorded calls, of max_call_recordings_mb'),
};
