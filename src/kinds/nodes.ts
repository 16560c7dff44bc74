// The places of calls that records are: a table by kind, and how each is made. Apart from the fields of the records, which pages of the console
// that draw flows do not load.

import type {
  AllowedDigits,
  CollectNode,
  MessageNode,
  RequestNode,
  SipAddressNode,
  SwitchNode,
} from '../flow/logic-nodes.ts';
import {
  type AgentNode,
  type AnnouncementNode,
  type DepartmentNode,
  type FlowNode,
  type HoursNode,
  type MenuNode,
  type MinuteRange,
  type QueueRules,
  type RoomNode,
  referenceTo,
  type VoicemailNode,
} from '../flow/node.ts';
import type { StreamNode } from '../flow/stream-phase.ts';
import type { Agent } from './agent.ts';
import type { Announcement } from './announcement.ts';
import type { Collect } from './collect.ts';
import type { Department } from './department.ts';
import type { Ivr } from './ivr.ts';
import type { DestinationRecordKind, RecordKind } from './lists.ts';
import type { FlowMessage } from './message.ts';
import type { RecordData } from './record-data.ts';
import { splitReference } from './reference.ts';
import type { FlowRequest } from './request.ts';
import type { Room } from './room.ts';
import type { SipAddress } from './sip-address.ts';
import { readSipAddress, type SipAddressUri } from './sip-uri.ts';
import type { FlowStream } from './stream.ts';
import type { Switch } from './switch.ts';
import type { OpeningTime, TimeGroup } from './time-group.ts';
import type { VoicemailBox } from './voicemail-box.ts';
import { WEEKDAYS } from './weekdays.ts';

const NODES: { readonly [K in DestinationRecordKind]: (id: string, record: RecordData[K]) => FlowNode } = {
  agent: (_id, agent) => agentNode(agent),
  ivr: menuNode,
  department: departmentNode,
  timegroup: hoursNode,
  announcement: announcementNode,
  voicemail: voicemailNode,
  room: roomNode,
  collect: collectNode,
  request: requestNode,
  stream: streamNode,
  switch: switchNode,
  message: messageNode,
  sip_address: sipAddressNode,
};

/** The place of a call that a record is; null: calls cannot be sent there. */
export function nodeOfKind(kind: RecordKind, id: string, record: object): FlowNode | null {
  const node = isDestination(kind) ? NODES[kind] : null;
  // The cast holds: it is a record of this kind.
  return node?.(id, record as never) ?? null;
}

const isDestination = (kind: RecordKind): kind is DestinationRecordKind => kind in NODES;

/** The id in `recording||<id>`. */
const recordingId = (reference: string): string => splitReference(reference).id;

const afterCallOf = (destination: string | null | undefined): { afterCall?: string } =>
  destination ? { afterCall: destination } : {};

const soundId = (reference: string | null): string | null =>
  reference === null ? null : recordingId(reference);

/** What of an agent a call follows. The API shows these and no more; the console compiles them too. */
export type CalledAgent = Pick<
  Agent,
  'eid' | 'name' | 'intercom' | 'follow_me_number' | 'custom_status' | 'timegroup_id' | 'failover_destination'
>;
// The list of agents has none of these.
export type ForwardingAgent = CalledAgent &
  Partial<
    Pick<
      Agent,
      'after_call_destination' | 'do_not_disturb' | 'forward_always' | 'forward_busy' | 'forward_no_answer'
    >
  >;

export function agentNode(agent: ForwardingAgent): AgentNode {
  return {
    kind: 'agent',
    ref: referenceTo('agent', agent.eid),
    eid: agent.eid,
    name: agent.name,
    intercom: agent.intercom,
    followMeNumber: agent.follow_me_number || null,
    blocked: agent.custom_status === 1,
    hours: agent.timegroup_id ? referenceTo('hours', agent.timegroup_id) : null,
    failover: agent.failover_destination,
    ...afterCallOf(agent.after_call_destination),
    ...(agent.do_not_disturb ? { doNotDisturb: true as const } : {}),
    ...forwardsOf(agent),
  };
}

function forwardsOf(agent: ForwardingAgent): Pick<AgentNode, 'forwards'> {
  const {
    forward_always: always = null,
    forward_busy: busy = null,
    forward_no_answer: noAnswer = null,
  } = agent;
  return always === null && busy === null && noAnswer === null
    ? {}
    : { forwards: { always, busy, noAnswer } };
}

