// Which collection serves the records of a kind.
import type { RecordKind } from '../../kinds/lists.ts';
import { agents } from './agent.ts';
import { announcements } from './announcement.ts';
import { blockedNumbers } from './blocked-number.ts';
import { callerIdRules } from './caller-id-rule.ts';
import type { Collection } from './collection.ts';
import { departments } from './department.ts';
import { ivrs } from './ivr.ts';
import { numbers } from './number.ts';
import { recordings } from './recording.ts';
import { rooms } from './room.ts';
import { sipAddresses } from './sip-address.ts';
import { smsTemplates } from './sms-template.ts';
import { streams } from './stream.ts';
import { teams } from './team.ts';
import { collects, messages, requests, switches } from './thinking.ts';
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
  announcement: announcements,
  voicemail: voicemailBoxes,
  room: rooms,
  collect: collects,
  request: requests,
  stream: streams,
  switch: switches,
  message: messages,
  sip_address: sipAddresses,
  sms_template: smsTemplates,
  webhook: webhooks,
  blocked_number: blockedNumbers,
  caller_id_rule: callerIdRules,
};
