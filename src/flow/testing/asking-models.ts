// Second, naive implementations of a single request, message and SIP address for tests: walks over their fields and what is scripted
// for them. They share no code with the machine.

import fc from 'fast-check';
import { expect } from 'vitest';
import { makeFlow } from '../flow.ts';
import type { MessageNode, RequestNode, SipAddressNode } from '../logic-nodes.ts';
import { REQUEST_FAILURES } from '../logic-phase.ts';
import type { Ref } from '../node.ts';
import { simulate } from '../simulate.ts';
import type { AgentBehaviour } from '../simulation/scenario.ts';
import type { ScriptedAnswer } from '../simulation/scripted-answer.ts';
import { SAMPLE_RECORDINGS } from './samples.ts';

interface RequestRun {
  readonly destination: Ref;
  readonly arrivedAtMs: number;
  /** Whether the caller heard that it takes a while. */
  readonly waited: readonly number[];
  readonly saved: Readonly<Record<string, string>>;
}

/** Silence after which something is played. */
const QUIET_MS = 700;

function walkRequest(node: RequestNode, scripted: ScriptedAnswer & { readonly afterMs: number }): RequestRun {
  const isLate =
    scripted.afterMs >= node.timeoutMs || ('failure' in scripted && scripted.failure === 'timeout');
  const arrivedAtMs = isLate ? node.timeoutMs : scripted.afterMs;
  const run = { arrivedAtMs, waited: arrivedAtMs > QUIET_MS ? [QUIET_MS] : [], saved: {} };
  if (isLate || 'failure' in scripted) return { ...run, destination: node.failed };
  const answer = scripted.answer as Readonly<Record<string, unknown>>;
  const saved: Record<string, string> = {};
  for (const { variable, pointer } of node.save) {
    const value = answer[pointer.slice(1)];
    if (typeof value === 'string') saved[variable] = value;
    else if (value !== undefined && value !== null) saved[variable] = JSON.stringify(value);
  }
  const choice = answer['choice'];
  let destination = node.next;
  if (typeof choice === 'string' && node.choices.length > 0) {
    destination = node.failed;
    for (const each of [...node.choices].reverse())
      if (each.answer === choice) destination = each.destination;
  }
  return { ...run, saved, destination };
}

const singleRequest: fc.Arbitrary<RequestNode> = fc.record({
  kind: fc.constant('request' as const),
  ref: fc.constant('request||one'),
  name: fc.constant('One'),
  method: fc.constantFrom('GET' as const, 'POST' as const),
  url: fc.constant('https://example.com/'),
  body: fc.constant([]),
  timeoutMs: fc.constantFrom(100, 690, 2_000, 10_000),
  save: fc.array(
    fc.record({ variable: fc.constantFrom('one', 'two'), pointer: fc.constantFrom('/a', '/b', '/gone') }),
    { maxLength: 3 },
  ),
  choices: fc.array(
    fc.record({ answer: fc.constantFrom('x', 'y'), destination: fc.constantFrom('hangup||1', 'hangup||2') }),
    { maxLength: 3 },
  ),
  waitRecording: fc.option(fc.constantFrom(...SAMPLE_RECORDINGS.map(({ id }) => id)), { nil: null }),
  next: fc.constant('hangup||next'),
  failed: fc.constant('hangup||failed'),
});

const member = fc.constantFrom('text', '', 4711, true, null, ['list'], { deep: 1 });
const anAnswer = fc.record(
  { choice: fc.constantFrom('x', 'y', 'unlisted'), a: member, b: member },
  { requiredKeys: [] },
);
/** Never on the millisecond of a timer: which of the two comes first is not specified. */
const afterMs = fc.nat(1_200).map((ms) => ms * 10 + 1);
const aScript: fc.Arbitrary<ScriptedAnswer & { readonly afterMs: number }> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ answer: anAnswer, afterMs }) },
  { weight: 1, arbitrary: fc.record({ failure: fc.constantFrom(...REQUEST_FAILURES), afterMs }) },
);

