// References to things that do not exist and that one kind alone has.

import { type Flow, resolve } from '../flow.ts';
import type { AgentNode, DepartmentNode, MenuNode } from '../node.ts';
import type { Finding } from './finding.ts';

export function* missingWebhooks(flow: Flow, node: MenuNode): Iterable<Finding> {
  const { webhooks } = flow.settings;
  if (webhooks === null) return;
  for (const [index, { webhook }] of node.options.entries()) {
    if (webhook === undefined || webhooks.has(webhook)) continue;
    const message = `Webhook ${webhook} does not exist: no event is sent when the option is chosen.`;
    const pointer = `/webhook/${index}`;
    yield { code: 'webhook-missing', severity: 'warning', node: node.ref, pointer, message };
  }
}

export function* missingCallbackHours(flow: Flow, { ref, queue }: DepartmentNode): Iterable<Finding> {
  const hours = queue?.callback?.hours ?? null;
  if (hours === null || resolve(flow, hours)?.kind === 'hours') return;
  const message = `Time group ${hours} does not exist: callers are called back at all times.`;
  yield { code: 'destination-missing', severity: 'error', node: ref, pointer: '/callback_hours', message };
}

export function* missingHours(flow: Flow, { ref, hours }: AgentNode): Iterable<Finding> {
  if (hours === null || resolve(flow, hours)?.kind === 'hours') return;
  const message = `Time group ${hours} does not exist: calls are offered at all times.`;
  yield { code: 'destination-missing', severity: 'error', node: ref, pointer: '/timegroup_id', message };
}
