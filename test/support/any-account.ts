// Any account: records of every kind with any of their values, which refer to each other and to what does not exist.

import fc from 'fast-check';
import type { AccountRecords } from '../../src/import-export/export-file.ts';
import { sealFor } from '../../src/import-export/testing/import-context.ts';
import type { Agent } from '../../src/kinds/agent.ts';
import type { Announcement } from '../../src/kinds/announcement.ts';
import type { BlockedNumber } from '../../src/kinds/blocked-number.ts';
import type { CallerIdRule } from '../../src/kinds/caller-id-rule.ts';
import type { Contact } from '../../src/kinds/contact.ts';
import type { Department } from '../../src/kinds/department.ts';
import { DEFAULTS } from '../../src/kinds/fields.ts';
import type { Ivr } from '../../src/kinds/ivr.ts';
import type { StoredRecord } from '../../src/kinds/record.ts';
import type { Room } from '../../src/kinds/room.ts';
import type { SmsTemplate } from '../../src/kinds/sms-template.ts';
import type { TimeGroup } from '../../src/kinds/time-group.ts';
import type { Trunk } from '../../src/kinds/trunk.ts';
import type { VoicemailBox } from '../../src/kinds/voicemail-box.ts';
import type { Webhook } from '../../src/kinds/webhook.ts';
import { anyFlowLogic } from './any-flow-logic.ts';

export const stored = <T>(id: string, data: T): StoredRecord<T> => ({
  id,
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  data,
});

/** Names that collide with each other, with ids, and with what we make of them. */
export const oddName = fc.oneof(
  fc.constantFrom('Menu', 'Menu (2)', 'Menu (3)', 'i0', 'd1', 'gone', '|x', 'a||b', ' x ', 'x'.repeat(100)),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => /^\P{Cc}*\S\P{Cc}*$/u.test(text)),
);
/** Names that no id looks like. */
export const plainName = fc.constantFrom(
  'Front',
  'Back',
  'Left',
  'Right',
  'Top',
  'Bottom',
  'Menu one',
  'Menu two',
);

const ID = fc.constantFrom('0', '1', '2');
const destination = fc.oneof(
  ID.map((id) => `ivr||i${id}`),
  ID.map((id) => `department||d${id}`),
  ID.map((id) => `extension||e${id}`),
  ID.map((id) => `timegroup||t${id}`),
  ID.map((id) => `announcement||n${id}`),
  ID.map((id) => `voicemail||v${id}`),
  ID.map((id) => `room||o${id}`),
  ID.map((id) => `collect||l${id}`),
  ID.map((id) => `request||q${id}`),
  ID.map((id) => `stream||b${id}`),
  ID.map((id) => `switch||x${id}`),
  ID.map((id) => `message||m${id}`),
  ID.map((id) => `sip_address||p${id}`),
  fc.constantFrom('ivr||gone', 'department||gone', 'ivr||Menu', 'extension||gone', 'hangup||now'),
);
const recording = fc.constantFrom('recording||r0', 'recording||r1', 'recording||gone');

const ivr = (name: fc.Arbitrary<string>): fc.Arbitrary<Ivr> =>
  fc.record({
    name,
    description: fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0')),
    recording,
    text: fc.constantFrom(null, 'Hello {caller_name}'),
    timeout: fc.nat(600),
    option: fc.constant(['1', '2']),
    destination: fc.array(destination, { minLength: 2, maxLength: 2 }),
    incorrect_count: fc.nat(20),
    invalid_recording: recording,
    invalid_destination: destination,
    timeout_retry_recording: recording,
    timeout_recording: recording,
    timeout_destination: destination,
    timeout_tries: fc.nat(20),
    recording_invalid: fc.option(recording),
    timeout_retries: fc.option(fc.integer({ min: 0, max: 20 })),
    sms_template: fc.constantFrom([], [null, '7'], ['s0', 's1']),
    record_calls: fc.boolean(),
    sensitive: fc.boolean(),
    webhook: fc.constantFrom([], ['webhook||w0', null], ['webhook||w1', 'webhook||gone']),
    option_priority: fc.constantFrom([], [7, null]),
    tests: fc.array(
      fc.record({
        name: fc.constant('a test'),
        script: fc.constant('1'),
        agents: destination.map((ref) => ({ [ref]: 'busy' })),
        last_rung: destination.map((ref) => ({ [ref]: ref })),
        signed_out: destination.map((ref) => ({ [ref]: [ref] })),
        expect: fc.record({ destination, visited: fc.array(destination, { maxLength: 2 }) }),
      }),
      { maxLength: 1 },
    ),
  });

