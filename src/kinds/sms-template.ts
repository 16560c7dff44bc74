// Texts that are sent by SMS.
import { defineKind } from './define-kind.ts';

export const smsTemplate = defineKind({
  kind: 'sms_template',
  noun: 'SMS template',
  nouns: 'SMS templates',
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
  path: '/v1/sms_template',
  listPath: '/v1/sms_templates',
  see: 'look',
  change: 'edit',
  sealed: null,
});
