// The machine's cost: steps per second on one core beside a bare switch statement in a loop, and what it takes
// to build and to change the flow of a large account. Run by `npx tsx bench/flow.ts`.

import { type CallEvent, NEW_CALL } from '../src/flow/call-state.ts';
import { changeFlow, type Flow, makeFlow } from '../src/flow/flow.ts';
import { lintFlow, lintNode } from '../src/flow/lint.ts';
import type { FlowNode } from '../src/flow/node.ts';
import { simulate } from '../src/flow/simulate.ts';
import { parseScript } from '../src/flow/simulation/script.ts';
import { step } from '../src/flow/step.ts';
import { aMenu, anAgent, SAMPLE_RECORDINGS } from '../src/flow/testing/samples.ts';

const RECORDS = 10_000;
const BENCH_MS = 2_000;

function recordsOf(count: number): FlowNode[] {
  const nodes: FlowNode[] = [];
  for (let index = 0; index < count; index += 1) {
    const options = ['1', '2', '3'].map((keys, at) => ({
      keys,
      destination: at === 2 ? `ivr||${(index + 1) % count}` : `extension||${(index * 2 + at) % count}`,
      smsTemplate: null,
    }));
    nodes.push(aMenu(`${index}`, { options, timeoutDestination: `extension||${index}` }));
    nodes.push(anAgent(`${index}`, { intercom: `${1000 + index}` }));
  }
  return nodes;
}

/** Processor time of this process, so that neighbours on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** How often per second of one core `once` runs; it says itself how much it did. */
function rate(once: () => number): number {
  for (const until = cpuMs() + 300; cpuMs() < until; ) once();
  let done = 0;
  const start = cpuMs();
  while (cpuMs() - start < BENCH_MS) for (let round = 0; round < 200; round += 1) done += once();
  return (done * 1_000) / (cpuMs() - start);
}

function medianMs(times: number, once: (round: number) => void): number {
  const taken = Array.from({ length: times }, (_, round) => {
    const start = performance.now();
    once(round);
    return performance.now() - start;
  }).toSorted((one, other) => one - other);
  return taken[Math.floor(times / 2)] ?? Number.NaN;
}

const nodes = recordsOf(RECORDS);
const flow = makeFlow({ nodes, recordings: SAMPLE_RECORDINGS });

function eventsOf(script: string): readonly CallEvent[] {
  const reading = parseScript(script);
  if (!reading.ok) throw new Error(reading.fault.message);
  return simulate(flow, { entry: 'ivr||0', script: reading.steps }).events;
}

const events = eventsOf('9,wait,3,3,1');

function runCall(): number {
  let state = NEW_CALL;
  for (const event of events) state = step(flow, state, event).state;
  return events.length;
}

/** The least any machine does: tell the events apart and keep a number. */
function bareSwitch(): number {
  let state = 0;
  for (const event of events) {
    switch (event.type) {
      case 'call-started':
        state += 1;
        break;
      case 'key-pressed':
        state += event.key.length;
        break;
      case 'playback-finished':
        state += event.playback;
        break;
      case 'timer-expired':
        state += event.generation;
        break;
      default:
        state += 2;
    }
  }
  sink += state;
  return events.length;
}
let sink = 0;

function changed(round: number): Flow {
  return changeFlow(flow, { nodes: [aMenu(`${round}`, { name: 'edited' })] });
}

let chain = flow;
const editsInARow = 2_000;
const chainStart = cpuMs();
for (let edit = 0; edit < editsInARow; edit += 1) {
  chain = changeFlow(chain, { nodes: [aMenu(`${edit}`, { name: 'edited' })] });
}
const chainMs = (cpuMs() - chainStart) / editsInARow;

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')} /s`;
const ms = (value: number): string => `${value.toFixed(value < 0.1 ? 4 : 2)} ms`;
const first = nodes[0];

console.table({
  'steps, this machine': perSecond(rate(runCall)),
  'steps, a bare switch in a loop': perSecond(rate(bareSwitch)),
  [`whole simulated calls (${events.length} events)`]: perSecond(
    rate(() => (eventsOf('9,wait,3,3,1').length > 0 ? 1 : 0)),
  ),
  'build the flow of 10,000 menus and 10,000 agents': ms(
    medianMs(20, () => makeFlow({ nodes, recordings: SAMPLE_RECORDINGS })),
  ),
  'one change to it': ms(medianMs(1_000, changed)),
  'one change, average over 2,000 in a row': ms(chainMs),
  'lint one menu of it': ms(medianMs(1_000, () => first && lintNode(flow, first))),
  'lint all of it': ms(medianMs(5, () => lintFlow(flow, ['ivr||0']))),
});
if (sink < 0) console.log(sink);
