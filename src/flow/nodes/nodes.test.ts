import { expect, test } from 'vitest';
import { type Action, type CallEvent, NEW_CALL } from '../call-state.ts';
import { heardRecordings } from '../expect.ts';
import type { HangUpNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import { step } from '../step.ts';
import { aDepartment, aFlow, anAnnouncement, aVoicemail, someHours } from '../testing/samples.ts';
import { LONGEST_INPUT } from './menu.ts';

test('announcement plays to its end, then the call goes on', () => {
  const trace = simulate(aFlow([anAnnouncement('a', 'extension||sales')]), { entry: 'announcement||a' });
  expect(heardRecordings(trace)).toEqual(['notice']);
  expect(trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
});

test('hours lead one way when open and the other when closed', () => {
  const flow = aFlow([someHours('week')]);
  const at = (epochMs: number) => simulate(flow, { entry: 'timegroup||week', epochMs }).outcome.destination;
  expect(at(Date.UTC(2026, 0, 5, 10))).toBe('extension||sales');
  expect(at(Date.UTC(2026, 0, 5, 20))).toBe('hangup||closed');
});

test('hours go by the time at which the call comes to them, and the trail says which way and why', () => {
  const flow = aFlow([anAnnouncement('late', 'timegroup||week'), someHours('week')]);
  // The announcement takes 3 s; the hours end at 17:00 in Berlin.
  const stepOf = (entry: string) =>
    simulate(flow, { entry, epochMs: Date.UTC(2026, 0, 5, 15, 59, 58) }).steps.find(({ code }) =>
      code.startsWith('hours-'),
    );
  expect(stepOf('timegroup||week')).toMatchObject({
    code: 'hours-open',
    destination: 'extension||sales',
    text: '“Hours week” is open (by the week, Europe/Berlin).',
  });
  expect(stepOf('announcement||late')).toMatchObject({
    code: 'hours-closed',
    destination: 'hangup||closed',
    text: '“Hours week” is closed (by the week, Europe/Berlin).',
  });
});

test('announcement keeps LONGEST_INPUT keys for the next menu and ignores more', () => {
  const flow = aFlow([anAnnouncement('a', 'voicemail||box'), aVoicemail('box')]);
  const entry = 'announcement||a';
  let { state } = step(flow, NEW_CALL, {
    type: 'call-started',
    atMs: 0,
    entry,
    epochMs: 0,
    seed: 1,
    caller: null,
  });
  const codes: string[] = [];
  for (let atMs = 1; atMs <= LONGEST_INPUT + 2; atMs++) {
    const next = step(flow, state, { type: 'key-pressed', atMs, key: '1' });
    state = next.state;
    codes.push(...next.actions.flatMap((action) => (action.type === 'note' ? action.entry.code : [])));
  }
  const count = (code: string) => codes.filter((each) => each === code).length;
  expect([count('key-kept'), count('key-ignored')]).toEqual([LONGEST_INPUT, 2]);
  expect(state.typedAhead).toBe('1'.repeat(LONGEST_INPUT));
});

test('a number takes no keys that were typed ahead, and the trail says so', () => {
  const number = {
    kind: 'number',
    ref: 'number||4930',
    name: '4930',
    number: '4930',
    ringSeconds: 5,
    failover: null,
  } as const;
  const flow = aFlow([anAnnouncement('a', 'number||4930'), number]);
  const trace = simulate(flow, {
    entry: 'announcement||a',
    script: [
      { do: 'wait', ms: 100 },
      { do: 'press', keys: '7' },
    ],
  });
  expect(trace.steps.find(({ code }) => code === 'keys-dropped')).toMatchObject({
    node: 'number||4930',
    keys: '7',
  });
});

test('a voicemail box takes no keys that were typed ahead, and the trail says so', () => {
  const flow = aFlow([anAnnouncement('a', 'voicemail||box'), aVoicemail('box')]);
  const script = [
    { do: 'wait', ms: 100 },
    { do: 'press', keys: '7' },
  ] as const;
  const trace = simulate(flow, { entry: 'announcement||a', script });
  expect(trace.steps.find(({ code }) => code === 'keys-dropped')).toMatchObject({
    node: 'voicemail||box',
    keys: '7',
  });
});

test('department stops waiting for the directory when it answers, and says so when it does not', () => {
  const flow = aFlow([aDepartment('d', { strategy: 'round_robin' })]);
  const started = step(flow, NEW_CALL, {
    type: 'call-started',
    atMs: 0,
    entry: 'department||d',
    epochMs: 0,
    seed: 1,
    caller: null,
  });
  const { phase, timers } = started.state;
  const request = phase.name === 'looking-up' ? phase.request : 0;
  const answered = step(flow, started.state, {
    type: 'directory-told',
    atMs: 10,
    request,
    idleSince: {},
    lastRung: null,
  });
  expect(answered.actions).toContainEqual({
    type: 'stop-timer',
    timer: 'directory',
    generation: timers.directory,
  });
  const late = step(flow, started.state, {
    type: 'timer-expired',
    atMs: 5_000,
    timer: 'directory',
    generation: timers.directory,
  });
  expect(late.actions.flatMap((action) => (action.type === 'note' ? action.entry.code : []))).toContain(
    'directory-silent',
  );
  expect(late.state.phase.name).toBe('ringing');
});

test('apology is the built-in one where its recording does not exist', () => {
  const apology = (apologyRecording: string | null) =>
    simulate(aFlow([], { apologyRecording, failedCalls: 'answer' }), { entry: 'ivr||gone' }).heard.map(
      ({ sound }) => sound,
    );
  const builtIn = [{ kind: 'system', prompt: 'apology' }];
  expect(apology('notice')).toEqual([{ kind: 'recording', id: 'notice' }]);
  expect([apology('gone'), apology(null)]).toEqual([builtIn, builtIn]);
});

test('a caller who hangs up during an apology has hung up', () => {
  const hangUp = (entry: string, ms: number) =>
    simulate(aFlow([aVoicemail('box')], { failedCalls: 'answer' }), {
      entry,
      script: [{ do: 'wait', ms }, { do: 'hang-up' }],
    }).outcome.reason;
  expect(hangUp('ivr||gone', 100)).toBe('caller-hung-up');
});

test('hours without a destination end in an apology, not in silence', () => {
  const flow = aFlow([someHours('week', { openDestination: null })]);
  const trace = simulate(flow, { entry: 'timegroup||week' });
  expect(trace.outcome).toMatchObject({ reason: 'destination-missing', destination: 'timegroup||week' });
});

test('hours name the holiday that closed them', () => {
  const exceptions = [{ name: 'Epiphany', from: '01-05', to: '01-06', ranges: [] }];
  const trace = simulate(aFlow([someHours('week', { exceptions })]), { entry: 'timegroup||week' });
  expect(trace.steps.find(({ code }) => code === 'hours-closed')?.text).toContain('Epiphany');
});

test('voicemail greets, records and confirms', () => {
  const trace = simulate(aFlow([aVoicemail('box')]), { entry: 'voicemail||box' });
  expect(trace.heard.map(({ sound }) => sound)).toEqual([
    { kind: 'system', prompt: 'voicemail-greeting' },
    { kind: 'system', prompt: 'message-saved' },
  ]);
  expect(trace.outcome).toMatchObject({ kind: 'voicemail', reason: 'voicemail-left', cause: 16 });
});

test('voicemail skips its greeting and stops recording at #, and ignores other keys', () => {
  const trace = simulate(aFlow([aVoicemail('box', { greeting: 'notice' })]), {
    entry: 'voicemail||box',
    script: [
      { do: 'wait', ms: 1_000 },
      { do: 'press', keys: '5#' },
      { do: 'wait', ms: 2_000 },
      { do: 'press', keys: '#' },
    ],
  });
  expect(trace.heard[0]).toMatchObject({ ms: 1_200, sound: { id: 'notice' } });
  expect(trace.steps.find(({ code }) => code === 'voicemail-saved')?.atMs).toBe(3_200);
  expect(trace.steps.map(({ code }) => code)).toContain('key-ignored');
});

test.each([5_000, 9_000])('voicemail keeps the message of a caller who hangs up after %i ms', (ms) => {
  const trace = simulate(aFlow([aVoicemail('box')]), {
    entry: 'voicemail||box',
    script: [{ do: 'wait', ms }, { do: 'hang-up' }],
  });
  expect(trace.outcome).toMatchObject({ kind: 'voicemail', destination: 'voicemail||box' });
});

test('voicemail sets when the recorder stops, and keeps no message in which nothing was said', () => {
  const flow = aFlow([aVoicemail('box', { silenceSeconds: 4, maxSeconds: 90 })]);
  const events: CallEvent[] = [
    { type: 'call-started', atMs: 0, entry: 'voicemail||box', epochMs: 0, seed: 1, caller: null },
    { type: 'key-pressed', atMs: 10, key: '#' },
  ];
  let state = NEW_CALL;
  let actions: readonly Action[] = [];
  for (const event of events) ({ state, actions } = step(flow, state, event));
  const record = actions.find(({ type }) => type === 'record-voicemail');
  expect(record).toMatchObject({ mailbox: 'box', maxMs: 90_000, silenceMs: 4_000 });
  const request = record?.type === 'record-voicemail' ? record.request : 0;
  const end = step(flow, state, { type: 'voicemail-recorded', atMs: 20, request, saved: false, empty: true });
  expect(end.actions.at(-1)).toMatchObject({ type: 'hang-up', end: { code: 'voicemail-empty', cause: 16 } });
});

test('voicemail gives the recorder five seconds beyond the longest message, and as long after #', () => {
  const flow = aFlow([aVoicemail('box', { maxSeconds: 90 })]);
  const events: CallEvent[] = [
    { type: 'call-started', atMs: 0, entry: 'voicemail||box', epochMs: 0, seed: 1, caller: null },
    { type: 'key-pressed', atMs: 10, key: '#' },
    { type: 'key-pressed', atMs: 20, key: '#' },
  ];
  const waits: number[] = [];
  let state = NEW_CALL;
  for (const event of events) {
    const next = step(flow, state, event);
    state = next.state;
    for (const action of next.actions)
      if (action.type === 'start-timer' && action.timer === 'voicemail') waits.push(action.ms);
  }
  expect(waits).toEqual([95_000, 5_000]);
});

test('voicemail apologises to the caller of a full box, and the reason is written', () => {
  const flow = aFlow([aVoicemail('box')]);
  const events: CallEvent[] = [
    { type: 'call-started', atMs: 0, entry: 'voicemail||box', epochMs: 0, seed: 1, caller: null },
    { type: 'key-pressed', atMs: 10, key: '#' },
  ];
  let state = NEW_CALL;
  for (const event of events) ({ state } = step(flow, state, event));
  const request = state.phase.name === 'recording' ? state.phase.request : 0;
  const { state: told, actions } = step(flow, state, {
    type: 'voicemail-recorded',
    atMs: 20,
    request,
    saved: false,
    full: true,
  });
  expect(told.phase).toMatchObject({ name: 'hang-up', end: 'voicemail-full' });
  expect(actions.map((action) => (action.type === 'note' ? action.entry.code : action.type))).toEqual(
    expect.arrayContaining(['voicemail-full', 'apology', 'play']),
  );
});

test('hang-up says goodbye if it has a recording, and reports busy to the network if asked', () => {
  const goodbye: HangUpNode = {
    kind: 'hang-up',
    ref: 'hangup||bye',
    name: 'Bye',
    recording: 'notice',
    busy: false,
  };
  expect(heardRecordings(simulate(aFlow([goodbye]), { entry: 'hangup||bye' }))).toEqual(['notice']);
  expect(simulate(aFlow([]), { entry: 'hangup||busy' }).outcome).toMatchObject({ cause: 17 });
  expect(simulate(aFlow([]), { entry: 'hangup||' }).outcome).toMatchObject({ cause: 16 });
});
