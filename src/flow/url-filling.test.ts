import { describe, expect, test } from 'vitest';
import { NEW_CALL } from './call-state.ts';
import { setVariable } from './filling.ts';
import type { RequestNode } from './logic-nodes.ts';
import { simulate } from './simulate.ts';
import { step } from './step.ts';
import type { StreamNode } from './stream-phase.ts';
import { aFlow } from './testing/samples.ts';
import { MAX_FILLED_AT_ONCE, Turn } from './turn.ts';
import { fillUrl } from './url-filling.ts';
import { MAX_VALUE } from './variables.ts';

const NODE = 'request||r';
const ORIGIN = 'https://crm.example.com';

function filled(template: string, values: Readonly<Record<string, string>>): string | null {
  const turn = new Turn(aFlow([]), NEW_CALL, 0);
  for (const [name, value] of Object.entries(values)) setVariable(turn, NODE, name, { value });
  return fillUrl(turn, NODE, `${ORIGIN}${template}`);
}

const aRequest: RequestNode = {
  kind: 'request',
  ref: 'request||r',
  name: 'Who calls',
  method: 'GET',
  url: `${ORIGIN}/a/{caller_name}/z`,
  body: [],
  timeoutMs: 5_000,
  save: [],
  choices: [],
  waitRecording: null,
  next: 'hangup||next',
  failed: 'hangup||failed',
};
const aStream: StreamNode = {
  kind: 'stream',
  ref: 'stream||s',
  name: 'Bot',
  url: 'wss://bot.example.com/a/{caller_name}/z',
  parameters: [],
  disclosure: null,
  maxSeconds: 60,
  destinations: [],
  next: 'hangup||next',
  failed: 'hangup||failed',
};

/** What a call whose caller has that name does at the node. */
function calling(node: RequestNode | StreamNode, callerName: string) {
  const flow = aFlow([node]);
  return step(flow, NEW_CALL, {
    type: 'call-started',
    entry: node.ref,
    epochMs: 0,
    seed: 1,
    caller: '+4930',
    known: { callerName },
    atMs: 0,
  }).actions;
}

describe('a caller named ..', () => {
  test.each([
    ['request', aRequest, 'send-request', 'request-failed'],
    ['stream', aStream, 'open-stream', 'stream-failed'],
  ] as const)(
    'makes a %s fail: nothing is asked, and the call goes where failures go',
    (_, node, asks, fails) => {
      const actions = calling(node, '..');
      expect(actions.map(({ type }) => type)).not.toContain(asks);
      const failure = actions
        .flatMap((action) => (action.type === 'note' ? action.entry : []))
        .find(({ code }) => code === fails);
      expect(failure?.text).toContain('its variables lead to another path');
      expect(failure?.destination).toBe('hangup||failed');
      expect(calling(node, 'Ann').find(({ type }) => type === asks)).toMatchObject({
        url: node.url.replace('{caller_name}', 'Ann'),
      });
    },
  );

  test('is seen in a simulation, too', () => {
    const node = { ...aRequest, url: `${ORIGIN}/a/{who}/z` };
    const outcome = (who: string) =>
      simulate(aFlow([node]), { entry: node.ref, variables: { who } }).outcome.destination;
    expect([outcome('..'), outcome('Ann')]).toEqual(['hangup||failed', 'hangup||next']);
  });
});

describe('a path is refused when variables make it lead elsewhere', () => {
  test.each([
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2e',
    '%252e%252e',
    '%25252e.',
    '../..',
    'x/../y',
    '..\\..',
    '\\..',
    '/..',
    '..;',
    '..;x=1',
    '%2e%2e%2f',
    '%5c..',
    '.\t.',
    './',
  ])('%j', (value) => {
    expect(filled('/a/{v}/z', { v: value })).toBeNull();
    expect(filled('/a/{v}', { v: value })).toBeNull();
    expect(filled('\\a\\{v}\\z', { v: value })).toBeNull();
  });

  test.each([
    ['/a/{v}{w}/z', '.', '.'],
    ['/a/.{v}/z', '.', ''],
    ['/a/{v}./z', '.', ''],
    ['/a/.{v}/z', '', ''],
    ['/a/%2e{v}/z', '.', ''],
    ['/a/%2{v}{w}/z', 'e', '.'],
    ['/a/.\t{v}/z', '.', ''],
    ['/a/{v};p=1/z', '..', ''],
  ])('%j with %j and %j', (template, v, w) => {
    expect(filled(template, { v, w })).toBeNull();
  });
});

test.each([
  ['/a/{v}/z', 'J. R. O’Hara', '/a/J.%20R.%20O%E2%80%99Hara/z'],
  ['/a/{v}/z', '...', '/a/.../z'],
  ['/a/{v}/z', 'a..b', '/a/a..b/z'],
  ['/a/{v}/z', 'a/b\\c?d#e', '/a/a%2Fb%5Cc%3Fd%23e/z'],
  ['/a/{v}/z', '100%', '/a/100%25/z'],
  ['/a/{v}/z', '', '/a//z'],
  ['/a/{v}.json', 'x', '/a/x.json'],
  ['/a/../{v}', 'x', '/a/../x'],
  ['/a?back={v}', '../..', '/a?back=..%2F..'],
  ['/a#{v}', '..', '/a#..'],
])('%j with %j is taken as %j', (template, v, url) => {
  expect(filled(template, { v })).toBe(ORIGIN + url);
});

test('a URL that ends early, because all texts of a turn are as long as they may be, is refused', () => {
  const turn = new Turn(aFlow([]), NEW_CALL, 0);
  setVariable(turn, NODE, 'long', { value: 'x'.repeat(MAX_VALUE) });
  for (let at = 0; at <= MAX_FILLED_AT_ONCE / MAX_VALUE; at++) fillUrl(turn, NODE, '{long}');
  expect(fillUrl(turn, NODE, `${ORIGIN}/a/{long}/z`)).toBeNull();
});
