import { expect, test } from 'vitest';
import type { FlowSettings } from './flow.ts';
import type { Finding } from './lint/finding.ts';
import { missingEntries } from './lint/missing.ts';
import { lintFlow, lintNode } from './lint.ts';
import type { FlowNode } from './node.ts';
import {
  aDepartment,
  aFlow,
  aMenu,
  anAgent,
  anAnnouncement,
  aVoicemail,
  someHours,
} from './testing/samples.ts';

const brief = (findings: readonly Finding[]): string[] =>
  findings.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
const option = (keys: string, destination: string) => ({ keys, destination, smsTemplate: null });

test('linter has nothing to say about a sound menu', () => {
  const menu = aMenu('main');
  expect(lintNode(aFlow([menu]), menu)).toEqual([]);
  expect(lintFlow(aFlow([menu]), ['ivr||main'])).toEqual([]);
});

test('linter points at every recording and destination of a menu that does not exist', () => {
  const menu = aMenu('main', {
    recording: 'x1',
    invalidRecording: 'x2',
    recordingInvalid: 'x3',
    timeoutRetryRecording: 'x4',
    timeoutRecording: 'x5',
    options: [option('1', 'extension||sales'), option('2', 'extension||nobody')],
    invalidDestination: 'ivr||nowhere',
    timeoutDestination: 'voicemail||none',
  });
  expect(brief(lintNode(aFlow([]), menu))).toEqual([
    'error recording-missing /recording',
    'error recording-missing /invalid_recording',
    'error recording-missing /recording_invalid',
    'error recording-missing /timeout_retry_recording',
    'error recording-missing /timeout_recording',
    'error destination-missing /destination/1',
    'error destination-missing /invalid_destination',
    'error destination-missing /timeout_destination',
  ]);
});

test('linter lets a menu lead to itself by a key before it is stored', () => {
  const menu = aMenu('new', { options: [option('9', 'ivr||new')] });
  expect(lintNode(aFlow([]), menu)).toEqual([]);
});

test('linter finds a loop that only the new menu closes', () => {
  const flow = aFlow([anAnnouncement('a', 'ivr||new')]);
  const menu = aMenu('new', { timeoutDestination: 'announcement||a' });
  expect(brief(lintNode(flow, menu))).toEqual(['error loop-without-input /timeout_destination']);
});

test('linter calls a loop through a ringing phone a warning', () => {
  const menu = aMenu('main', { timeoutDestination: 'extension||sales' });
  const flow = aFlow([menu, anAgent('sales', { failover: 'ivr||main' })]);
  expect(brief(lintFlow(flow, ['ivr||main']))).toEqual([
    'warning loop-without-input /failover_destination',
    'warning loop-without-input /timeout_destination',
  ]);
});

test('linter reports missing members and hours of agents', () => {
  const department = aDepartment('d', { agents: ['extension||sales', 'extension||gone'] });
  const agent = anAgent('night', { hours: 'timegroup||gone' });
  expect(brief(lintNode(aFlow([]), department))).toEqual(['error destination-missing /agents/1']);
  expect(brief(lintNode(aFlow([]), agent))).toEqual(['error destination-missing /timegroup_id']);
});

test('linter sees through announcements and failovers to a dead end', () => {
  const flow = aFlow([
    anAgent('mute', { intercom: '', failover: 'announcement||a' }),
    anAnnouncement('a', 'department||empty'),
    aDepartment('empty', { agents: [] }),
  ]);
  const menu = aMenu('main', { options: [option('1', 'extension||mute')] });
  expect(brief(lintNode(flow, menu))).toEqual(['error dead-end /destination/0']);
});

test('linter reports which half of the hours leads nowhere, but accepts hours meant for agents only', () => {
  const half = someHours('half', { closedDestination: null });
  const none = someHours('none', { openDestination: null, closedDestination: null });
  expect(brief(lintNode(aFlow([]), half))).toEqual(['error dead-end /closed_destination']);
  expect(lintNode(aFlow([]), none)).toEqual([]);
});

test('linter finds the working day that was forgotten and the break too short to be meant', () => {
  const hours = someHours('odd', {
    weekly: [
      { days: [1, 2, 4, 5], from: 9 * 60, to: 12 * 60 + 59 },
      { days: [1, 2, 4, 5], from: 13 * 60, to: 17 * 60 },
    ],
  });
  expect(brief(lintNode(aFlow([]), hours))).toEqual([
    'warning hours-gap /weekly/0',
    'warning hours-gap /weekly',
  ]);
});

test('linter walks 2,000 menus that time out into each other without growing slow', () => {
  const menus = Array.from({ length: 2_000 }, (_, index) =>
    aMenu(`${index}`, { timeoutDestination: `ivr||${index + 1}` }),
  );
  const findings = lintFlow(aFlow([...menus, aMenu('2000')]), ['ivr||0']);
  expect(findings).toEqual([]);
});

