// References to things that do not exist: accepted when written, with a warning in the answer (contract, POST /v1/ivr). Once they are
// stored callers meet them, so what callers miss by them is an error.

import { type Flow, resolve } from '../flow.ts';
import { type FlowNode, type RecordingId, type Ref, referenceTo } from '../node.ts';
import { type Edge, membersOf, recordingsOf } from './edge.ts';
import { endingAfter } from './ending.ts';
import type { Finding } from './finding.ts';

export function* missingRecordings(flow: Flow, node: FlowNode): Iterable<Finding> {
  for (const { pointer, recording } of recordingsOf(node)) {
    if (flow.recordings.has(recording)) continue;
    const instead = pointer === '/music_on_hold' ? 'the built-in music' : 'a short tone';
    yield {
      code: 'recording-missing',
      severity: 'error',
      node: node.ref,
      pointer,
      message: `Recording ${recording} does not exist: callers hear ${instead} instead.`,
    };
  }
}

export function* missingWebhooks(flow: Flow, node: FlowNode): Iterable<Finding> {
  const { webhooks } = flow.settings;
  if (webhooks === null || node.kind !== 'menu') return;
  for (const [index, { webhook }] of node.options.entries()) {
    if (webhook === undefined || webhooks.has(webhook)) continue;
    const message = `Webhook ${webhook} does not exist: no event is sent when the option is chosen.`;
    const pointer = `/webhook/${index}`;
    yield { code: 'webhook-missing', severity: 'warning', node: node.ref, pointer, message };
  }
}

export function* missingDestinations(flow: Flow, node: FlowNode, edges: readonly Edge[]): Iterable<Finding> {
  for (const { pointer, to } of edges) {
    if (resolve(flow, to) !== null) continue;
    const message = `${to} does not exist: callers who get there ${endingAfter(flow, node)}.`;
    yield { code: 'destination-missing', severity: 'error', node: node.ref, pointer, message };
  }
  for (const { pointer, to } of membersOf(node)) {
    if (resolve(flow, to)?.kind === 'agent') continue;
    const message = `Agent ${to} does not exist: the department cannot ring them.`;
    yield { code: 'destination-missing', severity: 'error', node: node.ref, pointer, message };
  }
  const called = node.kind === 'department' ? (node.queue?.callback?.hours ?? null) : null;
  if (called !== null && resolve(flow, called)?.kind !== 'hours') {
    const message = `Time group ${called} does not exist: callers are called back at all times.`;
    const pointer = '/callback_hours';
    yield { code: 'destination-missing', severity: 'error', node: node.ref, pointer, message };
  }
  if (node.kind === 'agent' && node.hours !== null && resolve(flow, node.hours)?.kind !== 'hours') {
    const message = `Time group ${node.hours} does not exist: calls are offered at all times.`;
    yield {
      code: 'destination-missing',
      severity: 'error',
      node: node.ref,
      pointer: '/timegroup_id',
      message,
    };
  }
}

/** What findings about the account's settings name as their node. */
export const SETTINGS_NODE = 'settings';

/** The account's own music; null: the built-in one. */
export function* missingMusic(flow: Flow, music: RecordingId | null): Iterable<Finding> {
  if (music === null || flow.recordings.has(music)) return;
  yield {
    code: 'recording-missing',
    severity: 'error',
    node: SETTINGS_NODE,
    pointer: '/music_on_hold',
    message: `Recording ${music} does not exist: who is on hold hears the built-in music instead.`,
  };
}

export interface DialledEntry {
  readonly number: string;
  readonly destination: Ref;
}

/** Dialled numbers are no nodes: the account's are looked at by themselves. */
export function* missingEntries(flow: Flow, numbers: Iterable<DialledEntry>): Iterable<Finding> {
  for (const { number, destination } of numbers) {
    if (resolve(flow, destination) !== null) continue;
    yield {
      code: 'destination-missing',
      severity: 'error',
      node: referenceTo('number', number),
      pointer: '/destination',
      message: `${number} leads to ${destination}, which does not exist: calls to it fail.`,
    };
  }
}
