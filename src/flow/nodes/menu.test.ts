import { expect, test } from 'vitest';
import { heardRecordings } from '../expect.ts';
import { changeFlow, type Flow } from '../flow.ts';
import { codesOf, runScript } from '../testing/run-script.ts';
import { aFlow, aMenu, anAnnouncement } from '../testing/samples.ts';

const option = (keys: string, destination: string, smsTemplate: string | null = null) => ({
  keys,
  destination,
  smsTemplate,
});

test('menu answers, then plays its recording (call rule 1)', () => {
  const trace = runScript(aFlow([aMenu('main')]), 'hangup');
  expect(codesOf(trace)).toEqual(['call-started', 'arrived', 'answered', 'playing', 'ended']);
});

test('menu stops its prompt at the first key (call rule 1)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '1@700ms');
  expect(trace.heard[0]).toMatchObject({ ms: 700, sound: { id: 'welcome' } });
  expect(trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
});

test('menu hears a key pressed in the first millisecond of its prompt (call rule 1)', () => {
  expect(runScript(aFlow([aMenu('main')]), '2@0ms').outcome.destination).toBe('extension||support');
});

test('menu decides at once when no longer option could match (call rule 2)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '1@0ms');
  expect(trace.steps.find(({ code }) => code === 'option-matched')?.atMs).toBe(0);
});

test('menu prefers the longer option when its keys follow in time (call rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('12', 'extension||support')];
  const flow = aFlow([aMenu('main', { options })]);
  expect(runScript(flow, '12').outcome.destination).toBe('extension||support');
  expect(runScript(flow, '1').outcome.destination).toBe('extension||sales');
  const decided = runScript(flow, '1@0ms').steps.find(({ code }) => code === 'option-matched');
  expect(decided?.atMs, 'two seconds after the last key').toBe(2_000);
});

test('menu takes # as the end of the input when no option contains # (call rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('12', 'extension||support')];
  const trace = runScript(aFlow([aMenu('main', { options })]), '1#@0ms');
  expect(trace.steps.find(({ code }) => code === 'option-matched')?.atMs).toBe(200);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu takes # as a key when an option contains # (call rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('1#', 'extension||support')];
  expect(runScript(aFlow([aMenu('main', { options })]), '1#').outcome.destination).toBe('extension||support');
});

test('menu counts a lone # that no option contains as invalid (rules 2 and 4)', () => {
  expect(codesOf(runScript(aFlow([aMenu('main')]), '#'))).toContain('invalid-retry');
});

test('menu keeps options as text, so that 01 is not 1 (call rule 2)', () => {
  const options = [option('01', 'extension||sales'), option('1', 'extension||support')];
  const flow = aFlow([aMenu('main', { options })]);
  expect(runScript(flow, '01').outcome.destination).toBe('extension||sales');
  expect(runScript(flow, '1').outcome.destination).toBe('extension||support');
});

test('menu settles a stuck key after 32 presses instead of collecting for ever (call rule 2)', () => {
  const flow = aFlow([aMenu('main', { incorrectCount: 0 })]);
  const trace = runScript(flow, '9'.repeat(40));
  expect(trace.steps.filter(({ code }) => code === 'key-pressed')).toHaveLength(32);
  expect(trace.outcome.destination).toBe('hangup||invalid');
});

test('menu queues the option’s SMS when the setting is on (call rule 3)', () => {
  const menu = aMenu('main', { options: [option('1', 'extension||sales', 't7')] });
  const trace = runScript(aFlow([menu], { smsTemplates: true }), '1');
  expect(trace.sms).toEqual(['t7']);
  expect(codesOf(trace)).toContain('sms-queued');
});

test('menu notes an SMS by the name of its template, or by its id where it has none', () => {
  const menu = aMenu('main', { options: [option('1', 'extension||sales', 't7')] });
  const flow = aFlow([menu], { smsTemplates: true });
  const named = changeFlow(flow, {
    templates: new Map([['t7', { id: 't7', name: 'Directions', text: 'x', active: true }]]),
  });
  const noted = (of: Flow) => runScript(of, '1').steps.find(({ code }) => code === 'sms-queued')?.text;
  expect(noted(named)).toBe('SMS template “Directions” is queued for +15550100.');
  expect(noted(flow)).toBe('SMS template t7 is queued for +15550100.');
});

test('menu queues no SMS when the setting is off or the caller has no number (call rule 3)', () => {
  const menu = aMenu('main', { options: [option('1', 'extension||sales', 't7')] });
  expect(runScript(aFlow([menu]), '1').sms).toEqual([]);
  const anonymous = runScript(aFlow([menu], { smsTemplates: true }), '1', { caller: null });
  expect(anonymous.sms).toEqual([]);
  expect(codesOf(anonymous)).toContain('sms-skipped');
});

