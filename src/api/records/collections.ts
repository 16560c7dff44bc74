// Which collection serves the records of a kind.
import { RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
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

/** Kinds that do something in another way than most. */
const OWN = {
  agent: agents,
  ivr: ivrs,
  team: teams,
  department: departments,
  recording: recordings,
  number: numbers,
  trunk: trunks,
  timegroup: timeGroups,
  voicemail: voicemailBoxes,
  room: plain('room', { pins: ['pin', 'host_pin'] }),
  request: requests,
  stream: streams,
  sip_address: sipAddresses,
  sms_template: smsTemplates,
  webhook: webhooks,
  blocked_number: blockedNumbers,
  caller_id_rule: callerIdRules,
} as const satisfies { readonly [K in RecordKind]?: Collection<K> };

const isOwn = (kind: RecordKind): kind is keyof typeof OWN => kind in OWN;

// The cast holds: a collection for each kind, of that kind.
export const COLLECTIONS = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, isOwn(kind) ? OWN[kind] : plain(kind)]),
) as unknown as { readonly [K in RecordKind]: Collection<K> };
