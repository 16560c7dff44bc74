// What the company's system answers in a simulated call.

import type { Flow } from '../flow.ts';
import { REQUEST_FAILURES, type RequestFailure, type RequestOutcome } from '../logic-phase.ts';
import type { Ref } from '../node.ts';
import { outcomeOf } from '../request-answer.ts';

/** `answer`: the JSON that comes; or how the request fails. */
export type ScriptedAnswer = (
  | { readonly answer: unknown }
  | { readonly failure: RequestFailure; readonly status?: number }
) & { readonly afterMs?: number };

const ANSWER_MS = 200;
const SLOWEST_MS = 60_000;

/** Without a scripted answer the system answers with nothing in it. */
export function scriptedAnswer(
  flow: Flow,
  answers: { readonly [node: Ref]: ScriptedAnswer } | undefined,
  ref: Ref,
): { readonly outcome: RequestOutcome; readonly afterMs: number } {
  const node = flow.nodes.get(ref);
  const [save, timeoutMs] = node?.kind === 'request' ? [node.save, node.timeoutMs] : [[], 0];
  const given = answers && Object.hasOwn(answers, ref) ? answers[ref] : undefined;
  const afterMs = given?.afterMs ?? ANSWER_MS;
  if (afterMs >= timeoutMs || (given && 'failure' in given && given.failure === 'timeout'))
    return { outcome: { ok: false, failure: 'timeout', detail: '' }, afterMs: timeoutMs };
  if (given && 'failure' in given) {
    const detail = given.status === undefined ? '' : `status ${given.status}`;
    return { outcome: { ok: false, failure: given.failure, detail }, afterMs };
  }
  return { outcome: outcomeOf(given?.answer ?? {}, save), afterMs };
}

/** `{ "answer": {…}, "after_ms": 900 }`, `{ "status": 500 }` or `{ "failure": "timeout" }`; text: what is wrong with it. */
export function readScriptedAnswer(value: unknown): ScriptedAnswer | string {
  const words = `An answer is { "answer": … }, { "status": 500 } or { "failure": one of ${REQUEST_FAILURES.join(', ')} }, each with "after_ms" from 0 to ${SLOWEST_MS}.`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return words;
  const { answer, status, failure, after_ms: after } = value as Record<string, unknown>;
  const isTime = typeof after === 'number' && Number.isInteger(after) && after >= 0 && after <= SLOWEST_MS;
  if (after !== undefined && !isTime) return words;
  const time = isTime ? { afterMs: Number(after) } : {};
  if (typeof status === 'number' && Number.isInteger(status) && status >= 300 && status <= 599)
    return { failure: 'status', status, ...time };
  const known = REQUEST_FAILURES.find((each) => each === failure);
  if (known) return { failure: known, ...time };
  return answer !== undefined && failure === undefined && status === undefined ? { answer, ...time } : words;
}
