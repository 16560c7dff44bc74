// What a record asks for and the service is not able to do.

import type { Flow } from '../flow.ts';
import type { MenuNode, VoicemailNode } from '../node.ts';
import type { Finding } from './finding.ts';

/** Not reported while the account sends no SMS: then no template is used. */
export function* unsentSms({ settings }: Flow, node: MenuNode): Iterable<Finding> {
  if (!settings.smsTemplates || settings.capabilities?.sms !== false) return;
  for (const [index, { keys, smsTemplate }] of node.options.entries()) {
    if (smsTemplate === null) continue;
    const message = `The service has no SMS gateway (SMS_URL): callers who press ${keys} are sent no SMS.`;
    const pointer = `/sms_template/${index}`;
    yield { code: 'sms-unavailable', severity: 'warning', node: node.ref, pointer, message };
  }
}

export function* unsentEmail({ settings }: Flow, node: VoicemailNode): Iterable<Finding> {
  if (!node.mailed || settings.capabilities?.email !== false) return;
  const message = `The service has no mail server (SMTP_URL): messages for “${node.name}” are stored and not mailed.`;
  yield { code: 'email-unavailable', severity: 'warning', node: node.ref, pointer: '/email', message };
}
