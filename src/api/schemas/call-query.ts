// What call records can be filtered by. docs/call-records.md explains each.
import type { Settings } from '../../domain/account.ts';
import { Numbering } from '../../domain/numbering.ts';
import { CALL_WORDS, MAX_WORD, OLD_OUTCOMES, OUTCOMES, UNANSWERED, wordOf } from '../../domain/past-call.ts';
import type { CallSearch } from '../../storage/ports/calls.ts';
import { oneOf, optional, pattern, type RecordOf, text, wholeNumber } from './field.ts';
import { moment } from './moment.ts';

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
  ivr: optional(pattern(ID, "an IVR's id", { description: 'an IVR the call came to' }), null),
  number: optional(
    text({ min: 1, max: MAX_WORD, description: 'the number that was dialled, in any form' }),
    null,
  ),
  caller: optional(text({ min: 1, max: MAX_WORD, description: "the caller's number, in any form" }), null),
  outcome: optional(
    oneOf(
      [...OUTCOMES, ...OLD_OUTCOMES, UNANSWERED],
      'unanswered: no one answered and it was not transferred; failed: only records of schema 1',
    ),
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

export function searchOf(
  query: RecordOf<typeof CALL_FILTERS>,
  account: { readonly id: string; readonly settings: Settings },
): Omit<CallSearch, 'limit' | 'before'> {
  const { from, to, min_duration: min, max_duration: max, q } = query;
  // In the order of CALL_WORDS: the search goes through the calls of the first.
  const numbering = new Numbering(account.settings);
  const words = CALL_WORDS.flatMap((name): (string | readonly string[])[] => {
    const value = query[name];
    if (value === null) return [];
    if (name !== 'caller' && name !== 'number') return [wordOf(name, value)];
    return [numbering.forms(value).map((form) => wordOf(name, form))];
  });
  return {
    accountId: account.id,
    words,
    fromMs: from?.epochMs ?? 0,
    toMs: to?.epochMs ?? Number.MAX_SAFE_INTEGER,
    ...(min === null ? {} : { minMs: min * 1000 }),
    ...(max === null ? {} : { maxMs: max * 1000 }),
    ...(q === null ? {} : { part: numbering.part(q.trim()).toLowerCase() }),
  };
}
