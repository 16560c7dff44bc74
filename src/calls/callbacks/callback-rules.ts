// What a call-back may do by the routes of now: whom it may dial, when, and by which rules of its department.
import { type Callback, mayBeCalledBack } from '../../domain/callback.ts';
import { type Flow, resolve } from '../../flow/flow.ts';
import { openingAt } from '../../flow/hours/opening.ts';
import {
  type CallbackRules,
  type DepartmentNode,
  type QueueRules,
  type Ref,
  referenceTo,
} from '../../flow/node.ts';
import { splitReference } from '../../kinds/reference.ts';
import { type Destination, dialledByAgent } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';

export interface CallingDepartment {
  readonly node: DepartmentNode;
  readonly queue: QueueRules;
  readonly rules: CallbackRules;
}

export const departmentRef = ({ department }: Pick<Callback, 'department'>): Ref =>
  referenceTo('department', department);

/** Null if it calls nobody back. */
export function callingDepartment(flow: Flow, ref: Ref): CallingDepartment | null {
  const node = resolve(flow, ref);
  if (node?.kind !== 'department' || !node.queue?.callback) return null;
  return { node, queue: node.queue, rules: node.queue.callback };
}

export function isWithinHours(flow: Flow, { hours }: CallbackRules, epochMs: number): boolean {
  const node = hours === null ? null : resolve(flow, hours);
  return node?.kind !== 'hours' || openingAt(node, epochMs).open;
}

export interface CallableNumber {
  readonly number: string;
  readonly key: string;
}

/**
 * The number as agents of the account may dial it outside; null: it is not called back. Never a premium-rate number or one on the block
 * list; one that was typed must be of the account's country, where that is known (docs/threat-model.md T1).
 */
export function callableNumber(account: AccountRoutes, text: string, typed: boolean): CallableNumber | null {
  const { numbering, blocked } = account;
  const canonical = numbering.canonical(text);
  const key = numbering.key(text);
  if (canonical === null || !mayBeCalledBack(key)) return null;
  if (typed && !numbering.isHome(text)) return null;
  if (!blocked.isEmpty && blocked.find(canonical, '', null)) return null;
  for (const number of [canonical, text]) if (outsideOf(account, number)) return { number, key };
  return null;
}

/** Where a call to the number leads, by the rules for agents' own calls; null: not outside, or not allowed. */
export function outsideOf(account: AccountRoutes, number: string): Destination | null {
  const to = dialledByAgent(account, number);
  return 'status' in to || to.direction !== 'outbound' ? null : to;
}

export const eidOf = (agent: Ref): string => splitReference(agent).id;
