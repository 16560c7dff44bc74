// Agents: the people who answer calls.

import { eid, flag, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { CHOSEN_ID, DESTINATION } from './reference-fields.ts';

const followMeNumber = pattern(
  /^(\+?[0-9]{3,15})?$/,
  'a telephone number: 3 to 15 digits, + before them if you like; empty for none',
);
export const intercom = pattern(/^[0-9]{2,10}$/, '2 to 10 digits');

const { description: _, ...newId } = CHOSEN_ID.input;
const newEid: Field<string> = { ...CHOSEN_ID, input: newId };

export const agentRecord = defineRecord(KINDS.agent, {
  fields: {
    name: NAME,
    follow_me_number: optional(followMeNumber, ''),
    eid: optional(newEid, null),
    intercom: optional(intercom, null),
    product_clicktocall: optional(flag, 0),
    team_id: optional(wholeNumber(1, 2_000_000_000), null),
    timegroup_id: optional(eid, null),
    failover_destination: optional(DESTINATION, null),
    sip_sha256: optional(
      oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
      false,
    ),
    do_not_disturb: optional(
      oneOf([true, false], 'offer no call; a direct one goes on as to a busy agent'),
      false,
    ),
    forward_always: optional(DESTINATION, null),
    forward_busy: optional(DESTINATION, null),
    forward_no_answer: optional(DESTINATION, null),
    after_call_destination: optional(DESTINATION, null),
    call_waiting: optional(oneOf([true, false], 'ring for a direct call while the agent talks'), null),
    record_calls: optional(oneOf([true, false], 'record calls with this agent'), false),
  },
  means: {
    id: 'The id of the record of the agent, as text. Paths and destinations name agents by `eid`.',
    name: 'The name of the agent, as the console and call records show it.',
    follow_me_number:
      "An external number that rings together with the agent's phones, where a trunk may dial it. Empty: none.",
    eid: 'The id that paths and destinations use: `extension||100001` rings the agent with eid 100001. Without it: the service gives one.',
    intercom:
      "The internal number of the agent, and the user name of the agent's phones. Example: `1001`. Without it: the service gives one.",
    calls_answered: 'How many calls this agent has answered so far.',
    product_clicktocall: 'Whether click to call may ring this agent: 1 yes, 0 no.',
    team_id: "The id of the agent's team. Null: none.",
    team_name: 'The name of that team. Null: none.',
    custom_status: '1: the agent is blocked, and no call is offered. 0: not blocked.',
    timegroup_name: "The name of the time group that has the agent's hours. Null: none.",
    timegroup_id:
      'The id of the time group outside of which no call is offered to the agent. Null: at any time.',
    failover_destination:
      'Where a call goes that the agent does not take: not answered, busy, blocked, off duty or without a phone. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    failover_destination_name: 'The name of that destination. Null: there is none.',
    departments: 'The departments that ring this agent.',
    'departments[].name': 'What the department is called.',
    'departments[].id': 'The id of the department, as `department||<id>` names it.',
    sip_sha256:
      "Whether the agent's phones must authenticate with SHA-256 (RFC 8760). Many phones know MD5 alone.",
    record_calls: 'Whether every call with this agent is recorded.',
    do_not_disturb:
      'Whether the agent wants no calls: departments offer none, and a direct one goes where calls to a busy agent go. Phones set it with `*78` and `*79`.',
    forward_always:
      'Where every direct call to the agent goes on to, without ringing. Null: it is not forwarded. Calls of departments are never forwarded. A number is dialled by trunks with `agents_may_call` alone.',
    forward_busy:
      'Where a direct call goes on to while the agent is busy, before `failover_destination`. Null: it is not forwarded.',
    call_waiting:
      'Whether a direct call rings while the agent talks. Null: as the setting `several_calls_per_agent` says, which calls of departments always go by. Phones set it with `*70` and `*71`.',
    after_call_destination:
      'Where the caller goes on when the agent of a direct call hangs up first, for example to a survey. Null: the call ends.',
    forward_no_answer:
      'Where a direct call goes on to that the agent does not answer, or that no phone of the agent can be rung for, before `failover_destination`. Null: it is not forwarded.',
    sip_password: "The password of the agent's phones. It is shown this once and stored as a digest.",
  },
  example: {
    name: 'Asha Rao',
    follow_me_number: '+919812345678',
    team_id: 1,
    failover_destination: 'department||support',
  },
  beside: { custom_status: 0 },
  unique: (_id: string, { eid, intercom }: { readonly eid: string; readonly intercom: string }) => [
    { name: 'eid', value: eid },
    { name: 'intercom', value: intercom },
  ],
  lasting: ['eid'],
});

/** An agent's team and departments are looked up, not copied. */
export interface Agent extends Omit<DataOf<typeof agentRecord>, 'eid' | 'intercom'> {
  readonly eid: string;
  readonly intercom: string;
  /** 1 is blocked: no call is offered. */
  readonly custom_status: 0 | 1;
  readonly sip: SipDigests;
}

/** H(intercom:realm:password). The password itself is shown once and never stored. */
export interface SipDigests {
  readonly realm: string;
  readonly md5: string;
  readonly sha256: string;
}
