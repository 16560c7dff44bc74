// What call records can be filtered by. docs/call-records.md explains each.
import type { Settings } from '../../domain/account.ts';
import { Numbering } from '../../domain/numbering.ts';
import {
  CALL_WORDS,
  type CallWord,
  MAX_WORD,
  OLD_OUTCOMES,
  OUTCOMES,
  queueWord,
  TALKED,
  UNANSWERED,
  wordOf,
} from '../../domain/past-call.ts';
import { classesBeyond, classesWithin, QUEUE_RESULTS } from '../../domain/queue-visits.ts';
import { oneOf, optional, pattern, type RecordOf, text, wholeNumber } from '../../kinds/field.ts';
import { moment } from '../../kinds/moment.ts';
import type { CallSearch } from '../../storage/ports/calls.ts';

const ID = /^[A-Za-z0-9._-]{1,64}$/;
const SECONDS = wholeNumber(0, 1_000_000, 'seconds');

export const CALL_FILTERS = {
  from: optional(moment('calls that began then or later'), null),
  to: optional(moment('calls that began before'), null),
  direction: optional(oneOf(['inbound', 'internal', 'outbound']), null),
  agent: optional(pattern(ID, "an agent's eid", { description: 'the eid of the agent who answered' }), null),
  involved: optional(
    pattern(ID, "an agent's eid", { description: 'the eid of an agent who was rung' }),
    null,
  ),
  department: optional(
    pattern(ID, "a department's id", { description: 'a department the call came to' }),
    null,
  ),
  offered: optional(
    pattern(ID, "an agent's eid", { description: 'the eid of an agent whose phone rang' }),
    null,
  ),
  unanswered_by: optional(
    pattern(ID, "an agent's eid", {
      description: 'the eid of an agent whose phone rang and who did not answer',
    }),
    null,
  ),
  queue: optional(
    oneOf(['any', 'in_time', 'late', ...QUEUE_RESULTS], 'what became of them in the queue of a department'),
    null,
  ),
  ivr: optional(pattern(ID, "an IVR's id", { description: 'an IVR the call came to' }), null),
  number: optional(
    text({ min: 1, max: MAX_WORD, description: 'the number that was dialled, in any form' }),
    null,
  ),
  caller: optional(text({ min: 1, max: MAX_WORD, description: "the caller's number, in any form" }), null),
  outcome: optional(
    oneOf(
      [...OUTCOMES, ...OLD_OUTCOMES, UNANSWERED, TALKED],
      'talked: someone answered; unanswered: no one answered and it was not transferred; failed: only records of schema 1',
    ),
    null,
  ),
  variable: optional(
    pattern(/^[a-z][a-z0-9_]{0,31}=.{1,1024}$/su, 'a name and a value, such as order_number=4711', {
      description: 'a variable of the call and its value at the end',
    }),
    null,
  ),
  end_code: optional(pattern(/^[a-z-]{1,64}$/, 'a code such as caller-hung-up'), null),
  min_duration: optional(SECONDS, null),
  max_duration: optional(SECONDS, null),
  q: optional(
    text({ min: 1, max: 100, description: "part of the caller's number or name, or of what was dialled" }),
    null,
  ),
} as const;

type Query = RecordOf<typeof CALL_FILTERS>;
type Words = string | readonly string[];

export function searchOf(
  query: Query,
  account: { readonly id: string; readonly settings: Settings },
): Omit<CallSearch, 'limit' | 'before'> {
  const { from, to, min_duration: min, max_duration: max, q } = query;
  const numbering = new Numbering(account.settings);
  return {
    accountId: account.id,
    // In the order of CALL_WORDS: the search goes through the calls of the first.
    words: CALL_WORDS.flatMap((name) => wordsFor(name, query, numbering, account.settings)),
    fromMs: from?.epochMs ?? 0,
    toMs: to?.epochMs ?? Number.MAX_SAFE_INTEGER,
    ...(min === null ? {} : { minMs: min * 1000 }),
    ...(max === null ? {} : { maxMs: max * 1000 }),
    ...(q === null ? {} : { part: numbering.part(q.trim()).toLowerCase() }),
  };
}

function wordsFor(name: CallWord, query: Query, numbering: Numbering, settings: Settings): Words[] {
  // For the list of an agent alone: others ask for the number that called.
  if (name === 'made_by') return [];
  if (name === 'queue') return queueWords(query);
  if (name === 'queue_wait') return waitWords(query, settings.service_level_seconds);
  // The words of the queue name the department.
  if (name === 'department' && query.queue !== null && query.queue !== 'any') return [];
  if (name === 'unanswered_by' && query.offered !== null) {
    const offered: Words = [wordOf('agent', query.offered), wordOf('unanswered_by', query.offered)];
    return query.unanswered_by === null ? [offered] : [offered, wordOf(name, query.unanswered_by)];
  }
  const value = query[name];
  if (value === null) return [];
  if (name !== 'caller' && name !== 'number') return [wordOf(name, value)];
  return [numbering.forms(value).map((form) => wordOf(name, form))];
}

function queueWords({ queue, department }: Query): Words[] {
  if (queue === null) return [];
  // Every call of a department came to its queue.
  if (queue === 'any') return department === null ? [QUEUE_RESULTS.map((each) => queueWord(each, null))] : [];
  return [queueWord(queue === 'in_time' || queue === 'late' ? 'answered' : queue, department)];
}

function waitWords({ queue }: Query, seconds: number): Words[] {
  if (queue !== 'in_time' && queue !== 'late') return [];
  const classes = queue === 'in_time' ? classesWithin(seconds) : classesBeyond(seconds);
  return [classes.map((index) => wordOf('queue_wait', String(index)))];
}
