// SMS templates: what callers are sent who choose an option.
import { readSmsTemplate } from '../schemas/sms.ts';
import type { Collection } from './collection.ts';

export const smsTemplates: Collection<'sms_template'> = {
  kind: 'sms_template',
  path: '/v1/sms_template',
  listPath: '/v1/sms_templates',
  read: readSmsTemplate,
  warnings: async () => [],
  plainIdIn: 'sms_template',
  matches: ({ name, text }, needle) =>
    name.toLowerCase().includes(needle) || text.toLowerCase().includes(needle),
};
