// Agents: the people who answer calls.

import { type AgentNode, referenceTo } from '../flow/node.ts';
import { eid, flag, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { type Field, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { afterCallOf } from './reference.ts';
import { CHOSEN_ID } from './reference-fields.ts';

const followMeNumber = pattern(
  /^(\+?[0-9]{3,15})?$/,
  'a telephone number: 3 to 15 digits, + before them if you like; empty for none',
);
export const intercom = pattern(/^[0-9]{2,10}$/, '2 to 10 digits');

const { description: _, ...newId } = CHOSEN_ID.input;
const newEid: Field<string> = { ...CHOSEN_ID, input: newId };

export const agent = defineKind({
  kind: 'agent',
  noun: 'agent',
  nouns: 'agents',
  word: 'extension',
  directory: 'agents',
  exported: 'agents',
  key: 'eid',
  versioned: false,
  drafted: false,
  tested: true,
  assistants: true,
  schema: 'Agent',
  plural: 'AgentsV2',
  path: '/v1/agent',
  listPath: '/v2/agents',
  see: 'directory',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    name: NAME,
    follow_me_number: optional(followMeNumber, ''),
    eid: optional(newEid, null),
    intercom: optional(intercom, null),
    product_clicktocall: optional(flag, 0),
    team_id: optional(wholeNumber(1, 2_000_000_000), null),
    timegroup_id: optional(eid, null),
    failover_destination: optional(to, null),
    sip_sha256: optional(
      oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
      false,
    ),
    do_not_disturb: optional(
      oneOf([true, false], 'offer no call; a direct one goes on as to a busy agent'),
      false,
    ),
    forward_always: optional(to, null),
    forward_busy: optional(to, null),
    forward_no_answer: optional(to, null),
    after_call_destination: optional(to, null),
    call_waiting: optional(oneOf([true, false], 'ring for a direct call while the agent talks'), null),
    record_calls: optional(oneOf([true, false], 'record calls with this agent'), false),
  }),
  beside: { custom_status: 0 },
  unique: (_id: string, { eid, intercom }: { readonly eid: string; readonly intercom: string }) => [
    { name: 'eid', value: eid },
    { name: 'intercom', value: intercom },
  ],
  lasting: ['eid'],
  // The cast holds: an agent that is stored has an eid and an intercom number.
  node: (_id, agent): AgentNode => agentNode(agent as unknown as ForwardingAgent),
});

/** An agent's team and departments are looked up, not copied. */
export interface Agent extends Omit<DataOf<typeof agent>, 'eid' | 'intercom'> {
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
