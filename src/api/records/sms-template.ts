// SMS templates: what callers are sent who choose an option.
import { readKind } from '../../kinds/fields.ts';
import { NO_GATEWAY } from '../calls/sms.ts';
import type { Collection } from './collection.ts';

export const smsTemplates: Collection<'sms_template'> = {
  kind: 'sms_template',
  read: (body) => readKind('sms_template', body),
  warnings: async (_template, _request, { capabilities }) =>
    capabilities.sms ? [] : [{ pointer: '', code: 'sms-unavailable', message: NO_GATEWAY.message }],
  plainIdIn: 'sms_template',
  matches: ({ name, text }, needle) =>
    name.toLowerCase().includes(needle) || text.toLowerCase().includes(needle),
};
