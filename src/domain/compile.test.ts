// Which member of a record becomes which part of its node: each has a value of its own. What calls do with a node is tested in src/flow.

import { expect, test } from 'vitest';
import type { Agent } from '../kinds/agent.ts';
import type { Collect } from '../kinds/collect.ts';
import type { Department } from '../kinds/department.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import {
  agentNode,
  announcementNode,
  collectNode,
  departmentNode,
  menuNode,
  messageNode,
  requestNode,
  switchNode,
  voicemailNode,
} from '../kinds/nodes.ts';
import { DEFAULT_SETTINGS } from './account.ts';
import { flowSettings, flowTemplates } from './compile.ts';

const MENU: Ivr = {
  ...DEFAULTS.ivr,
  name: 'Main',
  description: 'not for calls',
  recording: 'recording||welcome',
  timeout: 7,
  option: ['1', '12'],
  destination: ['ivr||one', 'ivr||twelve'],
  incorrect_count: 2,
  invalid_recording: 'recording||invalid',
  invalid_destination: 'ivr||lost',
  timeout_retry_recording: 'recording||retry',
  timeout_recording: 'recording||late',
  timeout_destination: 'ivr||late',
  timeout_tries: 3,
};

const AGENT: Agent = {
  ...DEFAULTS.agent,
  name: 'Ann',
  eid: '91001',
  intercom: '1001',
  sip: { realm: 'r', md5: 'm', sha256: 's' },
};

const DEPARTMENT: Department = { ...DEFAULTS.department, name: 'Sales', agents: ['91001', '91002'] };

test('a menu', () => {
  const node = {
    kind: 'menu',
    ref: 'ivr||main',
    name: 'Main',
    recording: 'welcome',
    timeoutSeconds: 7,
    options: [
      { keys: '1', destination: 'ivr||one', smsTemplate: null },
      { keys: '12', destination: 'ivr||twelve', smsTemplate: null },
    ],
    incorrectCount: 2,
    invalidRecording: 'invalid',
    recordingInvalid: null,
    invalidDestination: 'ivr||lost',
    timeoutRetryRecording: 'retry',
    timeoutRecording: 'late',
    timeoutDestination: 'ivr||late',
    timeoutTries: 3,
    recordCalls: false,
    sensitive: false,
  };
  expect(menuNode('main', MENU)).toEqual(node);
  const more = {
    text: 'Press 1',
    recording_invalid: 'recording||final',
    sms_template: [null, 't2'],
    webhook: ['webhook||w1', null],
    option_priority: [null, 50],
    record_calls: true,
    sensitive: true,
  };
  expect(menuNode('main', { ...MENU, ...more })).toEqual({
    ...node,
    text: 'Press 1',
    options: [
      { keys: '1', destination: 'ivr||one', smsTemplate: null, webhook: 'w1' },
      { keys: '12', destination: 'ivr||twelve', smsTemplate: 't2', priority: 50 },
    ],
    recordingInvalid: 'final',
    recordCalls: true,
    sensitive: true,
  });
});

test('an agent', () => {
  const node = {
    kind: 'agent',
    ref: 'extension||91001',
    eid: '91001',
    name: 'Ann',
    intercom: '1001',
    followMeNumber: null,
    blocked: false,
    hours: null,
    failover: null,
  };
  expect(agentNode(AGENT)).toEqual(node);
  const more = {
    follow_me_number: '+4930',
    custom_status: 1 as const,
    timegroup_id: 'week',
    failover_destination: 'ivr||failover',
    after_call_destination: 'ivr||after',
    do_not_disturb: true,
    forward_always: 'ivr||always',
    forward_busy: 'ivr||busy',
    forward_no_answer: 'ivr||no-answer',
  };
  expect(agentNode({ ...AGENT, ...more })).toEqual({
    ...node,
    followMeNumber: '+4930',
    blocked: true,
    hours: 'timegroup||week',
    failover: 'ivr||failover',
    afterCall: 'ivr||after',
    doNotDisturb: true,
    forwards: { always: 'ivr||always', busy: 'ivr||busy', noAnswer: 'ivr||no-answer' },
  });
});

