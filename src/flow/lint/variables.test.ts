import { expect, test } from 'vitest';
import { lintNode } from '../lint.ts';
import type { RequestNode, SwitchRule } from '../logic-nodes.ts';
import type { FlowNode } from '../node.ts';
import { aFlow } from '../testing/samples.ts';

const request = (parts: Partial<RequestNode> = {}): RequestNode => ({
  kind: 'request',
  ref: 'request||r',
  name: 'R',
  method: 'POST',
  url: 'https://example.com/x',
  body: [],
  timeoutMs: 1_000,
  save: [],
  choices: [],
  waitRecording: null,
  next: 'hangup||now',
  failed: 'hangup||now',
  ...parts,
});
const pick = (rules: SwitchRule[]): FlowNode => ({
  kind: 'switch',
  ref: 'switch||s',
  name: 'S',
  set: [],
  rules,
  otherwise: 'hangup||now',
});
const rule = (operator: SwitchRule['operator'], value: string): SwitchRule => ({
  variable: 'caller',
  operator,
  value,
  destination: 'hangup||now',
});
const codes = (node: FlowNode, ...others: FlowNode[]) =>
  lintNode(aFlow([node, ...others]), node).map(({ code, pointer }) => `${code} ${pointer}`);

test('linter warns of a variable that nothing sets', () => {
  const asks = request({ body: [{ name: 'order', value: '{order}' }] });
  expect(codes(asks)).toContain('variable-unset /body/order');
  const sets: FlowNode = {
    ...(pick([]) as Extract<FlowNode, { kind: 'switch' }>),
    set: [{ variable: 'order', value: '1' }],
  };
  expect(codes(asks, sets)).not.toContain('variable-unset /body/order');
});

test('linter warns of rules behind one that matches whatever they match', () => {
  expect(codes(pick([rule('starts_with', '+4'), rule('equals', '+4930')]))).toContain(
    'rule-unreachable /rules/1',
  );
  expect(codes(pick([rule('exists', ''), rule('contains', '9')]))).toContain('rule-unreachable /rules/1');
  expect(codes(pick([rule('equals', '1'), rule('equals', '2')]))).toEqual([]);
});

test('linter finds a request that fails into itself', () => {
  expect(
    codes(request({ failed: 'switch||s' }), {
      ...(pick([]) as Extract<FlowNode, { kind: 'switch' }>),
      otherwise: 'request||r',
    }),
  ).toContain('request-fails-into-itself /failed_destination');
  expect(codes(request())).toEqual([]);
});

test('linter finds secrets in URLs', () => {
  expect(codes(request({ url: 'https://example.com/?api_key=abc' }))).toEqual(['secret-in-url /url']);
  expect(codes(request({ url: 'https://example.com/?monkey=abc' }))).toEqual([]);
});
