// Which collection serves the records of a kind.
import type { RecordKind } from '../../kinds/lists.ts';
import { agents } from './agent.ts';
import { blockedNumbers } from './blocked-number.ts';
import { callerIdRules } from './caller-id-rule.ts';
import type { Collection } from './collection.ts';
import { departments } from './department.ts';
import { ivrs } from './ivr.ts';
import { numbers } from './number.ts';
import { plain } from './plain.ts';
import { recordings } from './recording.ts';
import { requests } from './request.ts';
import { sipAddresses } from './sip-address.ts';
import { smsTemplates } from './sms-template.ts';
import { streams } from './stream.ts';
import { teams } from './team.ts';
import { timeGroups } from './time-group.ts';
import { trunks } from './trunk.ts';
import { voicemailBoxes } from './voicemail-box.ts';
import { webhooks } from './webhook.ts';

export const COLLECTIONS: { readonly [K in RecordKind]: Collection<K> } = {
  agent: agents,
  ivr: ivrs,
  team: teams,
  department: departments,
  recording: recordings,
  number: numbers,
  trunk: trunks,
  timegroup: timeGroups,
  announcement: plain('announcement'),
  voicemail: voicemailBoxes,
  room: plain('room', { pins: ['pin', 'host_pin'] }),
  collect: plain('collect'),
  request: requests,
  stream: streams,
  switch: plain('switch'),
  message: plain('message'),
  sip_address: sipAddresses,
  sms_template: smsTemplates,
  webhook: webhooks,
  blocked_number: blockedNumbers,
  caller_id_rule: callerIdRules,
};