test('a department', () => {
  const node = {
    kind: 'department',
    ref: 'department||sales',
    name: 'Sales',
    agents: ['extension||91001', 'extension||91002'],
    strategy: 'simultaneous',
    ringSeconds: null,
    failover: null,
    queue: null,
  };
  expect(departmentNode('sales', DEPARTMENT)).toEqual(node);
  const more = {
    strategy: 'round_robin',
    ring_seconds: 9,
    failover_destination: 'ivr||failover',
    music_on_hold: 'recording||music',
    agent_levels: { '91002': 2 },
    priority: 4,
    ring_together: 3,
    after_call_destination: 'ivr||after',
  } as const;
  expect(departmentNode('sales', { ...DEPARTMENT, ...more })).toEqual({
    ...node,
    strategy: 'round_robin',
    ringSeconds: 9,
    failover: 'ivr||failover',
    holdMusic: 'music',
    levels: { 'extension||91002': 2 },
    priority: 4,
    together: 3,
    afterCall: 'ivr||after',
  });
});

test('the queue of a department', () => {
  const { queue: plain } = departmentNode('sales', {
    ...DEPARTMENT,
    queue: true,
    announce_position: 11,
    max_wait_seconds: 12,
    max_waiting: 13,
    wrapup_seconds: 14,
    join_when_empty: true,
    exit_key: '0',
  });
  const rules = {
    music: null,
    announceSeconds: 11,
    maxWaitSeconds: 12,
    maxWaiting: 13,
    wrapupSeconds: 14,
    joinWhenEmpty: true,
    exitKey: '0',
  };
  expect(plain).toEqual(rules);
  const { queue } = departmentNode('sales', {
    ...DEPARTMENT,
    queue: true,
    music_on_hold: 'recording||music',
    announce_wait: true,
    announce_recording: 'recording||message',
    announce_recording_seconds: 15,
    full_destination: 'ivr||full',
    timeout_destination: 'ivr||late',
    callback_key: '5',
    callback_offer_seconds: 16,
    callback_recording: 'recording||offer',
    callback_first: 'caller',
    callback_attempts: 17,
    callback_pause_seconds: 18,
    callback_hours: 'timegroup||week',
    callbacks_per_hour: 19,
  });
  expect(queue).toMatchObject({
    music: 'music',
    exitKey: null,
    joinWhenEmpty: false,
    announceWait: true,
    message: { recording: 'message', seconds: 15 },
    fullDestination: 'ivr||full',
    timeoutDestination: 'ivr||late',
    callback: {
      key: '5',
      offerSeconds: 16,
      recording: 'offer',
      first: 'caller',
      attempts: 17,
      pauseSeconds: 18,
      hours: 'timegroup||week',
      perHour: 19,
    },
  });
});

test('an announcement and a voicemail box', () => {
  const announcement = { name: 'Law', recording: 'recording||notice', text: null, destination: 'ivr||main' };
  const node = { kind: 'announcement', ref: 'announcement||a', name: 'Law', recording: 'notice' };
  expect(announcementNode('a', announcement)).toEqual({ ...node, next: 'ivr||main' });
  const spoken = { ...announcement, recording: null, text: 'Hello' };
  expect(announcementNode('a', spoken)).toMatchObject({ recording: null, text: 'Hello' });
  const box = { name: 'Box', greeting: 'recording||hi', max_seconds: 60, silence_seconds: 4, email: 'a@b.c' };
  expect(voicemailNode('b', box)).toEqual({
    kind: 'voicemail',
    ref: 'voicemail||b',
    name: 'Box',
    mailbox: 'b',
    greeting: 'hi',
    maxSeconds: 60,
    silenceSeconds: 4,
    mailed: true,
  });
  expect(voicemailNode('b', { ...box, greeting: null, email: null })).toMatchObject({
    greeting: null,
    mailed: false,
  });
});

