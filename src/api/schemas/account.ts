// What may be sent for tokens and settings.
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { oneOf, optional, text, wholeNumber } from './field.ts';

export const TOKEN_FIELDS = {
  name: text({ min: 1, max: 100 }),
  expires_in_days: optional(wholeNumber(1, 3650, 'days'), null),
} as const;

const onOff = (fallback: boolean) => optional(oneOf([true, false]), fallback);

export const SETTINGS_FIELDS = {
  sms_templates: onOff(DEFAULT_SETTINGS.sms_templates),
  strict_references: onOff(DEFAULT_SETTINGS.strict_references),
} as const;