test('linter survives circles of hours and chains of announcements longer than any call', () => {
  const circle = Array.from({ length: 60 }, (_, index) =>
    someHours(`${index}`, {
      openDestination: `timegroup||${(index + 1) % 60}`,
      closedDestination: `timegroup||${(index + 2) % 60}`,
    }),
  );
  const chain = Array.from({ length: 20_000 }, (_, index) =>
    anAnnouncement(`${index}`, `announcement||${index + 1}`),
  );
  const codes = new Set(lintFlow(aFlow([...circle, ...chain]), []).map(({ code }) => code));
  expect(codes).toEqual(new Set(['dead-end', 'destination-missing']));
});

test('linter takes a way that needs a key for no loop', () => {
  const keyed = aFlow([
    aMenu('one', { timeoutDestination: 'ivr||two' }),
    aMenu('two', { options: [option('1', 'ivr||one')] }),
  ]);
  expect(lintFlow(keyed, ['ivr||one'])).toEqual([]);
});

test('linter takes one open day for open, a break of a quarter of an hour for meant, and writes times in full', () => {
  const gaps = (weekly: Parameters<typeof someHours>[1]) =>
    lintNode(aFlow([]), someHours('h', weekly)).filter(({ code }) => code.startsWith('hours-'));
  expect(gaps({ weekly: [{ days: [7], from: 60, to: 120 }] })).toEqual([]);
  const day = [1, 2, 3, 4, 5];
  const twice = (to: number, from: number) => ({
    weekly: [
      { days: day, from: 8 * 60, to },
      { days: day, from, to: 17 * 60 },
    ],
  });
  expect(gaps(twice(9 * 60, 9 * 60 + 15))).toEqual([]);
  expect(gaps(twice(9 * 60, 9 * 60 + 14))).toHaveLength(1);
  expect(gaps(twice(9 * 60, 9 * 60 + 5))).toMatchObject([
    { message: '“Hours h” closes at 09:00 and opens again at 09:05: 5 minutes.' },
  ]);
});

test('linter warns of retries without a wait from the first one on', () => {
  const found = (timeoutTries: number, timeoutSeconds = 0) =>
    brief(lintNode(aFlow([]), aMenu('m', { timeoutSeconds, timeoutTries })));
  expect(found(0)).toEqual([]);
  expect(found(1, 1)).toEqual([]);
  expect(found(1)).toEqual(['warning timeout-zero-retries /timeout']);
});

test('linter says which texts and messages the service cannot send, and names no others', () => {
  const without = { smsTemplates: true, capabilities: { sms: false, email: false } };
  const menu = aMenu('m', {
    options: [option('1', 'extension||sales'), { ...option('2', 'extension||sales'), smsTemplate: 't' }],
  });
  const cannotSend = (node: FlowNode, settings: Partial<FlowSettings> = without) =>
    brief(lintNode(aFlow([], settings), node)).filter((line) => line.includes('unavailable'));
  expect(cannotSend(menu)).toEqual(['warning sms-unavailable /sms_template/1']);
  expect(cannotSend(aVoicemail('v', { mailed: true }))).toEqual(['warning email-unavailable /email']);
  expect(cannotSend(aVoicemail('v', { mailed: false }))).toEqual([]);
  const able = { smsTemplates: true, capabilities: { sms: true, email: true } };
  expect([menu, aVoicemail('v', { mailed: true })].flatMap((node) => cannotSend(node, able))).toEqual([]);
});

test('linter reports dialled numbers that lead nowhere', () => {
  const numbers = [
    { number: '+4930111', destination: 'ivr||main' },
    { number: '+4930222', destination: 'ivr||gone' },
  ];
  expect([...missingEntries(aFlow([aMenu('main')]), numbers)]).toEqual([
    {
      code: 'destination-missing',
      severity: 'error',
      node: 'number||+4930222',
      pointer: '/destination',
      message: '+4930222 leads to ivr||gone, which does not exist: calls to it fail.',
    },
  ]);
});

test('linter takes a range that ends where it begins for a whole day: there is no break behind it', () => {
  const weekly = [
    { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 9 * 60 },
    { days: [1, 2, 3, 4, 5], from: 9 * 60 + 5, to: 17 * 60 },
  ];
  const findings = lintNode(aFlow([]), someHours('h', { weekly }));
  expect(findings.filter(({ code }) => code === 'hours-gap')).toEqual([]);
});

test.each(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])(
  'linter names %s where it was forgotten',
  (name) => {
    const all = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const days = all.flatMap((each, index) => (each === name ? [] : [index + 1]));
    const findings = lintNode(aFlow([]), someHours('h', { weekly: [{ days, from: 540, to: 1_020 }] }));
    expect(findings).toMatchObject([{ message: `“Hours h” is open on every working day but ${name}.` }]);
  },
);
