// Records → the flow that calls follow. Each record becomes one node by itself, so a changed record costs its own
// compilation and no other's; that it points to something is resolved when a call gets there, by a map look-up.
import {
  changeFlow,
  type Flow,
  type Recording as FlowRecording,
  type FlowSettings,
  makeFlow,
  type Template,
} from '../flow/flow.ts';
import {
  type AgentNode,
  type DepartmentNode,
  type FlowNode,
  type MenuNode,
  type QueueRules,
  referenceTo,
} from '../flow/node.ts';
import type { Agent } from '../kinds/agent.ts';
import { announcementNode } from '../kinds/announcement.ts';
import { collectNode } from '../kinds/collect.ts';
import type { Department } from '../kinds/department.ts';
import type { Ivr } from '../kinds/ivr.ts';
import type { AnyRecord } from '../kinds/lists.ts';
import { messageNode } from '../kinds/message.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { Recording } from '../kinds/recording.ts';
import { splitReference } from '../kinds/reference.ts';
import { requestNode } from '../kinds/request.ts';
import { roomNode } from '../kinds/room.ts';
import { sipAddressNode } from '../kinds/sip-address.ts';
import type { SmsTemplate } from '../kinds/sms-template.ts';
import { streamNode } from '../kinds/stream.ts';
import { switchNode } from '../kinds/switch.ts';
import { hoursNode } from '../kinds/time-group.ts';
import { voicemailNode } from '../kinds/voicemail-box.ts';
import type { Settings } from './account.ts';
import type { Directory } from './directory.ts';

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

const afterCallOf = (destination: string | null | undefined): { afterCall?: string } =>
  destination ? { afterCall: destination } : {};

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

const recordingId = (reference: string): string => splitReference(reference).id;

export const flowRecording = (
  id: string,
  { name, duration_ms: durationMs }: Pick<Recording, 'name' | 'duration_ms'>,
): FlowRecording => ({ id, name, durationMs });

export function flowTemplates(
  templates: Iterable<Pick<StoredRecord<SmsTemplate>, 'id' | 'data'>>,
): Map<string, Template> {
  const found = new Map<string, Template>();
  for (const { id, data } of templates) {
    const { name, text, status } = data;
    found.set(id, { id, name, text, active: status === 'active' });
  }
  return found;
}

export function flowSettings(
  settings: Pick<Settings, 'sms_templates' | 'ring_seconds' | 'failed_calls'>,
): Pick<FlowSettings, 'smsTemplates' | 'ringSeconds' | 'failedCalls'> {
  const { sms_templates, ring_seconds, failed_calls } = settings;
  return { smsTemplates: sms_templates, ringSeconds: ring_seconds, failedCalls: failed_calls };
}

export function directoryFlow(directory: Directory, settings: Settings): Flow {
  return makeFlow({
    nodes: [
      ...[...directory.agents.values()].map(({ data }) => agentNode(data)),
      ...[...directory.departments.values()].map(({ id, data }) => departmentNode(id, data)),
      ...[...directory.timeGroups.values()].map(({ id, data }) => hoursNode(id, data)),
      ...[...directory.announcements.values()].map(({ id, data }) => announcementNode(id, data)),
      ...[...directory.voicemailBoxes.values()].map(({ id, data }) => voicemailNode(id, data)),
      ...[...directory.rooms.values()].map(({ id, data }) => roomNode(id, data)),
      ...[...directory.collects.values()].map(({ id, data }) => collectNode(id, data)),
      ...[...directory.requests.values()].map(({ id, data }) => requestNode(id, data)),
      ...[...directory.streams.values()].map(({ id, data }) => streamNode(id, data)),
      ...[...directory.switches.values()].map(({ id, data }) => switchNode(id, data)),
      ...[...directory.messages.values()].map(({ id, data }) => messageNode(id, data)),
      ...[...directory.sipAddresses.values()].map(({ id, data }) => sipAddressNode(id, data)),
    ],
    recordings: [...directory.recordings.values()].map(({ id, data }) => flowRecording(id, data)),
    templates: directory.smsTemplates && flowTemplates(directory.smsTemplates.values()),
    settings: flowSettings(settings),
  });
}

/**
 * The flow after some records were written and others deleted. It costs what changed, not what there is. `former` are the
 * deleted ones and what stood in place of the written ones: an agent with a new eid leaves the old one.
 */
export function recompile(flow: Flow, written: readonly AnyRecord[], former: readonly AnyRecord[]): Flow {
  const nodes = written.flatMap((record) => nodeOf(record) ?? []);
  const recordings = written.filter(isRecording).map(({ id, data }) => flowRecording(id, data));
  const present = new Set([...nodes.map(({ ref }) => ref), ...recordings.map(({ id }) => id)]);
  const gone = (key: string): boolean => !present.has(key);
  return changeFlow(flow, {
    nodes,
    recordings,
    removedNodes: former.flatMap((record) => nodeOf(record)?.ref ?? []).filter(gone),
    removedRecordings: former
      .filter(isRecording)
      .map(({ id }) => id)
      .filter(gone),
  });
}

const isRecording = (record: AnyRecord) => record.kind === 'recording';

function nodeOf(record: AnyRecord): FlowNode | null {
  switch (record.kind) {
    case 'ivr':
      return menuNode(record.id, record.data);
    case 'agent':
      return agentNode(record.data);
    case 'department':
      return departmentNode(record.id, record.data);
    case 'timegroup':
      return hoursNode(record.id, record.data);
    case 'announcement':
      return announcementNode(record.id, record.data);
    case 'voicemail':
      return voicemailNode(record.id, record.data);
    case 'room':
      return roomNode(record.id, record.data);
    case 'collect':
      return collectNode(record.id, record.data);
    case 'request':
      return requestNode(record.id, record.data);
    case 'stream':
      return streamNode(record.id, record.data);
    case 'switch':
      return switchNode(record.id, record.data);
    case 'message':
      return messageNode(record.id, record.data);
    case 'sip_address':
      return sipAddressNode(record.id, record.data);
    case 'team':
    case 'recording':
    case 'number':
    case 'trunk':
    case 'sms_template':
    case 'webhook':
    case 'blocked_number':
    case 'caller_id_rule':
      return null;
    default:
      return record satisfies never;
  }
}