test('menu asks again when an unlisted key is pressed (call rule 4)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '9,1');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid', 'welcome']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu allows n retries, so n+1 wrong attempts, before the invalid destination (call rule 4)', () => {
  const trace = runScript(
    aFlow([aMenu('main', { incorrectCount: 2, recordingInvalid: 'invalid-final' })]),
    '9,9,9',
  );
  expect(codesOf(trace).filter((code) => code === 'invalid-retry')).toHaveLength(2);
  expect(heardRecordings(trace)).toEqual([
    'welcome',
    'invalid',
    'welcome',
    'invalid',
    'welcome',
    'invalid-final',
  ]);
  expect(trace.outcome).toMatchObject({ destination: 'hangup||invalid', reason: 'hang-up-reached' });
});

test('menu with no retries goes straight to the final step (call rule 4)', () => {
  const trace = runScript(aFlow([aMenu('main', { incorrectCount: 0 })]), '9');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid']);
  expect(trace.outcome.destination).toBe('hangup||invalid');
});

test('menu plays invalid_recording at the end when recording_invalid is absent (call rule 4)', () => {
  const trace = runScript(aFlow([aMenu('main', { incorrectCount: 0, recordingInvalid: null })]), '9');
  expect(heardRecordings(trace).at(-1)).toBe('invalid');
});

test('menu takes a key during a retry recording as the next attempt (call rule 4)', () => {
  const trace = runScript(aFlow([aMenu('main')]), 'wait 100ms,9,wait 2300ms,1');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu ignores and notes keys while a final recording plays (call rule 4)', () => {
  const flow = aFlow([
    aMenu('main', { incorrectCount: 0, invalidDestination: 'ivr||other' }),
    aMenu('other', { timeoutTries: 0 }),
  ]);
  const trace = runScript(flow, 'wait 100ms,9,wait 2300ms,1');
  expect(codesOf(trace)).toContain('key-ignored');
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('menu waits its time-out from the end of the prompt, then retries (call rule 5)', () => {
  const trace = runScript(aFlow([aMenu('main')]), 'wait,1');
  expect(trace.steps.find(({ code }) => code === 'timeout-retry')?.atMs).toBe(9_000);
  expect(heardRecordings(trace)).toEqual(['welcome', 'timeout-retry', 'welcome']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu goes to the time-out destination when its retries are used up (call rule 5)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '');
  expect(heardRecordings(trace)).toEqual(['welcome', 'timeout-retry', 'welcome', 'timeout-final']);
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('menu with a time-out of 0 does not wait after its prompt (call rule 5)', () => {
  const trace = runScript(aFlow([aMenu('main', { timeoutSeconds: 0, timeoutTries: 0 })]), '');
  expect(trace.steps.find(({ code }) => code === 'timeout-final')?.atMs).toBe(4_000);
  expect(codesOf(trace)).not.toContain('waiting');
});

test('menu counts keys followed by silence as invalid, not as a time-out (call rule 5)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '9');
  expect(codesOf(trace)).toContain('invalid-retry');
  expect(trace.steps.find(({ code }) => code === 'invalid-retry')?.atMs).toBe(2_500);
});

test('menu counts wrong keys and time-outs apart (call rule 6)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '9,wait,1');
  expect(codesOf(trace)).toEqual(expect.arrayContaining(['invalid-retry', 'timeout-retry']));
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu begins both counters anew at every visit (call rule 6)', () => {
  const menu = aMenu('main', { options: [option('1', 'ivr||main')] });
  const trace = runScript(aFlow([menu]), '9,1,9,1,9,wait 3s,hangup');
  expect(codesOf(trace).filter((code) => code === 'invalid-retry')).toHaveLength(3);
  expect(codesOf(trace)).not.toContain('invalid-final');
});

test('keys typed during an announcement are given to the next menu, whose prompt is skipped', () => {
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), aMenu('main')]);
  const trace = runScript(flow, 'wait 500ms,2', { entry: 'announcement||a' });
  expect(heardRecordings(trace)).toEqual(['notice']);
  expect(trace.heard[0]?.ms, 'the announcement is heard to its end').toBe(3_000);
  expect(trace.outcome.destination).toBe('extension||support');
});

test('keys typed ahead beyond a match are carried into the menu after it', () => {
  const first = aMenu('main', { options: [option('5', 'ivr||second')] });
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), first, aMenu('second')]);
  const trace = runScript(flow, 'wait 100ms,52', { entry: 'announcement||a' });
  expect(trace.outcome.destination).toBe('extension||support');
  expect(codesOf(trace).filter((code) => code === 'keys-typed-ahead')).toHaveLength(2);
});

test('keys typed ahead behind a wrong entry are dropped and noted', () => {
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), aMenu('main')]);
  const trace = runScript(flow, 'wait 100ms,9#1', { entry: 'announcement||a' });
  expect(codesOf(trace)).toContain('keys-dropped');
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('keys typed ahead are dropped where no menu follows', () => {
  const flow = aFlow([anAnnouncement('a', 'extension||sales')]);
  expect(codesOf(runScript(flow, 'wait 100ms,1', { entry: 'announcement||a' }))).toContain('keys-dropped');
});
