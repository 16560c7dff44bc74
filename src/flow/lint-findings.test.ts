// Every finding of the linter in full: code, severity, record, pointer and message.
import { expect, test } from 'vitest';
import { makeFlow } from './flow.ts';
import { lintFlow, lintNode } from './lint.ts';
import {
  aDepartment,
  aFlow,
  aMenu,
  anAgent,
  anAnnouncement,
  aQueue,
  aVoicemail,
  SAMPLE_RECORDINGS,
  someHours,
} from './testing/samples.ts';

const option = (keys: string, destination: string, smsTemplate: string | null = null, webhook?: string) => ({
  keys,
  destination,
  smsTemplate,
  ...(webhook === undefined ? {} : { webhook }),
});
const WORKDAYS = [1, 2, 3, 4, 5];

const BAD = makeFlow({
  nodes: [
    aMenu('main', {
      timeoutSeconds: 0,
      timeoutTries: 1,
      options: [
        option('1', 'extension||blocked', 'gone'),
        option('12', 'extension||silent', 'inactive', 'missing-hook'),
        option('3', 'extension||moved', 'active', 'known-hook'),
        option('4', 'timegroup||nowhere'),
        option('5', 'department||empty'),
        option('6', 'announcement||a'),
        option('7', 'timegroup||half'),
      ],
      timeoutDestination: 'announcement||a',
    }),
    aMenu('quiet', { timeoutSeconds: 0, timeoutTries: 0 }),
    anAgent('blocked', { blocked: true }),
    anAgent('moved', { blocked: true, failover: 'voicemail||a' }),
    anAgent('silent', { intercom: '', followMeNumber: '', hours: 'timegroup||gone' }),
    anAgent('away', { intercom: '', followMeNumber: '4930555', hours: 'ivr||main' }),
    aDepartment('empty', { agents: ['extension||silent', 'extension||gone', 'ivr||main'] }),
    aDepartment('endless', { agents: ['extension||away'], queue: aQueue({ music: 'gone' }) }),
    aDepartment('patient', { agents: ['extension||away'], queue: aQueue({ maxWaitSeconds: 1 }) }),
    aDepartment('handed-on', { agents: ['extension||silent'], failover: 'timegroup||night' }),
    anAnnouncement('a', 'announcement||b', { recording: 'gone' }),
    anAnnouncement('b', 'announcement||a'),
    anAnnouncement('c', 'department||round'),
    aDepartment('round', { agents: ['extension||away'], failover: 'announcement||c' }),
    { kind: 'hang-up', ref: 'hangup||bye', name: 'Bye', recording: 'gone', busy: false },
    aVoicemail('a', { greeting: 'gone' }),
    someHours('half', { openDestination: null, closedDestination: 'voicemail||a' }),
    someHours('other-half', { openDestination: 'voicemail||a', closedDestination: null }),
    someHours('night', { openDestination: 'extension||silent', closedDestination: 'voicemail||a' }),
    someHours('nowhere', { openDestination: 'extension||silent', closedDestination: 'timegroup||nowhere' }),
    someHours('zone', { zone: 'Nowhere/Land', weekly: [{ days: [], from: 1, to: 2 }] }),
    someHours('christmas', {
      weekly: [],
      exceptions: [{ name: 'x', from: '12-24', to: '12-24', ranges: [] }],
    }),
    someHours('once', {
      weekly: [{ days: [], from: 1, to: 2 }],
      exceptions: [{ name: 'x', from: '12-24', to: '12-24', ranges: [{ from: 1, to: 2 }] }],
    }),
    someHours('slip', {
      weekly: [
        { days: WORKDAYS, from: 545, to: 779 },
        { days: [5], from: 780, to: 1_020 },
        { days: [1, 2, 3, 4], from: 794, to: 1_020 },
        { days: [6], from: 700, to: 779 },
        { days: [7], from: 779, to: 779 },
      ],
    }),
    someHours('no-wednesday', { weekly: [{ days: [1, 2, 4, 5], from: 540, to: 1_020 }] }),
    someHours('mornings', { weekly: [{ days: [1, 2, 4], from: 540, to: 1_020 }] }),
  ],
  recordings: SAMPLE_RECORDINGS,
  templates: new Map([
    ['active', { id: 'active', name: 'A', text: 'x', active: true }],
    ['inactive', { id: 'inactive', name: 'B', text: 'x', active: false }],
  ]),
  settings: { smsTemplates: true, webhooks: new Set(['known-hook']), interDigitMs: 1_500 },
});

