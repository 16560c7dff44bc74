// Texts that are sent by SMS.
import { defineKind } from './define-kind.ts';

export const smsTemplate = defineKind({
  kind: 'sms_template',
  noun: 'SMS template',
  word: null,
  destination: false,
  directory: 'smsTemplates',
  exported: 'sms_templates',
  key: 'name',
  versioned: false,
  drafted: false,
  tested: true,
  assistants: true,
  schema: 'SmsTemplate',
  plural: 'SmsTemplates',
  see: 'look',
  change: 'edit',
  sealed: null,
});
