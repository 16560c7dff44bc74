// Small parts for tests: each sample is complete, and a test names only what it is about.

import { type Flow, type FlowSettings, makeFlow, type Recording } from '../flow.ts';
import type {
  AgentNode,
  AnnouncementNode,
  DepartmentNode,
  FlowNode,
  HoursNode,
  MenuNode,
  QueueRules,
  RoomNode,
  VoicemailNode,
} from '../node.ts';

export function aMenu(id: string, parts: Partial<Omit<MenuNode, 'kind' | 'ref'>> = {}): MenuNode {
  return {
    kind: 'menu',
    ref: `ivr||${id}`,
    name: `Menu ${id}`,
    recording: 'welcome',
    timeoutSeconds: 5,
    options: [
      { keys: '1', destination: 'extension||sales', smsTemplate: null },
      { keys: '2', destination: 'extension||support', smsTemplate: null },
    ],
    incorrectCount: 1,
    invalidRecording: 'invalid',
    recordingInvalid: null,
    invalidDestination: 'hangup||invalid',
    timeoutRetryRecording: 'timeout-retry',
    timeoutRecording: 'timeout-final',
    timeoutDestination: 'hangup||timeout',
    timeoutTries: 1,
    ...parts,
  };
}

export function anAgent(eid: string, parts: Partial<Omit<AgentNode, 'kind' | 'ref'>> = {}): AgentNode {
  return {
    kind: 'agent',
    ref: `extension||${eid}`,
    eid,
    name: `Agent ${eid}`,
    intercom: '1001',
    followMeNumber: null,
    blocked: false,
    hours: null,
    failover: null,
    ...parts,
  };
}

export function aDepartment(
  id: string,
  parts: Partial<Omit<DepartmentNode, 'kind' | 'ref'>> = {},
): DepartmentNode {
  return {
    kind: 'department',
    ref: `department||${id}`,
    name: `Department ${id}`,
    agents: ['extension||sales', 'extension||support'],
    strategy: 'in_order',
    ringSeconds: 10,
    failover: null,
    queue: null,
    ...parts,
  };
}

/** A queue without limits or announcements. */
export function aQueue(parts: Partial<QueueRules> = {}): QueueRules {
  return {
    music: null,
    announceSeconds: 0,
    maxWaitSeconds: 0,
    maxWaiting: 0,
    wrapupSeconds: 0,
    joinWhenEmpty: false,
    exitKey: null,
    ...parts,
  };
}

export function anAnnouncement(
  id: string,
  next: string,
  parts: Partial<AnnouncementNode> = {},
): AnnouncementNode {
  const ref = `announcement||${id}`;
  return { kind: 'announcement', ref, name: `Announcement ${id}`, recording: 'notice', next, ...parts };
}

export function someHours(id: string, parts: Partial<Omit<HoursNode, 'kind' | 'ref'>> = {}): HoursNode {
  return {
    kind: 'hours',
    ref: `timegroup||${id}`,
    name: `Hours ${id}`,
    zone: 'Europe/Berlin',
    weekly: [{ days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60 }],
    exceptions: [],
    openDestination: 'extension||sales',
    closedDestination: 'hangup||closed',
    ...parts,
  };
}

export function aVoicemail(id: string, parts: Partial<VoicemailNode> = {}): VoicemailNode {
  const ref = `voicemail||${id}`;
  return { kind: 'voicemail', ref, name: `Box ${id}`, mailbox: id, greeting: null, maxSeconds: 60, ...parts };
}

export function aRoom(id: string, parts: Partial<RoomNode> = {}): RoomNode {
  return {
    kind: 'room',
    ref: `room||${id}`,
    name: `Room ${id}`,
    pin: null,
    hostPin: null,
    pinRecording: null,
    waitForHost: false,
    music: null,
    endWithHost: false,
    announce: true,
    maxParticipants: 10,
    record: false,
    failover: null,
    ...parts,
  };
}

export const SAMPLE_RECORDINGS: readonly Recording[] = [
  { id: 'welcome', name: 'Welcome', durationMs: 4_000 },
  { id: 'invalid', name: 'That was wrong', durationMs: 1_000 },
  { id: 'invalid-final', name: 'Still wrong', durationMs: 1_500 },
  { id: 'timeout-retry', name: 'Are you there?', durationMs: 2_000 },
  { id: 'timeout-final', name: 'We give up', durationMs: 2_500 },
  { id: 'notice', name: 'Calls are recorded', durationMs: 3_000 },
];

/** A flow of these nodes, the two sample agents and the sample recordings. */
export function aFlow(nodes: readonly FlowNode[], settings: Partial<FlowSettings> = {}): Flow {
  const agents = [anAgent('sales'), anAgent('support', { intercom: '1002' })];
  return makeFlow({ nodes: [...agents, ...nodes], recordings: SAMPLE_RECORDINGS, settings });
}