const queue = fc.record({
  queue: fc.boolean(),
  music_on_hold: fc.option(recording),
  announce_position: fc.nat(3_600),
  announce_wait: fc.boolean(),
  announce_recording: fc.option(recording),
  max_wait_seconds: fc.nat(43_200),
  max_waiting: fc.nat(1_000),
  wrapup_seconds: fc.nat(3_600),
  join_when_empty: fc.boolean(),
  exit_key: fc.constantFrom(null, '0', '*'),
  callback_key: fc.constantFrom(null, '5'),
  callback_recording: fc.option(recording),
  callback_hours: fc.constantFrom(null, 'timegroup||t0', 'timegroup||t9'),
});

const department = (name: fc.Arbitrary<string>): fc.Arbitrary<Department> =>
  fc
    .tuple(
      fc.record({
        name,
        description: fc.constant(''),
        agents: fc.uniqueArray(
          ID.map((id) => `e${id}`),
          { maxLength: 2 },
        ),
        strategy: fc.constantFrom('random', 'in_order'),
        ring_seconds: fc.constantFrom(null, 20),
        failover_destination: fc.option(destination),
      }),
      fc.oneof(fc.constant({}), queue),
    )
    .map(([record, line]) => ({ ...DEFAULTS.department, ...record, ...line }));

const agent = (name: fc.Arbitrary<string>, index: number): fc.Arbitrary<Agent> =>
  fc.record({
    name,
    follow_me_number: fc.constantFrom('', '+4930123'),
    eid: fc.constant(`e${index}`),
    intercom: fc.constant(`100${index}`),
    product_clicktocall: fc.constantFrom(0, 1),
    team_id: fc.constantFrom(null, 1, 2, 99),
    timegroup_id: fc.constantFrom(null, 't0', 't1', 't9'),
    custom_status: fc.constantFrom(0, 1),
    failover_destination: fc.option(destination),
    sip: fc.constant({ realm: 'dialtree', md5: '5ec3e7'.padEnd(32, '0'), sha256: '5ec3e7'.padEnd(64, '0') }),
    sip_sha256: fc.boolean(),
    record_calls: fc.boolean(),
    do_not_disturb: fc.boolean(),
    forward_always: fc.option(destination),
    forward_busy: fc.option(destination),
    forward_no_answer: fc.option(destination),
    call_waiting: fc.option(fc.boolean()),
    after_call_destination: fc.option(destination),
  });

const timeGroup = (name: fc.Arbitrary<string>): fc.Arbitrary<TimeGroup> =>
  fc.record({
    name,
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    weekly: fc.constantFrom([], [{ days: ['mon', 'sun'] as const, from: '22:00', to: '06:00' }]),
    exceptions: fc.constantFrom(
      [],
      [{ name: 'x', from: '12-24', to: '12-26', hours: [{ from: '08:00', to: '24:00' }] }],
    ),
    open_destination: fc.option(destination),
    closed_destination: fc.option(destination),
    closed_until: fc.constantFrom(null, '2026-12-24T18:00:00.000Z'),
  });

const announcement = (name: fc.Arbitrary<string>): fc.Arbitrary<Announcement> =>
  fc.record({
    name,
    recording: fc.constantFrom('recording||r0', 'recording||r9'),
    text: fc.constantFrom(null, 'Hello {caller_name}'),
    destination,
  });

