import { expect, test } from 'vitest';
import type { CallEvent } from '../../../../src/flow/call-state.ts';
import { changeFlow } from '../../../../src/flow/flow.ts';
import { simulate } from '../../../../src/flow/simulate.ts';
import { parseScript } from '../../../../src/flow/simulation/script.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { type Trace, traceJson } from '../../../../src/flow/simulation/trace.ts';
import { aFlow, aMenu, anAgent } from '../../../../src/flow/testing/samples.ts';
import { pathOf } from './path.ts';
import { pastCall, replayOf } from './replay.ts';

const flow = aFlow([aMenu('main'), anAgent('sales', { failover: 'extension||support' })]);

function recordOf(script: string, agents = {}): { json: unknown; trace: Trace } {
  const reading = parseScript(script);
  if (!reading.ok) throw new Error(reading.fault.message);
  const trace = simulate(flow, { entry: 'ivr||main', script: reading.steps, agents });
  const { steps, started_at } = traceJson(trace);
  const json = { id: 'x', entry: trace.entry, caller: '+15550100', started_at, steps, events: trace.events };
  return { json: JSON.parse(JSON.stringify(json)), trace };
}

function retold(json: unknown, today = flow) {
  const past = pastCall(json);
  if (!past) throw new Error('not a call');
  const { call, difference } = replayOf(today, past);
  while (call.next());
  return { difference, trace: call.trace() };
}

test.each(['1', '9,wait,1', 'wait,wait', '7@1s,2@2.5s', 'wait 2s,hangup'])(
  'a call of "%s" replayed on the same flow is the same call',
  (script) => {
    const { json, trace } = recordOf(script, { 'extension||sales': { do: 'no-answer' } });
    const again = retold(json);
    expect(again.difference).toBeNull();
    expect(again.trace.steps).toEqual(trace.steps);
  },
);

test('a changed flow is reported, and the call takes today’s path with the same keys and phones', () => {
  const { json } = recordOf('9,1', { 'extension||sales': { do: 'busy' } });
  const today = changeFlow(flow, {
    nodes: [
      aMenu('main', { options: [{ keys: '1', destination: 'extension||support', smsTemplate: null }] }),
    ],
  });
  const again = retold(json, today);
  expect(again.difference).toMatchObject({
    before: 'Option 1 leads to “Agent sales”: no longer option begins like this.',
    now: 'Option 1 leads to “Agent support”: no longer option begins like this.',
  });
  expect(again.trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||support' });
  expect(again.trace.visited).toEqual(['ivr||main', 'extension||support']);
});

test('a prompt that is longer today makes no other call', () => {
  const { json } = recordOf('9,wait,1');
  const today = changeFlow(flow, { recordings: [{ id: 'welcome', name: 'Long', durationMs: 30_000 }] });
  expect(retold(json, today).difference).toBeNull();
});

test('a longer retry is another call only where it leads elsewhere', () => {
  const { json } = recordOf('wait,1');
  const today = changeFlow(flow, { nodes: [aMenu('main', { timeoutTries: 0 })] });
  expect(retold(json, today).difference).toMatchObject({ before: 'No key within 5 s: retry 1 of 1.' });
});

test.each(['recording-started', 'recording-skipped', 'sharing-lost'])(
  'the line %s, which only calls of phones have, makes no other call: its events are replayed as they were',
  (code) => {
    const { json, trace } = recordOf('1');
    const events = trace.events.flatMap((event): CallEvent[] =>
      event.type === 'agent-answered' ? [{ ...event, type: 'ring-progressed' }, event] : [event],
    );
    const live = new SimulatedCall(flow, { entry: 'ivr||main' }, events);
    while (live.next());
    const { steps } = traceJson(live.trace());
    const line = { at_ms: 1, node: null, code, text: 'Of the live call.' };
    const again = retold({ ...(json as object), events, steps: [...steps, line] });
    expect(again.difference).toBeNull();
    expect(again.trace.steps.map((step) => step.code)).toContain('ring-progressed');
  },
);

test('a record with hidden keys cannot be replayed, but has its path', () => {
  const { json, trace } = recordOf('1');
  const events = trace.events.map((event) => (event.type === 'key-pressed' ? { ...event, key: '•' } : event));
  const past = pastCall({ ...(json as object), events });
  expect(past).toMatchObject({ hidden: true, entry: 'ivr||main' });
  expect(pathOf(past?.steps ?? []).visited).toEqual(trace.visited);
  expect(pastCall(json)?.hidden).toBe(false);
});

test('a record without all events cannot be replayed, but has its path', () => {
  const { json, trace } = recordOf('1');
  const past = pastCall({ ...(json as object), events: trace.events.slice(0, 1), events_left_out: 3 });
  expect(past).toMatchObject({ cut: true, hidden: false });
  expect(pathOf(past?.steps ?? []).visited).toEqual(trace.visited);
  expect(pastCall({ ...(json as object), events_left_out: 0 })?.cut).toBe(false);
});

test.each([null, 42, {}, { entry: 'ivr||main', started_at: 'x', steps: [], events: [{ type: 'jump' }] }])(
  'a record without events, %j, cannot be replayed',
  (record) => expect(pastCall(record)).toBeNull(),
);
