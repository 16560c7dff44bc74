// A menu as the specification has it, in our one form: references as `kind||id`, counts as numbers, keys as text.

import { EXPECTED_MEMBERS, readTestCase } from '../flow/expect.ts';
import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import {
  digitsOf,
  type Field,
  inputSchema,
  type JsonSchema,
  listOf,
  named,
  type OptionalField,
  oneOf,
  optional,
  pattern,
  shown,
  text,
  wholeNumber,
} from './field.ts';
import { KINDS } from './kinds.ts';
import { Faults } from './problem.ts';
import { isId, referenceText, splitReference } from './reference.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { SCENARIO_FIELDS } from './scenario.ts';
import { SPOKEN } from './shared-meanings.ts';
import { SPOKEN_TEXT } from './spoken-text.ts';

/** All of them run when the menu is changed, on the thread that serves requests. */
export const MAX_TESTS = 20;

const optionKeys = pattern(/^[0-9*#]{1,6}$/, '1 to 6 keys out of 0-9, * and #', { code: 'option_malformed' });

/** An id as text or number; "", "0", 0 and null are none. */
const smsTemplate: Field<string | null> = {
  input: {
    anyOf: [
      { type: 'string', pattern: '^[A-Za-z0-9._-]{0,64}$' },
      { type: 'integer', minimum: 0 },
      { type: 'null' },
    ],
    description: 'the id of an SMS template; "", "0", 0 or null is none',
  },
  output: { type: ['string', 'null'] },
  samples: ['7', null],
  read(value, at, faults) {
    if (value === null || value === '' || value === '0' || value === 0) return null;
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    faults.add(
      at,
      'sms_template_malformed',
      `${named(at)} must be the id of an SMS template; it was ${shown(value)}.`,
    );
    return undefined;
  },
};

const priority = wholeNumber(0, 100);
const optionPriority: Field<number | null> = {
  input: {
    anyOf: [priority.input, { type: 'null' }],
    description: 'the priority in queues of callers who choose this option, 0 to 100; null is none',
  },
  output: { anyOf: [priority.output, { type: 'null' }] },
  samples: [null, 50],
  read: (value, at, faults) => (value === null ? null : priority.read(value, at, faults)),
};

/** `webhook||<id>`, `webhook|<id>` or the bare id; "" and null are none. */
const optionWebhook: Field<string | null> = {
  input: {
    anyOf: [{ type: 'string', pattern: '^(webhook\\|\\|?)?[A-Za-z0-9._-]{0,64}$' }, { type: 'null' }],
    description: 'the webhook that is told when this option is chosen; "" or null is none',
  },
  output: { type: ['string', 'null'] },
  samples: [null, 'webhook||w1'],
  read(value, at, faults) {
    if (value === null || value === '') return null;
    const { kind, id } = typeof value === 'string' ? splitReference(value) : { kind: '', id: '' };
    const bare = typeof value === 'string' && isId(value);
    if (bare || (kind === 'webhook' && isId(id))) return referenceText('webhook', bare ? String(value) : id);
    const form = 'webhook||<id>, where the id is 1 to 64 letters, digits, ".", "_" or "-"';
    faults.add(at, 'webhook_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

const tries = wholeNumber(0, 20);

/** Absent from the specification's table, and tolerated by it: what their usable values are. */
export const TOLERATED_FIELDS = { recording_invalid: recording(), timeout_retries: tries } as const;

/** The specification tolerates it, whatever its value: one that cannot be used counts as not sent. */
export function tolerated<T>(field: Field<T>, description: string): OptionalField<T | null> {
  return {
    ...optional(field, null),
    input: {
      ...optional(field, null).input,
      description: `${description}; a value that cannot be used is ignored`,
    },
    read(value, at) {
      const faults = new Faults();
      const read = field.read(value, at, faults);
      return faults.list.length > 0 ? null : (read ?? null);
    },
  };
}

const { properties: scenario } = inputSchema(SCENARIO_FIELDS) as { properties: Record<string, JsonSchema> };
const expectation = Object.fromEntries(EXPECTED_MEMBERS.map((name) => [name, {}]));
const TEST: Record<string, JsonSchema> = {
  name: { type: 'string' },
  ...scenario,
  expect: { type: 'object', properties: expectation },
};

/** A call and what must come of it. Kept as it was sent, without members that mean nothing. */
const testCase: Field<StoredTest> = {
  input: {
    type: 'object',
    properties: TEST,
    required: ['name', 'expect'],
    description: 'a test: a scenario, a name, and what must come of it (docs/call-flow.md)',
  },
  output: { type: 'object' },
  samples: [
    {
      name: 'the first key',
      script: '1',
      agents: { 'extension||100001': 'busy' },
      expect: { visited: ['ivr||main', 'department||sales'] },
    },
  ],
  read(value, at, faults) {
    const reading = readTestCase(value);
    if (!reading.ok) {
      for (const { pointer, message } of reading.faults) faults.add(at + pointer, 'test_malformed', message);
      return undefined;
    }
    const given = value as StoredTest;
    return Object.fromEntries(
      Object.keys(TEST).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    );
  },
};

export const ivrRecord = defineRecord(KINDS.ivr, {
  fields: {
    name: NAME,
    description: text({ min: 0, max: 1000, controls: 'allowed' }),
    recording: recording(),
    timeout: wholeNumber(0, 600, 'seconds'),
    option: listOf(optionKeys, { min: 1, max: 50, of: 'keys' }),
    destination: listOf(DESTINATION, { min: 1, max: 50, of: 'destinations' }),
    incorrect_count: tries,
    invalid_recording: recording(),
    invalid_destination: DESTINATION,
    timeout_retry_recording: recording(),
    timeout_recording: recording(),
    timeout_destination: DESTINATION,
    timeout_tries: tries,
    recording_invalid: tolerated(
      TOLERATED_FIELDS.recording_invalid,
      'played before invalid_destination instead of invalid_recording',
    ),
    timeout_retries: tolerated(
      TOLERATED_FIELDS.timeout_retries,
      'stored, and without effect: timeout_tries is what counts',
    ),
    sms_template: optional(listOf(smsTemplate, { min: 0, max: 50, of: 'SMS templates' }), []),
    record_calls: optional(
      oneOf([true, false], 'record calls that come through here, once they are connected'),
      false,
    ),
    sensitive: optional(
      oneOf(
        [true, false],
        'hide the keys that are pressed here, such as a PIN, in records, webhooks and live events',
      ),
      false,
    ),
    webhook: optional(listOf(optionWebhook, { min: 0, max: 50, of: 'webhooks' }), []),
    option_priority: optional(listOf(optionPriority, { min: 0, max: 50, of: 'priorities' }), []),
    text: SPOKEN_TEXT,
    tests: optional(listOf(testCase, { min: 0, max: MAX_TESTS, of: 'tests' }), []),
  },
  means: {
    name: 'The name of the menu, as console, records and SMS show it. Two menus may have the same name.',
    description: 'A note for people who configure the menu. Callers do not hear it.',
    recording:
      'The prompt that callers hear first and again at each retry. Keys count from its first moment on and stop it.',
    text: SPOKEN,
    timeout:
      'Seconds to wait for the first key after the prompt has ended. Example: with 5, silence for 5 s counts as one time-out; 0 does not wait.',
    option:
      'The keys that callers may press. Example: `["1", "2", "01"]`. Item *i* leads to item *i* of `destination`. No two may be the same.',
    destination:
      'Where each option leads, in the order of `option`. Example: `["extension||100001", "department||support"]`.',
    incorrect_count:
      'How many wrong entries are forgiven. Each of them plays `invalid_recording` and then the menu again; the next one leads to `invalid_destination`. Example: with 2, the third wrong entry ends the menu; with 0, the first.',
    invalid_recording: 'The prompt after a wrong entry that is forgiven, before the menu is played again.',
    invalid_destination: 'Where the call goes after more wrong entries than `incorrect_count`.',
    timeout_retry_recording: 'The prompt after silence that is forgiven, before the menu is played again.',
    timeout_recording: 'The prompt after the last silence, before the call goes to `timeout_destination`.',
    timeout_destination: 'Where the call goes after more silences than `timeout_tries`.',
    timeout_tries:
      'How often silence is forgiven. Each time plays `timeout_retry_recording` and then the menu again; the next silence leads to `timeout_destination`. Example: with 1, the second silence ends the menu.',
    timeout_retries: 'Accepted for clients that send it, and stored without effect: `timeout_tries` counts.',
    recording_invalid:
      'The prompt after the last wrong entry, before the call goes to `invalid_destination`. Null: `invalid_recording` is played there too.',
    sms_template:
      'The id of the SMS template that a caller is sent who chooses an option, in the order of `option`. Sent only where the setting `sms_templates` is on.',
    record_calls: 'Whether calls that come through this menu are recorded once two sides are connected.',
    sensitive:
      'Whether keys that are pressed here, such as a PIN, are hidden in records, webhooks and live events.',
    option_priority:
      'The priority in queues, from 0 to 100, of callers who choose an option, in the order of `option`: it replaces the one that they had. Null: they keep it.',
    webhook: 'The webhook that receives `call.option` when an option is chosen, in the order of `option`.',
    tests: 'Tests of the menu. A change is refused with 409 `tests_failed` while one of them fails.',
    'tests[].name': 'The name of the test, for messages.',
    'tests[].expect': 'What must come of the call. What is not named here may be anything.',
    'tests[].expect.outcome': 'What must end the call: the `outcome.kind` of a trace.',
    'tests[].expect.destination': 'Where the call must end, such as `department||sales`.',
    'tests[].expect.reason': 'Why the call must end, as a stable word such as `no-answer`.',
    'tests[].expect.cause': 'The ITU-T Q.850 cause that the call must end with.',
    'tests[].expect.heard':
      'Recordings that the caller must hear, in this order; others may lie between them.',
    'tests[].expect.visited':
      'Destinations that the call must come to, in this order; others may lie between them.',
    'tests[].expect.variables':
      'Variables that the call must have at its end, by name. One that is not set is empty.',
    'tests[].expect.sms': 'The SMS templates that must be sent: all of them, in order.',
    'tests[].expect.within_ms': 'How long the call may last at most, in milliseconds.',
    'tests[].at':
      'The moment at which the call begins, for time groups. Without it: Monday, 5 January 2026, 10:00 UTC, so that a test says the same each day.',
    warnings: 'What the linter says of the menu.',
  },
  example: {
    name: 'Main menu',
    description: 'What callers hear first',
    recording: 'recording||welcome',
    timeout: 5,
    option: [1, 2],
    destination: ['extension||100001', 'department||support'],
    incorrect_count: '2',
    invalid_recording: 'recording||invalid',
    invalid_destination: 'extension||100001',
    timeout_retry_recording: 'recording||still-there',
    timeout_recording: 'recording||connecting',
    timeout_destination: 'extension||100002',
    timeout_tries: 1,
    sms_template: [],
  },
  check(ivr, faults) {
    // A list that was refused is not there, whatever its type says.
    if (ivr.option && ivr.destination)
      checkIvr(
        {
          ...ivr,
          sms_template: ivr.sms_template ?? [],
          webhook: ivr.webhook ?? [],
          option_priority: ivr.option_priority ?? [],
        },
        faults,
      );
  },
});

export type Ivr = DataOf<typeof ivrRecord>;

/** A test case as flow/expect.ts reads it. */
export type StoredTest = { readonly [member: string]: unknown };

/** What no single field can know. */
function checkIvr(ivr: Ivr, faults: Faults): void {
  const { option, destination, sms_template: sms, webhook, option_priority: priority } = ivr;
  if (option.length !== destination.length) {
    faults.add(
      '/destination',
      'destination_count_differs',
      `option has ${option.length} items and destination has ${destination.length}; item i of destination belongs to item i of option.`,
    );
  }
  if (sms.length > option.length) {
    faults.add(
      '/sms_template',
      'sms_template_too_many',
      `sms_template has ${sms.length} items, but there are only ${option.length} options.`,
    );
  }
  if (webhook.length > option.length) {
    faults.add(
      '/webhook',
      'webhook_too_many',
      `webhook has ${webhook.length} items, but there are only ${option.length} options.`,
    );
  }
  if (priority.length > option.length) {
    faults.add(
      '/option_priority',
      'list_too_long',
      `option_priority has ${priority.length} items, but there are only ${option.length} options.`,
    );
  }
  const first = new Map<string, number>();
  for (const [index, keys] of option.entries()) {
    // A malformed one has its fault already, and left a hole.
    if (keys === undefined) continue;
    const earlier = first.get(keys);
    if (earlier === undefined) first.set(keys, index);
    else
      faults.add(
        `/option/${index}`,
        'option_duplicate',
        `option ${index} is "${keys}", as option ${earlier} already is.`,
      );
  }
}
