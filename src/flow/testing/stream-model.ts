// A second, naive implementation of a single stream for tests: walks over what its bot is scripted to do. It shares no code with the machine.

import fc from 'fast-check';
import { expect } from 'vitest';
import { makeFlow } from '../flow.ts';
import type { Ref } from '../node.ts';
import { simulate } from '../simulate.ts';
import type { ScriptedStream } from '../simulation/scripted-stream.ts';
import { STREAM_FAILURES, type StreamNode } from '../stream-phase.ts';
import { SAMPLE_RECORDINGS } from './samples.ts';

interface StreamRun {
  readonly destination: Ref;
  readonly arrivedAtMs: number;
  readonly value: string | undefined;
}

/** How long the simulated bot takes to be connected. */
const OPEN_MS = 200;
const NEVER_TALKED: readonly string[] = ['timeout', 'unreachable', 'refused', 'status', 'busy'];

function walkStream(node: StreamNode, disclosureMs: number, bot: Required<ScriptedStream>): StreamRun {
  const talkedMs = disclosureMs + OPEN_MS;
  const none = { value: undefined };
  if (NEVER_TALKED.includes(bot.failure)) return { destination: node.failed, arrivedAtMs: talkedMs, ...none };
  const endMs = talkedMs + bot.afterMs;
  const cutMs = talkedMs + node.maxSeconds * 1_000;
  if (cutMs < endMs) return { destination: node.next, arrivedAtMs: cutMs, ...none };
  const destination = node.destinations.includes(bot.transfer) ? bot.transfer : node.failed;
  return { destination, arrivedAtMs: endMs, value: bot.variables['x'] };
}

const singleStream: fc.Arbitrary<StreamNode> = fc.record({
  kind: fc.constant('stream' as const),
  ref: fc.constant('stream||one'),
  name: fc.constant('One'),
  url: fc.constant('wss://bot.example.com/'),
  parameters: fc.constant([]),
  disclosure: fc.option(fc.constantFrom(...SAMPLE_RECORDINGS.map(({ id }) => id)), { nil: null }),
  maxSeconds: fc.integer({ min: 1, max: 10 }),
  destinations: fc.subarray(['hangup||a', 'hangup||b']),
  next: fc.constant('hangup||next'),
  failed: fc.constant('hangup||failed'),
});

/** Never on the millisecond of the longest time: which of the two comes first is not specified. */
const aBot: fc.Arbitrary<Required<ScriptedStream>> = fc.record({
  variables: fc.constantFrom({ x: '1' }, { x: '2' }),
  transfer: fc.constantFrom('hangup||a', 'hangup||b', 'hangup||c'),
  failure: fc.constantFrom(...STREAM_FAILURES),
  afterMs: fc.nat(12_000).map((ms) => ms * 10 + 1),
});

export const streamsAgree = fc.property(singleStream, aBot, (node, bot) => {
  const flow = makeFlow({ nodes: [node], recordings: SAMPLE_RECORDINGS });
  const disclosureMs =
    node.disclosure === null ? 0 : (flow.recordings.get(node.disclosure)?.durationMs ?? 3_000);
  const trace = simulate(flow, { entry: node.ref, streams: { [node.ref]: bot } });
  expect({
    destination: trace.visited.at(-1),
    arrivedAtMs: trace.durationMs,
    value: trace.variables['x'],
  }).toEqual(walkStream(node, disclosureMs, bot));
});
