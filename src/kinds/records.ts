// What is stored of each kind. Apart from kinds.ts, so that pages of the console that need names and paths alone load no fields.

import { agentRecord } from './agent.ts';
import { announcementRecord } from './announcement.ts';
import { blockedNumberRecord } from './blocked-number.ts';
import { callerIdRuleRecord } from './caller-id-rule.ts';
import { collectRecord } from './collect.ts';
import { contactRecord } from './contact.ts';
import type { KindRecord } from './define-kind.ts';
import { departmentRecord } from './department.ts';
import { ivrRecord } from './ivr.ts';
import type { KINDS } from './kinds.ts';
import { messageRecord } from './message.ts';
import { dialledNumberRecord } from './number.ts';
import { recordingRecord } from './recording.ts';
import { requestRecord } from './request.ts';
import { roomRecord } from './room.ts';
import { sipAddressRecord } from './sip-address.ts';
import { smsTemplateRecord } from './sms-template.ts';
import { streamRecord } from './stream.ts';
import { switchRecord } from './switch.ts';
import { teamRecord } from './team.ts';
import { timeGroupRecord } from './time-group.ts';
import { trunkRecord } from './trunk.ts';
import { voicemailBoxRecord } from './voicemail-box.ts';
import { webhookRecord } from './webhook.ts';

export const RECORDS = {
  agent: agentRecord,
  ivr: ivrRecord,
  team: teamRecord,
  department: departmentRecord,
  recording: recordingRecord,
  number: dialledNumberRecord,
  trunk: trunkRecord,
  timegroup: timeGroupRecord,
  announcement: announcementRecord,
  voicemail: voicemailBoxRecord,
  room: roomRecord,
  collect: collectRecord,
  request: requestRecord,
  stream: streamRecord,
  switch: switchRecord,
  message: messageRecord,
  sip_address: sipAddressRecord,
  sms_template: smsTemplateRecord,
  webhook: webhookRecord,
  blocked_number: blockedNumberRecord,
  caller_id_rule: callerIdRuleRecord,
  contact: contactRecord,
} as const satisfies {
  readonly [K in keyof typeof KINDS]: KindRecord & { readonly of: (typeof KINDS)[K] };
};
