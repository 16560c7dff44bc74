// SMS templates: what callers are sent who choose an option.

import { NO_GATEWAY } from '../calls/sms.ts';
import { plain } from './plain.ts';

export const smsTemplates = plain('sms_template', {
  warnings: async (_template, _request, { capabilities }) =>
    capabilities.sms ? [] : [{ pointer: '', code: 'sms-unavailable', message: NO_GATEWAY.message }],
  plainIdIn: 'sms_template',
});
