// One more sentence in the Message of an answer; one without a Message, and a refusal, stay as they are.
import type { Problem } from '../../kinds/problem.ts';
import type { ApiResponse } from './handler.ts';

export function saidMore(outcome: ApiResponse | Problem, sentence: string): ApiResponse | Problem {
  if (!('json' in outcome)) return outcome;
  const { Message: message, ...members } = outcome.json as { readonly Message?: unknown };
  if (typeof message !== 'string') return outcome;
  return { ...outcome, json: { ...members, Message: `${message} ${sentence}` } };
}
