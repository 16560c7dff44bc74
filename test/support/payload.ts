// Things that are right in every field, to be changed in one place by a test.

import type { Announcement } from '../../src/kinds/announcement.ts';
import type { BlockedNumber } from '../../src/kinds/blocked-number.ts';
import type { CallerIdRule } from '../../src/kinds/caller-id-rule.ts';
import type { Collect } from '../../src/kinds/collect.ts';
import type { Contact } from '../../src/kinds/contact.ts';
import { DEFAULTS } from '../../src/kinds/fields.ts';
import type { FlowMessage } from '../../src/kinds/message.ts';
import type { FlowRequest } from '../../src/kinds/request.ts';
import type { Room } from '../../src/kinds/room.ts';
import type { SipAddress } from '../../src/kinds/sip-address.ts';
import type { FlowStream } from '../../src/kinds/stream.ts';
import type { Switch } from '../../src/kinds/switch.ts';
import type { TimeGroup } from '../../src/kinds/time-group.ts';
import type { Trunk } from '../../src/kinds/trunk.ts';
import type { VoicemailBox } from '../../src/kinds/voicemail-box.ts';
import type { Webhook } from '../../src/kinds/webhook.ts';
import type { CallRow } from '../../src/storage/ports/calls.ts';

export function menu(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const all = {
    name: 'Main menu',
    description: 'What callers hear first',
    recording: 'recording||welcome',
    timeout: 5,
    option: ['1', '2'],
    destination: ['extension||100001', 'extension||100002'],
    incorrect_count: '2',
    invalid_recording: 'recording||invalid',
    invalid_destination: 'extension||100001',
    timeout_retry_recording: 'recording||again',
    timeout_recording: 'recording||bye',
    timeout_destination: 'extension||100002',
    timeout_tries: 1,
    ...changes,
  };
  // A change to undefined takes the field away.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A call that is over, as storage keeps it. */
export function callRow(changes: Partial<CallRow> = {}): CallRow {
  const trail = [{ atMs: 0, node: null, code: 'call-started', text: 'A call from 030 to ivr||main.' }];
  return {
    accountId: 'default',
    id: 'call',
    startedAtMs: Date.parse('2026-11-15T10:00:00Z'),
    endedAtMs: Date.parse('2026-11-15T10:01:00Z'),
    direction: 'inbound',
    caller: '030',
    dialled: '100',
    entry: 'ivr||main',
    endCode: 'caller-hung-up',
    cause: 16,
    answeredBy: null,
    waitMs: 0,
    ringMs: 0,
    talkMs: 0,
    json: JSON.stringify({ trail }),
    ...changes,
  };
}

/** A trunk as storage keeps it. */
export function aTrunk(changes: Partial<Trunk> = {}): Trunk {
  return {
    ...DEFAULTS.trunk,
    name: 'Provider',
    host: '192.0.2.1',
    port: 0,
    transport: 'udp',
    addresses: ['192.0.2.1'],
    username: null,
    sealed_password: null,
    register: false,
    inbound_numbers: [],
    outbound_prefixes: [],
    agents_may_call: false,
    caller_id: null,
    max_calls: 10,
    enabled: true,
    ...changes,
  };
}

/** As storage keeps them. */
export const TIME_GROUP: TimeGroup = {
  name: 'Office hours',
  timezone: 'Europe/Berlin',
  weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26', hours: [] }],
  open_destination: null,
  closed_destination: null,
  closed_until: null,
};

export const ANNOUNCEMENT: Announcement = {
  name: 'Calls are recorded',
  recording: 'recording||welcome',
  text: null,
  destination: 'hangup||now',
};

export const COLLECT: Collect = {
  ...DEFAULTS.collect,
  name: 'Order number',
  recording: 'recording||welcome',
  max_digits: 6,
  allowed: [],
  save_as: 'order_number',
  next_destination: 'hangup||now',
  failed_destination: 'hangup||now',
};

export const REQUEST: FlowRequest = {
  ...DEFAULTS.request,
  name: 'Order status',
  url: 'https://shop.example.com/telephone/order',
  body: {},
  sealed_secret: null,
  save: [],
  choices: [],
  next_destination: 'hangup||now',
  failed_destination: 'hangup||now',
};

export const STREAM: FlowStream = {
  ...DEFAULTS.stream,
  name: 'Voice bot',
  url: 'wss://bot.example.com/telephone',
  parameters: {},
  sealed_secret: null,
  destinations: [],
  next_destination: 'hangup||now',
  failed_destination: 'hangup||now',
};

export const SWITCH: Switch = {
  ...DEFAULTS.switch,
  name: 'By state',
  set: [],
  rules: [],
  otherwise_destination: 'hangup||now',
};

export const MESSAGE: FlowMessage = {
  ...DEFAULTS.message,
  name: 'Directions',
  sms_template: 'hours',
  next_destination: 'hangup||now',
};

export const SIP_ADDRESS: SipAddress = {
  ...DEFAULTS.sip_address,
  name: 'Head office',
  uri: 'sip:reception@pbx.example.com',
  sealed_password: null,
  headers: {},
};

export const ROOM: Room = { name: 'Weekly meeting', ...DEFAULTS.room };

export const VOICEMAIL_BOX: VoicemailBox = {
  name: 'Support',
  greeting: null,
  max_seconds: 120,
  silence_seconds: 5,
  email: null,
};

export const BLOCKED_NUMBER: BlockedNumber = {
  number: '+49900*',
  anonymous: false,
  verstat: null,
  dialled: null,
  reason: 'Premium-rate numbers',
};

export const CALLER_ID_RULE: CallerIdRule = {
  name: 'Main line',
  priority: 100,
  trunk: null,
  agent: null,
  department: null,
  prefix: null,
  show: '+4930123456',
};

export const CONTACT: Contact = {
  name: 'Mira Lindqvist',
  company: 'Lindqvist Marine',
  numbers: ['+4681234567'],
  email: null,
  notes: '',
  priority: 0,
};

/** A webhook as storage keeps it; no key opens its sealed secret. */
export function aWebhook(changes: Partial<Webhook> = {}): Webhook {
  return {
    name: 'Help desk',
    url: 'https://hooks.example.com/',
    events: ['*'],
    status: 'active',
    sealed_secret: 'v1.none',
    ...changes,
  };
}
