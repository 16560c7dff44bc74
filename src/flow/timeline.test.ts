import { expect, test } from 'vitest';
import type { Trace } from './simulation/trace.ts';
import { runScript } from './testing/run-script.ts';
import { aFlow, aMenu, aVoicemail } from './testing/samples.ts';
import { clockText, renderTimeline } from './timeline.ts';

const menu = aMenu('main', {
  options: [
    { keys: '1', destination: 'extension||sales', smsTemplate: null },
    { keys: '2', destination: 'voicemail||box', smsTemplate: null },
  ],
});
const FLOW = aFlow([menu, aVoicemail('box')]);
const visible = (trace: Trace): string => renderTimeline(trace, { colour: true }).replaceAll('\u001b', '^');

test('timeline in colour: the clock and the place are dim, the outcome green or yellow', () => {
  const connected = visible(runScript(FLOW, '1'));
  expect(connected).toContain('^[2m0:00.000^[0m  ^[2mMenu main');
  expect(connected).toContain('^[36mPlays the menu: “Welcome”.^[0m');
  expect(connected).toContain('^[1mThe caller pressed 1.^[0m');
  expect(connected).toContain('^[32mOption 1 leads to “Agent sales”');
  expect(connected.trimEnd().split('\n').at(-1)).toMatch(/^\^\[32mconnected: .*\^\[0m$/);
  expect(visible(runScript(FLOW, '2')).trimEnd().split('\n').at(-1)).toMatch(/^\^\[32mvoicemail/);
  expect(visible(runScript(FLOW, '9,9')).trimEnd().split('\n').at(-1)).toMatch(/^\^\[33mhang-up|^\^\[33m/);
});

test('timeline without colour has none, and pads the places to one width', () => {
  const lines = renderTimeline(runScript(FLOW, '1')).split('\n');
  expect(lines.join('')).not.toContain('\u001b');
  const [first = '', second = ''] = lines;
  expect(first.indexOf('A call from')).toBe(second.indexOf('Arrives at'));
  expect(first).toMatch(/^0:00\.000 {2} +A call from/);
});

test('timeline says how many steps of the script were never reached', () => {
  expect(renderTimeline(runScript(FLOW, '1'))).not.toContain('never reached');
  const trace = runScript(FLOW, '1');
  const unused = { ...trace, unusedSteps: [{ do: 'hang-up' }] } as Trace;
  expect(renderTimeline(unused)).toContain('\n1 step(s) of the script were never reached.\n');
});

test('the clock has hours only when there are any', () => {
  expect(clockText(0)).toBe('0:00.000');
  expect(clockText(59_999)).toBe('0:59.999');
  expect(clockText(60_000)).toBe('1:00.000');
  expect(clockText(3_599_999)).toBe('59:59.999');
  expect(clockText(3_600_000)).toBe('1:00:00.000');
  expect(clockText(36_061_001)).toBe('10:01:01.001');
});

test('timeline has no column for places where no step has one', () => {
  const trace = runScript(FLOW, '1');
  const steps = [{ atMs: 0, node: null, code: 'ended', text: 'Over.' }] as const;
  expect(renderTimeline({ ...trace, steps })).toMatch(/^0:00\.000 {4}Over\.\n/);
});

test('timeline names the reason of the end where the outcome alone does not say it', () => {
  const summary = (script: string) => renderTimeline(runScript(FLOW, script)).trimEnd().split('\n').at(-1);
  expect(summary('1')).toMatch(/^connected: /);
  expect(summary('9,9')).toMatch(/^hung-up \(\S+\): /);
});

test.each([
  ['36', ['playing']],
  ['1', ['key-pressed', 'key-kept']],
  ['32', ['option-matched', 'connected', 'voicemail-saved', 'queue-turn']],
  ['33', ['invalid-retry', 'invalid-final', 'timeout-retry', 'timeout-final', 'key-ignored', 'keys-dropped']],
  ['33', ['agent-busy', 'agent-unreachable', 'no-answer', 'agent-blocked', 'agent-outside-hours']],
  ['33', ['queue-returned', 'queue-full', 'queue-empty', 'queue-timeout', 'failover']],
  ['31', ['recording-missing', 'destination-missing', 'hop-limit', 'apology', 'status-sent']],
] as const)('timeline shows with the terminal’s colour %s: %s', (colour, codes) => {
  const steps = codes.map((code) => ({ atMs: 0, node: null, code, text: code }));
  const shown = visible({ ...runScript(FLOW, '1'), steps });
  for (const code of codes) expect(shown).toContain(`^[${colour}m${code}^[0m`);
});
