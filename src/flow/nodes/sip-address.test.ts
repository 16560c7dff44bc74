import { expect, test } from 'vitest';
import { type Action, NEW_CALL } from '../call-state.ts';
import type { SipAddressNode } from '../logic-nodes.ts';
import { simulate } from '../simulate.ts';
import { step } from '../step.ts';
import { aFlow } from '../testing/samples.ts';

const anAddress = (parts: Partial<SipAddressNode> = {}): SipAddressNode => ({
  kind: 'sip-address',
  ref: 'sip_address||a',
  name: 'Head office',
  user: 'desk',
  host: 'pbx.example.com',
  port: 0,
  transport: 'udp',
  headers: [],
  callerId: null,
  ringSeconds: 20,
  failover: 'hangup||failed',
  ...parts,
});

type Ring = Extract<Action, { type: 'ring' }>;

const started = ({ ref: entry }: SipAddressNode) =>
  ({ type: 'call-started', atMs: 0, epochMs: 0, caller: '+15550100', entry, seed: 1 }) as const;

/** What a call that begins there, with these variables, dials. */
function ringOf(node: SipAddressNode, variables: { readonly [name: string]: string } = {}): Ring {
  const { actions } = step(aFlow([node]), NEW_CALL, { ...started(node), variables });
  const ring = actions.find((action): action is Ring => action.type === 'ring');
  if (!ring) throw new Error('nothing rings');
  return ring;
}

test('its variables are filled in, without line breaks and within bounds', () => {
  const node = anAddress({
    user: 'order-{order}',
    headers: [
      { name: 'X-Order', value: 'No. {order}' },
      { name: 'X-Evil', value: '{evil}' },
      { name: 'X-Long', value: '{long}' },
      { name: 'X-Empty', value: '{never}' },
    ],
    callerId: '+49{order}',
  });
  const [target] = ringOf(node, { order: '4711', evil: 'a\r\nVia: x\u2028b', long: 'y'.repeat(900) }).targets;
  expect(target).toMatchObject({ via: 'sip', number: 'order-4711@pbx.example.com' });
  expect(target?.sip).toMatchObject({ user: 'order-4711', host: 'pbx.example.com', shown: '+494711' });
  expect(target?.sip?.headers).toEqual([
    { name: 'X-Order', value: 'No. 4711' },
    { name: 'X-Evil', value: 'a Via: x b' },
    { name: 'X-Long', value: 'y'.repeat(200) },
  ]);
});

test('a caller ID that is no number is not shown', () => {
  const [target] = ringOf(anAddress({ callerId: '{order}' }), { order: 'nobody' }).targets;
  expect(target?.sip).not.toHaveProperty('shown');
});

test.each([
  ['busy', 'agent-busy'],
  ['unreachable', 'agent-unreachable'],
  ['no-answer', 'no-answer'],
])('one that is %s leads on to the failover', (behaviour, code) => {
  const node = anAddress();
  const trace = simulate(aFlow([node]), {
    entry: node.ref,
    agents: { [node.ref]: { do: behaviour as 'no-answer' } },
  });
  expect(trace.steps.map(({ code: each }) => each)).toContain(code);
  expect(trace.outcome.destination).toBe('hangup||failed');
});

test('the trail says why an address was not rung', () => {
  const node = anAddress({ failover: null });
  const flow = aFlow([node]);
  const { state, actions } = step(flow, NEW_CALL, started(node));
  const ring = actions.find((action): action is Ring => action.type === 'ring');
  for (const [why, text] of [
    ['host', 'the operator does not allow calls to its host'],
    ['credentials', 'it does not accept the user name and the password'],
  ] as const) {
    const { actions: after } = step(flow, state, {
      ...{ type: 'agent-unreachable', atMs: 5, attempt: ring?.attempt ?? 0, target: node.ref, why },
    });
    const notes = after.flatMap((action) => (action.type === 'note' ? [action.entry.text] : []));
    expect(notes.join('\n')).toContain(text);
  }
});
