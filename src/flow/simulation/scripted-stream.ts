// What a voice bot does in a simulated call.

import type { CallEvent } from '../call-state.ts';
import type { Ref } from '../node.ts';
import { STREAM_FAILURES, type StreamFailure } from '../stream-phase.ts';

/** What it sets, then how it ends: by itself, by a transfer, or in a failure. */
export interface ScriptedStream {
  readonly variables?: { readonly [name: string]: string };
  readonly transfer?: Ref;
  readonly failure?: StreamFailure;
  /** How long they talk. */
  readonly afterMs?: number;
}

export const SCRIPTED_TALK_MS = 3_000;
const OPEN_MS = 200;
const LONGEST_MS = 4 * 3_600_000;
/** A failure of these comes in place of a conversation. */
const BEFORE: ReadonlySet<StreamFailure> = new Set(['timeout', 'unreachable', 'refused', 'status', 'busy']);

/** Without a script the bot talks for a while and hangs up. */
export function scriptedStream(
  streams: { readonly [node: Ref]: ScriptedStream } | undefined,
  node: Ref,
  request: number,
  atMs: number,
): CallEvent[] {
  const given = streams && Object.hasOwn(streams, node) ? streams[node] : undefined;
  const { variables, transfer, failure, afterMs = SCRIPTED_TALK_MS } = given ?? {};
  const openMs = atMs + OPEN_MS;
  const endMs = openMs + afterMs;
  if (failure !== undefined && BEFORE.has(failure))
    return [{ type: 'stream-ended', atMs: openMs, request, outcome: { ok: false, failure, detail: '' } }];
  const outcome =
    failure === undefined ? ({ ok: true } as const) : { ok: false as const, failure, detail: '' };
  return [
    { type: 'stream-opened', atMs: openMs, request },
    ...(variables ? [{ type: 'stream-variables' as const, atMs: endMs, request, values: variables }] : []),
    ...(transfer === undefined
      ? []
      : [{ type: 'stream-transfer' as const, atMs: endMs, request, destination: transfer }]),
    { type: 'stream-ended', atMs: endMs, request, outcome },
  ];
}

/** `{ "variables": {…}, "transfer": "extension||7", "after_ms": 2000 }` or `{ "failure": "broken" }`; text: what is wrong with it. */
export function readScriptedStream(value: unknown): ScriptedStream | string {
  const words = `A bot is { "variables": {…}, "transfer": "extension||7" } or { "failure": one of ${STREAM_FAILURES.join(', ')} }, each with "after_ms" from 0 to ${LONGEST_MS}.`;
  if (!isObject(value)) return words;
  const { variables, transfer, failure, after_ms: after } = value;
  const known = STREAM_FAILURES.find((each) => each === failure);
  const isTime = typeof after === 'number' && Number.isInteger(after) && after >= 0 && after <= LONGEST_MS;
  if ((failure !== undefined && !known) || (after !== undefined && !isTime)) return words;
  if (transfer !== undefined && typeof transfer !== 'string') return words;
  if (variables !== undefined && !isTexts(variables)) return words;
  return {
    ...(variables === undefined ? {} : { variables }),
    ...(transfer === undefined ? {} : { transfer }),
    ...(known === undefined ? {} : { failure: known }),
    ...(isTime ? { afterMs: Number(after) } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');
