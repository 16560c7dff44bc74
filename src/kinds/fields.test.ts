import { expect, it } from 'vitest';
import type { Fields } from './field.ts';
import { FIELDS } from './fields.ts';
import { RECORD_KINDS } from './lists.ts';

/** Members that every row has had from the first version of its kind on. Of any other a row may lack, so it has a default. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  agent: ['name'],
  ivr: [
    'name',
    'description',
    'recording',
    'timeout',
    'option',
    'destination',
    'incorrect_count',
    'invalid_recording',
    'invalid_destination',
    'timeout_retry_recording',
    'timeout_recording',
    'timeout_destination',
    'timeout_tries',
  ],
  team: ['name'],
  department: ['name'],
  recording: ['name', 'duration_ms', 'sha256'],
  number: ['number', 'destination'],
  trunk: ['name', 'host'],
  timegroup: ['name', 'timezone'],
  announcement: ['name', 'destination'],
  voicemail: ['name'],
  room: ['name'],
  collect: ['name', 'max_digits', 'save_as', 'next_destination', 'failed_destination'],
  request: ['name', 'url', 'next_destination', 'failed_destination'],
  stream: ['name', 'url', 'next_destination', 'failed_destination'],
  switch: ['name', 'rules', 'otherwise_destination'],
  message: ['name', 'sms_template', 'next_destination'],
  sip_address: ['name', 'uri'],
  sms_template: ['name', 'text'],
  webhook: ['name', 'url'],
  blocked_number: [],
  caller_id_rule: ['name', 'show'],
  contact: ['name', 'numbers'],
};

it('a member without a default is one that every stored row has', () => {
  const required = RECORD_KINDS.map((kind) => {
    const fields: Fields = FIELDS[kind];
    return [kind, Object.keys(fields).filter((name) => !fields[name]?.absent)];
  });
  expect(Object.fromEntries(required)).toEqual(FIRST);
});