const voicemailBox = (name: fc.Arbitrary<string>): fc.Arbitrary<VoicemailBox> =>
  fc.record({
    name,
    greeting: fc.constantFrom(null, 'recording||r0'),
    max_seconds: fc.constant(60),
    silence_seconds: fc.constant(3),
    email: fc.constantFrom(null, 'a@example.com'),
  });

const room = (name: fc.Arbitrary<string>): fc.Arbitrary<Room> =>
  fc.record({
    name,
    pin: fc.constantFrom(null, '4711'),
    host_pin: fc.constant('081500'),
    pin_recording: fc.constantFrom(null, 'recording||r0'),
    wait_for_host: fc.boolean(),
    music_on_hold: fc.constantFrom(null, 'recording||r0'),
    end_with_host: fc.boolean(),
    announce: fc.boolean(),
    max_participants: fc.constant(12),
    record: fc.boolean(),
    failover_destination: fc.option(destination),
  });

const trunk = (id: string): fc.Arbitrary<Trunk> =>
  fc.record({
    // No two trunks share one.
    name: fc.constant(`Trunk ${id}`),
    host: fc.constantFrom('sip.example.com', '192.0.2.1'),
    port: fc.constantFrom(0, 5070),
    transport: fc.constantFrom('udp', 'tls'),
    outbound_proxy: fc.constantFrom(null, 'proxy.example.com:5070'),
    backup_hosts: fc.constantFrom([], ['second.example.com', '[2001:db8::1]:5061']),
    keepalive_seconds: fc.constantFrom(0, 60),
    from_domain: fc.constantFrom(null, 'example.com'),
    from_user: fc.constantFrom('caller_id', 'username'),
    srtp: fc.constantFrom('off', 'offered', 'required'),
    identity_header: fc.constantFrom('none', 'pai', 'ppi', 'rpid'),
    auth_username: fc.constantFrom(null, 'auth'),
    inbound_by_registration: fc.constant(false),
    inbound_format: fc.constantFrom('as_is', 'digits'),
    outbound_format: fc.constantFrom('as_is', 'plus', 'national', '00', 'digits'),
    addresses: fc.constantFrom([], ['192.0.2.0/28']),
    username: fc.constantFrom('user'),
    sealed_password: fc.constantFrom(null, sealFor('trunk', id, '5ec3e7')),
    register: fc.boolean(),
    inbound_numbers: fc.constantFrom([], ['+4930123']),
    outbound_prefixes: fc.constantFrom([], [{ prefix: '+49', strip: 3, add: '0' }]),
    agents_may_call: fc.boolean(),
    caller_id: fc.constantFrom(null, '+4930123'),
    max_calls: fc.constant(7),
    enabled: fc.boolean(),
  });

const smsTemplate = (name: fc.Arbitrary<string>): fc.Arbitrary<SmsTemplate> =>
  fc.record({
    name,
    text: fc.constantFrom('Hello {name}', 'Line\nline'),
    kind: fc.constantFrom('transactional', 'promotional'),
    status: fc.constantFrom('active', 'inactive'),
  });

const SECRET = `whsec_${'5ec3e7'.padEnd(40, '0')}`;
const webhook = (name: fc.Arbitrary<string>, id: string): fc.Arbitrary<Webhook> =>
  fc
    .record({
      name,
      url: fc.constant('https://example.com/hook'),
      events: fc.constantFrom([], ['call.ended'], ['*']),
      status: fc.constantFrom('active', 'paused'),
      sealed_secret: fc.constant(sealFor('webhook', id, SECRET)),
      former: fc.constantFrom(null, {
        sealed_secret: sealFor('webhook', id, SECRET),
        until_ms: 1_800_000_000_000,
      }),
    })
    .map(({ former, ...data }) => (former ? { ...data, former } : data));

