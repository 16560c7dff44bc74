// All kinds of records. The order is that of lists.
import { agent } from './agent.ts';
import { announcement } from './announcement.ts';
import { blockedNumber } from './blocked-number.ts';
import { callerIdRule } from './caller-id-rule.ts';
import { collect } from './collect.ts';
import type { KindDefinition } from './define-kind.ts';
import { department } from './department.ts';
import { ivr } from './ivr.ts';
import { message } from './message.ts';
import { dialledNumber } from './number.ts';
import { recording } from './recording.ts';
import { request } from './request.ts';
import { room } from './room.ts';
import { sipAddress } from './sip-address.ts';
import { smsTemplate } from './sms-template.ts';
import { stream } from './stream.ts';
import { switchKind } from './switch.ts';
import { team } from './team.ts';
import { timeGroup } from './time-group.ts';
import { trunk } from './trunk.ts';
import { voicemailBox } from './voicemail-box.ts';
import { webhook } from './webhook.ts';

export const KINDS = {
  agent,
  ivr,
  team,
  department,
  recording,
  number: dialledNumber,
  trunk,
  timegroup: timeGroup,
  announcement,
  voicemail: voicemailBox,
  room,
  collect,
  request,
  stream,
  switch: switchKind,
  message,
  sip_address: sipAddress,
  sms_template: smsTemplate,
  webhook,
  blocked_number: blockedNumber,
  caller_id_rule: callerIdRule,
} as const satisfies { readonly [K in string]: KindDefinition };