test('linter finds every fault of a bad flow, and says the same about it as ever', () => {
  const lines = lintFlow(BAD, ['ivr||main']).map(
    ({ code, severity, node, pointer, message }) => `${severity} ${code} ${node} ${pointer}: ${message}`,
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "warning webhook-missing ivr||main /webhook/1: Webhook missing-hook does not exist: no event is sent when the option is chosen.",
      "warning agent-blocked ivr||main /destination/0: Agent blocked is blocked: callers hear an apology and are hung up on.",
      "warning agent-blocked ivr||main /destination/2: Agent moved is blocked: callers go to the failover “Box a” at once.",
      "error dead-end ivr||main /destination/1: No phone can ring at “Agent silent”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error dead-end ivr||main /destination/3: No phone can ring at “Hours nowhere”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error dead-end ivr||main /destination/4: No phone can ring at “Department empty”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error dead-end ivr||main /destination/5: No phone can ring at “Announcement a”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error dead-end ivr||main /timeout_destination: No phone can ring at “Announcement a”, and it leads nowhere: callers hear an apology and are hung up on.",
      "warning option-shadowed ivr||main /option/0: Option 1 begins like option 12: callers who press 1 wait 1.5 s.",
      "warning timeout-zero-retries ivr||main /timeout: The time-out is 0, so the 1 retries play one after the other without waiting.",
      "warning sms-template-missing ivr||main /sms_template/0: SMS template gone does not exist: callers who press 1 are sent no SMS.",
      "warning sms-template-inactive ivr||main /sms_template/1: SMS template inactive is inactive: callers who press 12 are sent no SMS.",
      "error destination-missing ivr||quiet /destination/0: extension||sales does not exist: callers who get there hear an apology and are hung up on.",
      "error destination-missing ivr||quiet /destination/1: extension||support does not exist: callers who get there hear an apology and are hung up on.",
      "error destination-missing extension||silent /timegroup_id: Time group timegroup||gone does not exist: calls are offered at all times.",
      "error dead-end extension||silent : Nobody can be reached at “Agent silent”, and it leads nowhere: callers get a status such as 404, or an apology if their call was answered before.",
      "error destination-missing extension||away /timegroup_id: Time group ivr||main does not exist: calls are offered at all times.",
      "error destination-missing department||empty /agents/1: Agent extension||gone does not exist: the department cannot ring them.",
      "error destination-missing department||empty /agents/2: Agent ivr||main does not exist: the department cannot ring them.",
      "error dead-end department||empty : Nobody can be reached at “Department empty”, and it leads nowhere: callers get a status such as 404, or an apology if their call was answered before.",
      "error recording-missing department||endless /music_on_hold: Recording gone does not exist: callers hear the built-in music instead.",
      "warning queue-endless department||endless /max_wait_seconds: Callers of “Department endless” wait without end while nobody is free: set the longest wait.",
      "error recording-missing announcement||a /recording: Recording gone does not exist: callers hear a short tone instead.",
      "error dead-end announcement||a : Nobody can be reached at “Announcement a”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error loop-without-input announcement||a /destination: A caller who does nothing goes round (“Announcement a” → “Announcement b” → “Announcement a”) and is cut off after 20 hops.",
      "error dead-end announcement||b : Nobody can be reached at “Announcement b”, and it leads nowhere: callers hear an apology and are hung up on.",
      "error loop-without-input announcement||b /destination: A caller who does nothing goes round (“Announcement b” → “Announcement a” → “Announcement b”) and is cut off after 20 hops.",
      "warning loop-without-input announcement||c /destination: A caller who does nothing goes round (“Announcement c” → “Department round” → “Announcement c”) and is cut off after 20 hops.",
      "warning loop-without-input department||round /failover_destination: A caller who does nothing goes round (“Department round” → “Announcement c” → “Department round”) and is cut off after 20 hops.",
      "error recording-missing hangup||bye /recording: Recording gone does not exist: callers hear a short tone instead.",
      "error recording-missing voicemail||a /greeting: Recording gone does not exist: callers hear a short tone instead.",
      "error dead-end timegroup||half /open_destination: “Hours half” has no destination for calls while it is open.",
      "error dead-end timegroup||other-half /closed_destination: “Hours other-half” has no destination for calls while it is closed.",
      "error loop-without-input timegroup||nowhere /closed_destination: A caller who does nothing goes round (“Hours nowhere” → “Hours nowhere”) and is cut off after 20 hops.",
      "error destination-missing timegroup||zone /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "error hours-zone-unknown timegroup||zone /timezone: The time zone Nowhere/Land does not exist: UTC is used.",
      "error hours-never-open timegroup||zone /weekly: “Hours zone” is never open.",
      "error destination-missing timegroup||christmas /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "error hours-never-open timegroup||christmas /weekly: “Hours christmas” is never open.",
      "error destination-missing timegroup||once /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "error destination-missing timegroup||slip /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "warning hours-gap timegroup||slip /weekly/0: “Hours slip” closes at 12:59 and opens again at 13:00: 1 minutes.",
      "error destination-missing timegroup||no-wednesday /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "warning hours-gap timegroup||no-wednesday /weekly: “Hours no-wednesday” is open on every working day but Wednesday.",
      "error destination-missing timegroup||mornings /open_destination: extension||sales does not exist: callers who get there get a status such as 404, or an apology if their call was answered before.",
      "warning menu-unreached ivr||quiet : No dialled number and no other destination leads to the menu “Menu quiet”.",
    ]
  `);
});

test('linter follows a chain as far as a call gets, and no further', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) => anAnnouncement(`${index}`, `announcement||${index + 1}`));
  const found = (length: number, last: string, hopLimit: number) => {
    const nodes = [...chain(length), anAnnouncement(`${length}`, last)];
    return lintNode(
      aFlow(nodes, { hopLimit }),
      anAnnouncement('0', length === 0 ? last : 'announcement||1'),
    ).map(({ code }) => code);
  };
  expect(found(5, 'hangup||', 6)).toEqual([]);
  expect(found(5, 'hangup||', 5)).toEqual(['dead-end']);
  expect(found(5, 'announcement||0', 5)).toContain('loop-without-input');
  expect(found(5, 'announcement||0', 4)).not.toContain('loop-without-input');
});