const BLOCKED: readonly BlockedNumber[] = [
  { number: '+4930*', anonymous: false, verstat: null, dialled: null, reason: '' },
  { number: '+4930*', anonymous: false, verstat: 'failed', dialled: '100', reason: 'again and again' },
  { number: null, anonymous: true, verstat: null, dialled: null, reason: '' },
  { number: null, anonymous: false, verstat: 'unverified', dialled: null, reason: 'not verified' },
];

const callerIdRule = (name: fc.Arbitrary<string>): fc.Arbitrary<CallerIdRule> =>
  fc.record({
    name,
    priority: fc.nat(3),
    trunk: fc.constantFrom(null, 'trunk||k0', 'trunk||gone'),
    agent: fc.constantFrom(null, 'extension||e0'),
    department: fc.constantFrom(null, 'department||d0'),
    prefix: fc.constantFrom(null, '+49'),
    show: fc.constantFrom('withhold', 'caller', '+4930123'),
  });

const contact = (name: fc.Arbitrary<string>): fc.Arbitrary<Contact> =>
  fc.record({
    name,
    company: fc.constantFrom('', 'Lindqvist Marine'),
    numbers: fc.constantFrom(['+4681234567'], ['100', '+46701234567']),
    email: fc.constantFrom(null, 'mira@lindqvist.example'),
    notes: fc.constantFrom('', 'Two\nlines'),
    priority: fc.nat(100),
  });

const few = <T>(one: fc.Arbitrary<T>, letter: string): fc.Arbitrary<StoredRecord<T>[]> =>
  fc.array(one, { maxLength: 2 }).map((all) => all.map((data, index) => stored(`${letter}${index}`, data)));

const flowLogic = anyFlowLogic(destination);

export const anyAccount = (name: fc.Arbitrary<string>): fc.Arbitrary<AccountRecords> =>
  fc.record({
    ivr: fc
      .array(ivr(name), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((data, index) => stored(`i${index}`, data))),
    department: fc
      .array(department(name), { maxLength: 3 })
      .map((all) => all.map((data, index) => stored(`d${index}`, data))),
    team: fc
      .array(fc.record({ name }), { maxLength: 2 })
      .map((all) => all.map((data, index) => stored(`${index + 1}`, data))),
    agent: fc
      .tuple(agent(name, 0), agent(name, 1))
      .map((all) => all.map((data, index) => stored(`a${index}`, data))),
    recording: fc.constant([
      stored('r0', { ...DEFAULTS.recording, name: 'R', duration_ms: 5, sha256: 'a'.repeat(64) }),
    ]),
    number: destination.map((to) => [
      stored('n0', { number: '100', destination: to, description: 'x', priority: 3 }),
    ]),
    timegroup: few(timeGroup(name), 't'),
    announcement: few(announcement(name), 'n'),
    voicemail: few(voicemailBox(name), 'v'),
    room: few(room(name), 'o'),
    collect: few(flowLogic.collect(name), 'l'),
    request: few(flowLogic.request(name), 'q'),
    stream: few(flowLogic.stream(name), 'b'),
    switch: few(flowLogic.switch(name), 'x'),
    message: few(flowLogic.message(name), 'm'),
    sip_address: few(flowLogic.sipAddress(name), 'p'),
    trunk: fc
      .tuple(trunk('k0'), trunk('k1'))
      .map((all) => all.map((data, index) => stored(`k${index}`, data))),
    sms_template: few(smsTemplate(name), 's'),
    webhook: fc
      .tuple(webhook(name, 'w0'), webhook(name, 'w1'))
      .map((all) => all.map((data, index) => stored(`w${index}`, data))),
    blocked_number: fc
      .subarray([...BLOCKED])
      .map((all) => all.map((data, index) => stored(`b${index}`, data))),
    caller_id_rule: few(callerIdRule(name), 'c'),
    contact: few(contact(name), 'g'),
  });
