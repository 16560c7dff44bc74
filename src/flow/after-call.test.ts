import { expect, test } from 'vitest';
import { type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import { MAX_TALKS } from './conversation.ts';
import { lintNode } from './lint.ts';
import type { FlowNode } from './node.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, aMenu, anAgent, anAnnouncement } from './testing/samples.ts';

/** The phone of an agent answers and hangs up after `talkMs`, each time that it rings: how often it did, and the call at its end. */
function ringsOf(talkMs: number): { readonly rings: number; readonly state: CallState } {
  const flow = aFlow([anAgent('a', { followMeNumber: '4930555', afterCall: 'extension||a' })]);
  let state = NEW_CALL;
  let rings = 0;
  let open: CallEvent[] = [
    { type: 'call-started', atMs: 0, entry: 'extension||a', epochMs: 0, seed: 1, caller: null },
  ];
  for (let turns = 0; turns < 500 && open.length > 0; turns += 1) {
    const [event, ...rest] = open;
    if (!event) break;
    const after = step(flow, state, event);
    state = after.state;
    open = rest;
    const ring = after.actions.find((action) => action.type === 'ring');
    if (!ring) continue;
    rings += 1;
    const { atMs } = state;
    const target = ring.targets[0]?.id ?? '';
    open = [
      { type: 'agent-answered', atMs: atMs + 100, attempt: ring.attempt, target },
      { type: 'agent-hung-up', atMs: atMs + 100 + talkMs },
    ];
  }
  return { rings, state };
}

test('a phone that answers and hangs up at once is rung no more than a chain has hops (call rule 9)', () => {
  const { rings, state } = ringsOf(500);
  expect(rings).toBe(21);
  expect(state.phase).toMatchObject({ name: 'hang-up', end: 'hop-limit' });
});

test('conversations go on after each other a bounded number of times (call rule 9)', () => {
  const { rings, state } = ringsOf(30_000);
  expect(rings).toBe(MAX_TALKS + 1);
  expect(state.phase).toMatchObject({ name: 'hang-up', end: 'hop-limit' });
});

const loopsOf = (node: FlowNode, ...others: FlowNode[]) =>
  lintNode(aFlow([node, ...others]), node)
    .filter(({ code }) => code === 'loop-without-input')
    .map(({ severity, pointer, message }) => `${severity} ${pointer} ${message}`);

test('linter warns of a circle over after_call_destination', () => {
  const agent = anAgent('a', { afterCall: 'announcement||back' });
  expect(loopsOf(agent, anAnnouncement('back', 'extension||a'))).toEqual([
    'warning /after_call_destination After a conversation the caller goes round (“Agent a” → “Announcement back” → “Agent a”), and phones ring again: 20 conversations at most.',
  ]);
  const department = aDepartment('d', { agents: ['extension||a'], afterCall: 'department||d' });
  expect(loopsOf(department, anAgent('a'))).toHaveLength(1);
});

test('linter takes a survey, and a way back by a key, for no circle', () => {
  const agent = anAgent('a', { afterCall: 'announcement||thanks' });
  expect(loopsOf(agent, anAnnouncement('thanks', 'hangup||now'))).toEqual([]);
  const menu = aMenu('again', {
    options: [{ keys: '1', destination: 'extension||b', smsTemplate: null }],
    invalidDestination: 'hangup||now',
    timeoutDestination: 'hangup||now',
  });
  expect(loopsOf(anAgent('b', { afterCall: menu.ref }), menu)).toEqual([]);
});