export function menuNode(id: string, ivr: Ivr): MenuNode {
  return {
    kind: 'menu',
    ref: referenceTo('menu', id),
    name: ivr.name,
    recording: recordingId(ivr.recording),
    ...(ivr.text === null ? {} : { text: ivr.text }),
    timeoutSeconds: ivr.timeout,
    options: ivr.option.map((keys, index) => ({
      keys,
      destination: ivr.destination[index] ?? '',
      smsTemplate: ivr.sms_template[index] ?? null,
      ...webhookOf(ivr.webhook[index]),
      ...priorityOf(ivr.option_priority[index]),
    })),
    incorrectCount: ivr.incorrect_count,
    invalidRecording: recordingId(ivr.invalid_recording),
    recordingInvalid: ivr.recording_invalid === null ? null : recordingId(ivr.recording_invalid),
    invalidDestination: ivr.invalid_destination,
    timeoutRetryRecording: recordingId(ivr.timeout_retry_recording),
    timeoutRecording: recordingId(ivr.timeout_recording),
    timeoutDestination: ivr.timeout_destination,
    timeoutTries: ivr.timeout_tries,
    recordCalls: ivr.record_calls,
    sensitive: ivr.sensitive,
  };
}

const priorityOf = (priority: number | null | undefined): { priority?: number } =>
  priority === null || priority === undefined ? {} : { priority };

const webhookOf = (reference: string | null | undefined): { webhook?: string } =>
  reference ? { webhook: splitReference(reference).id } : {};

export function departmentNode(id: string, department: Department): DepartmentNode {
  const { music_on_hold: music } = department;
  return {
    kind: 'department',
    ref: referenceTo('department', id),
    name: department.name,
    agents: department.agents.map((eid) => referenceTo('agent', eid)),
    strategy: department.strategy,
    ringSeconds: department.ring_seconds,
    failover: department.failover_destination,
    ...(music === null ? {} : { holdMusic: recordingId(music) }),
    ...levelsOf(department),
    ...afterCallOf(department.after_call_destination),
    queue: department.queue
      ? {
          music: music === null ? null : recordingId(music),
          announceSeconds: department.announce_position,
          maxWaitSeconds: department.max_wait_seconds,
          maxWaiting: department.max_waiting,
          wrapupSeconds: department.wrapup_seconds,
          joinWhenEmpty: department.join_when_empty,
          exitKey: department.exit_key,
          ...announcementsOf(department),
          ...callbackOf(department),
          ...overflowOf(department),
        }
      : null,
  };
}

function announcementsOf(department: Department): Pick<QueueRules, 'announceWait' | 'message'> {
  const {
    announce_wait: wait,
    announce_recording: recording,
    announce_recording_seconds: seconds,
  } = department;
  return {
    ...(wait ? { announceWait: true } : {}),
    ...(recording === null ? {} : { message: { recording: recordingId(recording), seconds } }),
  };
}

function callbackOf(department: Department): Pick<QueueRules, 'callback'> {
  const { callback_key: key, callback_recording: recording, callback_hours: hours } = department;
  if (key === null) return {};
  return {
    callback: {
      key,
      offerSeconds: department.callback_offer_seconds,
      recording: recording === null ? null : recordingId(recording),
      first: department.callback_first,
      attempts: department.callback_attempts,
      pauseSeconds: department.callback_pause_seconds,
      hours,
      perHour: department.callbacks_per_hour,
    },
  };
}

/** Most departments have none of them. */
function levelsOf({
  agent_levels,
  priority,
  ring_together,
}: Department): Pick<DepartmentNode, 'levels' | 'priority' | 'together'> {
  const levels = Object.entries(agent_levels).map(([eid, level]) => [referenceTo('agent', eid), level]);
  return {
    ...(levels.length > 0 ? { levels: Object.fromEntries(levels) } : {}),
    ...(priority > 0 ? { priority } : {}),
    ...(ring_together > 1 ? { together: ring_together } : {}),
  };
}

function overflowOf({ full_destination: full, timeout_destination: timeout }: Department) {
  return {
    ...(full === null ? {} : { fullDestination: full }),
    ...(timeout === null ? {} : { timeoutDestination: timeout }),
  };
}

export function hoursNode(id: string, group: TimeGroup): HoursNode {
  return {
    kind: 'hours',
    ref: referenceTo('hours', id),
    name: group.name,
    zone: group.timezone,
    weekly: group.weekly.map(({ days, ...time }) => ({
      days: days.map((day) => WEEKDAYS.indexOf(day) + 1),
      ...minutesOf(time),
    })),
    exceptions: group.exceptions.map(({ name, from, to, hours }) => ({
      name,
      from,
      to,
      ranges: hours.map(minutesOf),
    })),
    openDestination: group.open_destination,
    closedDestination: group.closed_destination,
    closedUntilMs: group.closed_until === null ? null : Date.parse(group.closed_until),
  };
}