export const requestsAgree = fc.property(singleRequest, aScript, (node, scripted) => {
  const flow = makeFlow({ nodes: [node], recordings: SAMPLE_RECORDINGS });
  const trace = simulate(flow, { entry: node.ref, requests: { [node.ref]: scripted } });
  expect({
    destination: trace.visited.at(-1),
    arrivedAtMs: trace.durationMs,
    waited: trace.heard.map(({ atMs }) => atMs),
    saved: { ...trace.variables },
  }).toEqual(walkRequest(node, scripted));
});

const NUMBERS = ['+4930123456', '12345', '+49 (30) 123-456', '', 'reception', '{to}', '{never}'];

/** What is sent, if anything. Digits with a + before them, and marks between them that people write. */
function walkMessage({ smsTemplate, to }: MessageNode, isOn: boolean, value: string): string[] {
  const number = to.replace('{to}', value).replace('{never}', '').replaceAll(' ', '');
  const digits = [...number].filter((each) => !'()-'.includes(each)).join('');
  return isOn && /^\+?\d{7,15}$/.test(digits) ? [smsTemplate] : [];
}

export const messagesAgree = fc.property(
  fc.record({
    kind: fc.constant('message' as const),
    ref: fc.constant('message||one'),
    name: fc.constant('One'),
    smsTemplate: fc.constantFrom('t1', 't2'),
    to: fc.constantFrom(...NUMBERS),
    next: fc.constantFrom('hangup||1', 'hangup||2'),
  }),
  fc.boolean(),
  fc.constantFrom('+4930123456', '', 'x'),
  (node, smsTemplates, to) => {
    const flow = makeFlow({ nodes: [node], settings: { smsTemplates } });
    const { visited, durationMs, sms } = simulate(flow, { entry: node.ref, variables: { to } });
    expect({ visited, durationMs, sms }).toEqual({
      visited: [node.ref, node.next],
      durationMs: 0,
      sms: walkMessage(node, smsTemplates, to),
    });
  },
);

type Met = Extract<AgentBehaviour, { do: 'answer' | 'busy' | 'unreachable' | 'no-answer' }>;
const DEFAULT_RING_SECONDS = 25;

interface RingRun {
  readonly connectedAtMs: number | null;
  readonly failedAtMs: number | null;
}

function walkSipAddress({ ringSeconds }: SipAddressNode, met: Met): RingRun {
  const ringMs = (ringSeconds ?? DEFAULT_RING_SECONDS) * 1_000;
  if (met.do === 'busy' || met.do === 'unreachable') return { connectedAtMs: null, failedAtMs: 0 };
  if (met.do === 'answer' && (met.afterMs ?? 0) < ringMs)
    return { connectedAtMs: met.afterMs ?? 0, failedAtMs: null };
  return { connectedAtMs: null, failedAtMs: ringMs };
}

export const sipAddressesAgree = fc.property(
  fc.record({
    kind: fc.constant('sip-address' as const),
    ref: fc.constant('sip_address||one'),
    name: fc.constant('One'),
    user: fc.constantFrom('', 'desk', '{order}'),
    host: fc.constant('pbx.example.com'),
    port: fc.constantFrom(0, 5070),
    transport: fc.constantFrom('udp' as const, 'tls' as const),
    headers: fc.constant([]),
    callerId: fc.constant(null),
    ringSeconds: fc.constantFrom(null, 1, 5, 60),
    failover: fc.constant('hangup||failover'),
  }),
  fc.oneof(
    fc.record({ do: fc.constant('answer' as const), afterMs }),
    fc.record({ do: fc.constantFrom('busy' as const, 'unreachable' as const, 'no-answer' as const) }),
  ),
  (node, met) => {
    const trace = simulate(makeFlow({ nodes: [node] }), { entry: node.ref, agents: { [node.ref]: met } });
    const atMs = (code: string): number | null =>
      trace.steps.find((step) => step.code === code)?.atMs ?? null;
    expect({ connectedAtMs: atMs('connected'), failedAtMs: atMs('failover') }).toEqual(
      walkSipAddress(node, met),
    );
    expect(trace.visited.at(-1)).toBe(atMs('failover') === null ? node.ref : node.failover);
  },
);
