import { expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import { simulate } from './simulate.ts';
import type { AgentBehaviour, Scenario } from './simulation/scenario.ts';
import type { Trace } from './simulation/trace.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, anAgent, aVoicemail, someHours } from './testing/samples.ts';

const codes = (trace: Trace): string[] => trace.steps.map(({ code }) => code);

function call(flow: Flow, entry: string, scenario: Partial<Scenario> = {}): Trace {
  return simulate(flow, { entry, ...scenario });
}

function agents(...list: [string, AgentBehaviour['do']][]): Record<string, AgentBehaviour> {
  return Object.fromEntries(list.map(([eid, deed]) => [`extension||${eid}`, { do: deed }]));
}

function rung(trace: Trace): string[] {
  return trace.steps.filter(({ code }) => code === 'ringing').map(({ text }) => text);
}

test('agent’s registered phones and the number to follow ring together (call rule 7)', () => {
  const flow = aFlow([anAgent('sales', { followMeNumber: '4930555' })]);
  const { ring } = dial(flow, 'extension||sales');
  expect(ring?.targets).toEqual([
    { id: 'extension||sales/intercom', owner: 'extension||sales', via: 'intercom', number: '1001' },
    { id: 'extension||sales/follow-me', owner: 'extension||sales', via: 'number', number: '4930555' },
  ]);
  expect(ring?.ringMs).toBe(25_000);
});

test('phone that answers is connected and the others stop ringing (call rule 7)', () => {
  const flow = aFlow([anAgent('sales', { followMeNumber: '4930555' })]);
  const { state, ring } = dial(flow, 'extension||sales');
  const attempt = ring?.attempt ?? 0;
  const target = 'extension||sales/follow-me';
  const { actions } = step(flow, state, { type: 'agent-answered', atMs: 900, attempt, target });
  expect(actions.filter(({ type }) => type !== 'note' && type !== 'stop-timer')).toMatchObject([
    { type: 'stop-ringing', targets: ['extension||sales/intercom'] },
    { type: 'answer' },
    { type: 'connect', target: { id: target } },
  ]);
});

test('call that only rings is not answered: its caller pays nothing (call rule 7)', () => {
  expect(codes(call(aFlow([]), 'extension||sales', { script: [{ do: 'hang-up' }] }))).not.toContain(
    'answered',
  );
});

test('one busy phone does not stop the other from ringing (call rule 7)', () => {
  const flow = aFlow([anAgent('sales', { followMeNumber: '4930555' })]);
  const { state, ring } = dial(flow, 'extension||sales');
  const attempt = ring?.attempt ?? 0;
  const busy = { type: 'agent-busy', atMs: 5, attempt, target: 'extension||sales/intercom' } as const;
  const after = step(flow, state, busy);
  expect(after.state.phase).toMatchObject({ name: 'ringing', targets: [{ via: 'number' }] });
});

test.each([
  ['busy', 'agent-busy', 17],
  ['unreachable', 'agent-unreachable', 20],
  ['no-answer', 'no-answer', 19],
  ['blocked', 'agent-blocked', 21],
] as const)(
  'agent who is %s leads to the failover; none: an apology and a reason (call rule 7)',
  (deed, reason, cause) => {
    const with_ = aFlow([anAgent('sales', { failover: 'extension||support' })]);
    const without = aFlow([], { failedCalls: 'answer' });
    const scenario = { agents: agents(['sales', deed]) };
    expect(call(with_, 'extension||sales', scenario).outcome.destination).toBe('extension||support');
    const trace = call(without, 'extension||sales', scenario);
    expect(trace.outcome).toMatchObject({ kind: 'hung-up', reason, cause, destination: 'extension||sales' });
    expect(trace.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  },
);

test('agent rings for 25 s, or as long as the setting says (call rule 7)', () => {
  const scenario = { agents: agents(['sales', 'no-answer']) };
  const at = (trace: Trace): number | undefined => trace.steps.find(({ code }) => code === 'no-answer')?.atMs;
  expect(at(call(aFlow([]), 'extension||sales', scenario))).toBe(25_000);
  expect(at(call(aFlow([], { ringSeconds: 7 }), 'extension||sales', scenario))).toBe(7_000);
});

test('agent outside their time group gets no call (call rule 7)', () => {
  const agent = anAgent('sales', { hours: 'timegroup||week', failover: 'extension||support' });
  const flow = aFlow([agent, someHours('week')]);
  const sunday = { epochMs: Date.UTC(2026, 0, 4, 10) };
  expect(call(flow, 'extension||sales').outcome.destination).toBe('extension||sales');
  const trace = call(flow, 'extension||sales', sunday);
  expect(trace.outcome.destination).toBe('extension||support');
  expect(codes(trace)).toContain('agent-outside-hours');
});

test('agent whose time group is missing is rung, and the trail says so (call rule 7)', () => {
  const trace = call(aFlow([anAgent('sales', { hours: 'timegroup||gone' })]), 'extension||sales');
  expect(trace.outcome.kind).toBe('connected');
  expect(codes(trace)).toContain('hours-missing');
});

test('agent without any phone is unreachable (call rule 7)', () => {
  const trace = call(aFlow([anAgent('sales', { intercom: '' })]), 'extension||sales');
  expect(trace.outcome.reason).toBe('agent-unreachable');
});

test('failover chain of agents who fail each other is cut after 20 hops (rules 7 and 9)', () => {
  const flow = aFlow([
    anAgent('sales', { failover: 'extension||support' }),
    anAgent('support', { failover: 'extension||sales', blocked: true }),
  ]);
  const trace = call(flow, 'extension||sales', { agents: agents(['sales', 'busy']) });
  expect(trace.outcome.reason).toBe('hop-limit');
});

test('keys while a phone rings are ignored and noted', () => {
  const script = [
    { do: 'wait', ms: 100 },
    { do: 'press', keys: '1' },
  ] as const;
  expect(codes(call(aFlow([]), 'extension||sales', { script }))).toContain('key-ignored');
});

test('department rings all its agents at once when simultaneous', () => {
  const { ring } = dial(aFlow([aDepartment('d', { strategy: 'simultaneous' })]), 'department||d');
  expect(ring?.targets.map(({ owner }) => owner)).toEqual(['extension||sales', 'extension||support']);
});

test('department rings one agent after the other, each for its ring time, when in order', () => {
  const trace = call(aFlow([aDepartment('d')]), 'department||d', { agents: agents(['sales', 'no-answer']) });
  expect(trace.steps.filter(({ code }) => code === 'ringing').map(({ atMs }) => atMs)).toEqual([0, 10_000]);
  expect(trace.outcome.destination).toBe('extension||support');
});

test('department makes the same random order from the same seed', () => {
  const list = ['a', 'b', 'c', 'd', 'e'];
  const flow = aFlow([
    ...list.map((eid) => anAgent(eid)),
    aDepartment('d', { strategy: 'random', agents: list.map((eid) => `extension||${eid}`) }),
  ]);
  const nobody = { agents: agents(...list.map((eid) => [eid, 'busy'] as [string, 'busy'])) };
  const orders = [1, 1, 2, 3].map((seed) => rung(call(flow, 'department||d', { seed, ...nobody })).join());
  expect(orders[0]).toBe(orders[1]);
  expect(new Set(orders).size).toBeGreaterThan(1);
});

test('department goes on after the agent who was rung last when round robin', () => {
  const flow = aFlow([aDepartment('d', { strategy: 'round_robin' })]);
  const after = (lastRung: string): string | null =>
    call(flow, 'department||d', { lastRung: { 'department||d': lastRung } }).outcome.destination;
  expect(after('extension||sales')).toBe('extension||support');
  expect(after('extension||support')).toBe('extension||sales');
  expect(after('extension||left-us')).toBe('extension||sales');
});

test('department rings the agent first who has been idle longest', () => {
  const flow = aFlow([aDepartment('d', { strategy: 'longest_idle' })]);
  const idleSince = { 'extension||sales': 2_000, 'extension||support': 1_000 };
  expect(call(flow, 'department||d', { idleSince }).outcome.destination).toBe('extension||support');
  expect(call(flow, 'department||d').outcome.destination, 'nobody known: as listed').toBe('extension||sales');
});

test('department rings its agents as listed when the directory stays silent', () => {
  const flow = aFlow([aDepartment('d', { strategy: 'longest_idle' })]);
  const { state } = dial(flow, 'department||d');
  const generation = state.timers.directory;
  const after = step(flow, state, { type: 'timer-expired', atMs: 1_000, timer: 'directory', generation });
  expect(after.state.phase).toMatchObject({ name: 'ringing', left: ['extension||support'] });
});

test('department skips blocked and missing agents, and follows its own failover only', () => {
  const flow = aFlow([
    anAgent('sales', { blocked: true, failover: 'hangup||wrong' }),
    aDepartment('d', { agents: ['extension||sales', 'extension||gone'], failover: 'voicemail||box' }),
    aVoicemail('box'),
  ]);
  const trace = call(flow, 'department||d');
  expect(codes(trace)).toEqual(expect.arrayContaining(['agent-blocked', 'destination-missing', 'failover']));
  expect(trace.outcome).toMatchObject({ kind: 'voicemail', destination: 'voicemail||box' });
});

test('department whose agents all fail gives the most telling reason', () => {
  const scenario = { agents: agents(['sales', 'busy'], ['support', 'unreachable']) };
  expect(call(aFlow([aDepartment('d')]), 'department||d', scenario).outcome.reason).toBe('agent-busy');
});

test('outside number rings, and its reference needs no record', () => {
  expect(call(aFlow([]), 'number||+4930123').outcome).toMatchObject({ kind: 'connected' });
  expect(call(aFlow([]), 'number||abc').outcome.reason).toBe('destination-missing');
});

function dial(
  flow: Flow,
  entry: string,
): { state: CallState; ring: Extract<Action, { type: 'ring' }> | undefined } {
  const event: CallEvent = { type: 'call-started', atMs: 0, entry, epochMs: 0, seed: 1, caller: null };
  const { state, actions } = step(flow, NEW_CALL, event);
  return { state, ring: actions.find((action) => action.type === 'ring') };
}

test('agent without any phone is noted as unreachable, and the next one is rung', () => {
  for (const followMeNumber of [null, '']) {
    const flow = aFlow([
      anAgent('mute', { intercom: '', followMeNumber }),
      aDepartment('d', { agents: ['extension||mute', 'extension||sales'] }),
    ]);
    const trace = call(flow, 'department||d');
    expect(trace.steps.find(({ code }) => code === 'agent-unreachable')).toMatchObject({
      node: 'extension||mute',
      text: 'Agent mute has neither an intercom number nor one to follow.',
    });
    expect(trace.outcome.destination).toBe('extension||sales');
  }
});

test.each([
  ['busy', 'no-answer', 'agent-busy'],
  ['no-answer', 'busy', 'agent-busy'],
  ['busy', 'unreachable', 'agent-busy'],
  ['unreachable', 'no-answer', 'no-answer'],
  ['no-answer', 'unreachable', 'no-answer'],
  ['unreachable', 'unreachable', 'agent-unreachable'],
] as const)(
  'agents who are %s and %s: the call ends by %s, the more telling of the two',
  (one, other, reason) => {
    const trace = call(aFlow([aDepartment('d')]), 'department||d', {
      agents: agents(['sales', one], ['support', other]),
    });
    expect(trace.outcome.reason).toBe(reason);
  },
);

test('agent who is deleted while another one rings is passed over', () => {
  const flow = aFlow([aDepartment('d')], { failedCalls: 'answer' });
  const { state, ring } = dial(flow, 'department||d');
  const { actions } = step(changeFlow(flow, { removedNodes: ['extension||support'] }), state, {
    type: 'agent-busy',
    atMs: 5,
    attempt: ring?.attempt ?? 0,
    target: 'extension||sales/intercom',
  });
  expect(actions).toContainEqual(
    expect.objectContaining({ type: 'play', sound: { kind: 'system', prompt: 'apology' } }),
  );
});

test('random order draws anew for each agent, the same for the same seed', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const flow = aFlow([
    ...names.map((name) => anAgent(name)),
    aDepartment('d', { agents: names.map((name) => `extension||${name}`), strategy: 'random' }),
  ]);
  const order = (seed: number): string =>
    call(flow, 'department||d', {
      seed,
      agents: Object.fromEntries(names.map((name) => [`extension||${name}`, { do: 'busy' } as const])),
    })
      .steps.flatMap(({ code, rung: refs }) => (code === 'ringing' ? (refs ?? []) : []))
      .map((ref) => ref.slice('extension||'.length))
      .join('');
  expect([1, 2, 3, -1, 2_147_483_647].map(order)).toEqual([
    'faehgbdc',
    'fcbehdag',
    'fadbhecg',
    'hbfgecda',
    'daecbhgf',
  ]);
});

test('round robin begins with the first agent where none was rung before', () => {
  const trace = call(aFlow([aDepartment('d', { strategy: 'round_robin' })]), 'department||d');
  expect(trace.outcome.destination).toBe('extension||sales');
});
