// References to things that do not exist: accepted when written, with a warning in the answer (contract, POST /v1/ivr). Once they are
// stored callers meet them, so what callers miss by them is an error.

import type { Edge } from '../facts.ts';
import { type Flow, resolve } from '../flow.ts';
import { type FlowNode, type RecordingId, type Ref, referenceTo } from '../node.ts';
import { membersOf, recordingsOf } from '../nodes/facts.ts';
import { endingAfter } from './ending.ts';
import { type Finding, SETTINGS_NODE } from './finding.ts';

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
}

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
