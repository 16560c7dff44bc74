// The members of drafted records as the forms call them, and their values in words.
import type { RecordData } from '../../../../src/kinds/record-data.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { WEEKDAYS } from '../../../../src/kinds/weekdays.ts';
import type { Key, Words } from '../../words/words.tsx';

/** Menus have differences of their own. */
type MemberKind =
  | 'number'
  | 'timegroup'
  | 'announcement'
  | 'department'
  | 'voicemail'
  | 'room'
  | 'collect'
  | 'request'
  | 'stream'
  | 'switch'
  | 'message'
  | 'sip_address';

/** A member without a label is a compile error. */
const LABELS: { readonly [K in MemberKind]: { readonly [M in keyof RecordData[K]]-?: Key } } = {
  number: {
    number: 'numbers.number',
    destination: 'numbers.leads',
    description: 'records.description',
    priority: 'numbers.priority',
  },
  timegroup: {
    name: 'records.name',
    timezone: 'hours.timezone',
    weekly: 'hours.week',
    exceptions: 'hours.exceptions',
    open_destination: 'hours.open',
    closed_destination: 'hours.closed',
    closed_until: 'hours.close.until',
  },
  announcement: {
    name: 'records.name',
    recording: 'records.recording',
    text: 'records.text',
    destination: 'announcements.then',
  },
  department: {
    name: 'records.name',
    description: 'records.description',
    agents: 'departments.agents',
    agent_levels: 'publish.member.agentLevels',
    priority: 'departments.priority',
    strategy: 'departments.strategy',
    ring_seconds: 'departments.ring',
    ring_together: 'departments.together',
    failover_destination: 'departments.failover',
    full_destination: 'departments.full',
    timeout_destination: 'departments.timeout',
    after_call_destination: 'flow-logic.afterCall',
    queue: 'departments.queue',
    music_on_hold: 'departments.music',
    announce_position: 'departments.announce',
    announce_wait: 'departments.announceWait',
    announce_recording: 'departments.message',
    announce_recording_seconds: 'departments.messageEvery',
    max_wait_seconds: 'departments.maxWait',
    max_waiting: 'departments.maxWaiting',
    wrapup_seconds: 'departments.wrapup',
    join_when_empty: 'departments.joinEmpty',
    exit_key: 'departments.exitKey',
    callback_key: 'departments.callbackKey',
    callback_offer_seconds: 'departments.callbackOffer',
    callback_recording: 'departments.callbackRecording',
    callback_first: 'departments.callbackFirst',
    callback_attempts: 'departments.callbackAttempts',
    callback_pause_seconds: 'departments.callbackPause',
    callback_hours: 'departments.callbackHours',
    callbacks_per_hour: 'departments.callbackLimit',
  },
  voicemail: {
    name: 'records.name',
    greeting: 'voicemail.greeting',
    max_seconds: 'voicemail.max',
    silence_seconds: 'voicemail.silence',
    email: 'voicemail.email',
  },
  room: {
    name: 'records.name',
    pin: 'rooms.pin',
    host_pin: 'rooms.hostPin',
    pin_recording: 'rooms.pinRecording',
    wait_for_host: 'rooms.waitForHost',
    music_on_hold: 'departments.music',
    end_with_host: 'rooms.endWithHost',
    announce: 'rooms.announce',
    max_participants: 'rooms.max',
    record: 'rooms.record',
    failover_destination: 'rooms.failover',
  },
  collect: {
    name: 'records.name',
    description: 'flow-logic.note',
    recording: 'collects.recording',
    text: 'records.text',
    min_digits: 'collects.min',
    max_digits: 'collects.max',
    finish_key: 'collects.finish',
    timeout: 'collects.timeout',
    allowed: 'collects.allowed',
    attempts: 'collects.attempts',
    invalid_recording: 'collects.invalid',
    timeout_recording: 'collects.late',
    confirm: 'collects.confirm',
    save_as: 'collects.saveAs',
    sensitive: 'collects.sensitive',
    next_destination: 'flow-logic.next',
    failed_destination: 'collects.failed',
  },
  request: {
    name: 'records.name',
    description: 'flow-logic.note',
    url: 'requests.url',
    method: 'requests.method',
    body: 'requests.body',
    sealed_secret: 'requests.secret',
    timeout_ms: 'requests.timeout',
    save: 'requests.save',
    choices: 'requests.choices',
    wait_recording: 'requests.wait',
    next_destination: 'flow-logic.next',
    failed_destination: 'requests.failed',
  },
  stream: {
    name: 'records.name',
    description: 'flow-logic.note',
    url: 'streams.url',
    parameters: 'streams.parameters',
    sealed_secret: 'streams.secret',
    disclosure_recording: 'streams.disclosure',
    max_seconds: 'streams.seconds',
    destinations: 'streams.destinations',
    next_destination: 'streams.next',
    failed_destination: 'streams.failed',
  },
  switch: {
    name: 'records.name',
    description: 'flow-logic.note',
    set: 'switches.set',
    rules: 'switches.rules',
    otherwise_destination: 'switches.otherwise',
  },
  message: {
    name: 'records.name',
    description: 'flow-logic.note',
    sms_template: 'messages.template',
    to: 'messages.to',
    next_destination: 'flow-logic.next',
  },
  sip_address: {
    name: 'records.name',
    description: 'flow-logic.note',
    uri: 'sipAddresses.uri',
    username: 'sipAddresses.username',
    sealed_password: 'sipAddresses.password',
    headers: 'sipAddresses.headers',
    caller_id: 'sipAddresses.callerId',
    ring_seconds: 'sipAddresses.ring',
    failover_destination: 'sipAddresses.failover',
  },
};

