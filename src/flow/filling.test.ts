import { expect, test } from 'vitest';
import { NEW_CALL } from './call-state.ts';
import { fill, setVariable } from './filling.ts';
import type { SwitchNode } from './logic-nodes.ts';
import { simulate } from './simulate.ts';
import { step } from './step.ts';
import { aFlow } from './testing/samples.ts';
import { MAX_FILLED_AT_ONCE, MAX_VARIABLE_NOTES, Turn } from './turn.ts';
import { MAX_FILLED, MAX_VALUE } from './variables.ts';

const NODE = 'switch||s';
const aTurn = () => new Turn(aFlow([]), NEW_CALL, 0);
const notesOf = ({ actions }: Pick<Turn, 'actions'>) =>
  actions.flatMap((action) => (action.type === 'note' ? action.entry : []));

test('a template is filled up to its longest text, and no further', () => {
  const turn = aTurn();
  setVariable(turn, NODE, 'long', { value: 'x'.repeat(MAX_VALUE) });
  let encoded = 0;
  const counting = (value: string): string => {
    encoded += 1;
    return value;
  };
  expect(fill(turn, NODE, '{long}'.repeat(170), counting).value).toBe('x'.repeat(MAX_FILLED));
  expect(encoded).toBe(MAX_FILLED / MAX_VALUE);
});

test('a variable that is not set is noted once, however often a node has it', () => {
  const turn = aTurn();
  fill(turn, NODE, '{never}{never} {other}');
  fill(turn, NODE, '{never}');
  fill(turn, 'switch||t', '{never}');
  expect(notesOf(turn).map(({ node, text }) => `${node} ${text}`)).toEqual([
    'switch||s The variable never is not set: it is empty.',
    'switch||s The variable other is not set: it is empty.',
    'switch||t The variable never is not set: it is empty.',
  ]);
});

test('templates make a bounded text in one turn, and the trail says where they end', () => {
  const turn = aTurn();
  setVariable(turn, NODE, 'long', { value: 'x'.repeat(MAX_VALUE) });
  const lengths = Array.from({ length: 200 }, () => fill(turn, NODE, '{long}'.repeat(8)).value.length);
  const sum = lengths.reduce((all, each) => all + each, 0);
  expect(sum).toBeGreaterThan(50 * MAX_FILLED);
  expect(sum).toBeLessThanOrEqual(MAX_FILLED_AT_ONCE + MAX_FILLED);
  expect(notesOf(turn).filter(({ code }) => code === 'templates-cut')).toHaveLength(1);
});

test('in finds a value between commas, with spaces around it, and nothing else', () => {
  const isIn = (list: string, value: string): boolean => {
    const rule = { variable: 'v', operator: 'in' as const, value: list, destination: 'hangup||yes' };
    const node: SwitchNode = {
      kind: 'switch',
      ref: NODE,
      name: 'In',
      set: [],
      rules: [rule],
      otherwise: 'hangup||no',
    };
    const trace = simulate(aFlow([node]), { entry: NODE, variables: { v: value } });
    return trace.outcome.destination === 'hangup||yes';
  };
  expect(['1', '22', '3'].map((value) => isIn('1, 22 ,3', value))).toEqual([true, true, true]);
  expect(['2', '1, 22', '33', ''].map((value) => isIn('1, 22 ,3', value))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([isIn('1,', ''), isIn('', '')]).toEqual([true, true]);
});

/** As large as a switch may be; it leads to itself. */
function largest(template: string): SwitchNode {
  const value = template.repeat(Math.floor(MAX_VALUE / template.length));
  return {
    kind: 'switch',
    ref: NODE,
    name: 'Largest',
    set: Array.from({ length: 49 }, (_, at) => ({ variable: `v${at}`, value })),
    rules: Array.from({ length: 50 }, () => ({
      variable: 'v0',
      operator: 'less' as const,
      value,
      destination: 'hangup||now',
    })),
    otherwise: NODE,
  };
}

test.each(['{x}', '{v0}', '{caller}'])(
  'a circle of the largest switches, with %s all over, does a bounded number of things',
  (template) => {
    const flow = aFlow([largest(template)]);
    const { actions } = step(flow, NEW_CALL, {
      type: 'call-started',
      atMs: 0,
      entry: NODE,
      epochMs: 0,
      seed: 1,
      caller: '+4930123456',
    });
    expect(actions.length).toBeLessThan(MAX_VARIABLE_NOTES + 100);
    const codes = notesOf({ actions: [...actions] }).map(({ code }) => code);
    expect(codes.filter((code) => code === 'variables-unnoted')).toHaveLength(1);
    expect(codes).toContain('hop-limit');
  },
);

test('what a call does after a hundred notes of variables is noted all the same', () => {
  const trace = simulate(aFlow([{ ...largest('{x}'), otherwise: 'hangup||now' }]), { entry: NODE });
  expect(trace.steps.map(({ code }) => code).slice(-2)).toEqual(['arrived', 'ended']);
});

test('a variable that was sensitive once stays so, whatever sets it', () => {
  const turn = aTurn();
  setVariable(turn, NODE, 'pin', { value: '4711', sensitive: true });
  setVariable(turn, NODE, 'pin', { value: '4712' });
  setVariable(turn, NODE, 'plain', { value: '1' });
  expect(turn.state.variables).toEqual({
    pin: { value: '4712', sensitive: true },
    plain: { value: '1' },
  });
  expect(JSON.stringify(turn.actions)).not.toContain('471');
  expect(fill(turn, NODE, '{pin}')).toEqual({ value: '4712', sensitive: true });
});
