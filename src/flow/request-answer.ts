// An answer of the company's system → what a call keeps of it. Pure: calls, simulations and stored tests read it alike.

import type { SavedMember } from './logic-nodes.ts';
import type { RequestOutcome } from './logic-phase.ts';
import { MAX_VALUE } from './variables.ts';

export const MAX_ANSWER_BYTES = 64 * 1024;

/** `text`: the body, decoded. */
export function readAnswer(text: string, save: readonly SavedMember[]): RequestOutcome {
  if (text.trim() === '') return { ok: true, choice: null, values: {} };
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { ok: false, failure: 'malformed', detail: 'the answer is not JSON' };
  }
  return outcomeOf(answer, save);
}

/** Levels of lists and objects. A fixed number, not that of the machine's stack: a replay must find the same. */
const MAX_DEPTH = 100;

export function outcomeOf(answer: unknown, save: readonly SavedMember[]): RequestOutcome {
  if (isDeeper(answer, MAX_DEPTH))
    return { ok: false, failure: 'malformed', detail: 'the answer is nested too deeply' };
  const values: [string, string][] = [];
  for (const { variable, pointer } of save) {
    const value = textOf(memberAt(answer, pointer));
    if (value !== null) values.push([variable, value]);
  }
  return { ok: true, choice: textOf(memberAt(answer, '/choice')), values: Object.fromEntries(values) };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** RFC 6901. */
export function memberAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let at: unknown = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(0|[1-9][0-9]{0,8})$/.test(name) ? at[Number(name)] : undefined;
    else if (typeof at === 'object' && at !== null)
      at = Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
    else return undefined;
  }
  return at;
}

/** Objects and lists as JSON; what is not there, or null, is no value. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, MAX_VALUE).replace(/\0/g, '').toWellFormed();
}
