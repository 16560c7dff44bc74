// Menus as a file that people can read, compare and carry from one machine to another. Records in it are called by name:
// `ivr||Main menu`, `department||Sales`, `timegroup||Office hours`. Agents keep their eid, recordings their id, numbers are their own name. Ids,
// versions and times are not in it, nor is anything secret.
import { type Flow, type Recording as FlowRecording, makeFlow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import type { Agent, Team } from '../agent.ts';
import { type Announcement, announcementNode } from '../announcement.ts';
import { agentNode, departmentNode, menuNode } from '../compile.ts';
import type { Department } from '../department.ts';
import type { DirectoryRecords } from '../directory.ts';
import type { Ivr } from '../ivr.ts';
import type { DialledNumber } from '../number.ts';
import type { StoredRecord } from '../record.ts';
import type { Recording } from '../recording.ts';
import { hoursNode, type TimeGroup } from '../time-group.ts';
import { type VoicemailBox, voicemailNode } from '../voicemail-box.ts';

/** Written into every file, so that a later version knows what it reads. */
export const EXPORT_VERSION = 1;

/** Kinds that references in a file name by name. */
export const NAMED_KINDS = ['ivr', 'department', 'timegroup', 'announcement', 'voicemail'] as const;
export type NamedKind = (typeof NAMED_KINDS)[number];

export function isNamedKind(kind: string): kind is NamedKind {
  return NAMED_KINDS.some((each) => each === kind);
}

/** An agent without what belongs to this machine and its phones: the SIP digests and how they are asked for. */
export interface ExportedAgent
  extends Omit<Agent, 'sip' | 'sip_sha256' | 'record_calls' | 'team_id' | 'timegroup_id'> {
  /** The team's name. */
  readonly team: string | null;
  /** The time group's name. */
  readonly timegroup: string | null;
}

export interface ExportedRecording extends Pick<Recording, 'name' | 'duration_ms' | 'sha256'> {
  readonly id: string;
}

export interface ExportFile {
  readonly ivrs: readonly Ivr[];
  readonly departments: readonly Department[];
  readonly teams: readonly Team[];
  readonly agents: readonly ExportedAgent[];
  readonly recordings: readonly ExportedRecording[];
  readonly numbers: readonly Omit<DialledNumber, 'description'>[];
  readonly timegroups: readonly TimeGroup[];
  readonly announcements: readonly Announcement[];
  readonly voicemail_boxes: readonly VoicemailBox[];
}

/** Everything of an account that a file can hold. */
export interface AccountRecords extends DirectoryRecords {
  readonly ivr: readonly StoredRecord<Ivr>[];
  readonly number: readonly StoredRecord<DialledNumber>[];
}

/** Something wrong in a file. */
export interface RecordFault {
  /** Such as `ivr "Main menu"`; empty: the file as a whole. */
  readonly record: string;
  /** RFC 6901, into the file. */
  readonly pointer: string;
  readonly message: string;
}

export function exportFileText(exportFile: ExportFile): string {
  const { ivrs, departments, teams, agents, recordings, numbers } = exportFile;
  const { timegroups, announcements, voicemail_boxes } = exportFile;
  const people = { departments, teams, agents, timegroups, announcements, voicemail_boxes };
  const file = { dialtree: EXPORT_VERSION, ivrs, ...people, recordings, numbers };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * The flow of a file by itself: references are names, and so are the nodes' ids. Whether an account sends SMS is its
 * setting and not in the file; here it does.
 */
export function exportFileFlow(exportFile: ExportFile): Flow {
  return makeFlow({
    nodes: [
      ...exportFile.ivrs.map((ivr) => menuNode(ivr.name, ivr)),
      ...exportFile.agents.map(({ team: _, timegroup, ...agent }) =>
        agentNode({ ...agent, timegroup_id: timegroup }),
      ),
      ...exportFile.departments.map((department) => departmentNode(department.name, department)),
      ...exportFile.timegroups.map((group) => hoursNode(group.name, group)),
      ...exportFile.announcements.map((each) => announcementNode(each.name, each)),
      ...exportFile.voicemail_boxes.map((box) => voicemailNode(box.name, box)),
    ],
    recordings: exportFile.recordings.map(
      ({ id, name, duration_ms: durationMs }): FlowRecording => ({ id, name, durationMs }),
    ),
    settings: { smsTemplates: true },
  });
}

export function exportFileEntries(exportFile: ExportFile): Set<Ref> {
  return new Set(exportFile.numbers.map(({ destination }) => destination));
}

// One order of members for each kind, whoever wrote the record: files stay comparable, and equal records look equal.

export function orderedIvr(ivr: Ivr): Ivr {
  return {
    name: ivr.name,
    description: ivr.description,
    recording: ivr.recording,
    timeout: ivr.timeout,
    option: ivr.option,
    destination: ivr.destination,
    incorrect_count: ivr.incorrect_count,
    invalid_recording: ivr.invalid_recording,
    invalid_destination: ivr.invalid_destination,
    timeout_retry_recording: ivr.timeout_retry_recording,
    timeout_recording: ivr.timeout_recording,
    timeout_destination: ivr.timeout_destination,
    timeout_tries: ivr.timeout_tries,
    recording_invalid: ivr.recording_invalid,
    sms_template: ivr.sms_template,
    record_calls: ivr.record_calls,
    sensitive: ivr.sensitive,
    // Webhooks stay with their account: a file names them, but does not hold them.
    webhook: ivr.webhook,
    tests: ivr.tests,
  };
}

export function orderedDepartment(department: Department): Department {
  const whole = department;
  return {
    name: whole.name,
    description: whole.description,
    agents: whole.agents,
    strategy: whole.strategy,
    ring_seconds: whole.ring_seconds,
    failover_destination: whole.failover_destination,
    queue: whole.queue,
    music_on_hold: whole.music_on_hold,
    announce_position: whole.announce_position,
    max_wait_seconds: whole.max_wait_seconds,
    max_waiting: whole.max_waiting,
    wrapup_seconds: whole.wrapup_seconds,
    join_when_empty: whole.join_when_empty,
    exit_key: whole.exit_key,
  };
}

export function orderedAgent(agent: ExportedAgent): ExportedAgent {
  return {
    eid: agent.eid,
    name: agent.name,
    intercom: agent.intercom,
    follow_me_number: agent.follow_me_number,
    product_clicktocall: agent.product_clicktocall,
    team: agent.team,
    custom_status: agent.custom_status,
    timegroup: agent.timegroup,
    failover_destination: agent.failover_destination,
  };
}

export function orderedRecording({ id, name, duration_ms, sha256 }: ExportedRecording): ExportedRecording {
  return { id, name, duration_ms, sha256 };
}

export function orderedTimeGroup(group: TimeGroup): TimeGroup {
  const { name, timezone, weekly, exceptions, open_destination, closed_destination } = group;
  return { name, timezone, weekly, exceptions, open_destination, closed_destination };
}

export function orderedAnnouncement({ name, recording, destination }: Announcement): Announcement {
  return { name, recording, destination };
}

export function orderedBox(box: VoicemailBox): VoicemailBox {
  const { name, greeting, max_seconds, silence_seconds, email } = box;
  return { name, greeting, max_seconds, silence_seconds, email };
}