/** A member of a newer service has its name in the API. */
export function memberLabel(kind: string, member: string, t: Words['t']): string {
  const labels: { readonly [kind: string]: { readonly [member: string]: Key } } = LABELS;
  const key = labels[kind]?.[member];
  return key ? t(key) : member.replaceAll('_', ' ');
}

interface Naming extends Pick<Words, 't' | 'dateTime'> {
  /** Names what any reference leads to, recordings included. */
  readonly nameOf: (reference: string) => string;
}

type Written = (value: unknown, naming: Naming) => string;

/** Members whose values the forms offer as choices, or that are more than text, by `kind member`. */
const VALUES: { readonly [member: string]: Written } = {
  'department strategy': (value, { t }) =>
    t(`departments.strategy.${value as RecordData['department']['strategy']}`),
  'department callback_first': (value, { t }) =>
    t(`departments.callbackFirst.${value as RecordData['department']['callback_first']}`),
  'department agents': (value, { nameOf }) =>
    (value as RecordData['department']['agents']).map((eid) => nameOf(`extension||${eid}`)).join(', '),
  'department agent_levels': (value, { t, nameOf }) =>
    Object.entries(value as RecordData['department']['agent_levels'])
      .map(([eid, level]) => `${nameOf(`extension||${eid}`)}: ${t('departments.level.n', { level })}`)
      .join(', '),
  'room announce': (value, { t }) =>
    t(`rooms.announce.${value === 'name' ? 'name' : value === true ? 'tone' : 'none'}`),
  'timegroup weekly': (value, { t }) =>
    (value as RecordData['timegroup']['weekly'])
      .map(({ days, from, to }) => {
        const names = days.map((day) => t(`hours.day.${WEEKDAYS.indexOf(day) as 0}`));
        return `${names.join(', ')} ${from}–${to}`;
      })
      .join('; '),
  'timegroup exceptions': (value) =>
    (value as RecordData['timegroup']['exceptions'])
      .map(({ name, from, to, hours }) => {
        const times = hours.map((time) => `${time.from}–${time.to}`).join(', ');
        return `${name} (${[from === to ? from : `${from} – ${to}`, times].filter(Boolean).join(': ')})`;
      })
      .join(', '),
  'timegroup closed_until': (value, { dateTime }) => dateTime(String(value)),
  'request body': (value) => pairs(value as RecordData['request']['body']),
  'stream parameters': (value) => pairs(value as RecordData['stream']['parameters']),
  'sip_address headers': (value) => pairs(value as RecordData['sip_address']['headers']),
  'request save': (value) =>
    (value as RecordData['request']['save'])
      .map(({ variable, pointer }) => `${variable} = ${pointer}`)
      .join(', '),
  'request choices': (value, { nameOf }) =>
    (value as RecordData['request']['choices'])
      .map(({ answer, destination }) => `${answer} → ${nameOf(destination)}`)
      .join(', '),
  'switch set': (value) =>
    (value as RecordData['switch']['set']).map(({ variable, value: to }) => `${variable} = ${to}`).join(', '),
  'switch rules': (value, { t, nameOf }) =>
    (value as RecordData['switch']['rules'])
      .map(({ variable, operator, value: to, destination }) => {
        const test = [variable, t(`switches.operator.${operator}`), to].filter(Boolean).join(' ');
        return `${test} → ${nameOf(destination)}`;
      })
      .join('; '),
};

const pairs = (value: { readonly [name: string]: string }): string =>
  Object.entries(value)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');

/** The text of a value that is not empty. */
export function memberValue(kind: string, member: string, value: unknown, naming: Naming): string {
  const written = VALUES[`${kind} ${member}`];
  return written ? written(value, naming) : plainValue(value, naming);
}

function plainValue(value: unknown, naming: Naming): string {
  const { t, nameOf } = naming;
  if (typeof value === 'boolean') return t(value ? 'publish.yes' : 'publish.no');
  if (typeof value === 'string') return isReference(value) ? nameOf(value) : value;
  if (Array.isArray(value)) return value.map((one) => plainValue(one, naming)).join(', ');
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

const isReference = (text: string): boolean => /^[a-z_]+\|\|/.test(text) && splitReference(text).kind !== '';