function minutesOf({ from, to }: OpeningTime): MinuteRange {
  return { from: minuteOf(from), to: minuteOf(to) };
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export function announcementNode(id: string, announcement: Announcement): AnnouncementNode {
  return {
    kind: 'announcement',
    ref: referenceTo('announcement', id),
    name: announcement.name,
    recording: announcement.recording === null ? null : splitReference(announcement.recording).id,
    ...(announcement.text === null ? {} : { text: announcement.text }),
    next: announcement.destination,
  };
}

export function voicemailNode(id: string, box: VoicemailBox): VoicemailNode {
  return {
    kind: 'voicemail',
    ref: referenceTo('voicemail', id),
    name: box.name,
    mailbox: id,
    greeting: box.greeting === null ? null : splitReference(box.greeting).id,
    maxSeconds: box.max_seconds,
    silenceSeconds: box.silence_seconds,
    mailed: box.email !== null,
  };
}

function roomNode(id: string, room: Room): RoomNode {
  return {
    kind: 'room',
    ref: referenceTo('room', id),
    name: room.name,
    pin: room.pin,
    hostPin: room.host_pin,
    pinRecording: soundId(room.pin_recording),
    waitForHost: room.wait_for_host,
    music: soundId(room.music_on_hold),
    endWithHost: room.end_with_host,
    announce: room.announce,
    maxParticipants: room.max_participants,
    record: room.record,
    failover: room.failover_destination,
  };
}

export function collectNode(id: string, collect: Collect): CollectNode {
  return {
    kind: 'collect',
    ref: referenceTo('collect', id),
    name: collect.name,
    recording: soundId(collect.recording),
    ...(collect.text === null ? {} : { text: collect.text }),
    minDigits: collect.min_digits,
    maxDigits: collect.max_digits,
    finishKey: collect.finish_key,
    timeoutSeconds: collect.timeout,
    allowed: collect.allowed.map(allowedDigits),
    attempts: collect.attempts,
    invalidRecording: soundId(collect.invalid_recording),
    timeoutRecording: soundId(collect.timeout_recording),
    confirm: collect.confirm,
    saveAs: collect.save_as,
    sensitive: collect.sensitive,
    next: collect.next_destination,
    failed: collect.failed_destination,
  };
}

function allowedDigits(text: string): AllowedDigits {
  const [what = '', value] = text.split(':', 2);
  if (value === undefined) return { value: what };
  return what === 'length' ? { length: Number(value) } : { prefix: value };
}

/** The console makes nodes of what it sees, too: that has no secret. */
export function requestNode(
  id: string,
  request: Omit<FlowRequest, 'sealed_secret'> & Partial<Pick<FlowRequest, 'sealed_secret'>>,
): RequestNode {
  const { wait_recording: wait, sealed_secret: sealed = null } = request;
  return {
    kind: 'request',
    ref: referenceTo('request', id),
    name: request.name,
    method: request.method,
    url: request.url,
    body: Object.entries(request.body).map(([name, value]) => ({ name, value })),
    timeoutMs: request.timeout_ms,
    save: request.save,
    choices: request.choices,
    waitRecording: wait === null ? null : splitReference(wait).id,
    ...(sealed === null ? {} : { sealedSecret: sealed }),
    next: request.next_destination,
    failed: request.failed_destination,
  };
}

/** The console makes nodes of what it sees, too: that has no secret. */
export function streamNode(
  id: string,
  stream: Omit<FlowStream, 'sealed_secret'> & Partial<Pick<FlowStream, 'sealed_secret'>>,
): StreamNode {
  const { disclosure_recording: disclosure, sealed_secret: sealed = null } = stream;
  return {
    kind: 'stream',
    ref: referenceTo('stream', id),
    name: stream.name,
    url: stream.url,
    parameters: Object.entries(stream.parameters).map(([name, value]) => ({ name, value })),
    disclosure: disclosure === null ? null : splitReference(disclosure).id,
    maxSeconds: stream.max_seconds,
    destinations: stream.destinations,
    ...(sealed === null ? {} : { sealedSecret: sealed }),
    next: stream.next_destination,
    failed: stream.failed_destination,
  };
}

export function switchNode(id: string, { name, set, rules, otherwise_destination }: Switch): SwitchNode {
  return {
    kind: 'switch',
    ref: referenceTo('switch', id),
    name,
    set,
    rules,
    otherwise: otherwise_destination,
  };
}

export function messageNode(id: string, message: FlowMessage): MessageNode {
  return {
    kind: 'message',
    ref: referenceTo('message', id),
    name: message.name,
    smsTemplate: message.sms_template,
    to: message.to,
    next: message.next_destination,
  };
}

/** The console makes nodes of what it sees, too: that has no password. */
export function sipAddressNode(
  id: string,
  address: Omit<SipAddress, 'sealed_password'> & Partial<Pick<SipAddress, 'sealed_password'>>,
): SipAddressNode {
  const { username, sealed_password: sealed = null } = address;
  // What is stored has been checked; what cannot be read leads nowhere.
  const { user, host, port, transport, isSecure } = readSipAddress(address.uri) ?? NOWHERE;
  return {
    kind: 'sip-address',
    ref: referenceTo('sip-address', id),
    name: address.name,
    user,
    host,
    port,
    transport,
    ...(isSecure ? { secure: true as const } : {}),
    headers: Object.entries(address.headers).map(([name, value]) => ({ name, value })),
    callerId: address.caller_id,
    ringSeconds: address.ring_seconds,
    ...(username === null ? {} : { username }),
    ...(sealed === null ? {} : { sealedPassword: sealed }),
    failover: address.failover_destination,
  };
}

const NOWHERE: SipAddressUri = { user: '', host: '', port: 0, transport: 'udp', isSecure: false };
