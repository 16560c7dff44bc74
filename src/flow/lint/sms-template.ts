// Templates that an option names and that will not be sent. Not checked while the account sends no SMS: then none is used.

import type { Flow } from '../flow.ts';
import type { MenuNode } from '../node.ts';
import type { Finding } from './finding.ts';

export function* smsTemplates(flow: Flow, node: MenuNode): Iterable<Finding> {
  if (flow.templates === null || !flow.settings.smsTemplates) return;
  for (const [index, { keys, smsTemplate }] of node.options.entries()) {
    if (smsTemplate === null) continue;
    const template = flow.templates.get(smsTemplate);
    if (template?.active) continue;
    const why = template ? 'is inactive' : 'does not exist';
    yield {
      code: template ? 'sms-template-inactive' : 'sms-template-missing',
      severity: 'warning',
      node: node.ref,
      pointer: `/sms_template/${index}`,
      message: `SMS template ${smsTemplate} ${why}: callers who press ${keys} are sent no SMS.`,
    };
  }
}
