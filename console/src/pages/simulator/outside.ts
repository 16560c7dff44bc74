// What systems and voice bots outside do in a simulated call, as the user chooses it in the conditions form.

import type { Ref } from '../../../../src/flow/node.ts';
import type { Scenario } from '../../../../src/flow/simulation/scenario.ts';
import type { ScriptedAnswer } from '../../../../src/flow/simulation/scripted-answer.ts';
import type { ScriptedStream } from '../../../../src/flow/simulation/scripted-stream.ts';

/** How a system answers: with a choice or without one, and with these members. */
export interface SystemAnswer {
  readonly does: 'answers' | 'fails' | `choice ${string}`;
  /** By JSON pointer; empty ones are not in the answer. */
  readonly values: { readonly [pointer: string]: string };
}
export const USUAL_ANSWER: SystemAnswer = { does: 'answers', values: {} };

/** How a conversation with a voice bot ends. */
export type BotEnd = 'ends' | 'fails' | `to ${Ref}`;

export interface Outside {
  readonly requests: { readonly [request: Ref]: SystemAnswer };
  readonly bots: { readonly [stream: Ref]: BotEnd };
}

const CHOICE = 'choice ';
const TO = 'to ';

function answerOf({ does, values }: SystemAnswer): ScriptedAnswer {
  if (does === 'fails') return { failure: 'unreachable' };
  let answer: unknown = {};
  for (const [pointer, value] of Object.entries(values))
    if (value !== '') answer = withMember(answer, tokensOf(pointer), value);
  if (does !== 'answers') answer = withMember(answer, ['choice'], does.slice(CHOICE.length));
  return { answer };
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Lists as objects: what reads the answer takes members of both by name. */
function withMember(into: unknown, [first, ...rest]: readonly string[], value: string): unknown {
  if (first === undefined) return value;
  const members = new Map<string, unknown>(
    typeof into === 'object' && into !== null ? Object.entries(into) : [],
  );
  members.set(first, withMember(members.get(first), rest, value));
  return Object.fromEntries(members);
}

function streamOf(does: BotEnd): ScriptedStream {
  if (does === 'fails') return { failure: 'unreachable' };
  return does === 'ends' ? {} : { transfer: does.slice(TO.length) };
}

/** As a scenario has it, without what is as usual. */
export function scriptedOutside({ requests, bots }: Outside): Pick<Scenario, 'requests' | 'streams'> {
  const answers = Object.entries(requests).map(([ref, answer]) => [ref, answerOf(answer)] as const);
  const streams = Object.entries(bots).map(([ref, does]) => [ref, streamOf(does)] as const);
  return {
    ...(answers.length > 0 ? { requests: Object.fromEntries(answers) } : {}),
    ...(streams.length > 0 ? { streams: Object.fromEntries(streams) } : {}),
  };
}