test('what asks for digits', () => {
  const collect: Collect = {
    ...DEFAULTS.collect,
    name: 'Order',
    recording: 'recording||question',
    min_digits: 3,
    max_digits: 6,
    finish_key: '*',
    timeout: 8,
    allowed: ['1234', 'length:6', 'prefix:49'],
    attempts: 2,
    invalid_recording: 'recording||invalid',
    timeout_recording: 'recording||late',
    confirm: true,
    save_as: 'order',
    sensitive: true,
    next_destination: 'ivr||next',
    failed_destination: 'ivr||failed',
  };
  expect(collectNode('c', collect)).toEqual({
    kind: 'collect',
    ref: 'collect||c',
    name: 'Order',
    recording: 'question',
    minDigits: 3,
    maxDigits: 6,
    finishKey: '*',
    timeoutSeconds: 8,
    allowed: [{ value: '1234' }, { length: 6 }, { prefix: '49' }],
    attempts: 2,
    invalidRecording: 'invalid',
    timeoutRecording: 'late',
    confirm: true,
    saveAs: 'order',
    sensitive: true,
    next: 'ivr||next',
    failed: 'ivr||failed',
  });
});

test('what asks a server, decides and sends', () => {
  const request = {
    name: 'Ask',
    description: '',
    url: 'https://example.com/{order}',
    method: 'GET' as const,
    body: { order: '{order}' },
    sealed_secret: 'sealed',
    timeout_ms: 1_500,
    save: [{ variable: 'state', pointer: '/state' }],
    choices: [{ answer: 'yes', destination: 'ivr||yes' }],
    wait_recording: 'recording||wait',
    next_destination: 'ivr||next',
    failed_destination: 'ivr||failed',
  };
  expect(requestNode('r', request)).toEqual({
    kind: 'request',
    ref: 'request||r',
    name: 'Ask',
    method: 'GET',
    url: 'https://example.com/{order}',
    body: [{ name: 'order', value: '{order}' }],
    timeoutMs: 1_500,
    save: [{ variable: 'state', pointer: '/state' }],
    choices: [{ answer: 'yes', destination: 'ivr||yes' }],
    waitRecording: 'wait',
    sealedSecret: 'sealed',
    next: 'ivr||next',
    failed: 'ivr||failed',
  });
  const rules = [
    { variable: 'caller', operator: 'starts_with', value: '555', destination: 'ivr||a' },
  ] as const;
  const set = [{ variable: 'language', value: 'en' }];
  const by = { name: 'By caller', description: '', set, rules, otherwise_destination: 'ivr||other' };
  expect(switchNode('s', by)).toEqual({
    kind: 'switch',
    ref: 'switch||s',
    name: 'By caller',
    set,
    rules,
    otherwise: 'ivr||other',
  });
  const message = {
    name: 'Text',
    description: '',
    sms_template: 't1',
    to: '{n}',
    next_destination: 'ivr||n',
  };
  expect(messageNode('m', message)).toEqual({
    kind: 'message',
    ref: 'message||m',
    name: 'Text',
    smsTemplate: 't1',
    to: '{n}',
    next: 'ivr||n',
  });
});

test('settings and templates', () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    sms_templates: true,
    ring_seconds: 9,
    failed_calls: 'announce' as const,
  };
  expect(flowSettings(settings)).toEqual({ smsTemplates: true, ringSeconds: 9, failedCalls: 'announce' });
  const template = { name: 'Way', text: 'Turn left', kind: 'transactional', status: 'active' } as const;
  const templates = [
    { id: 't1', data: template },
    { id: 't2', data: { ...template, status: 'inactive' as const } },
  ];
  expect([...flowTemplates(templates as never).values()]).toEqual([
    { id: 't1', name: 'Way', text: 'Turn left', active: true },
    { id: 't2', name: 'Way', text: 'Turn left', active: false },
  ]);
});
